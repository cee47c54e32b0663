// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the operations that are still open at the end of a log (open-operations.h).
#include "rma/open-operations.h"
#include <stdlib.h>
#include "rma/rma-run.h"

static bool add(struct mck_rma_open *o, uint32_t event) { return MCK_PUSH(o->events, o->count, o->capacity, event); }

// An operation, and its buffers in window memory unless they may be used again.
static bool add_op(struct mck_rma_open *o, const struct mck_reader *log, const struct mck_rma_op *op) {
  bool is_good = add(o, op->event);
  for (uint32_t at = op->event + 1; op->over == MCK_NONE && at < log->units; at++) {
    const struct mck_event *e = &log->events[at];
    if (e->kind != MCK_EV_ACCESS || !(e->flags & MCK_ACCESS_BUFFER)) break;
    is_good = is_good && add(o, at);
  }
  return is_good;
}

static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

bool mck_rma_find_open(struct mck_rma_open *o, const struct mck_reader *log) {
  struct mck_findings none = {0};
  struct mck_rma_run run = {.readers = log, .nlogs = 1, .findings = &none, .is_asking = true};
  *o = (struct mck_rma_open){0};
  bool is_good = mck_rma_scan(&run);
  for (size_t i = 0; is_good && i < run.nopen; i++) is_good = add(o, run.open[i]);
  for (size_t i = 0; is_good && i < run.logs[0].nops; i++)
    if (!run.logs[0].ops[i].is_message && run.logs[0].ops[i].done == MCK_NONE)
      is_good = add_op(o, log, &run.logs[0].ops[i]);
  o->is_exposed = run.is_exposed;
  if (o->count) qsort(o->events, o->count, sizeof *o->events, compare);
  mck_rma_run_free(&run);
  return is_good;
}

void mck_rma_open_free(struct mck_rma_open *o) {
  free(o->events);
  *o = (struct mck_rma_open){0};
}
