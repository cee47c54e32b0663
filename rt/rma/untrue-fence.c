// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_MODE_NOPUT of a fence that is not true (MPI-3.1 11.5.5), on windows that are synchronized by more than fences. Of
// the others the sweep over fence epochs tells it (judge/window). Fences are collective: the n-th one of the origin
// opens the same epoch as the n-th one of the target.
#include <stdlib.h>
#include "rma/rma-walk.h"
#include "standard/constants.h"

struct promise { // a fence with MPI_MODE_NOPUT
  uint32_t window, log, number, event;
};
struct looking {
  struct mck_rma_run *run;
  struct promise *items;
  size_t count, capacity;
};

static int compare(const void *a, const void *b) {
  const struct promise *p = a, *q = b;
  if (p->window != q->window) return p->window < q->window ? -1 : 1;
  if (p->log != q->log) return p->log < q->log ? -1 : 1;
  return (p->number > q->number) - (p->number < q->number);
}

// The fences of each window, up to now: by the log's id of the window.
static uint32_t *open_numbers(struct looking *l, uint32_t log) {
  uint32_t *numbers = calloc((size_t)l->run->readers[log].nwins + 1, sizeof *numbers);
  l->run->is_short |= !numbers;
  return numbers;
}

static bool is_wanted(const struct mck_rma_run *run, uint32_t log, uint32_t win) {
  const struct mck_rma_window *w = mck_rma_window_of(run, log, win);
  return w && !w->is_fenced;
}

static void find_promises(struct looking *l, uint32_t log) {
  const struct mck_reader *r = &l->run->readers[log];
  uint32_t *numbers = r->nwins ? open_numbers(l, log) : NULL;
  for (uint64_t i = 0; numbers && i < r->units; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    if (e->kind != MCK_EV_FENCE || !is_wanted(l->run, log, e->sync.win)) continue;
    struct promise new = {l->run->logs[log].window_of[e->sync.win], log, numbers[e->sync.win]++, (uint32_t)i};
    if (e->sync.assertion & MCK_MODE_NOPUT && !MCK_PUSH(l->items, l->count, l->capacity, new)) l->run->is_short = true;
  }
  free(numbers);
}

// A fence completes it, so it is of a fence epoch and of no other one.
static bool is_in_fence_epoch(const struct mck_reader *r, uint32_t log, const struct mck_rma_op *op) {
  if (op->is_message || op->is_exposed || op->lock || op->done == MCK_NONE || op->done_log != log) return false;
  const struct mck_event *e = &r->events[op->event], *end = &r->events[op->done];
  return end->kind == MCK_EV_FENCE && end->sync.win == e->rma.win && mck_rma_is_update(e);
}

static void look_at_op(struct looking *l, uint32_t log, const struct mck_rma_op *op, uint32_t number) {
  const struct mck_rma_run *run = l->run;
  const struct mck_event *e = &run->readers[log].events[op->event];
  const struct mck_rma_window *w = mck_rma_window_of(run, log, e->rma.win);
  if (!w || !is_wanted(run, log, e->rma.win) || e->rma.target < 0 || (uint32_t)e->rma.target >= w->size) return;
  struct promise at = {run->logs[log].window_of[e->rma.win], w->members[e->rma.target].log, number, 0};
  const struct promise *p = bsearch(&at, l->items, l->count, sizeof *l->items, compare);
  if (p) mck_untrue_add(l->run, MCK_UNTRUE_NOPUT, p->log, p->event, log, op->event);
}

static void look_at_log(struct looking *l, uint32_t log) {
  const struct mck_rma_log *of = &l->run->logs[log];
  const struct mck_reader *r = of->reader;
  uint32_t *numbers = of->nops ? open_numbers(l, log) : NULL;
  size_t next = 0;
  for (uint64_t i = 0; numbers && i < r->units && next < of->nops; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    if (e->kind == MCK_EV_FENCE && is_wanted(l->run, log, e->sync.win)) numbers[e->sync.win]++;
    for (; next < of->nops && of->ops[next].event <= i; next++) {
      const struct mck_rma_op *op = &of->ops[next];
      uint32_t nfences = is_in_fence_epoch(r, log, op) ? numbers[r->events[op->event].rma.win] : 0;
      if (nfences) look_at_op(l, log, op, nfences - 1);
    }
  }
  free(numbers);
}

void mck_untrue_find_fences(struct mck_rma_run *run) {
  struct looking l = {.run = run};
  for (uint32_t i = 0; i < run->nlogs; i++) find_promises(&l, i);
  if (l.count) qsort(l.items, l.count, sizeof *l.items, compare);
  for (uint32_t i = 0; i < run->nlogs && l.count; i++) look_at_log(&l, i);
  free(l.items);
}
