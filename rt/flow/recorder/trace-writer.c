// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Like the log (log/log-writer.c): the address range for the whole limit is reserved once, and each block is allocated
// on disk before it is mapped, because a store into a hole of a full file system would be SIGBUS in the user's program.
#include "flow/recorder/trace-writer.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/own-program.h"
#include "base/address-room.h"
#include "flow/recorder-stop.h"
#include "flow/trace-pack.h"
#include "log/log.h"

static struct mck_flow_gate shut;
struct mck_flow_gate *mck_flow_gate = &shut;
char mck_flow_program[4096];

static struct mck_trace_header *header; // and the range behind it
static uint64_t limit;                  // bytes
static int file = -1;
static dev_t device; // of the file, so that a file is known that took its number
static ino_t inode;
static _Atomic uint32_t nthreads;

static bool is_our_file(void) {
  struct stat st;
  return fstat(file, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

// A program that closed all its files may have closed ours.
static bool map_part(uint64_t offset, uint64_t size) {
  if (!is_our_file() || mck_log_allocate(file, offset, size)) return false;
  char *at = (char *)header + offset;
  if (mck_flow_map(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)offset) == MAP_FAILED)
    return false;
  madvise(at, size, MADV_POPULATE_WRITE);
  return true;
}

// A new block of the thread. NULL: the recording has ended.
static struct mck_trace_block *take_block(struct mck_flow_thread *t) {
  uint64_t number = atomic_fetch_add_explicit(&header->nblocks, 1, memory_order_relaxed);
  uint64_t offset = MCK_TRACE_HEADER + number * MCK_TRACE_BLOCK, none = 0;
  if (offset + MCK_TRACE_BLOCK <= limit && map_part(offset, MCK_TRACE_BLOCK)) {
    struct mck_trace_block *block = (struct mck_trace_block *)((char *)header + offset);
    if (!t->thread) t->thread = 1 + atomic_fetch_add_explicit(&nthreads, 1, memory_order_relaxed);
    block->thread = t->thread;
    return block;
  }
  atomic_store(&mck_flow_gate->is_open, 0);
  if (atomic_compare_exchange_strong(&header->full_at, &none, mck_flow_now()))
    mck_base_warn("rank %u: the trace of movements is full (%s): the ways of later messages are not followed",
                  header->rank, offset + MCK_TRACE_BLOCK > limit ? "option flow_limit" : "the disk is");
  return NULL;
}

// Appends the thread's full block to its packed ones.
static bool append(struct mck_flow_thread *t) {
  uint64_t used = atomic_load_explicit(&t->packed->state, memory_order_relaxed), room = MCK_TRACE_BLOCK;
  room -= sizeof *t->packed + used;
  if (room <= sizeof(struct mck_trace_chunk)) return false;
  struct mck_trace_chunk *chunk = (struct mck_trace_chunk *)((char *)(t->packed + 1) + used);
  uint32_t n = (uint32_t)atomic_load_explicit(&t->block->state, memory_order_relaxed);
  size_t size = mck_trace_pack_slots(t->packer, (struct mck_trace_slot *)(t->block + 1), n,
                                     (unsigned char *)(chunk + 1), (size_t)(room - sizeof *chunk) / 8 * 8);
  if (!size) return false;
  chunk->bytes = (uint32_t)size, chunk->slots = n, chunk->turn = (uint32_t)(t->turn / MCK_TRACE_TURN);
  used += sizeof *chunk + (size + 7) / 8 * 8;
  atomic_store_explicit(&t->packed->state, used, memory_order_release);
  return true;
}

// Packs the thread's full block, so that it is free again.
static bool pack_block(struct mck_flow_thread *t) {
  if (!t->packer) {
    void *packer = mck_flow_map(NULL, sizeof *t->packer, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (packer == MAP_FAILED) return false;
    t->packer = packer;
  }
  if (t->packed && append(t)) return true;
  struct mck_trace_block *packed = take_block(t);
  if (!packed) return false;
  packed->is_packed = true, t->packed = packed;
  return append(t); // false: nothing can be predicted, so the block stays as it is
}

bool mck_flow_new_block(struct mck_flow_thread *t) {
  int saved = errno;
  bool is_packed = t->block && pack_block(t);
  struct mck_trace_block *block = is_packed ? t->block : mck_flow_is_open() ? take_block(t) : NULL;
  if (block) {
    if (t->block) t->turn += MCK_TRACE_TURN;
    t->block = block;
    atomic_store_explicit(&block->state, t->turn, memory_order_release);
    t->next = (struct mck_trace_slot *)(block + 1), t->end = t->next + MCK_TRACE_SLOTS;
    t->growing = NULL, t->is_call_written = false; // the reader may see a block alone
  }
  errno = saved;
  return block != NULL;
}

static int environment_rank(void) {
  const char *text = getenv("OMPI_COMM_WORLD_RANK"), *pmix = text ? text : getenv("PMIX_RANK");
  char *end = NULL;
  long rank = pmix ? strtol(pmix, &end, 10) : -1;
  return pmix && !*end && end != pmix && rank >= 0 && rank < INT32_MAX ? (int)rank : -1;
}

static bool create(const char *dir, int rank) {
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/rank-%d.flow", dir, rank);
  if (length < 0 || (size_t)length >= sizeof path) return errno = ENAMETOOLONG, false;
  file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return false;
  struct stat st;
  void *range = mck_flow_map(NULL, limit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range != MAP_FAILED && fstat(file, &st) == 0) {
    device = st.st_dev, inode = st.st_ino, header = range;
    if (map_part(0, MCK_TRACE_HEADER)) return true;
  }
  int saved = errno;
  close(file);
  unlink(path);
  errno = saved;
  return false;
}

static void fill_header(int rank) {
  header->version = MCK_TRACE_VERSION, header->header_size = MCK_TRACE_HEADER;
  header->block_size = MCK_TRACE_BLOCK, header->slot_size = MCK_TRACE_SLOT;
  header->rank = (uint32_t)rank, header->pid = (uint32_t)getpid();
  if (gethostname(header->host, sizeof header->host - 1) != 0) header->host[0] = 0;
  atomic_thread_fence(memory_order_release);
  memcpy(header->magic, MCK_TRACE_MAGIC, sizeof header->magic);
}

// A page of its own, which fork leaves empty in the child, whichever way it is made.
static bool open_gate(void) {
  struct mck_flow_gate *gate = mck_flow_map(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (gate == MAP_FAILED || madvise(gate, (size_t)sysconf(_SC_PAGESIZE), MADV_WIPEONFORK)) return false;
  atomic_store(&gate->is_open, 1);
  mck_flow_gate = gate;
  return true;
}

void mck_flow_begin(void) {
  static atomic_flag is_begun = ATOMIC_FLAG_INIT;
  const char *dir = getenv("MPICC_CHECK_DIR");
  int rank = environment_rank(), saved = errno;
  if (atomic_flag_test_and_set(&is_begun) || !dir || rank < 0) return;
  char error[512];
  if (!mck_options_parse(getenv("MPICC_CHECK_OPTIONS"), error, sizeof error)) return; // libmpicc-check.so says it
  limit = MCK_TRACE_HEADER + ((uint64_t)mck_options.flow_limit << 20);
  uint64_t room = mck_base_address_room() / MCK_TRACE_BLOCK * MCK_TRACE_BLOCK;
  if (limit > room) limit = MCK_TRACE_HEADER + room;
  mck_own_program(mck_flow_program, sizeof mck_flow_program);
  bool is_made = create(dir, rank);
  if (is_made) fill_header(rank), is_made = open_gate();
  // A spawned process (MPI-3.1 10.3.2) has the rank and the directory of one of its parents: it records nothing.
  if (!is_made && errno != EEXIST)
    mck_base_warn("rank %d: cannot make the trace of movements in %s: %s; the ways of its messages are not followed",
                  rank, dir, strerror(errno));
  errno = saved;
}

MCK_EXPORT void mck_flow_stop(void) {
  if (!mck_flow_is_open()) return;
  atomic_store(&mck_flow_gate->is_open, 0);
  atomic_store(&header->stopped_at, mck_flow_now());
}

MCK_EXPORT void *mck_flow_behind(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  __asm__ volatile("" ::: "memory"); // dlsym looks at who calls it: it must not be a jump
  return found;
}
