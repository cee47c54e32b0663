// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses come one after another (MPI-3.1 13.6.1, io.h). Within one collective open, calls that transfer are
// counted: they are collective, so the n-th of one process is the n-th of all. Between two opens, and for a read before
// a write, the clocks of the walk over all logs are asked (rma/completed-before.h).
#include <stdlib.h>
#include <string.h>
#include "io/io-run.h"
#include "rma/completed-before.h"
#include "rma/rma-run.h"

struct clocks {
  struct mck_io_run *run;
  struct mck_clock **now;     // by log: behind its last event
  struct mck_clock **current; // by log and communicator: behind the last call that transfers the file
  size_t *first;              // by log: of its communicators in current
  size_t *next;               // by log: its next access
};

static struct mck_clock *share(const struct mck_clock *clock) {
  return clock ? mck_clock_share((struct mck_clock *)clock) : NULL;
}

static void replace(struct mck_clock **at, const struct mck_clock *clock) {
  struct mck_clock *old = *at;
  *at = share(clock);
  mck_clock_drop(old);
}

// What its process knew when it made an access is what it knew behind the event before.
static void on_left(void *context, uint32_t log, uint32_t index, const struct mck_clock *clock,
                    const uint32_t *component) {
  struct clocks *c = context;
  struct mck_io_run *run = c->run;
  const struct mck_event *e = &run->logs[log].events[index];
  for (; c->next[log] < run->naccesses; c->next[log]++) {
    struct mck_io_access *a = &run->accesses[c->next[log]];
    if (a->log != log || a->event >= index) break;
    a->known = share(c->now[log]), a->current = share(c->current[c->first[log] + a->comm]);
  }
  replace(&c->now[log], clock);
  bool is_transfer = e->kind == MCK_EV_COLL && mck_std_transfers_file(e->fn);
  uint32_t comm = !is_transfer                ? MCK_NONE
                  : mck_std_is_of_file(e->fn) ? e->coll.comm
                                              : mck_order_made_by(&run->logs[log], index);
  if (mck_order_comm(&run->logs[log], comm)) replace(&c->current[c->first[log] + comm], clock);
  memcpy(run->component, component, run->nlogs * sizeof *component);
}

// An exclusive lock, an atomic operation or a loop over a load may order what no clock has.
static void on_scanned(void *context, const struct mck_rma_run *rma) {
  struct clocks *c = context;
  struct mck_io_run *run = c->run;
  run->is_hidden = rma->nsections || rma->has_polling;
  for (uint32_t i = 0; i < run->nlogs; i++) run->hidden[i] = rma->has_polling ? 0 : MCK_NONE;
  for (size_t i = 0; i < rma->nsections; i++) {
    uint32_t *first = &run->hidden[rma->sections[i].log];
    if (rma->sections[i].enter < *first) *first = rma->sections[i].enter;
  }
}

static void close_clocks(struct clocks *c, size_t n) {
  for (size_t i = 0; c->now && i < c->run->nlogs; i++) mck_clock_drop(c->now[i]);
  for (size_t i = 0; c->current && i < n; i++) mck_clock_drop(c->current[i]);
  free(c->now), free(c->current), free(c->first), free(c->next);
}

void mck_io_make_clocks(struct mck_io_run *run) {
  struct clocks c = {.run = run};
  size_t n = 0;
  c.now = calloc(run->nlogs + 1, sizeof *c.now);
  c.first = calloc(run->nlogs + 1, sizeof *c.first);
  c.next = calloc(run->nlogs + 1, sizeof *c.next);
  run->component = calloc(run->nlogs + 1, sizeof *run->component);
  run->hidden = calloc(run->nlogs + 1, sizeof *run->hidden);
  for (size_t i = 0; c.first && i < run->nlogs; i++) c.first[i] = n, n += run->logs[i].ncomms;
  c.current = calloc(n + 1, sizeof(struct mck_clock *));
  bool is_good = c.now && c.first && c.next && run->component && run->hidden && c.current;
  for (size_t i = run->naccesses; is_good && i-- > 0;) c.next[run->accesses[i].log] = i;
  for (uint32_t i = 0; is_good && i < run->nlogs; i++)
    if (!run->naccesses || run->accesses[c.next[i]].log != i) c.next[i] = run->naccesses; // it has none
  struct mck_rma_observer observer = {.context = &c, .left = on_left, .scanned = on_scanned, .is_of_files = true};
  observer.has_weak_files = run->is_strict;
  if (!is_good) run->is_short = true;
  else run->has_clocks = mck_rma_observe(run->logs, run->nlogs, run->pairs, &observer);
  close_clocks(&c, n);
}

// May the process of log own have learned, before its event, what its clock does not have? Only where it had made the
// first call of that kind, or a rank that it had heard of: files that are opened before the first lock are not opened
// behind one.
static bool has_hidden(const struct mck_io_run *run, const struct mck_clock *clock, uint32_t own, uint32_t event) {
  for (uint32_t i = 0; run->is_hidden && i < run->nlogs; i++) {
    if (run->hidden[i] == MCK_NONE) continue;
    uint32_t known = run->component[i] == MCK_NONE ? MCK_NONE : clock->known[run->component[i]];
    if ((i == own ? event : known) > run->hidden[i]) return true;
  }
  return false;
}

// Did the process of an access know that event index of another log was over, when it made the access, or at the last
// call before it that transfers? What is not known counts as yes.
enum moment { AT_ACCESS, AT_TRANSFER };
static bool may_know(const struct mck_io_run *run, const struct mck_io_access *b, enum moment moment, uint32_t log,
                     uint32_t index) {
  const struct mck_clock *clock = moment == AT_ACCESS ? b->known : b->current;
  if (!run->has_clocks || !clock || clock->may_know_all) return true;
  if (has_hidden(run, clock, b->log, moment == AT_ACCESS ? b->event : b->last)) return true;
  uint32_t component = run->component[log];
  return component == MCK_NONE || (index != MCK_NONE && clock->known[component] > index);
}

// May a, of another process, have come before b? An access of which the end is not known may have ended at once.
static bool is_before(const struct mck_io_run *run, const struct mck_io_access *a, const struct mck_io_access *b) {
  bool is_behind = b->is_old && (!a->is_old || a->is_late); // a was over behind a cut, which was a barrier
  if (!a->is_write && !is_behind && (a->done == MCK_NONE || may_know(run, b, AT_ACCESS, a->log, a->done))) return true;
  if (a->file == b->file) return a->epoch < b->epoch;
  return !is_behind && (a->done == MCK_NONE || may_know(run, b, AT_TRANSFER, a->log, a->transferred));
}

bool mck_io_is_at_once(const struct mck_io_access *a, const struct mck_io_access *b) {
  const struct mck_io_access *first = a->event < b->event ? a : b, *second = first == a ? b : a;
  return a->log == b->log && first->done != MCK_NONE && first->done > second->event;
}

// Two opens of one process are no other than those of two (13.6.1, the third case), but what it knows is certain.
static bool is_own_order(const struct mck_io_access *a, const struct mck_io_access *b) {
  const struct mck_io_access *first = a->event < b->event ? a : b, *second = first == a ? b : a;
  if (first->done == MCK_NONE || first->file == second->file || !first->is_write) return true;
  return first->transferred != MCK_NONE && first->transferred < second->last;
}

static bool is_told(const struct mck_io_run *run, const struct mck_io_access *a, const struct mck_io_access *b);

// Programs set the size of a file and go on without MPI_File_sync, and all libraries have such a call as a barrier.
static bool is_behind_size(const struct mck_io_run *run, const struct mck_io_access *size,
                           const struct mck_io_access *b) {
  if (!size->is_size) return false;
  return size->file == b->file ? b->sizes >= size->sizes : is_told(run, size, b);
}

bool mck_io_is_conflict(const struct mck_io_run *run, const struct mck_io_access *a, const struct mck_io_access *b) {
  if ((!a->is_write && !b->is_write) || a->is_atomic || b->is_atomic) return false;
  if ((a->is_size && b->is_size && a->file == b->file) || is_behind_size(run, a, b) || is_behind_size(run, b, a))
    return false;
  // Two that were there at the cut were compared at it. Only of a pending one it was not known when it would be over.
  if (a->is_old && b->is_old && (a->log == b->log || !((a->is_late && !a->is_write) || (b->is_late && !b->is_write))))
    return mck_io_is_at_once(a, b);
  if (a->log != b->log) return !is_before(run, a, b) && !is_before(run, b, a);
  if (run->is_threaded) return false;
  return mck_io_is_at_once(a, b) || !is_own_order(a, b);
}

// What is not known counts as no order here: the finding is an error then.
static bool is_told(const struct mck_io_run *run, const struct mck_io_access *a, const struct mck_io_access *b) {
  if (b->is_old && (!a->is_old || a->is_late)) return false;
  if (a->is_old && !a->is_late && !b->is_old) return true; // the cut was a barrier
  return run->has_clocks && a->done != MCK_NONE && may_know(run, b, AT_ACCESS, a->log, a->done);
}

bool mck_io_is_told(const struct mck_io_run *run, const struct mck_io_access *a, const struct mck_io_access *b) {
  if (a->log == b->log) return !mck_io_is_at_once(a, b);
  return is_told(run, a, b) || is_told(run, b, a);
}

static bool surely_knows(const struct mck_io_run *run, const struct mck_clock *clock, uint32_t log, uint32_t index) {
  if (!run->has_clocks || !clock || clock->may_know_all || index == MCK_NONE) return false;
  uint32_t component = run->component[log];
  return component != MCK_NONE && clock->known[component] > index;
}

bool mck_io_surely_knows(const struct mck_io_run *run, const struct mck_io_access *b, uint32_t log, uint32_t index) {
  return b->log == log ? b->event > index : surely_knows(run, b->known, log, index);
}

// A process sees what it has written by the same handle. Others see it behind sync, an edge, and sync.
bool mck_io_is_surely_before(const struct mck_io_run *run, const struct mck_io_access *a,
                             const struct mck_io_access *b) {
  if (run->is_threaded || a->done == MCK_NONE) return false;
  if (a->log == b->log && a->file == b->file && a->comm == b->comm) return a->event < b->event && a->done < b->event;
  if (a->transferred == MCK_NONE) return false;
  return a->log == b->log ? a->transferred < b->event : surely_knows(run, b->current, a->log, a->transferred);
}
