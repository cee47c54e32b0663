// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread/thread-section.h"
#include "thread/room-memory.h"
#include <string.h>

// Memory is looked at in cells of 4 bytes. A store that fills a cell hides what was there before; a smaller one adds to
// it.
enum { CELL = 4, STORES_MAX = 64, FLOWS_MAX = 256 };
struct mck_flow {
  uintptr_t cell;
  struct mck_times clock;
};
struct mck_section_log {
  uint32_t depth; // of the locks that the strand held in the section; 0: it is in no known section
  uint32_t nstores;
  bool is_full; // it stored more
  struct {
    uintptr_t cell;
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
    if (lock->flows[i].cell < address + size && address < lock->flows[i].cell + CELL)
      mck_strand_acquire(strand, &lock->flows[i].clock);
}

void mck_section_store(struct mck_strand *strand, uintptr_t address, uint64_t size) {
  struct mck_section_log *log = strand->section;
  if (!log || !log->depth || log->is_full) return;
  if (size > STORES_MAX * CELL) return (void)(log->is_full = true);
  for (uintptr_t cell = address & -(uintptr_t)CELL; cell < address + size; cell += CELL) {
    bool is_whole = address <= cell && cell + CELL <= address + size;
    uint32_t i = 0;
    while (i < log->nstores && log->stores[i].cell != cell) i++;
    if (i == STORES_MAX) return (void)(log->is_full = true);
    if (i == log->nstores) log->stores[log->nstores++].is_whole = false;
    log->stores[i].cell = cell, log->stores[i].is_whole |= is_whole;
  }
}

static struct mck_flow *flow_at(struct mck_lock *lock, uintptr_t cell) {
  for (uint32_t i = 0; i < lock->nflows; i++)
    if (lock->flows[i].cell == cell) return &lock->flows[i];
  if (lock->nflows == FLOWS_MAX) return NULL;
  if (!lock->flows) lock->flows = mck_thread_alloc((FLOWS_MAX) * sizeof *lock->flows);
  if (!lock->flows) return NULL;
  lock->flows[lock->nflows].cell = cell;
  return &lock->flows[lock->nflows++];
}

void mck_section_end(struct mck_strand *strand, struct mck_lock *lock) {
  struct mck_section_log *log = strand->section;
  // The locks are counted after the release.
  bool is_known = log && log->depth && log->depth == strand->nheld + 1 && !log->is_full;
  if (log && log->depth > strand->nheld) log->depth = 0;
  for (uint32_t i = 0; is_known && i < log->nstores; i++) {
    struct mck_flow *flow = flow_at(lock, log->stores[i].cell);
    is_known = flow;
    if (!flow) break;
    if (log->stores[i].is_whole) mck_times_clear(&flow->clock);
    mck_strand_release(strand, &flow->clock);
  }
  // What it stored is not known, or is too much: all sections that follow come behind it.
  if (!is_known) mck_strand_release(strand, &lock->unknown);
}

void mck_section_clear(struct mck_lock *lock) {
  for (uint32_t i = 0; i < lock->nflows; i++) mck_times_clear(&lock->flows[i].clock);
  mck_thread_free(lock->flows);
  lock->flows = NULL, lock->nflows = 0;
}
