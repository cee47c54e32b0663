// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge of windows: opens the walk over all logs, and reports what it leaves.
#include <stdlib.h>
#include "rma/rma-walk.h"

// --- the walk ---
static void on_enter(void *context, struct mck_point at) {
  struct mck_walk *w = context;
  const struct mck_rma_run *run = w->run;
  const struct mck_event *e = &run->readers[at.log].events[at.index];
  struct mck_walk_log *l = &w->logs[at.log];
  if (mck_walk_is_short(w)) return;
  if (MCK_UNLIKELY(l->strands != NULL)) mck_walk_follow_strand(w, at);
  mck_walk_keep_clock(w, at, e);
  for (; l->section < run->nsections && run->sections[l->section].log == at.log &&
         run->sections[l->section].enter <= at.index;
       l->section++)
    w->possible.clocks[l->section] = mck_clock_share(l->clock);
  mck_walk_access(w, at, e);
  mck_sync_enter(w, at, e);
  mck_walk_assert(w, at, e);
}

static void on_leave(void *context, struct mck_point at, bool is_finished) {
  struct mck_walk *w = context;
  const struct mck_reader *r = &w->run->readers[at.log];
  // What was known before a cut all ranks know behind it. But another world goes on sending messages.
  bool is_behind = w->logs[at.log].cut == MCK_NONE || at.index > w->logs[at.log].cut ||
                   mck_std_opens_world(r->events[at.index].fn);
  bool has_met = w->logs[at.log].met == at.index;
  if (is_finished && is_behind && !has_met && mck_walk_is_unknown(r, &r->events[at.index]))
    mck_walk_assume_all(w, at.log);
  if (w->logs[at.log].clock->may_know_all) mck_possible_note_unknown(&w->possible, at.log, at.index);
  if (is_finished) mck_sync_leave(w, at, &r->events[at.index]);
  if (w->observer && w->observer->left)
    w->observer->left(w->observer->context, at.log, at.index, w->logs[at.log].clock, w->component);
}

// What comes behind this is not known. What was found up to here stands.
static bool on_stuck(void *context, const struct mck_order_wait *waits, size_t n) {
  (void)context, (void)waits, (void)n;
  return false;
}

// Clocks have a component for each log with operations, with loads or stores, with sections, or with waits that
// complete operations.
static void number_components(struct mck_walk *w) {
  const struct mck_rma_run *run = w->run;
  bool *has_section = calloc(run->nlogs + 1, sizeof *has_section);
  for (size_t i = 0; has_section && i < run->nsections; i++) has_section[run->sections[i].log] = true;
  for (uint32_t i = 0; i < run->nlogs; i++) w->component[i] = w->strands[i] = MCK_NONE;
  for (uint32_t i = 0; i < run->nlogs; i++) {
    const struct mck_reader *r = run->logs[i].reader;
    bool has_component = run->logs[i].nops || run->logs[i].nlinks || run->logs[i].ends_others || !has_section ||
                         has_section[i];
    for (uint64_t k = 0; !has_component && k < r->units; k += mck_event_units(&r->events[k]))
      has_component = r->events[k].kind == MCK_EV_WINDOW_BYTES ||
                      (r->events[k].kind == MCK_EV_ACCESS && mck_rma_window_of(run, i, r->events[k].access.win)) ||
                      r->events[k].kind == MCK_EV_ATTACH ||
                      ((r->events[k].kind == MCK_EV_FILE_ACCESS || r->events[k].kind == MCK_EV_FILE_POINTER) &&
                       w->observer && w->observer->is_of_files);
    const struct mck_strands *strands = mck_rma_strands(run, i);
    if (strands) w->strands[i] = w->ncomponents, w->ncomponents += strands->nstrands;
    else if (has_component) w->component[i] = w->ncomponents++;
  }
  free(has_section);
}

static bool open_walk(struct mck_walk *w) {
  struct mck_rma_run *run = w->run;
  w->spare = MCK_NONE;
  w->logs = calloc(run->nlogs + 1, sizeof *w->logs);
  w->component = calloc(run->nlogs + 1, sizeof *w->component);
  w->strands = calloc(run->nlogs + 1, sizeof *w->strands);
  w->intervals = calloc(run->nlogs + 1, sizeof *w->intervals);
  w->held = calloc(run->nwindows + 1, sizeof *w->held);
  if (!w->logs || !w->component || !w->strands || !w->intervals || !w->held ||
      !mck_possible_open(&w->possible, run, w->component, w->strands))
    return false;
  number_components(w);
  for (uint32_t i = 0; i < run->nlogs; i++) {
    struct mck_walk_log *l = &w->logs[i];
    l->cut = mck_order_cut(&run->readers[i]);
    l->met = MCK_NONE;
    l->clock = mck_clock_new(w->ncomponents);
    l->sent = calloc(run->readers[i].units + 1, sizeof *l->sent);
    l->locks = calloc((size_t)run->readers[i].nwins + 1, sizeof *l->locks);
    l->locked = calloc((size_t)run->readers[i].nwins + 1, sizeof *l->locked);
    if (!l->clock || !l->sent || !l->locks || !l->locked || !mck_walk_open_strands(w, i)) return false;
    while (l->section < run->nsections && run->sections[l->section].log < i) l->section++;
  }
  return true;
}

static void close_walk(struct mck_walk *w) {
  for (uint32_t i = 0; w->logs && i < w->run->nlogs; i++) {
    struct mck_walk_log *l = &w->logs[i];
    for (uint64_t k = 0; l->sent && k < w->run->readers[i].units; k++) mck_clock_drop(l->sent[k]);
    mck_walk_close_strands(l);
    mck_clock_drop(l->clock);
    free(l->sent);
    for (uint32_t k = 0; l->locks && k < w->run->readers[i].nwins; k++) free(l->locks[k]);
    for (uint32_t k = 0; l->locked && k < w->run->readers[i].nwins; k++) free(l->locked[k]);
    free(l->locks), free(l->locked);
    mck_sync_close(w, l);
    if (w->intervals) mck_intervals_free(&w->intervals[i]);
  }
  for (size_t i = 0; w->held && i < w->run->nwindows; i++) free(w->held[i].items);
  free(w->held);
  for (size_t i = 0; i < w->ninstances; i++) mck_clock_drop(w->instances[i].joined);
  mck_possible_close(&w->possible);
  mck_table_free(&w->class_table), mck_table_free(&w->pair_table), mck_table_free(&w->beyond_table),
      mck_table_free(&w->freed_table), mck_table_free(&w->unsynced_table), mck_table_free(&w->instance_table);
  free(w->found.classes), free(w->found.pairs), free(w->found.beyond), free(w->found.freed), free(w->found.unsynced);
  free(w->instances), free(w->accesses), free(w->intervals), free(w->component), free(w->strands), free(w->logs);
}

// Everything but the report. false: out of memory.
static bool walk_over(struct mck_walk *w) {
  struct mck_rma_run *run = w->run;
  struct mck_order_sink sink = {.context = w,
                                .enter = on_enter,
                                .leave = on_leave,
                                .complete = mck_walk_complete,
                                .stuck = on_stuck,
                                .also = mck_walk_also,
                                .has_barriers = mck_walk_has_barriers(w)};
  struct mck_order_totals totals;
  return mck_rma_scan(run) && open_walk(w) && mck_order_walk(run->readers, run->nlogs, run->pairs, &sink, &totals) &&
         !mck_walk_is_short(w);
}

// --- what others call ---
bool mck_rma_is_wanted(const struct mck_reader *log) {
  for (uint64_t i = 0; log->nwins && i < log->units; i += mck_event_units(&log->events[i]))
    if (log->events[i].kind == MCK_EV_SYNC ||
        (log->events[i].kind == MCK_EV_ACCESS && mck_access_is_walked(&log->events[i])))
      return true;
  return false;
}

bool mck_rma_observe(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                     const struct mck_rma_observer *observer) {
  struct mck_findings none = {0};
  struct mck_rma_run run = {.readers = logs, .nlogs = n, .pairs = pairs, .findings = &none};
  run.has_fenced = observer->touched != NULL;
  struct mck_walk w = {.run = &run, .observer = observer};
  bool is_good = n == 0 || logs[0].header->size == n;
  is_good = is_good && walk_over(&w);
  if (is_good && observer->scanned) observer->scanned(observer->context, &run);
  close_walk(&w);
  mck_rma_run_free(&run);
  return is_good;
}

static void say_not_judged(const struct mck_rma_run *run, const char *why) {
  struct mck_finding *f = mck_findings_add(run->findings, MCK_CHECK_UNCHECKED, -1);
  if (!f) return;
  mck_finding_text(f, "races on windows that are synchronized by more than fences were not looked for");
  mck_finding_why(f, "%s", why);
}

void mck_rma_judge(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs, unsigned doubts,
                   unsigned scope, struct mck_findings *findings) {
  struct mck_rma_run run = {.readers = logs,
                            .nlogs = n,
                            .pairs = pairs,
                            .doubts = doubts,
                            .is_cut = scope & MCK_RMA_CUT,
                            .has_fenced = scope & MCK_RMA_FENCES,
                            .findings = findings};
  struct mck_walk w = {.run = &run};
  bool is_silent = !(scope & MCK_RMA_EPOCHS); // the sweep has found what it could without the order of messages
  if (doubts & MCK_DOUBT_UNSEEN) {
    if (!is_silent)
      say_not_judged(&run,
                     "code that was not recompiled calls MPI by PMPI_ names, so that the order of events is not known");
    return;
  }
  // A rank without a log may have told anything to any other rank.
  if (n && logs[0].header->size != n) {
    if (!is_silent) say_not_judged(&run, "the logs of some ranks are missing");
    return;
  }
  bool is_good = walk_over(&w);
  if (is_good) mck_untrue_find_fences(&run);
  if (is_good && !run.is_short)
    mck_rma_report(&run, &w.found, &w.possible), mck_sync_report(&w), mck_untrue_report(&run, &w.possible);
  else mck_base_warn("out of memory: races on windows are not judged");
  close_walk(&w);
  mck_rma_run_free(&run);
}
