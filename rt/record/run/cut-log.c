// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cut in this process. The judge is told which events requests and messages refer to, and these references then
// follow their events to the new log. The findings so far go into the new log, too, since it is all that remains
// after a crash.
#include "log/log-recycle.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory-failure.h"
#include "judge/transport/cut-round.h"
#include "record/run/log-budget.h"
#include "record/collective/open-file.h"
#include "record/replay/online-run.h"
#include "record/call/poll-list.h"
#include "record/call/strand-event.h"
#include "record/access/access-budget.h"
#include "record/access/range-flush.h"
#include "record/access/unsignalled.h"
#include "record/error/local-finding.h"
#include "record/rma/repeated-events.h"
#include "record/run/finalize.h"
#include "record/run/warned-place.h"
#include "record/runtime.h"

struct reference {
  uint32_t *event;
};
static struct reference *references;
static size_t nreferences, references_capacity;
static bool is_short;

static void add_reference(uint32_t *event) {
  if (*event == MCK_NONE) return;
  if (nreferences && references[nreferences - 1].event == event) return; // an object is visited once for each place
  struct reference new = {event};
  if (!MCK_PUSH(references, nreferences, references_capacity, new)) is_short = true;
}

static void visit_request(const struct mck_request *r) {
  if (r->is_active) add_reference((uint32_t *)&r->event);
}

static void visit_message(enum mck_object_kind kind, const struct mck_object *object, struct mck_reference held) {
  (void)kind, (void)held;
  if (!object->is_freed) add_reference((uint32_t *)&object->id);
}

static int compare_events(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

// events: has space for all references.
static size_t list_events(uint32_t *events) {
  size_t n = 0;
  for (size_t i = 0; i < nreferences; i++) events[i] = *references[i].event;
  if (nreferences) qsort(events, nreferences, sizeof *events, compare_events);
  for (size_t i = 0; i < nreferences; i++)
    if (!n || events[n - 1] != events[i]) events[n++] = events[i];
  return n;
}

static void move_references(const struct mck_pending *pending, const struct mck_remaining_log *remaining) {
  for (size_t i = 0; i < nreferences; i++) {
    const uint32_t *at = bsearch(references[i].event, pending->events, pending->count, sizeof *at, compare_events);
    *references[i].event = at ? remaining->moved[at - pending->events] : MCK_NONE;
  }
}

// The findings go behind the units that stay. places: where each finding went, or NULL.
static bool put_findings(struct mck_remaining_log *remaining, const struct mck_findings *findings, uint32_t *places) {
  for (size_t i = 0; i < findings->count; i++) {
    size_t size = 0;
    void *bytes = mck_finding_pack(&findings->items[i], &size);
    size_t extra = (size + MCK_UNIT - 1) / MCK_UNIT;
    if (!bytes ||
        !mck_base_grow((void **)&remaining->events, &remaining->capacity, remaining->count + 1 + extra, MCK_UNIT)) {
      free(bytes);
      return false;
    }
    struct mck_event *e = &remaining->events[remaining->count];
    memset(e, 0, (1 + extra) * MCK_UNIT);
    e->kind = MCK_EV_FINDING, e->site = MCK_NONE;
    e->def.extra = (uint32_t)extra, e->def.id = findings->items[i].check, e->def.a = (uint32_t)size;
    memcpy(e + 1, bytes, size);
    free(bytes);
    if (places) places[i] = (uint32_t)remaining->count;
    remaining->count += 1 + extra;
  }
  return true;
}

static bool agree(bool is_good) {
  int all = is_good;
  return PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, mck_rt.comm) == MPI_SUCCESS && all;
}

// All events that requests, messages and the online clocks refer to.
static void collect_references(void) {
  nreferences = 0;
  is_short = false;
  mck_request_visit(visit_request);
  mck_object_visit(MCK_OBJECT_MESSAGE, visit_message);
  mck_files_visit(add_reference);
  mck_online_recycle(add_reference);
}

// Writes the next log: what stays, and the findings so far. All ranks have theirs, or none goes on.
static bool prepare(struct mck_remaining_log *remaining, const struct mck_findings *judged, uint32_t *places,
                    struct mck_next *next) {
  bool is_ready = !mck_memory_failures() && put_findings(remaining, &mck_rt.findings, places) &&
                  put_findings(remaining, judged, NULL) &&
                  mck_log_prepare(&mck_rt.log, next, mck_rt.dir, remaining->events, remaining->count) == 0;
  return agree(is_ready);
}

// From here on the next log is the log: all that refers to events follows.
static void switch_logs(struct mck_next *next, const struct mck_pending *pending,
                        const struct mck_remaining_log *remaining, const uint32_t *places) {
  mck_log_switch(&mck_rt.log, next);
  mck_repeated_restart();
  mck_warned_switch();
  mck_poll_forget();
  mck_access_budget_restart();
  move_references(pending, remaining);
  mck_local_moved(places, mck_rt.findings.count);
  mck_online_recycled();
}

enum mck_cut_round mck_run_cut_log(bool is_urgent, uint64_t *kept) {
  const char *why;
  struct mck_reader reader = {0};
  struct mck_log_header *header = mck_rt.log.header;
  if (mck_ntouched) mck_windows_flush();
  collect_references();
  uint32_t *events = malloc((nreferences + 1) * sizeof *events);
  uint32_t *places = malloc((mck_rt.findings.count + 1) * sizeof *places);
  struct mck_findings found = {0};
  mck_findings_copy(&found, &mck_rt.early);
  size_t size = MCK_LOG_HEADER + (size_t)atomic_load(&header->units) * MCK_UNIT;
  // A log that begins again would not say what strands know of each other.
  bool is_good = agree(events && places && !is_short && !mck_strand_is_on && found.count == mck_rt.early.count &&
                       mck_log_load_memory(&reader, header, size, &why) == 0);
  struct mck_pending pending = {events, is_good ? list_events(events) : 0};
  struct mck_remaining_log remaining = {0};
  struct mck_next next = {.fd = -1};
  char text[512];
  bool sees_all = mck_finish_sees_accesses() && !mck_unsignalled_write(text, sizeof text);
  header->has_all_accesses = sees_all ? MCK_SEES_SO_FAR : MCK_SEES_UNKNOWN;
  enum mck_cut_round round = is_good ? mck_judge_cut_round(&reader, &pending, is_urgent, mck_rt.dir, mck_rt.comm,
                                                           &found, &remaining)
                                     : MCK_CUT_ROUND_FAILED;
  mck_log_unload(&reader);
  header->has_all_accesses = MCK_SEES_UNKNOWN;
  is_good = round == MCK_CUT_ROUND_DONE && prepare(&remaining, &found, places, &next);
  if (is_good) {
    switch_logs(&next, &pending, &remaining, places);
    struct mck_findings old = mck_rt.early;
    mck_rt.early = found;
    found = old;
    *kept = remaining.count;
  } else mck_log_discard(&next);
  mck_findings_free(&found);
  mck_remaining_log_free(&remaining);
  free(events);
  free(places);
  return is_good ? MCK_CUT_ROUND_DONE : round == MCK_CUT_ROUND_POSTPONED ? round : MCK_CUT_ROUND_FAILED;
}
