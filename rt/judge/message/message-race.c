// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one finding per place of all alternative matches there: how many receives and senders there are, and the
// alternative that differs most from the message that came.
#include "judge/message/message-race.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "base/worker-threads.h"
#include "clock/clock.h"
#include "clock/plain-run-clock.h"
#include "judge/message/decision-file.h"
#include "judge/message/alternative-match.h"
#include "judge/message/later-receive.h"
#include "judge/prediction/predicted-deadlock.h"
#include "judge/type-text.h"
#include "report/why.h"
#include "rma/synchronization-edges.h"

struct races {
  const struct mck_whole *whole;
  struct mck_alternatives *logs;
  struct mck_signatures *types;
  struct mck_decisions *decisions; // NULL: no file is asked for
  void *memory;                    // shared by all logs
  struct mck_predicted predicted;
};

static const struct mck_event *event_of(const struct races *r, struct mck_pair at) {
  return &r->whole->logs[at.log].events[at.index];
}

static void add_range(void *context, uint32_t log, const struct mck_clock_wildcard *wilds, uint32_t first, uint32_t n,
                      struct mck_pair send) {
  struct races *r = context;
  if (r->logs[log].is_short) return;
  mck_alternatives_add(&r->logs[log], wilds, first, n, send);
  for (uint32_t k = first + n; r->decisions && k-- > first;)
    mck_decisions_add_alternative(r->decisions, (struct mck_pair){log, wilds[k].index}, send);
}

static void add_kind(void *context, uint32_t log, const struct mck_event *e) {
  mck_alternatives_add_kind(&((struct races *)context)->logs[log], e);
}

static void compare_kind(void *context, uint32_t kind, struct mck_pair receive, struct mck_pair got,
                         struct mck_pair send) {
  mck_alternatives_compare_kind(&((struct races *)context)->logs[receive.log], kind, receive, got, send);
}

static void count_kind(void *context, uint32_t log, uint32_t kind, uint64_t n, uint64_t open, uint32_t others) {
  mck_alternatives_count_kind(&((struct races *)context)->logs[log], kind, n, open, others);
}

static const char *fn_of(const struct mck_event *e) {
  return e->fn < MCK_FN_COUNT ? mck_fn_names[e->fn] : "an MPI call";
}
static uint32_t rank_of(const struct races *r, struct mck_pair at) { return r->whole->logs[at.log].header->rank; }

static const char *const headlines[] = {
    [MCK_ALTERNATIVE_LIKE] = "a wildcard receive takes whichever of several messages comes first; they look alike",
    [MCK_ALTERNATIVE_OTHER_CALL] = "a wildcard receive takes whichever of several messages comes first; they are sent "
                                   "by "
                                   "different calls",
    [MCK_ALTERNATIVE_OTHER_TAG] = "a wildcard receive takes whichever of several messages comes first; their tags "
                                  "differ",
    [MCK_ALTERNATIVE_OTHER_SIZE] = "a wildcard receive takes whichever of several messages comes first; their sizes "
                                   "differ",
    [MCK_ALTERNATIVE_OTHER_TYPE] = "a wildcard receive takes whichever of several messages comes first; their types "
                                   "differ",
    [MCK_ALTERNATIVE_LATER] = "a wildcard receive takes whichever of several messages comes first, and a later "
                              "receive ",
    [MCK_ALTERNATIVE_WRONG_TYPE] = "a wildcard receive takes whichever of several messages comes first, and one of "
                                   "them has another type than the receive",
    [MCK_ALTERNATIVE_TOO_LARGE] = "a wildcard receive takes whichever of several messages comes first, and one of them "
                                  "would be truncated"};

static void add_places(struct mck_finding *f, const struct races *r, const struct mck_alternative_place *p) {
  const struct mck_event *e = event_of(r, p->receive), *got = event_of(r, p->got), *other = event_of(r, p->other);
  uint32_t from = rank_of(r, p->got), instead = rank_of(r, p->other);
  mck_finding_place(f, (int)rank_of(r, p->receive), e->site, "%s by rank %u", fn_of(e), rank_of(r, p->receive));
  struct mck_pair taker = mck_alternatives_room(r->whole, p->receive);
  if (p->difference >= MCK_ALTERNATIVE_WRONG_TYPE && taker.index != p->receive.index)
    mck_finding_place(f, (int)rank_of(r, taker), event_of(r, taker)->site, "whose source goes to: %s",
                      fn_of(event_of(r, taker)));
  if (p->difference == MCK_ALTERNATIVE_LIKE) { // the same call on several ranks
    mck_finding_place(f, (int)from, got->site, "got: %s from rank %u, not rank %u", fn_of(got), from, instead);
    return;
  }
  mck_finding_place(f, (int)from, got->site, "got: %s from rank %u", fn_of(got), from);
  mck_finding_place(f, (int)instead, other->site, "could have got: %s from rank %u", fn_of(other), instead);
}

static void say_sizes(struct mck_finding *f, const struct races *r, const struct mck_alternative_place *p) {
  struct mck_signature one = mck_alternatives_signature(r->whole, r->types, p->got),
                       two = mck_alternatives_signature(r->whole, r->types, p->other);
  if (!mck_signature_is_known(one) || !mck_signature_is_known(two)) return;
  mck_finding_why(f, "it got %llu bytes with tag %d, and could have got %llu bytes with tag %d",
                  (unsigned long long)one.bytes, event_of(r, p->got)->msg.tag, (unsigned long long)two.bytes,
                  event_of(r, p->other)->msg.tag);
}

// The logs are of a part of the run, since the ranks cut them.
static bool is_of_a_part(const struct mck_whole *w) {
  for (size_t i = 0; i < w->n; i++)
    if (atomic_load(&w->logs[i].header->generation)) return true;
  return w->needs & MCK_WHOLE_CUT;
}

static const char *name_of(const struct races *r, struct mck_pair at, char *text, size_t size) {
  const struct mck_reader *log = &r->whole->logs[at.log];
  const struct mck_type_source source = {(int)rank_of(r, at), &r->types[at.log], log->types, log->ntypes};
  const struct mck_event *e = event_of(r, at);
  mck_type_describe(text, size, &source, e->msg.type, e->msg.count);
  return text;
}

// All that comes before the receive is as in this run, so the other message meets just this receive. What the clocks do
// not follow may still forbid it: then it stays a note.
static void say_consequence(struct mck_finding *f, const struct races *r, const struct mck_alternative_place *p) {
  char sent[MCK_TYPE_TEXT], room[MCK_TYPE_TEXT];
  struct mck_pair taker = mck_alternatives_room(r->whole, p->receive);
  mck_finding_why(f, "the other message: %s; the receive: %s", name_of(r, p->other, sent, sizeof sent),
                  name_of(r, taker, room, sizeof room));
  bool is_said = p->probe.log != MCK_NONE; // by message.probe-race
  if (!is_said && !(r->whole->needs & (MCK_WHOLE_WORLDS | MCK_WHOLE_RMA))) f->severity = MCK_WARNING;
}

// A receive behind it gets the message that it leaves, and that is wrong: as a prediction it is a warning.
static void say_later(struct mck_finding *f, const struct races *r, const struct mck_alternative_place *p) {
  const struct mck_later *later = &p->later;
  char sent[MCK_TYPE_TEXT], room[MCK_TYPE_TEXT];
  const struct mck_event *e = event_of(r, later->receive);
  f->severity = MCK_WARNING;
  mck_finding_place(f, (int)rank_of(r, later->receive), e->site, "later: %s by rank %u", fn_of(e),
                    rank_of(r, later->receive));
  mck_finding_why(f,
                  "if all ranks go on as in this run, the later receive gets a message of rank %u: %s; the receive: %s",
                  rank_of(r, later->message), name_of(r, later->message, sent, sizeof sent),
                  name_of(r, later->receive, room, sizeof room));
}

static void say_headline(struct mck_finding *f, const struct mck_alternative_place *p) {
  const char *what = "";
  if (p->difference == MCK_ALTERNATIVE_LATER)
    what = p->later.is_too_large ? "would be truncated" : "would get another type than its own";
  mck_finding_text(f, "%s%s", headlines[p->difference], what);
}

static void say(const struct races *r, const struct mck_alternative_place *p) {
  char receives[32], open[32];
  struct mck_finding *f = mck_findings_add(r->whole->findings, MCK_CHECK_MESSAGE_RACE, (int)rank_of(r, p->receive));
  if (!f) return;
  f->count = p->open > UINT32_MAX ? UINT32_MAX : (uint32_t)p->open;
  say_headline(f, p);
  mck_base_write_number(receives, sizeof receives, p->receives);
  mck_base_write_number(open, sizeof open, p->open);
  const char *what = event_of(r, p->receive)->kind == MCK_EV_RECV ? "receive" : "probe";
  mck_finding_why(f, "%s%s of %s %s%s here could have got another message; up to %u ranks could be first",
                  is_of_a_part(r->whole) ? "in a part of the run " : "", open, receives, what,
                  p->receives == 1 ? "" : "s", p->senders);
  if (r->whole->needs & MCK_WHOLE_WORLDS)
    mck_finding_why(
        f, "processes of another MPI_COMM_WORLD take part; their messages are not seen, and may have ordered these");
  if (p->difference > MCK_ALTERNATIVE_OTHER_CALL) say_sizes(f, r, p);
  if (p->difference >= MCK_ALTERNATIVE_WRONG_TYPE) say_consequence(f, r, p);
  add_places(f, r, p);
  if (p->difference == MCK_ALTERNATIVE_LATER) say_later(f, r, p);
  char command[1024] = "";
  bool is_wrong = p->difference >= MCK_ALTERNATIVE_LATER,
       has_command = mck_decisions_command(r->whole, p->receive, p->other, command, sizeof command);
  mck_finding_help(f, "%s%s%s",
                   is_wrong ? "name the source or the tag, or make room for every message that may come"
                            : "nothing to mend if the program works whichever comes first",
                   !has_command ? ""
                   : is_wrong   ? "; to see it: "
                                : "; to run it the other way: ",
                   command);
}

static void say_probe(const struct races *r, const struct mck_alternative_place *p) {
  struct mck_finding *f = mck_findings_add(r->whole->findings, MCK_CHECK_MESSAGE_PROBE_RACE,
                                           (int)rank_of(r, p->receive));
  if (!f) return;
  const struct mck_event *e = event_of(r, p->receive), *probe = event_of(r, p->probe), *other = event_of(r, p->other);
  mck_finding_text(f, "a receive can get another message than the one that was probed, and that one does not fit");
  say_sizes(f, r, p);
  mck_finding_place(f, (int)rank_of(r, p->probe), probe->site, "%s by rank %u", fn_of(probe), rank_of(r, p->probe));
  mck_finding_place(f, (int)rank_of(r, p->receive), e->site, "%s by rank %u", fn_of(e), rank_of(r, p->receive));
  mck_finding_place(f, (int)rank_of(r, p->other), other->site, "can get: %s from rank %u", fn_of(other),
                    rank_of(r, p->other));
}

static void open_log(void *context, uint32_t number) {
  mck_alternatives_open(&((struct races *)context)->logs[number]);
}
static void sum_log(void *context, uint32_t number) { mck_alternatives_sum(&((struct races *)context)->logs[number]); }

static bool open_races(struct races *r) {
  const struct mck_whole *w = r->whole;
  struct mck_slices slices;
  size_t bytes = 0;
  r->logs = calloc(w->n + 1, sizeof *r->logs);
  r->types = calloc(w->n + 1, sizeof *r->types);
  bool is_good = r->logs && r->types;
  for (size_t i = 0; is_good && i < w->n; i++) {
    r->logs[i] = (struct mck_alternatives){.whole = w, .number = (uint32_t)i, .types = r->types};
    is_good = mck_signatures_load(&r->types[i], &w->logs[i]);
  }
  if (!is_good || !w->pairs) return is_good;
  for (size_t i = 0; i < w->n; i++) bytes += mck_alternatives_size(&r->logs[i]);
  is_good = mck_slices_open(&slices, bytes);
  if (is_good) r->memory = slices.memory;
  for (size_t i = 0; is_good && i < w->n; i++) is_good = mck_alternatives_reserve(&r->logs[i], &slices);
  return is_good;
}

static void close_races(struct races *r) {
  for (size_t i = 0; i < r->whole->n; i++) {
    if (r->types) mck_signatures_free(&r->types[i]);
    if (r->logs) mck_alternatives_close(&r->logs[i]);
  }
  free(r->memory);
  free(r->predicted.places);
  free(r->logs);
  free(r->types);
}

static void say_bounded(const struct races *r, const struct mck_clock_counts *counts) {
  struct mck_finding *f = counts->left_out || counts->is_bounded
                              ? mck_findings_add(r->whole->findings, MCK_CHECK_UNCHECKED, 0)
                              : NULL;
  if (!f) return;
  mck_finding_text(f, counts->left_out
                          ? "the order of messages could not be followed: message races were not looked for"
                          : "too many receives overlap: message races were not looked for at some of them");
}

static bool is_short(const struct races *r) {
  for (size_t i = 0; i < r->whole->n; i++)
    if (r->logs[i].is_short) return true;
  return false;
}

static void print_why(const struct races *r, size_t log, const struct mck_alternative_place *p) {
  unsigned rank = r->whole->logs[log].header->rank;
  const char *fn = p->fn < MCK_FN_COUNT ? mck_fn_names[p->fn] : "an MPI call";
  if (p->open)
    mck_why(MCK_CHECK_MESSAGE_RACE,
            "%s of rank %u (event %u): the message from rank %u (event %u) is late: its send does not come after the "
            "match with the message from rank %u (event %u), and nothing posted before takes it",
            fn, rank, p->receive.index, rank_of(r, p->other), p->other.index, rank_of(r, p->got), p->got.index);
  else
    mck_why_not(MCK_CHECK_MESSAGE_RACE,
                "%s of rank %u, %llu receive(s) at site %u: no other message was on its way that they would take", fn,
                rank, (unsigned long long)p->receives, p->site);
}

static void say_all(const struct races *r) {
  for (size_t i = 0; i < r->whole->n; i++)
    for (size_t k = 0; k < r->logs[i].nplaces; k++) {
      const struct mck_alternative_place *p = &r->logs[i].places[k];
      // A deadlock says more of the same receive; what does not fit is no matter of the path.
      bool is_predicted = mck_predicted_has(&r->predicted, (uint32_t)i, p->site);
      if (p->open && (!is_predicted || p->difference >= MCK_ALTERNATIVE_WRONG_TYPE)) say(r, p);
      print_why(r, i, p);
      if (p->probe.log != MCK_NONE && !(r->whole->needs & MCK_WHOLE_WORLDS)) say_probe(r, p);
    }
}

bool mck_whole_judge_plain_races(const struct mck_whole *whole, struct mck_plain_run *plain_run) {
  struct races r = {.whole = whole};
  const struct mck_clock_plain_sink sink = {
      .context = &r, .add_class = add_kind, .alternative = compare_kind, .sum = count_kind};
  bool is_done = mck_plain_run_join(plain_run, whole->logs) == MCK_PLAIN_READ &&
                 !mck_predict_needs_pairs(plain_run, whole->logs) && open_races(&r) &&
                 mck_clock_find_plain(plain_run, whole->logs, &sink) == MCK_CLOCK_PLAIN_DONE && !is_short(&r);
  for (size_t i = 0; i < whole->n && is_done; i++) // what needs the pairs: message.probe-race, later-receive.h
    is_done = !(plain_run->has_probes && r.logs[i].is_too_large) && !mck_alternatives_is_tight(&r.logs[i]);
  if (is_done) say_all(&r);
  close_races(&r);
  return is_done;
}

void mck_whole_judge_races(const struct mck_whole *whole) {
  struct races r = {.whole = whole};
  if (!strcmp(mck_options.clocks, "off")) return;
  // The order of threads is not known, which "unchecked" has said already. Neither is that of messages that were not
  // seen.
  if (whole->doubts & (MCK_DOUBT_THREADS | MCK_DOUBT_UNSEEN)) return;
  // With clocks=online only a file of decisions asks for this.
  bool is_lamport = !strcmp(mck_options.clocks, "lamport"), is_online = !strcmp(mck_options.clocks, "online");
  struct mck_clock_counts counts = {0};
  bool is_good = open_races(&r);
  if (is_good) r.decisions = mck_decisions_open(whole);
  struct mck_clock_sink sink = {.context = &r,
                                .meanwhile = open_log,
                                .range = add_range,
                                .wild = r.decisions ? mck_decisions_add : NULL,
                                .is_parallel = !r.decisions,
                                .wild_context = r.decisions};
  struct mck_rma_edges *edges = is_good ? mck_rma_edges_open(whole->logs, whole->n, whole->pairs, whole->doubts) : NULL;
  if (edges) sink.also = mck_rma_edges_ask, sink.also_context = edges;
  if (mck_rma_edges_are_lacking(edges)) counts.left_out = 1;
  else if (is_good)
    is_good = mck_clock_find(whole->logs, whole->n, whole->pairs, is_lamport ? MCK_CLOCK_LAMPORT : MCK_CLOCK_VECTOR,
                             &sink, &counts);
  uint64_t units = 0;
  for (size_t i = 0; i < whole->n; i++) units += whole->logs[i].units;
  if (is_good) mck_workers_run((uint32_t)whole->n, mck_workers_size(units), sum_log, &r);
  is_good = is_good && !is_short(&r);
  if (is_good && !is_online && !counts.left_out) mck_predict_deadlocks(whole, &r.predicted);
  if (is_good && !is_online) say_all(&r);
  if (is_good) say_bounded(&r, &counts);
  else mck_base_warn("out of memory: message races are not looked for");
  if (r.decisions) mck_decisions_close(r.decisions, counts.left_out > 0);
  mck_rma_edges_close(edges);
  close_races(&r);
}
