// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A socket is known by the kernel's number for it, which is asked for at each transfer: file descriptors are reused. A
// connection is known to its other end by the addresses of both.
#include "flow/recorder/byte-streams.h"
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 4096 }; // higher descriptors are not followed
static struct {
  _Atomic uint64_t socket;
  _Atomic uint64_t positions[2]; // [1]: out
  _Atomic uint32_t nrunning[2];
} files[FILES];

bool mck_flow_streams_has(int fd) {
  if (fd < 0 || fd >= FILES || !mck_flow_is_open()) return false;
  uint64_t known = atomic_load_explicit(&files[fd].socket, memory_order_relaxed), number = 0;
  if (!known) return false;
  int saved = errno;
  socklen_t size = sizeof number;
  bool is_same = getsockopt(fd, SOL_SOCKET, SO_COOKIE, &number, &size) == 0 && number == known;
  if (!is_same) atomic_store_explicit(&files[fd].socket, 0, memory_order_relaxed); // it was closed
  errno = saved;
  return is_same;
}

bool mck_flow_streams_begin(int fd, bool is_out) {
  if (fd < 0 || fd >= FILES) return false;
  return atomic_fetch_add_explicit(&files[fd].nrunning[is_out], 1, memory_order_relaxed) == 0;
}

static void set_address(uint8_t *to, uint16_t *port, const struct sockaddr_storage *name) {
  if (name->ss_family == AF_INET) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)name;
    to[10] = to[11] = 0xff; // as IPv6 writes it
    memcpy(to + 12, &in->sin_addr, 4);
    *port = ntohs(in->sin_port);
  } else if (name->ss_family == AF_INET6) {
    const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)name;
    memcpy(to, &in->sin6_addr, 16);
    *port = ntohs(in->sin6_port);
  }
}

static void write_socket(int fd, uint64_t number) {
  struct mck_trace_socket s = {.socket = number};
  struct sockaddr_storage local = {0}, peer = {0};
  socklen_t nlocal = sizeof local, npeer = sizeof peer;
  if (getsockname(fd, (struct sockaddr *)&local, &nlocal) || getpeername(fd, (struct sockaddr *)&peer, &npeer)) return;
  set_address(s.local, &s.local_port, &local);
  set_address(s.peer, &s.peer_port, &peer);
  s.family = local.ss_family;
  struct mck_flow_thread *t = &mck_flow_thread;
  if (!mck_flow_enter_recorder(t)) return;
  struct mck_trace_slot *slot = mck_flow_reserve(t, 3);
  if (slot) {
    slot[0] = mck_trace_pack(MCK_TRACE_SOCKET, 3, mck_flow_now(), 0, 0, 0, 0);
    memcpy(&slot[1], &s, sizeof s);
    mck_flow_commit(t, 3);
    t->growing = NULL;
  }
  mck_flow_leave_recorder(t);
}

// 0: no stream socket.
static uint64_t socket_of(int fd) {
  uint64_t number = 0;
  int type = 0;
  socklen_t size = sizeof number, type_size = sizeof type;
  if (getsockopt(fd, SOL_SOCKET, SO_COOKIE, &number, &size)) return 0;
  if (atomic_load_explicit(&files[fd].socket, memory_order_relaxed) == number) return number;
  if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_size) || type != SOCK_STREAM) return 0;
  atomic_store_explicit(&files[fd].positions[0], 0, memory_order_relaxed);
  atomic_store_explicit(&files[fd].positions[1], 0, memory_order_relaxed);
  atomic_store_explicit(&files[fd].socket, number, memory_order_relaxed);
  write_socket(fd, number);
  return number;
}

// Each part is a movement of its own, at its place in the stream or file.
static void record(const struct mck_flow_transfer *x, uint64_t socket, uint64_t at, const struct stat *st) {
  enum mck_trace_kind kind = socket      ? x->is_out ? MCK_TRACE_SEND : MCK_TRACE_RECEIVE
                             : x->is_out ? MCK_TRACE_WRITE
                                         : MCK_TRACE_READ;
  uint64_t left = (uint64_t)x->size;
  for (int i = 0; i < x->nparts && left; i++) {
    uint64_t n = x->parts[i].iov_len < left ? x->parts[i].iov_len : left;
    struct mck_trace_slot more;
    if (socket) more = (struct mck_trace_slot){.time = socket, .from = at};
    else more = (struct mck_trace_slot){.time = st->st_dev, .from = st->st_ino, .to = at};
    struct mck_flow_move move = {.kind = kind, .time = x->time, .size = n, .caller = x->caller, .more = &more};
    if (x->is_out) move.from = x->parts[i].iov_base;
    else move.to = x->parts[i].iov_base;
    mck_flow_move(&move);
    left -= n, at += n;
  }
}

static void note_file(const struct mck_flow_transfer *x) {
  struct stat st;
  if (!x->is_recorded || fstat(x->fd, &st) || !S_ISREG(st.st_mode)) return;
  int64_t offset = x->offset >= 0 ? x->offset : lseek(x->fd, 0, SEEK_CUR) - x->size;
  if (offset >= 0) record(x, 0, (uint64_t)offset, &st);
  else mck_flow_lose();
}

static void note(const struct mck_flow_transfer *x, bool is_alone) {
  uint64_t socket = socket_of(x->fd);
  if (!socket) {
    note_file(x);
    return;
  }
  if (!is_alone) mck_flow_lose();
  uint64_t at = atomic_fetch_add_explicit(&files[x->fd].positions[x->is_out], (uint64_t)x->size, memory_order_relaxed);
  if (x->is_recorded && x->nparts) record(x, socket, at, NULL);
}

void mck_flow_streams_end(const struct mck_flow_transfer *x, bool is_alone) {
  int saved = errno;
  if (x->fd < 0 || x->fd >= FILES) {
    if (x->is_recorded && x->size > 0) mck_flow_lose();
  } else {
    if (x->size > 0 && mck_flow_is_open()) note(x, is_alone);
    atomic_fetch_sub_explicit(&files[x->fd].nrunning[x->is_out], 1, memory_order_relaxed);
  }
  errno = saved;
}
