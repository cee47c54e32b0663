// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares what was sent with what came, chunk by chunk, and says what differs: where, and whether it is what was sent
// elsewhere.
#include <inttypes.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include "api/fns.h"
#include "flow/flow-run.h"
#include "report/why.h"

static bool is_bytes(const struct mck_signatures *types, const struct mck_event *content) {
  return mck_signature_is_all(types, content->content.type, MCK_BASIC_BYTE) ||
         mck_signature_is_all(types, content->content.type, MCK_BASIC_PACKED);
}

bool mck_flow_fits(const struct mck_flow_run *run, struct mck_flow_side s, struct mck_flow_side r) {
  if (!s.content || !r.content || (s.content->flags | r.content->flags) & MCK_CONTENT_UNKNOWN) return false;
  const struct mck_content_body *sb = mck_content_body(s.content), *rb = mck_content_body(r.content);
  if (!sb->length) return true;
  const struct mck_signatures *st = &run->of[s.log].types, *rt = &run->of[r.log].types;
  if (is_bytes(st, s.content) || is_bytes(rt, r.content)) return true;
  struct mck_signature sent = mck_signature_of(st, s.content->content.type, sb->count);
  if (!mck_signature_is_known(sent)) return false;
  return mck_signature_is_equal(sent, mck_signature_prefix(rt, r.content->content.type, rb->count, sent.elements));
}

bool mck_flow_is_certain(struct mck_flow_side side) {
  return !(side.content->flags & (MCK_CONTENT_CHANGED | MCK_CONTENT_UNSEEN));
}

static const char *name_of(const struct mck_flow_run *run, struct mck_flow_side side) {
  uint16_t fn = run->logs[side.log].events[side.event].fn;
  return fn < MCK_FN_COUNT && mck_fn_names[fn] ? mck_fn_names[fn] : "an MPI call";
}
static uint32_t site_of(const struct mck_flow_run *run, struct mck_flow_side side) {
  return run->logs[side.log].events[side.event].site;
}

// Was the content of a window looked at here?
static bool is_look(const struct mck_flow_run *run, struct mck_flow_side side) {
  return run->logs[side.log].events[side.event].kind == MCK_EV_WINDOW_BYTES;
}

struct mck_finding *mck_flow_say(struct mck_flow_run *run, struct mck_flow_side s, struct mck_flow_side r,
                                 enum mck_flow_kind kind) {
  if (mck_flow_is_explained(run, s.log, s.event) || mck_flow_is_explained(run, r.log, r.event)) {
    mck_why_not(MCK_CHECK_FLOW_CONTENT, "other bytes came, but another finding names one of the two calls");
    return NULL;
  }
  enum mck_severity severity = mck_flow_is_certain(s) && mck_flow_is_certain(r) ? MCK_ERROR : MCK_NOTE;
  struct mck_flow_said new = {{s.log, s.event, r.log, r.event},
                              s.log,
                              site_of(run, s),
                              r.log,
                              site_of(run, r),
                              (int)kind,
                              (int)severity,
                              run->findings->count};
  for (size_t i = 0; i < run->nsaid; i++) {
    const struct mck_flow_said *old = &run->said[i];
    if (old->sender == new.sender && old->send_site == new.send_site && old->receiver == new.receiver &&
        old->receive_site == new.receive_site && old->kind == new.kind && old->severity == new.severity) {
      run->findings->items[old->finding].count++;
      return NULL;
    }
  }
  enum { MOST = 200 };
  if (run->nsaid >= MOST || !MCK_PUSH(run->said, run->nsaid, run->said_capacity, new)) return NULL;
  int sender = (int)run->logs[s.log].header->rank, receiver = (int)run->logs[r.log].header->rank;
  struct mck_finding *f = mck_findings_add(run->findings, MCK_CHECK_FLOW_CONTENT, receiver);
  if (!f) return run->nsaid--, NULL;
  f->severity = severity;
  bool is_one = s.log == r.log && s.event == r.event;
  if (!is_one)
    mck_finding_place(f, sender, site_of(run, s),
                      is_look(run, s) ? "in the window at %s on rank %d" : "sent by %s of rank %d", name_of(run, s),
                      sender);
  mck_finding_place(f, receiver, site_of(run, r), "%s %s on rank %d",
                    is_one            ? "result of"
                    : is_look(run, r) ? "seen in the window at"
                                      : "received by",
                    name_of(run, r), receiver);
  if (severity == MCK_ERROR)
    mck_finding_why(f, "the MPI library, or what is below it, is at fault: the calls fit, and the program did not "
                       "touch the buffers meanwhile");
  else {
    mck_finding_why(f, "not decided: the library is at fault, or the program has changed a buffer that was in use");
    mck_finding_help(f, "recompile all of the program with mpicc-check: then it is decided");
  }
  return f;
}

// --- what differs ---
struct difference {
  uint64_t first, last, n, chunks; // chunks: first and last that differ, how many, of how many
};

static struct difference find_difference(const struct mck_event *s, const struct mck_event *r) {
  const uint64_t *a = mck_content_word(s), *b = mck_content_word(r);
  struct difference d = {UINT64_MAX, 0, 0, s->content.nwords};
  for (uint64_t i = 0; i < d.chunks; i++) {
    if (a[i] == b[i]) continue;
    if (!d.n++) d.first = i;
    d.last = i;
  }
  return d;
}

bool mck_flow_is_same(const struct mck_event *a, const struct mck_event *b) {
  return a->content.nwords == b->content.nwords && a->content.chunk == b->content.chunk &&
         mck_content_body(a)->length == mck_content_body(b)->length &&
         !memcmp(mck_content_word(a), mck_content_word(b), a->content.nwords * sizeof(uint64_t));
}

static void say_range(char *text, size_t size, const struct mck_event *e, uint64_t first, uint64_t last) {
  uint64_t end = (last + 1) * e->content.chunk, length = mck_content_body(e)->length;
  snprintf(text, size, "%" PRIu64 "..%" PRIu64, first * e->content.chunk, (end < length ? end : length) - 1);
}

// The bytes themselves, where the words have them.
static void say_bytes(struct mck_finding *f, const struct mck_event *s, const struct mck_event *r) {
  const uint8_t *a = (const uint8_t *)mck_content_word(s), *b = (const uint8_t *)mck_content_word(r);
  uint64_t length = mck_content_body(s)->length, first = 0, last = length - 1;
  while (a[first] == b[first]) first++;
  while (a[last] == b[last]) last--;
  mck_finding_text(f, "other data came than was sent: bytes %" PRIu64 "..%" PRIu64 " of %" PRIu64, first, last, length);
  char sent[3 * 8 + 1] = "", came[3 * 8 + 1] = "";
  for (uint64_t k = first, at = 0; k < length && k < first + 8; k++, at += 3) {
    snprintf(sent + at, sizeof sent - at, " %02x", a[k]);
    snprintf(came + at, sizeof came - at, " %02x", b[k]);
  }
  mck_finding_why(f, "from byte %" PRIu64 " on:%s was sent,%s came", first, sent, came);
}

// Does a chunk of what came hold what was sent as another chunk?
static void say_origin(struct mck_finding *f, const struct mck_event *s, const struct mck_event *r,
                       const struct difference *d) {
  const uint64_t *a = mck_content_word(s), *b = mck_content_word(r);
  for (uint64_t i = d->first; i <= d->last; i++)
    for (uint64_t k = 0; k < d->chunks && a[i] != b[i]; k++) {
      if (k == i || a[k] != b[i] || a[k] == a[i]) continue;
      char to[64], from[64];
      say_range(to, sizeof to, r, i, i), say_range(from, sizeof from, s, k, k);
      bool is_swapped = b[k] == a[i];
      mck_finding_why(f, is_swapped ? "bytes %s and %s were exchanged" : "bytes %s hold what was sent as bytes %s", to,
                      from);
      return;
    }
}

// Is what came what another call sent?
static void say_other_call(struct mck_flow_run *run, struct mck_finding *f, struct mck_flow_side s,
                           const struct mck_event *r) {
  size_t found = 0;
  struct mck_flow_side other = {0};
  if (!mck_content_body(r)->length) return;
  for (size_t i = 0; i < run->n; i++)
    for (size_t k = 0; k < run->of[i].nkeys; k++) {
      const struct mck_flow_key *key = &run->of[i].keys[k];
      const struct mck_event *e = &run->logs[i].events[key->at];
      if (key->is_received || e == s.content || !mck_flow_is_same(e, r)) continue;
      // The nearest one, of the same sender if there is one.
      bool is_nearer = !found++ || (i == s.log && (other.log != s.log || llabs((long long)key->event - s.event) <
                                                                             llabs((long long)other.event - s.event)));
      if (is_nearer) other = (struct mck_flow_side){(uint32_t)i, key->event, e};
    }
  if (!found) return;
  int rank = (int)run->logs[other.log].header->rank;
  const char *when = other.log != s.log ? "" : other.event < s.event ? " before it" : " after it";
  mck_finding_place(f, rank, site_of(run, other), "what came was sent by %s of rank %d%s", name_of(run, other), rank,
                    when);
}

void mck_flow_compare(struct mck_flow_run *run, struct mck_flow_side s, struct mck_flow_side r) {
  const struct mck_content_body *sb = mck_content_body(s.content), *rb = mck_content_body(r.content);
  if (sb->length != rb->length || s.content->content.chunk != r.content->content.chunk ||
      mck_flow_is_same(s.content, r.content))
    return;
  struct mck_finding *f = mck_flow_say(run, s, r, MCK_FLOW_BYTES);
  if (!f) return;
  struct mck_flow_asked asked = {(size_t)(f - run->findings->items), s, r};
  bool is_asked = MCK_PUSH(run->asked, run->nasked, run->asked_capacity, asked);
  (void)is_asked; // without memory the way is not followed
  struct difference d = find_difference(s.content, r.content);
  char range[64];
  say_range(range, sizeof range, s.content, d.first, d.last);
  if (s.content->content.chunk == MCK_CONTENT_RAW) say_bytes(f, s.content, r.content);
  else mck_finding_text(f, "other data came than was sent: bytes %s of %" PRIu64, range, sb->length);
  if (s.content->content.chunk != MCK_CONTENT_RAW && d.n > 1)
    mck_finding_why(f, "%" PRIu64 " of %" PRIu64 " pieces of %u bytes differ", d.n, d.chunks, s.content->content.chunk);
  say_origin(f, s.content, r.content, &d);
  say_other_call(run, f, s, r.content);
}
