// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the message that is left over through the receives behind (later-receive.h): of one sender and matching tag
// the messages are received in order (MPI-3.1 3.5), so each such receive gets the one before, and the last of them is
// left over. It ends at the receive that got the other message. What the program may know of the sender ends it, too.
#include "judge/message/later-receive.h"
#include "judge/message/alternative-match.h"
#include "judge/message/message-match.h"
#include "judge/message/probe-receive.h"
#include "order/pairs.h"

struct following {
  const struct mck_whole *whole;
  const struct mck_signatures *types;
  const struct mck_reader *log;
  const struct mck_pair *pairs; // [index]
  uint32_t number;
  int sender; // in MPI_COMM_WORLD
};

static const struct mck_event *event_of(const struct following *f, struct mck_pair at) {
  return &f->whole->logs[at.log].events[at.index];
}
static struct mck_signature signature_of(const struct following *f, struct mck_pair at) {
  return mck_alternatives_signature(f->whole, f->types, at);
}

static bool names_sender(const struct following *f, const struct mck_event *e) {
  if (e->kind == MCK_EV_SEND) return mck_order_peer(f->log, e) == f->sender;
  if (e->kind == MCK_EV_RECV || e->kind == MCK_EV_PROBE || e->kind == MCK_EV_MPROBE)
    return !mck_event_any_source(e) && mck_order_peer(f->log, e) == f->sender;
  const struct mck_comm_def *comm = e->kind == MCK_EV_COLL ? mck_order_comm(f->log, e->coll.comm) : NULL;
  return comm && e->coll.root >= 0 && mck_comm_world_rank(comm, e->coll.root, comm->remote_size > 0) == f->sender;
}

// May the program see at its end, or by its status, which of the two messages the receive got?
static bool is_told(const struct following *f, const struct mck_event *receive, struct mck_pair got,
                    struct mck_pair other) {
  unsigned told = mck_told_by(f->log, receive);
  return (told & MCK_TOLD_SOURCE && got.log != other.log) ||
         (told & MCK_TOLD_TAG && event_of(f, got)->msg.tag != event_of(f, other)->msg.tag) ||
         (told & MCK_TOLD_COUNT && signature_of(f, got).bytes != signature_of(f, other).bytes);
}

static struct mck_typed typed_of(const struct following *f, struct mck_pair at) {
  const struct mck_event *e = event_of(f, at);
  return (struct mck_typed){&f->types[at.log], e->msg.type, e->msg.count};
}

static bool is_synchronous(const struct mck_event *send) { return (send->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC; }

// The sender of the message that this receive got waits until it is received: what depends on its next calls does, too.
static bool is_held(const struct following *f, uint32_t receive) {
  return is_synchronous(event_of(f, f->pairs[receive]));
}

// May it wait for what other ranks do?
static bool may_wait(const struct mck_event *e) {
  return e->kind == MCK_EV_COLL || e->kind == MCK_EV_WAIT || (e->kind == MCK_EV_SEND && is_synchronous(e));
}

// Has its sender sent something before that the receive accepts, too, and that was not received before? That comes
// first (MPI-3.1 3.5). Of one tag there is no such message: the receive that got this one would have got it.
static bool is_first(const struct following *f, struct mck_pair receive, struct mck_pair message, uint32_t *steps) {
  const struct mck_event *e = event_of(f, receive);
  if (!(e->flags & MCK_FLAG_ANY_TAG)) return true;
  const struct mck_reader *log = &f->whole->logs[message.log];
  const struct mck_pair *pairs = f->whole->pairs->of[message.log];
  for (uint32_t i = message.index; i-- > 0; --*steps) {
    if (!*steps) return false;
    struct mck_pair to = pairs[i]; // MCK_NONE for units inside of an event
    if (to.log == f->number && to.index >= receive.index && log->events[i].kind == MCK_EV_SEND &&
        mck_event_accepts(e, &log->events[i]))
      return false;
  }
  return true;
}

static struct mck_later judge(const struct following *f, struct mck_pair receive, struct mck_pair message) {
  struct mck_later later = {receive, message, true}, none = {{MCK_NONE, MCK_NONE}, {MCK_NONE, MCK_NONE}, false};
  struct mck_signature room = signature_of(f, receive), sent = signature_of(f, message);
  if (!mck_signature_is_known(room) || !mck_signature_is_known(sent)) return none;
  if (sent.bytes > room.bytes) return later;
  later.is_too_large = false;
  struct mck_typed type = typed_of(f, receive);
  bool is_wrong = mck_messages_is_mismatch(typed_of(f, message), type) &&
                  !mck_messages_is_mismatch(typed_of(f, f->pairs[receive.index]), type);
  return is_wrong ? later : none;
}

struct mck_later mck_later_find(const struct mck_whole *whole, const struct mck_signatures *types,
                                struct mck_pair receive, struct mck_pair got, struct mck_pair other, uint32_t *steps) {
  const struct mck_later none = {{MCK_NONE, MCK_NONE}, {MCK_NONE, MCK_NONE}, false};
  struct following all = {whole, types, &whole->logs[receive.log], whole->pairs->of[receive.log], receive.log, 0};
  struct following *f = &all;
  f->sender = (int)whole->logs[got.log].header->rank;
  const struct mck_event *events = f->log->events, *first = &events[receive.index];
  bool is_nonblocking = first->flags & MCK_FLAG_NONBLOCKING;
  if (first->kind != MCK_EV_RECV || (!is_nonblocking && is_told(f, first, got, other))) return none;
  if (mck_messages_is_mismatch(typed_of(f, got), typed_of(f, receive))) return none; // that one is wrong already
  uint32_t from = receive.index; // this receive got the message that is left over
  for (uint64_t i = receive.index + mck_event_units(first); i < f->log->units; i += mck_event_units(&events[i])) {
    const struct mck_event *e = &events[i];
    if (!*steps) return none;
    --*steps;
    bool is_over = is_nonblocking && (e->kind == MCK_EV_WAIT || e->kind == MCK_EV_DONE);
    if (is_over || names_sender(f, e)) return none;
    bool is_taking = e->kind == MCK_EV_RECV || e->kind == MCK_EV_PROBE || e->kind == MCK_EV_MPROBE;
    if (may_wait(e) && is_held(f, from)) return none;
    if (!is_taking) continue;
    struct mck_pair own = f->pairs[i], here = {f->number, (uint32_t)i};
    bool is_last = own.log == other.log && own.index == other.index, takes = mck_event_accepts(e, &events[from]);
    if (is_last && !takes) return none; // it waits, or gets a later message of that sender (prediction/)
    bool is_next = takes && (is_last || own.log == got.log);
    if (!is_next && is_held(f, from)) return none;
    if (!takes) continue;
    if (e->kind != MCK_EV_RECV || own.log == MCK_NONE || !mck_event_is_known(e)) return none;
    if (!is_next) continue; // it may get what it got
    if (!is_first(f, here, f->pairs[from], steps)) return none;
    struct mck_pair message = f->pairs[from];
    struct mck_later later = judge(f, here, message);
    if (later.receive.log != MCK_NONE || is_last) return later;
    is_nonblocking |= !!(e->flags & MCK_FLAG_NONBLOCKING);
    if (!(e->flags & MCK_FLAG_NONBLOCKING) && is_told(f, e, own, message)) return none;
    from = (uint32_t)i;
  }
  return none;
}
