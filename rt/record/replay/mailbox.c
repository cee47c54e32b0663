// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clock records on their way between the processes of a node: files that grow by chunks, a list of chunks for each
// pair of ranks.
#include "record/replay/mailbox.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "record/runtime.h"

enum { CHUNK = 1024, RECORDS = CHUNK / 32 - 1, GROW = 1 << 18 };
// of all files together, and each has at most FILE_MAX: addresses are mapped, not used
#define ADDRESSES ((size_t)64 << 30)
#define FILE_MAX ((size_t)1 << 30)

struct chunk {
  _Atomic uint32_t next;    // chunk number, 0: none yet
  _Atomic uint32_t is_read; // all of it was read: the sender may use the chunk again
  uint32_t unused[6];
  struct mck_clock_record records[RECORDS]; // a record is there when its kind is not 0: so one cache line is moved, not
                                            // two
};
_Static_assert(sizeof(struct chunk) == CHUNK, "chunks lie in pages");
struct box {                             // the beginning of a file
  _Atomic uint32_t clock;                // the clock of its owner
  _Atomic uint32_t has_synchronous;      // in rank 0's file: some rank has sent a synchronous message
  _Alignas(64) _Atomic uint32_t heads[]; // by receiver: the first chunk, 0: none yet
};
struct way {            // from a sender, or to a receiver
  uint32_t first, last; // reading: last is not used
  uint32_t position;
};

static struct box **boxes; // by rank
static struct way *from, *to;
static uint32_t *unused; // chunks
static size_t nunused, unused_capacity;
static size_t file_bytes, allocated;
static uint32_t nchunks; // numbers given out; the chunks of the first numbers lie under the heads
static int fd = -1;

static struct chunk *chunk_at(struct box *box, uint32_t number) {
  return (struct chunk *)((char *)box + (size_t)number * CHUNK);
}

// --- writing ---
static uint32_t new_chunk(struct way *w) {
  struct box *own = boxes[mck_rt.rank];
  while (w->first && w->first != w->last &&
         atomic_load_explicit(&chunk_at(own, w->first)->is_read, memory_order_acquire)) {
    uint32_t next = atomic_load_explicit(&chunk_at(own, w->first)->next, memory_order_relaxed);
    if (!MCK_PUSH(unused, nunused, unused_capacity, w->first)) break;
    w->first = next;
  }
  if (nunused) {
    uint32_t number = unused[--nunused];
    struct chunk *c = chunk_at(own, number);
    memset(c, 0, sizeof *c);
    return number;
  }
  size_t end = ((size_t)nchunks + 1) * CHUNK;
  // Space on the disk is reserved before it is written to: on a full disk a store would be a signal.
  if (end > allocated && (allocated + GROW > file_bytes || posix_fallocate(fd, (off_t)allocated, GROW))) return 0;
  if (end > allocated) allocated += GROW;
  return nchunks++;
}

static bool put(void *context, uint32_t rank, const struct mck_clock_record *record) {
  (void)context;
  struct box *own = boxes[mck_rt.rank];
  struct way *w = &to[rank];
  if (!w->last || w->position == RECORDS) {
    uint32_t number = new_chunk(w);
    if (!number) return false;
    _Atomic uint32_t *link = w->last ? &chunk_at(own, w->last)->next : &own->heads[rank];
    if (!w->first) w->first = number;
    w->last = number, w->position = 0;
    atomic_store_explicit(link, number, memory_order_release);
  }
  struct chunk *c = chunk_at(own, w->last);
  struct mck_clock_record *at = &c->records[w->position++];
  at->comm = record->comm, at->bytes = record->bytes, at->clock = record->clock, at->site = record->site;
  at->tag = record->tag, at->fn = record->fn;
  __atomic_store_n(&at->kind, record->kind, __ATOMIC_RELEASE);
  return true;
}

// --- reading ---
// A program may write where it should not: a number that is no chunk is not followed.
static uint32_t follow(const _Atomic uint32_t *link) {
  uint32_t number = atomic_load_explicit(link, memory_order_acquire);
  return number < file_bytes / CHUNK ? number : 0;
}

static bool take(void *context, uint32_t rank, struct mck_clock_record *record) {
  (void)context;
  struct box *box = boxes[rank];
  struct way *w = &from[rank];
  if (!w->first) w->first = follow(&box->heads[mck_rt.rank]);
  if (!w->first) return false;
  struct chunk *c = chunk_at(box, w->first);
  if (w->position == RECORDS) {
    uint32_t next = follow(&c->next);
    if (!next) return false;
    atomic_store_explicit(&c->is_read, 1, memory_order_release);
    c = chunk_at(box, w->first = next), w->position = 0;
  }
  if (!__atomic_load_n(&c->records[w->position].kind, __ATOMIC_ACQUIRE)) return false;
  *record = c->records[w->position++];
  return true;
}

static void show(void *context, uint32_t clock) {
  (void)context;
  atomic_store_explicit(&boxes[mck_rt.rank]->clock, clock, memory_order_release);
}
static uint32_t clock_of(void *context, uint32_t rank) {
  (void)context;
  return atomic_load_explicit(&boxes[rank]->clock, memory_order_acquire);
}
// Called before the clock record is put, which is before the message.
static void announce_synchronous(void *context) {
  (void)context;
  if (!atomic_load_explicit(&boxes[0]->has_synchronous, memory_order_relaxed))
    atomic_store(&boxes[0]->has_synchronous, 1);
}
static bool has_synchronous(void *context) {
  (void)context;
  return atomic_load_explicit(&boxes[0]->has_synchronous, memory_order_acquire);
}
const struct mck_online_transport mck_mailbox_transport = {
    NULL, put, take, show, clock_of, announce_synchronous, has_synchronous};

// --- opening ---
static void path_of(int rank, char *path, size_t size) { snprintf(path, size, "%s/clocks-%d", mck_rt.dir, rank); }

static bool agree(bool is_good) {
  int all = is_good;
  return PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, mck_rt.comm) == MPI_SUCCESS && all;
}

static bool map_box(int rank, int file) {
  void *map = file < 0 ? MAP_FAILED
                       : mmap(NULL, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  boxes[rank] = map == MAP_FAILED ? NULL : map;
  return boxes[rank] != NULL;
}

bool mck_mailbox_open(void) {
  char path[sizeof mck_rt.dir + 32];
  size_t n = (size_t)mck_rt.size, heads = sizeof(struct box) + n * sizeof(uint32_t);
  nchunks = (uint32_t)((heads + CHUNK - 1) / CHUNK);
  file_bytes = ADDRESSES / n < FILE_MAX ? ADDRESSES / n / GROW * GROW : FILE_MAX;
  allocated = (heads + GROW - 1) / GROW * GROW;
  boxes = calloc(n, sizeof(struct box *)), from = calloc(n, sizeof *from), to = calloc(n, sizeof *to);
  path_of(mck_rt.rank, path, sizeof path);
  fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  bool is_made = fd >= 0, is_good = is_made && boxes && from && to && allocated < file_bytes &&
                                    ftruncate(fd, (off_t)file_bytes) == 0 &&
                                    posix_fallocate(fd, 0, (off_t)allocated) == 0 && map_box(mck_rt.rank, fd);
  is_good = agree(is_good);
  for (int i = 0; is_good && i < mck_rt.size; i++) {
    if (i == mck_rt.rank) continue;
    char other[sizeof path];
    path_of(i, other, sizeof other);
    int file = open(other, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    is_good = map_box(i, file);
    if (file >= 0) close(file);
  }
  is_good = agree(is_good);
  if (is_made) unlink(path);
  if (!is_good) mck_mailbox_close();
  return is_good;
}

void mck_mailbox_close(void) {
  for (int i = 0; boxes && i < mck_rt.size; i++)
    if (boxes[i]) munmap(boxes[i], file_bytes);
  free(boxes), free(from), free(to), free(unused);
  boxes = NULL, from = to = NULL, unused = NULL;
  if (fd >= 0) close(fd);
  fd = -1;
}
