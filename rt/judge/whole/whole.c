// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the analyses of a whole run that its logs need (whole.h).
#include "judge/whole/whole.h"
#include <stdlib.h>
#include <string.h>
#include "standard/function.h"
#include "base/worker-threads.h"
#include "judge/cut/cut.h"
#include "judge/message/message-race.h"
#include "judge/message/ready-send.h"
#include "judge/buffering/unsafe-send.h"
#include "flow/flow.h"
#include "io/io.h"
#include "rma/access-class.h"
#include "rma/rma.h"

enum { LEAST_EACH = 1000 }; // units: with many ranks, too, a log has to contain a round of its loops

static void judge_rma(const struct mck_whole *whole) {
  unsigned scope = (whole->needs & MCK_WHOLE_RMA ? MCK_RMA_EPOCHS : 0) |
                   (whole->needs & MCK_WHOLE_FENCES ? MCK_RMA_FENCES : 0) |
                   (whole->needs & MCK_WHOLE_CUT ? MCK_RMA_CUT : 0);
  mck_rma_judge(whole->logs, whole->n, whole->pairs, whole->doubts, scope, whole->findings);
}

static void judge_files(const struct mck_whole *whole) {
  mck_io_judge(whole->logs, whole->n, whole->pairs, whole->doubts, whole->findings);
}

static void judge_flow(const struct mck_whole *whole) {
  mck_flow_judge(whole->logs, whole->n, whole->pairs, whole->findings);
}

static const struct {
  unsigned needs; // the analysis is called if one of these is needed
  void (*judge)(const struct mck_whole *whole);
} analyses[] = {
    {MCK_WHOLE_WILDCARDS, mck_whole_judge_races},
    {MCK_WHOLE_RMA | MCK_WHOLE_FENCES, judge_rma},
    {MCK_WHOLE_SENDS, mck_whole_judge_sends},
    {MCK_WHOLE_READY, mck_whole_judge_ready},
    {MCK_WHOLE_FILES, judge_files},
    {MCK_WHOLE_FLOW, judge_flow}, // last: other findings explain a difference first
};

unsigned mck_whole_need_of(const struct mck_event *e, uint64_t index, uint64_t left) {
  unsigned pairs = mck_plain_run_is_other(e) || mck_plain_run_is_open(e, index, left) ? MCK_WHOLE_PAIRS : 0;
  switch (e->kind) {
  case MCK_EV_SEND:
    return pairs | (mck_ready_is(e) ? MCK_WHOLE_READY : mck_unsafe_is_standard(e) ? MCK_WHOLE_SENDS : 0);
  case MCK_EV_RECV:
  case MCK_EV_PROBE:
  case MCK_EV_MPROBE: return pairs | (mck_event_is_wild(e) ? MCK_WHOLE_WILDCARDS : 0);
  case MCK_EV_SYNC: return MCK_WHOLE_RMA;
  case MCK_EV_CONTENT:
  case MCK_EV_WINDOW_BYTES: return MCK_WHOLE_FLOW | MCK_WHOLE_PAIRS;
  case MCK_EV_FILE_POINTER:
  case MCK_EV_FILE_ACCESS: return e->flags & MCK_FILE_WRITE ? MCK_WHOLE_FILES : 0;
  case MCK_EV_ACCESS: return mck_access_is_walked(e) ? MCK_WHOLE_RMA : 0;
  case MCK_EV_COLL:
  case MCK_EV_CALL: return (e->kind == MCK_EV_COLL ? pairs : 0) | (mck_std_opens_world(e->fn) ? MCK_WHOLE_WORLDS : 0);
  default: return 0;
  }
}

// In the separate memory model, and where several strands act, it is not enough to compare the bytes of each fence
// epoch.
unsigned mck_whole_needs_of_windows(const struct mck_reader *log) {
  bool has_strands = atomic_load(&log->header->is_multiple) & MCK_LOG_STRANDS;
  for (uint32_t i = 0; i < log->nwins; i++)
    if (log->wins[i].body && (has_strands || log->wins[i].traits & MCK_WIN_SEPARATE)) return MCK_WHOLE_RMA;
  return 0;
}

unsigned mck_whole_wanted(unsigned needs) {
  if (!mck_options.buffering) needs &= ~(unsigned)MCK_WHOLE_SENDS;
  // With clocks=online each rank has found its own alternatives (record/replay/online-run.c).
  if (!strcmp(mck_options.clocks, "off") || !strcmp(mck_options.clocks, "online"))
    needs &= ~(unsigned)MCK_WHOLE_WILDCARDS;
  if (mck_options.decisions[0]) needs |= MCK_WHOLE_WILDCARDS; // a file is asked for in any case
  // Plain logs do not contain what these need.
  if (mck_options.decisions[0] || !strcmp(mck_options.clocks, "lamport")) needs |= MCK_WHOLE_PAIRS;
  return needs;
}

unsigned mck_whole_agreed(unsigned needs) {
  if (!(needs & (MCK_WHOLE_WILDCARDS | MCK_WHOLE_FLOW))) needs &= ~(unsigned)MCK_WHOLE_PAIRS;
  if (!(needs & (MCK_WHOLE_WILDCARDS | MCK_WHOLE_READY))) needs &= ~(unsigned)MCK_WHOLE_WORLDS;
  return needs == MCK_WHOLE_CUT ? 0 : needs;
}

bool mck_whole_takes_plain_run(unsigned needs) {
  return (needs & ~(unsigned)(MCK_WHOLE_SENDS | MCK_WHOLE_CUT)) == MCK_WHOLE_WILDCARDS;
}

unsigned mck_whole_needs(const struct mck_reader *log) {
  unsigned needs = mck_whole_needs_of_windows(log);
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i]))
    needs |= mck_whole_need_of(&log->events[i], i, log->units - i);
  return mck_whole_wanted(needs);
}

uint64_t mck_whole_units(unsigned needs, size_t nlogs) {
  if ((needs & ~(unsigned)MCK_WHOLE_CUT) != MCK_WHOLE_SENDS || !nlogs) return UINT64_MAX;
  uint64_t each = (uint64_t)mck_options.buffering_events * 1000 / nlogs;
  return each > LEAST_EACH ? each : LEAST_EACH;
}

static void judge(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run, unsigned needs,
                  struct mck_findings *findings) {
  struct mck_pairs pairs = {0};
  if (mck_pairs_make(&pairs, logs, n, true)) {
    struct mck_whole whole = {logs, n, *run, needs, &pairs, mck_order_doubts(logs, n, &pairs), findings};
    for (size_t i = 0; i < sizeof analyses / sizeof *analyses; i++)
      if (needs & analyses[i].needs) analyses[i].judge(&whole);
  } else mck_base_warn("out of memory: the order of messages is not judged");
  mck_pairs_free(&pairs);
}

// Judges the first events of the same logs.
static void judge_first(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run, unsigned needs,
                        struct mck_findings *findings) {
  struct mck_reader *first = malloc(n * sizeof *first);
  uint64_t limit = mck_whole_units(needs, n);
  for (size_t i = 0; first && i < n; i++) {
    first[i] = logs[i];
    uint64_t units = 0, next;
    for (; units < logs[i].units; units = next)
      if ((next = units + mck_event_units(&logs[i].events[units])) > limit) break;
    first[i].units = units;
  }
  if (first) judge(first, n, run, needs, findings);
  free(first);
}

// Races and unsafe sends share nothing, so two threads find them. Most of the work on races is one thread's.
struct plain {
  struct mck_whole whole;
  struct mck_plain_run *plain_run;
  struct mck_findings sends;
  bool is_done;
};
static void judge_item(void *context, uint32_t item) {
  struct plain *p = context;
  const struct mck_whole *w = &p->whole;
  if (item == 0) p->is_done = mck_whole_judge_plain_races(w, p->plain_run);
  else judge_first(w->logs, w->n, &w->run, MCK_WHOLE_SENDS, &p->sends);
}

bool mck_whole_judge_plain_run(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run, unsigned needs,
                               struct mck_plain_run *plain_run, struct mck_findings *findings) {
  struct plain plain = {
      {.logs = logs, .n = n, .run = *run, .needs = needs & ~(unsigned)MCK_WHOLE_SENDS, .findings = findings},
      plain_run,
      {0},
      false};
  uint64_t units = 0;
  for (size_t i = 0; i < n; i++) units += logs[i].units;
  mck_workers_run(needs & MCK_WHOLE_SENDS ? 2 : 1, mck_workers_size(units), judge_item, &plain);
  if (plain.is_done) mck_findings_copy(findings, &plain.sends);
  mck_findings_free(&plain.sends);
  return plain.is_done;
}

static bool try_plain_run(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run, unsigned needs,
                          struct mck_findings *findings) {
  struct mck_plain_run plain_run;
  bool is_done = mck_plain_run_read(&plain_run, logs, n) == MCK_PLAIN_READ &&
                 mck_whole_judge_plain_run(logs, n, run, needs, &plain_run, findings);
  mck_plain_run_free(&plain_run);
  return is_done;
}

void mck_whole_judge(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run, unsigned needs,
                     struct mck_findings *findings) {
  needs = mck_whole_agreed(needs);
  if (n && mck_whole_takes_plain_run(needs) && try_plain_run(logs, n, run, needs, findings)) return;
  unsigned others = mck_whole_agreed(needs & ~(unsigned)MCK_WHOLE_SENDS);
  if (n && others) judge(logs, n, run, others, findings);
  if (n && needs & MCK_WHOLE_SENDS) judge_first(logs, n, run, MCK_WHOLE_SENDS, findings);
}
