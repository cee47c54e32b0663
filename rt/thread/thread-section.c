// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread/thread-section.h"
#include "thread/room-memory.h"
#include <string.h>

// Memory is looked at in cells of 4 bytes. A store that fills a cell hides what was there before; a smaller one adds to
// it. So does a large one, which is kept whole.
enum { CELL = 4, CELLS = 16, STORES_MAX = 64, STORES_SINGLE = 48, FLOWS_MIN = 2, FLOWS_MAX = 256 };
struct mck_flow {
  uintptr_t low;
  uint64_t size; // CELL, or that of a larger store
  struct mck_times clock;
};
struct mck_section_log {
  uint32_t depth; // of the locks that the strand held in the section; 0: it is in no known section
  uint32_t nstores;
  bool is_full; // it stored more
  struct {
    uintptr_t low;
    uint64_t size;
    bool is_whole;
  } stores[STORES_MAX];
};

void mck_section_begin(struct mck_strand *strand) {
  mck_times_clear(&strand->before);
  mck_times_copy(&strand->before, &strand->clock);
}

void mck_section_known(struct mck_strand *strand, const struct mck_lock *lock) {
  const struct mck_lock_held *held = strand->nheld ? &strand->held[strand->nheld - 1] : NULL;
  if (!held || held->depth != 1 || held->number & MCK_HELD_SHARED || strand->is_unsure) return;
  // A section within a known one counts as unknown.
  struct mck_section_log *log = strand->section;
  if (!log) log = strand->section = mck_thread_alloc(sizeof *log);
  if (!log || log->depth) return;
  log->depth = strand->nheld, log->nstores = 0, log->is_full = false;
  mck_strand_go_back(strand, &strand->before);
  mck_strand_acquire(strand, &lock->unknown);
}

void mck_section_load(struct mck_strand *strand, const struct mck_lock *lock, uintptr_t address, uint64_t size) {
  for (uint32_t i = 0; i < lock->nflows; i++)
    if (lock->flows[i].low < address + size && address < lock->flows[i].low + lock->flows[i].size)
      mck_strand_acquire(strand, &lock->flows[i].clock);
}

// A loop stores to one element behind the other: from some stores on these are one that adds to what was there before.
static bool extend(struct mck_section_log *log, uintptr_t low, uint64_t size) {
  for (uint32_t i = log->nstores; i-- > 0;) {
    uintptr_t high = log->stores[i].low + log->stores[i].size;
    if (low < log->stores[i].low || low > high) continue;
    if (low + size > high) log->stores[i].size = low + size - log->stores[i].low, log->stores[i].is_whole = false;
    return true;
  }
  return false;
}

static void add_store(struct mck_section_log *log, uintptr_t low, uint64_t size, bool is_whole) {
  uint32_t i = 0;
  while (i < log->nstores && (log->stores[i].low != low || log->stores[i].size != size)) i++;
  if (i == log->nstores && i >= STORES_SINGLE && extend(log, low, size)) return;
  if (i == STORES_MAX) {
    log->is_full = true;
    return;
  }
  if (i == log->nstores) log->stores[log->nstores++].is_whole = false;
  log->stores[i].low = low, log->stores[i].size = size, log->stores[i].is_whole |= is_whole;
}

static struct mck_section_log *log_of(struct mck_strand *strand) {
  struct mck_section_log *log = strand->section;
  return log && log->depth && !log->is_full ? log : NULL;
}

bool mck_section_is_known(struct mck_strand *strand) { return log_of(strand); }

void mck_section_store(struct mck_strand *strand, uintptr_t address, uint64_t size) {
  struct mck_section_log *log = log_of(strand);
  if (!log) return;
  if (size > (uint64_t)CELLS * CELL) return mck_section_store_some(strand, address, size);
  for (uintptr_t cell = address & -(uintptr_t)CELL; cell < address + size; cell += CELL)
    add_store(log, cell, CELL, address <= cell && cell + CELL <= address + size);
}

void mck_section_store_some(struct mck_strand *strand, uintptr_t address, uint64_t size) {
  struct mck_section_log *log = log_of(strand);
  if (log && size) add_store(log, address, size, false);
}

// There may be a lock for each element of an array: most have few places.
static bool grow(struct mck_lock *lock) {
  uint32_t capacity = lock->capacity ? 2 * lock->capacity : FLOWS_MIN;
  struct mck_flow *flows = capacity <= FLOWS_MAX ? mck_thread_alloc(capacity * sizeof *flows) : NULL;
  if (!flows) return false;
  if (lock->nflows) memcpy(flows, lock->flows, lock->nflows * sizeof *flows);
  mck_thread_free(lock->flows);
  lock->flows = flows, lock->capacity = capacity;
  return true;
}

static struct mck_flow *flow_of(struct mck_lock *lock, uintptr_t low, uint64_t size) {
  for (uint32_t i = 0; i < lock->nflows; i++)
    if (lock->flows[i].low == low && lock->flows[i].size == size) return &lock->flows[i];
  if (lock->nflows == lock->capacity && !grow(lock)) return NULL;
  lock->flows[lock->nflows].low = low, lock->flows[lock->nflows].size = size;
  return &lock->flows[lock->nflows++];
}

void mck_section_end(struct mck_strand *strand, struct mck_lock *lock) {
  struct mck_section_log *log = strand->section;
  // The locks are counted after the release.
  bool is_known = log && log->depth && log->depth == strand->nheld + 1 && !log->is_full;
  if (log && log->depth > strand->nheld) log->depth = 0;
  for (uint32_t i = 0; is_known && i < log->nstores; i++) {
    struct mck_flow *flow = flow_of(lock, log->stores[i].low, log->stores[i].size);
    is_known = flow;
    if (!flow) break;
    if (log->stores[i].is_whole) mck_times_clear(&flow->clock);
    mck_strand_release(strand, &flow->clock);
  }
  // What it stored is not known, or is too much: all sections that follow come behind it.
  if (!is_known) mck_strand_release(strand, &lock->unknown);
}

void mck_section_give_up(struct mck_strand *strand, const struct mck_lock *lock) {
  struct mck_section_log *log = log_of(strand);
  if (!log) return;
  log->is_full = true;
  mck_strand_acquire(strand, &lock->released);
}

void mck_section_clear(struct mck_lock *lock) {
  for (uint32_t i = 0; i < lock->nflows; i++) mck_times_clear(&lock->flows[i].clock);
  mck_thread_free(lock->flows);
  lock->flows = NULL, lock->nflows = lock->capacity = 0;
}
