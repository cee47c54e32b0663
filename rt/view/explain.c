// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explains why one place comes before another: the chain of completions, messages and synchronizations from an event of
// the one to an event of the other, as the judge of one-sided communication has it (rt/rma). Or it says that there is
// no chain.
#include <stdlib.h>
#include <string.h>
#include "rma/completed-before.h"
#include "view/view.h"

enum { PAIRS_MAX = 8, CHAIN_MAX = 64 };

struct step {
  uint32_t log, from, to_log, to;
  bool is_included;
};
struct complete {
  uint32_t log, event, done_log, done;
};
struct explain {
  const struct mck_view *view;
  FILE *out;
  struct step *steps;
  size_t nsteps, capacity; // in the order of the walk
  struct complete *ends;
  size_t nends, ends_capacity; // the ends of operations, by log and event
  bool is_short;
};

static void heard(void *context, uint32_t log, uint32_t from, bool is_included, uint32_t to_log, uint32_t to) {
  struct explain *x = context;
  struct step step = {log, from, to_log, to, is_included};
  if (!MCK_PUSH(x->steps, x->nsteps, x->capacity, step)) x->is_short = true;
}

static void scanned(void *context, const struct mck_rma_run *run) {
  struct explain *x = context;
  for (uint32_t i = 0; i < run->nlogs; i++)
    for (size_t k = 0; k < run->logs[i].nops; k++) {
      const struct mck_rma_op *op = &run->logs[i].ops[k];
      struct complete end = {i, op->event, op->done_log, op->done};
      if (!MCK_PUSH(x->ends, x->nends, x->ends_capacity, end)) x->is_short = true;
    }
}

static void put_event(const struct explain *x, uint32_t log, uint32_t index) {
  struct mck_view_log *l = &x->view->logs[log];
  const struct mck_event *e = &l->reader.events[index];
  fprintf(x->out, "%s of rank %u  %s", mck_view_fn(e), l->reader.header->rank,
          mck_view_place(x->view, l, e->site)->name.text);
}

// The event that ends an access: of an operation the one that completes it at its target.
static struct complete end_of(const struct explain *x, uint32_t log, uint32_t event) {
  struct complete end = {log, event, log, event};
  for (size_t i = 0; i < x->nends; i++)
    if (x->ends[i].log == log && x->ends[i].event == event) return x->ends[i];
  uint8_t kind = x->view->logs[log].reader.events[event].kind;
  if (kind == MCK_EV_PUT || kind == MCK_EV_GET || kind == MCK_EV_ACC)
    end.done = MCK_NONE; // the window has only fences, or is unknown
  return end;
}

// Writes the chain, if there is one. The steps come in an order that respects all of them, so one pass finds the
// earliest chains.
static bool put_chain(const struct explain *x, uint32_t log, uint32_t event, uint32_t to_log, uint32_t to) {
  struct complete end = end_of(x, log, event);
  if (end.done == MCK_NONE) return false;
  size_t n = x->view->count;
  uint32_t *reached = malloc(n * sizeof *reached), *by = malloc((n + x->nsteps) * sizeof *by),
           *before = by ? by + n : NULL;
  uint32_t chain[CHAIN_MAX], length = 0;
  bool is_there = false, is_within = false; // is_within: the call itself learns of it, as a receive does of its message
  if (reached && by) {
    memset(reached, 0xff, n * sizeof *reached), memset(by, 0xff, n * sizeof *by);
    reached[end.done_log] = end.done + 1;
    for (uint32_t i = 0; i < x->nsteps; i++) {
      const struct step *s = &x->steps[i];
      before[i] = by[s->log];
      // A message, or a collective, is told by its own call.
      bool is_own = s->log == log && s->from == event && end.done == event;
      if ((reached[s->log] > s->from + s->is_included && !is_own) || s->to + 1 >= reached[s->to_log]) continue;
      reached[s->to_log] = s->to + 1, by[s->to_log] = i;
    }
    is_there = reached[to_log] <= to;
    is_within = reached[to_log] == to + 1;
  }
  if (is_there || is_within) {
    for (uint32_t i = by[to_log]; i != MCK_NONE && length < CHAIN_MAX; i = before[i]) chain[length++] = i;
    fprintf(x->out, "  ordered: "), put_event(x, log, event), fprintf(x->out, "\n");
    if (end.done_log != log || end.done != event)
      fprintf(x->out, "    is complete with "), put_event(x, end.done_log, end.done), fprintf(x->out, "\n");
    while (length > 0) {
      const struct step *s = &x->steps[chain[--length]];
      fprintf(x->out, "    "), put_event(x, s->log, s->from), fprintf(x->out, "\n      told "),
          put_event(x, s->to_log, s->to), fprintf(x->out, "\n");
    }
    fprintf(x->out, is_there ? "    before " : "    before the end of "), put_event(x, to_log, to),
        fprintf(x->out, "\n");
  }
  free(reached);
  free(by);
  return is_there || is_within;
}

static void put_pair(const struct explain *x, uint32_t log, uint32_t event, uint32_t to_log, uint32_t to) {
  put_event(x, log, event), fprintf(x->out, "\n  and "), put_event(x, to_log, to), fprintf(x->out, "\n");
  if (put_chain(x, log, event, to_log, to) || put_chain(x, to_log, to, log, event)) return;
  fprintf(x->out, "  nothing orders them that the logs tell\n");
  const uint32_t of[2][2] = {{log, event}, {to_log, to}};
  for (int i = 0; i < 2; i++) {
    struct complete end = end_of(x, of[i][0], of[i][1]);
    fprintf(x->out, "    "), put_event(x, of[i][0], of[i][1]);
    if (end.done == MCK_NONE) fprintf(x->out, " is never completed, or by fences only\n");
    else if (end.done_log == of[i][0] && end.done == of[i][1]) fprintf(x->out, " is complete at once\n");
    else fprintf(x->out, "\n      is complete with "), put_event(x, end.done_log, end.done), fprintf(x->out, "\n");
  }
}

static bool find_next(const struct mck_view *view, uint32_t log, const struct mck_view_filter *filter,
                      uint64_t *index) {
  const struct mck_reader *r = &view->logs[log].reader;
  for (; *index < r->units; *index += mck_event_units(&r->events[*index])) {
    const struct mck_event *e = &r->events[*index];
    bool is_candidate = mck_order_is_call(e) && e->kind != MCK_EV_WAIT && e->kind != MCK_EV_DONE;
    if (is_candidate && mck_view_is_wanted(view, &view->logs[log], *index, filter)) return true;
  }
  return false;
}

bool mck_view_explain(const struct mck_view *view, const char *first, const char *second, FILE *out) {
  struct explain x = {.view = view, .out = out};
  struct mck_reader *readers = malloc((view->count + 1) * sizeof *readers);
  struct mck_pairs pairs = {0};
  struct mck_rma_observer observer = {.context = &x, .learned = heard, .scanned = scanned};
  for (size_t i = 0; readers && i < view->count; i++) readers[i] = view->logs[i].reader;
  bool is_good = readers && mck_pairs_make(&pairs, readers, view->count, true) &&
                 mck_rma_observe(readers, view->count, &pairs, &observer) && !x.is_short;
  struct mck_view_filter a = {.place = first, .peer = INT64_MIN, .tag = INT64_MIN, .to = UINT64_MAX}, b = a;
  b.place = second;
  uint32_t said = 0;
  // The first event of each rank is compared with the first of each other rank; for a single place, with its second
  // event.
  for (uint32_t i = 0; is_good && i < view->count; i++) {
    uint64_t at = 0;
    if (!find_next(view, i, &a, &at)) continue;
    for (uint32_t k = 0; k < view->count && said < PAIRS_MAX; k++) {
      uint64_t to = 0;
      if (strcmp(first, second) == 0 && k < i) continue;
      if (!find_next(view, k, &b, &to)) continue;
      if (k == i && to == at && (to += mck_event_units(&readers[k].events[to]), !find_next(view, k, &b, &to))) continue;
      put_pair(&x, i, (uint32_t)at, k, (uint32_t)to);
      said++;
    }
  }
  if (is_good && !said) fprintf(out, "no two events of %s and %s\n", first, second);
  mck_pairs_free(&pairs);
  free(readers);
  free(x.steps);
  free(x.ends);
  return is_good;
}
