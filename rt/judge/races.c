// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alternatives, one by one, become one finding per place: how many receives, how many senders, and of all alternatives
// the one that differs most from what came.
#include "judge/races.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "base/table.h"
#include "clock/clock.h"
#include "judge/decisions.h"
#include "log/signature.h"

// How much another message differs, from what nobody can tell to what breaks.
enum difference { LIKE, OTHER_CALL, OTHER_TAG, OTHER_SIZE, OTHER_TYPE, TOO_LARGE };

struct place {  // of wildcard receives: log and site
  uint32_t log, site;
  uint16_t fn;
  uint64_t receives, open;  // at this place; those that could have got another message
  uint32_t senders;         // of one of them, with the one that it got; at most
  enum difference difference;
  struct mck_pair receive, got, other;  // the worst
  struct mck_event like[3];             // compared last: receive, got, other; and their logs
  uint32_t like_log[2];
  struct mck_pair probe;                // ... a probe before this receive saw another message; log MCK_NONE: no
};
struct races {
  const struct mck_whole *whole;
  struct place *places;
  size_t nplaces, capacity;
  struct mck_table table;
  size_t latest;  // place that was asked for last
  uint32_t **senders;  // [log][index]: how many others could have come; NULL: no wildcards there
  struct mck_signatures *types;
  struct mck_decisions *decisions;  // NULL: nobody wants them
  bool is_short;
};

static const struct mck_event *event_of(const struct races *r, struct mck_pair at) {
  return &r->whole->logs[at.log].events[at.index];
}

static struct place *place_of(struct races *r, struct mck_pair receive) {
  const struct mck_event *e = event_of(r, receive);
  if (r->latest < r->nplaces) {
    struct place *p = &r->places[r->latest];
    if (p->log == receive.log && p->site == e->site && p->fn == e->fn) return p;
  }
  uint32_t at, id;
  uint64_t hash = mck_table_mix((uint64_t)receive.log << 32 | e->site, e->fn);
  MCK_TABLE_EACH(&r->table, hash, at, id) {
    struct place *p = &r->places[id];
    if (p->log == receive.log && p->site == e->site && p->fn == e->fn) return r->latest = id, p;
  }
  struct place new = {.log = receive.log, .site = e->site, .fn = e->fn, .probe = {MCK_NONE, MCK_NONE}};
  if (!MCK_PUSH(r->places, r->nplaces, r->capacity, new) || !mck_table_add(&r->table, hash, (uint32_t)r->nplaces - 1))
    return r->is_short = true, NULL;
  return &r->places[r->nplaces - 1];
}

static struct mck_signature signature_of(const struct races *r, struct mck_pair at) {
  const struct mck_event *e = event_of(r, at);
  return mck_signature_of(&r->types[at.log], e->msg.type, e->msg.count);
}

static enum difference compare(const struct races *r, struct mck_pair receive, struct mck_pair got, struct mck_pair other) {
  const struct mck_event *a = event_of(r, got), *b = event_of(r, other), *e = event_of(r, receive);
  struct mck_signature one = signature_of(r, got), two = signature_of(r, other);
  if (e->kind == MCK_EV_RECV) {
    struct mck_signature room = signature_of(r, receive);
    if (mck_signature_is_known(room) && mck_signature_is_known(two) && two.bytes > room.bytes) return TOO_LARGE;
  }
  if (mck_signature_is_known(one) && mck_signature_is_known(two)) {
    if (one.bytes != two.bytes) return OTHER_SIZE;
    if (!mck_signature_is_equal(one, two)) return OTHER_TYPE;
  }
  if (a->msg.tag != b->msg.tag) return OTHER_TAG;
  // Sites of two logs are unrelated numbers: the same call site is the same innermost frame.
  const struct mck_reader *la = &r->whole->logs[got.log], *lb = &r->whole->logs[other.log];
  if (a->site < la->nstacks && b->site < lb->nstacks && la->stacks[a->site].depth && lb->stacks[b->site].depth &&
      (la->stacks[a->site].frames[0] & 0xffffffffffff) != (lb->stacks[b->site].frames[0] & 0xffffffffffff))
    return OTHER_CALL;
  return LIKE;
}

// The probe that this receive seems to follow, when it saw another message than the one that could come: the program has
// asked for its size or sender (MPI-3.1 3.8.1).
static struct mck_pair find_probe(const struct races *r, struct mck_pair receive, struct mck_pair other) {
  const struct mck_reader *log = &r->whole->logs[receive.log];
  const struct mck_event *e = &log->events[receive.index];
  for (uint32_t i = receive.index, left = 8; e->kind == MCK_EV_RECV && i-- > 0 && left--;) {
    const struct mck_event *p = &log->events[i];
    // Units in front of it may be the inside of a longer event: a probe has a match, which nothing else here has.
    struct mck_pair seen = r->whole->pairs->of[receive.log][i];
    if (seen.log == MCK_NONE) continue;
    bool is_probe = p->kind == MCK_EV_PROBE && mck_order_is_wild(p) && p->msg.comm == e->msg.comm;
    if (is_probe && (seen.log != other.log || seen.index != other.index)) return (struct mck_pair){receive.log, i};
    if (p->kind == MCK_EV_RECV) break;
  }
  return (struct mck_pair){MCK_NONE, MCK_NONE};
}

static bool is_like(const struct mck_event *a, const struct mck_event *b) {
  return a->site == b->site && a->msg.type == b->msg.type && a->msg.count == b->msg.count && a->msg.tag == b->msg.tag;
}

static void alternative(void *context, struct mck_pair receive, struct mck_pair send) {
  struct races *r = context;
  struct place *p = place_of(r, receive);
  if (!p) return;
  uint32_t *senders = &r->senders[receive.log][receive.index];
  p->open += !*senders;
  if (++*senders + 1 > p->senders) p->senders = *senders + 1;
  struct mck_pair got = r->whole->pairs->of[receive.log][receive.index];
  // A loop's messages look like those before them.
  const struct mck_event *a = event_of(r, got), *b = event_of(r, send);
  const struct mck_event *e = event_of(r, receive);
  bool is_known = p->other.index && got.log == p->like_log[0] && send.log == p->like_log[1] && is_like(a, &p->like[1]) &&
                  is_like(b, &p->like[2]) && e->msg.type == p->like[0].msg.type && e->msg.count == p->like[0].msg.count;
  if (r->decisions) mck_decisions_add_alternative(r->decisions, receive, send);
  if (is_known) return;
  p->like[0] = *e, p->like[1] = *a, p->like[2] = *b;
  p->like_log[0] = got.log, p->like_log[1] = send.log;
  enum difference difference = compare(r, receive, got, send);
  bool is_first = p->other.index == 0;  // no send has that index: a definition has
  if (is_first || difference > p->difference)
    p->difference = difference, p->receive = receive, p->got = got, p->other = send;
  if (difference == TOO_LARGE && p->probe.log == MCK_NONE) p->probe = find_probe(r, receive, send);
}

static const char *fn_of(const struct mck_event *e) { return e->fn < MCK_FN_COUNT ? mck_fn_names[e->fn] : "an MPI call"; }
static uint32_t rank_of(const struct races *r, struct mck_pair at) { return r->whole->logs[at.log].header->rank; }

static void say_number(char *text, size_t size, uint64_t number) {
  char digits[32];
  int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
  size_t used = 0;
  for (int i = 0; i < n && used + 2 < size; i++) {
    if (i && (n - i) % 3 == 0) text[used++] = ',';
    text[used++] = digits[i];
  }
  text[used] = 0;
}

static const char *const headlines[] = {
    [LIKE] = "which of several like messages comes to a wildcard receive depends on timing",
    [OTHER_CALL] = "which of several messages, of different calls, comes to a wildcard receive depends on timing",
    [OTHER_TAG] = "which of several messages, of different tags, comes to a wildcard receive depends on timing",
    [OTHER_SIZE] = "which of several messages, of different sizes, comes to a wildcard receive depends on timing",
    [OTHER_TYPE] = "which of several messages, of different types, comes to a wildcard receive depends on timing",
    [TOO_LARGE] = "a message that does not fit could have come to a wildcard receive: which one comes depends on timing"};

static void add_places(struct mck_finding *f, const struct races *r, const struct place *p) {
  const struct mck_event *e = event_of(r, p->receive), *got = event_of(r, p->got), *other = event_of(r, p->other);
  mck_finding_place(f, (int)rank_of(r, p->receive), e->site, "%s by rank %u", fn_of(e), rank_of(r, p->receive));
  mck_finding_place(f, (int)rank_of(r, p->got), got->site, "got: %s from rank %u", fn_of(got), rank_of(r, p->got));
  mck_finding_place(f, (int)rank_of(r, p->other), other->site, "could have got: %s from rank %u", fn_of(other),
                    rank_of(r, p->other));
}

static void say_sizes(struct mck_finding *f, const struct races *r, const struct place *p) {
  struct mck_signature one = signature_of(r, p->got), two = signature_of(r, p->other);
  if (!mck_signature_is_known(one) || !mck_signature_is_known(two)) return;
  mck_finding_why(f, "it got %llu bytes with tag %d, and could have got %llu bytes with tag %d",
                  (unsigned long long)one.bytes, event_of(r, p->got)->msg.tag, (unsigned long long)two.bytes,
                  event_of(r, p->other)->msg.tag);
}

static void say(const struct races *r, const struct place *p) {
  char receives[32], open[32];
  struct mck_finding *f = mck_findings_add(r->whole->findings, MCK_CHECK_MESSAGE_RACE, (int)rank_of(r, p->receive));
  if (!f) return;
  f->count = p->open > UINT32_MAX ? UINT32_MAX : (uint32_t)p->open;
  mck_finding_text(f, "%s", headlines[p->difference]);
  say_number(receives, sizeof receives, p->receives);
  say_number(open, sizeof open, p->open);
  const char *what = event_of(r, p->receive)->kind == MCK_EV_RECV ? "receive" : "probe";
  mck_finding_why(f, "%s %s%s here, %s of them could have got another message; up to %u possible senders", receives, what,
                  p->receives == 1 ? "" : "s", open, p->senders);
  if (p->difference > OTHER_CALL) say_sizes(f, r, p);
  add_places(f, r, p);
  char command[512];
  if (mck_decisions_command(r->whole, p->receive, p->other, command, sizeof command))
    mck_finding_help(f, "nothing to mend if the program is right with any of them; to see it with the other one: %s", command);
}

static void say_probe(const struct races *r, const struct place *p) {
  struct mck_finding *f = mck_findings_add(r->whole->findings, MCK_CHECK_PROBE_RACE, (int)rank_of(r, p->receive));
  if (!f) return;
  const struct mck_event *e = event_of(r, p->receive), *probe = event_of(r, p->probe), *other = event_of(r, p->other);
  mck_finding_text(f, "a receive can get another message than the one that was probed, and that one does not fit");
  say_sizes(f, r, p);
  mck_finding_place(f, (int)rank_of(r, p->probe), probe->site, "%s by rank %u", fn_of(probe), rank_of(r, p->probe));
  mck_finding_place(f, (int)rank_of(r, p->receive), e->site, "%s by rank %u", fn_of(e), rank_of(r, p->receive));
  mck_finding_place(f, (int)rank_of(r, p->other), other->site, "can get: %s from rank %u", fn_of(other),
                    rank_of(r, p->other));
}

static void count_receives(struct races *r) {
  for (size_t i = 0; i < r->whole->n; i++) {
    const struct mck_reader *log = &r->whole->logs[i];
    for (uint64_t k = 0; r->senders[i] && k < log->units; k += mck_event_units(&log->events[k])) {
      if (!mck_order_is_wild(&log->events[k])) continue;
      struct place *p = place_of(r, (struct mck_pair){(uint32_t)i, (uint32_t)k});
      if (p) p->receives++;
    }
  }
}

static bool open_races(struct races *r) {
  const struct mck_whole *w = r->whole;
  r->senders = calloc(w->n + 1, sizeof *r->senders);
  r->types = calloc(w->n + 1, sizeof *r->types);
  bool is_good = r->senders && r->types;
  for (size_t i = 0; is_good && i < w->n; i++) {
    bool is_owner = false;
    const struct mck_reader *log = &w->logs[i];
    for (uint64_t k = 0; k < log->units && !is_owner; k += mck_event_units(&log->events[k]))
      is_owner = mck_order_is_wild(&log->events[k]);
    is_good = mck_signatures_load(&r->types[i], log);
    if (is_owner) is_good = is_good && (r->senders[i] = calloc(log->units + 1, sizeof **r->senders));
  }
  return is_good;
}

static void say_bounded(const struct races *r, const struct mck_clock_counts *counts) {
  struct mck_finding *f = counts->left_out || counts->is_bounded ? mck_findings_add(r->whole->findings, MCK_CHECK_UNCHECKED, 0) : NULL;
  if (!f) return;
  mck_finding_text(f, counts->left_out ? "the order of messages could not be followed: message races were not looked for"
                                       : "too many receives overlap: message races were not looked for at some of them");
}

void mck_whole_judge_races(const struct mck_whole *whole) {
  struct races r = {.whole = whole};
  if (!strcmp(mck_options.clocks, "off")) return;
  // Of threads the order is not known (said already, as "unchecked"), nor of messages that passed us by.
  if (whole->doubts & (MCK_DOUBT_THREADS | MCK_DOUBT_UNSEEN)) return;
  bool is_lamport = strcmp(mck_options.clocks, "vector") != 0;
  struct mck_clock_counts counts = {0};
  bool is_good = open_races(&r);
  if (is_good) r.decisions = mck_decisions_open(whole);
  struct mck_clock_sink sink = {.context = &r, .alternative = alternative, .wild = r.decisions ? mck_decisions_add : NULL,
                                .wild_context = r.decisions};
  if (is_good)
    is_good = mck_clock_find(whole->logs, whole->n, whole->pairs, is_lamport ? MCK_CLOCK_LAMPORT : MCK_CLOCK_VECTOR, &sink, &counts);
  if (is_good) count_receives(&r);
  if (!is_good || r.is_short) mck_base_warn("out of memory: message races are not looked for");
  else {
    for (size_t i = 0; i < r.nplaces; i++) {
      if (r.places[i].open) say(&r, &r.places[i]);
      if (r.places[i].probe.log != MCK_NONE) say_probe(&r, &r.places[i]);
    }
    say_bounded(&r, &counts);
  }
  if (r.decisions) mck_decisions_close(r.decisions, counts.left_out > 0);
  for (size_t i = 0; i < whole->n; i++) {
    if (r.senders) free(r.senders[i]);
    if (r.types) mck_signatures_free(&r.types[i]);
  }
  free(r.senders);
  free(r.types);
  free(r.places);
  mck_table_free(&r.table);
}
