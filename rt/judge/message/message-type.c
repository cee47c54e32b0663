// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the type signatures of a message and its receive (MPI-3.1 3.3.1).
#include <stdio.h>
#include <stdlib.h>
#include "judge/message/message-match.h"

static bool is_untyped(uint32_t basic) {
  return basic == MCK_NONE || basic == MCK_BASIC_PACKED || basic == MCK_BASIC_BYTE;
}

// Says where the element is in a derived type.
static void say_path(struct mck_finding *f, const char *whose, const struct mck_typed *t, uint64_t k) {
  char path[256];
  if (t->type >= MCK_TYPE_USER && mck_signature_path(t->types, t->type, t->count, k, path, sizeof path))
    mck_finding_why(f, "in the datatype %s: %s", whose, path);
}

enum { SHOWN_BEFORE = 2, SHOWN_FROM = 4 }; // elements before the first one that differs, and from it on

// "1 MPI_INT, 3 MPI_DOUBLE": the elements from first to last, as far as there are that many.
static void list_elements(FILE *out, const struct mck_typed *t, uint64_t first, uint64_t last) {
  uint64_t at = first;
  while (at < last) {
    uint32_t basic = mck_signature_element(t->types, t->type, t->count, at);
    uint64_t from = at++;
    if (basic == MCK_NONE) break;
    while (at < last && mck_signature_element(t->types, t->type, t->count, at) == basic) at++;
    fprintf(out, "%s%llu %s", from > first ? ", " : "", (unsigned long long)(at - from), mck_basic_name(basic));
  }
}

// What derived datatypes have around the element. (The words "sent: 3 MPI_INT" say it of others.)
static void say_elements(struct mck_finding *f, const struct mck_typed *send, const struct mck_typed *receive,
                         uint64_t k) {
  if (send->type < MCK_TYPE_USER && receive->type < MCK_TYPE_USER) return;
  uint64_t first = k < SHOWN_BEFORE ? 0 : k - SHOWN_BEFORE;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return;
  fprintf(out, "from element %llu on, sent: ", (unsigned long long)first);
  list_elements(out, send, first, k + SHOWN_FROM);
  fputs("; expected: ", out);
  list_elements(out, receive, first, k + SHOWN_FROM);
  if (fclose(out) == 0) mck_finding_why(f, "%s", text);
  free(text);
}

enum fit { FIT_WELL, FIT_MISMATCH, FIT_TRUNCATED, FIT_BYTE_MIX };
// A message and its receive, and where they differ first.
struct comparison {
  struct mck_typed send, receive;
  uint64_t sent_bytes, room;
  uint64_t element;        // the first element that differs; UINT64_MAX: none does
  uint32_t sent, expected; // the basic types of that element, or MCK_NONE
};

// Taken literally, MPI_BYTE matches only itself (MPI-3.1 3.3.1).
static bool is_byte_mix(uint32_t sent, uint32_t expected) {
  if (sent == expected || sent == MCK_NONE || expected == MCK_NONE) return false;
  if (sent == MCK_BASIC_PACKED || expected == MCK_BASIC_PACKED) return false;
  return sent == MCK_BASIC_BYTE || expected == MCK_BASIC_BYTE;
}

// What is sent must be, type by type, the beginning of what is expected (MPI-3.1 3.3.1). MPI_PACKED matches anything.
static enum fit compare(struct comparison *c) {
  struct mck_signature s = mck_signature_of(c->send.types, c->send.type, c->send.count);
  struct mck_signature r = mck_signature_of(c->receive.types, c->receive.type, c->receive.count);
  if (!mck_signature_is_known(s) || !mck_signature_is_known(r) || mck_signature_is_equal(s, r)) return FIT_WELL;
  c->sent_bytes = s.bytes, c->room = r.bytes;
  c->sent = c->expected = MCK_NONE;
  c->element = mck_signature_first_difference(c->send, c->receive);
  if (c->element != UINT64_MAX) {
    c->sent = mck_signature_element(c->send.types, c->send.type, c->send.count, c->element);
    c->expected = mck_signature_element(c->receive.types, c->receive.type, c->receive.count, c->element);
  }
  if (!is_untyped(c->sent) && !is_untyped(c->expected)) return FIT_MISMATCH;
  if (c->sent_bytes > c->room) return FIT_TRUNCATED;
  return is_byte_mix(c->sent, c->expected) ? FIT_BYTE_MIX : FIT_WELL;
}

bool mck_messages_is_mismatch(struct mck_typed send, struct mck_typed receive) {
  return compare(&(struct comparison){.send = send, .receive = receive}) == FIT_MISMATCH;
}

static void explain(struct mck_finding *f, enum fit fit, const struct comparison *c, struct mck_message_side send,
                    struct mck_message_side receive) {
  char a[MCK_TYPE_TEXT], b[MCK_TYPE_TEXT];
  mck_type_describe(a, sizeof a, &send.types, send.shape->type, send.shape->count);
  mck_type_describe(b, sizeof b, &receive.types, receive.shape->type, receive.shape->count);
  switch (fit) {
  case FIT_WELL: break;
  case FIT_MISMATCH:
    mck_finding_text(f, "%s is sent where %s is received", mck_basic_name(c->sent), mck_basic_name(c->expected));
    mck_finding_why(f, "element %llu: the sender has %s, the receiver %s\nsent: %s; expected: %s",
                    (unsigned long long)c->element, mck_basic_name(c->sent), mck_basic_name(c->expected), a, b);
    say_elements(f, &c->send, &c->receive, c->element);
    say_path(f, "sent", &c->send, c->element), say_path(f, "expected", &c->receive, c->element);
    break;
  case FIT_TRUNCATED:
    mck_finding_text(f, "a message of %llu bytes comes to a receive of %llu", (unsigned long long)c->sent_bytes,
                     (unsigned long long)c->room);
    mck_finding_why(f, "sent: %s; room for: %s", a, b);
    break;
  case FIT_BYTE_MIX:
    mck_finding_text(f, "%s is sent where %s is received: MPI_BYTE matches only itself", mck_basic_name(c->sent),
                     mck_basic_name(c->expected));
    mck_finding_why(f, "sent: %s; expected: %s", a, b);
    break;
  }
}

void mck_messages_check_pair(struct mck_messages *m, int source, uint32_t n, struct mck_message_side send,
                             struct mck_message_side receive) {
  static const enum mck_check checks[] = {[FIT_MISMATCH] = MCK_CHECK_TYPE_MISMATCH,
                                          [FIT_TRUNCATED] = MCK_CHECK_MESSAGE_TRUNCATED,
                                          [FIT_BYTE_MIX] = MCK_CHECK_TYPE_BYTE_MIX};
  const struct mck_shape *s = send.shape, *r = receive.shape;
  struct comparison c = {.send = {send.types.signatures, s->type, s->count},
                         .receive = {receive.types.signatures, r->type, r->count}};
  enum fit fit = compare(&c);
  if (fit == FIT_WELL) return;
  int me = (int)m->judge->rank;
  struct mck_finding *f = mck_messages_say(m, checks[fit], source, me, s->site, r->site, n);
  if (!f) return;
  mck_why(checks[fit],
          "%s from rank %d and %s on rank %d are matched (MPI-3.1 3.5); signatures of %llu and %llu bytes differ first "
          "at element %lld",
          mck_judge_fn(s->fn), source, mck_judge_fn(r->fn), me, (unsigned long long)c.sent_bytes,
          (unsigned long long)c.room, (long long)c.element);
  explain(f, fit, &c, send, receive);
  mck_finding_place(f, source, s->site, "%s from rank %d", mck_judge_fn(s->fn), source);
  mck_finding_place(f, me, r->site, "%s on rank %d", mck_judge_fn(r->fn), me);
}
