// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where accesses by the shared file pointer are (MPI-3.1 13.4.4). The collective ones (_ordered) take their places by
// rank, one behind the other, and move the pointer by what all ranks ask for. So their places follow from the logs of
// all ranks, as long as all made the same sequence of calls that move the pointer. Where one process moved it alone
// (_shared), the place of each access is luck: then nothing is known of this open.
#include <stdlib.h>
#include <string.h>
#include "io/io-run.h"

struct moved { // a call that moves the pointer, or sets it back
  uint64_t key, offset, size;
  uint32_t rank, k; // k: which one of this rank for this file
  uint32_t log, event, nranks;
  bool is_set, is_alone;
};
struct moves {
  struct moved *items;
  size_t count, capacity;
};

static int compare_numbers(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int compare_moves(const void *x, const void *y) {
  const struct moved *a = x, *b = y;
  if (a->key != b->key) return compare_numbers(a->key, b->key);
  return a->k != b->k ? compare_numbers(a->k, b->k) : compare_numbers(a->rank, b->rank);
}

static int compare_places(const void *x, const void *y) {
  const struct mck_io_place *a = x, *b = y;
  return a->log != b->log ? compare_numbers(a->log, b->log) : compare_numbers(a->event, b->event);
}

static void note(struct mck_io_run *run, struct moves *all, uint32_t log, uint32_t event, uint32_t *counts) {
  const struct mck_reader *r = &run->logs[log];
  const struct mck_event *e = &r->events[event];
  bool is_view = e->kind == MCK_EV_FILE_VIEW;
  const struct mck_comm_def *comm = mck_order_comm(r, e->file.comm);
  if (!comm) return;
  struct moved new = {.key = comm->body->key,
                      .rank = comm->rank,
                      .k = counts[e->file.comm]++,
                      .log = log,
                      .event = event,
                      .nranks = comm->size};
  new.is_set = is_view || e->flags & MCK_POINTER_SET;
  new.is_alone = !is_view && e->flags & MCK_POINTER_ALONE;
  new.offset = is_view ? 0 : e->file.offset, new.size = is_view ? 0 : e->file.size;
  if (!MCK_PUSH(all->items, all->count, all->capacity, new)) run->is_short = true;
}

static bool has_pointer(const struct mck_reader *r) {
  for (uint64_t i = 0; i < r->units; i += mck_event_units(&r->events[i]))
    if (r->events[i].kind == MCK_EV_FILE_POINTER) return true;
  return false;
}

static void list_moves(struct mck_io_run *run, struct moves *all) {
  for (uint32_t log = 0; log < run->nlogs && !run->is_short; log++) {
    const struct mck_reader *r = &run->logs[log];
    uint32_t *counts = calloc((size_t)r->ncomms + 1, sizeof *counts);
    if (!counts) run->is_short = true;
    for (uint64_t i = 0; counts && i < r->units; i += mck_event_units(&r->events[i]))
      if (r->events[i].kind == MCK_EV_FILE_POINTER || r->events[i].kind == MCK_EV_FILE_VIEW)
        note(run, all, log, (uint32_t)i, counts);
    free(counts);
  }
}

// The k-th call of each rank of a file. Returns false where they are not the same call.
static bool place(struct mck_io_run *run, const struct moved *m, size_t n, uint64_t *pointer) {
  if (n != m->nranks) return false;
  for (size_t i = 0; i < n; i++)
    if (m[i].rank != i || m[i].is_set != m->is_set || (m->is_set && m[i].offset != m->offset)) return false;
  if (m->is_set) *pointer = m->offset;
  for (size_t i = 0; i < n && !m->is_set; i++) {
    struct mck_io_place new = {m[i].log, m[i].event, *pointer};
    if (__builtin_add_overflow(*pointer, m[i].size, pointer)) return false;
    if (!MCK_PUSH(run->places, run->nplaces, run->places_capacity, new)) run->is_short = true;
  }
  return true;
}

static void place_file(struct mck_io_run *run, const struct moved *m, size_t n) {
  uint64_t pointer = 0;
  for (size_t i = 0; i < n; i++)
    if (m[i].is_alone) return;
  for (size_t i = 0, same; i < n; i += same) {
    for (same = 1; i + same < n && m[i + same].k == m[i].k;) same++;
    if (!place(run, &m[i], same, &pointer)) return;
  }
}

void mck_io_place(struct mck_io_run *run) {
  struct moves all = {0};
  bool is_used = false;
  for (size_t i = 0; i < run->nlogs; i++) {
    if (mck_order_cut(&run->logs[i]) != MCK_NONE) return; // the calls before the cut are not there
    is_used |= has_pointer(&run->logs[i]);
  }
  if (is_used) list_moves(run, &all);
  if (all.count) qsort(all.items, all.count, sizeof *all.items, compare_moves);
  for (size_t i = 0, n; i < all.count && !run->is_short; i += n) {
    for (n = 1; i + n < all.count && all.items[i + n].key == all.items[i].key;) n++;
    place_file(run, &all.items[i], n);
  }
  if (run->nplaces) qsort(run->places, run->nplaces, sizeof *run->places, compare_places);
  free(all.items);
}

const struct mck_io_place *mck_io_place_of(const struct mck_io_run *run, uint32_t log, uint32_t event) {
  struct mck_io_place key = {log, event, 0};
  return run->nplaces ? bsearch(&key, run->places, run->nplaces, sizeof key, compare_places) : NULL;
}
