// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of messages. Every send and every posted receive is one event, in the order of the calls: matching goes by
// that order (MPI-3.1 3.5). A receive's event is completed in place when its match is known, so no second event is
// needed.
#include "record/call/call-event.h"
#include "record/call/call-object.h"
#include "record/call/stack.h"
#include "record/p2p/completed-request.h"
#include "record/p2p/message-event.h"
#include "record/replay/online-run.h"
#include "record/runtime.h"

MCK_HOT uint8_t mck_message_mode(uint16_t fn) {
  static const uint8_t flags[] = {[MCK_STD_MODE_SYNCHRONOUS] = MCK_FLAG_SYNC,
                                  [MCK_STD_MODE_BUFFERED] = MCK_FLAG_BUFFERED,
                                  [MCK_STD_MODE_READY] = MCK_FLAG_READY};
  return flags[mck_std_fns[fn].mode];
}

uint32_t mck_message_type_id(struct mck_call *call, MPI_Datatype type) {
  const struct mck_type *t = mck_call_type(call, type);
  return t ? t->object.id : MCK_NONE;
}

// What the event of a message says. Sites and types may have to be defined first, which appends to the log: so they are
// found before the event's place is known.
struct message {
  uint32_t comm, site, type;
  int peer, tag;
  uint8_t flags;
  uint64_t count;
};

static inline __attribute__((always_inline)) bool find_objects(struct message *m, struct mck_call *call, MPI_Comm comm,
                                                               int peer, MPI_Datatype type) {
  struct mck_comm *c = mck_std_is_null(peer) || call->nfindings ? NULL : mck_call_comm(call, comm);
  if (!c || !c->is_logged || c->object.is_freed) return false;
  m->comm = c->object.id, m->site = mck_call_site(call);
  m->type = type == MPI_DATATYPE_NULL ? MCK_NONE : mck_message_type_id(call, type);
  return true;
}

static inline __attribute__((always_inline)) bool look_at_send(struct message *m, struct mck_call *call, uint8_t flags,
                                                               const struct mck_args *a) {
  if (!find_objects(m, call, a->comm, a->dest, a->sendtype)) return false;
  m->peer = a->dest, m->tag = a->sendtag, m->flags = flags, m->count = (uint64_t)a->sendcount;
  return true;
}

static inline __attribute__((always_inline)) bool
look_at_receive(struct message *m, struct mck_call *call, uint8_t flags, const struct mck_args *a, bool is_probe) {
  if (!find_objects(m, call, a->comm, a->source, is_probe ? MPI_DATATYPE_NULL : a->recvtype)) return false;
  m->peer = a->source, m->tag = a->recvtag, m->count = is_probe ? 0 : (uint64_t)a->recvcount;
  if (mck_std_is_any_source(a->source)) flags |= MCK_FLAG_ANY_SOURCE, m->peer = -1;
  if (mck_std_is_any_tag(a->recvtag)) flags |= MCK_FLAG_ANY_TAG, m->tag = -1;
  m->flags = flags;
  return true;
}

static inline __attribute__((always_inline)) void fill(struct mck_event *e, const struct message *m) {
  e->flags = m->flags, e->site = m->site;
  e->msg.comm = m->comm, e->msg.peer = m->peer, e->msg.tag = m->tag, e->msg.type = m->type, e->msg.count = m->count;
}

// A wildcard's event gets its match later: it is always written.
static inline bool is_completed_in_place(uint8_t kind, uint8_t flags) {
  return flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG) || (kind != MCK_EV_SEND && kind != MCK_EV_RECV);
}

// The event is written in place: a copy of an event that was just put together would wait until its parts have left the
// store buffer.
static inline __attribute__((always_inline)) uint32_t write_event(struct mck_call *call, uint8_t kind,
                                                                  const struct message *m) {
  if (!is_completed_in_place(kind, m->flags))
    return mck_event_put(call, kind, m->flags,
                         (struct mck_message_words){m->site, m->comm, m->peer, m->tag, m->type, m->count});
  struct mck_event *e = mck_event_begin(call, kind, m->flags);
  if (!e) return MCK_NONE;
  fill(e, m);
  return mck_log_commit(&mck_rt.log, 1);
}

MCK_HOT uint32_t mck_message_log_send(struct mck_call *call, uint8_t flags, const struct mck_args *a) {
  struct message m;
  return look_at_send(&m, call, flags, a) ? write_event(call, MCK_EV_SEND, &m) : MCK_NONE;
}

MCK_HOT uint32_t mck_message_log_receive(struct mck_call *call, uint8_t flags, const struct mck_args *a) {
  struct message m;
  return look_at_receive(&m, call, flags, a, false) ? write_event(call, MCK_EV_RECV, &m) : MCK_NONE;
}

uint32_t mck_message_log_probe(struct mck_call *call, uint8_t kind, uint8_t flags, const struct mck_args *a) {
  struct message m;
  return look_at_receive(&m, call, flags, a, true) ? write_event(call, kind, &m) : MCK_NONE;
}

__attribute__((noinline, cold)) uint32_t mck_message_log_late(struct mck_call *call, uint8_t kind, uint8_t flags,
                                                              const struct mck_args *a) {
  uint16_t nfindings = call->nfindings;
  call->nfindings = 0;
  mck_lock();
  uint32_t event = kind == MCK_EV_SEND ? mck_message_log_send(call, flags, a) : mck_message_log_receive(call, flags, a);
  if (mck_rt.is_online) mck_online_begin(event);
  mck_unlock();
  call->nfindings = nfindings;
  return event;
}

void mck_message_make(struct mck_event *e, struct mck_call *call, uint8_t kind, const struct mck_args *a) {
  struct message m;
  bool is_logged = kind == MCK_EV_SEND ? look_at_send(&m, call, mck_message_mode(call->fn) | MCK_FLAG_NONBLOCKING, a)
                                       : look_at_receive(&m, call, MCK_FLAG_NONBLOCKING, a, false);
  if (!is_logged) return;
  *e = (struct mck_event){.kind = kind, .fn = call->fn};
  fill(e, &m);
}

uint32_t mck_message_append(struct mck_call *call, const struct mck_event *made) {
  if (!is_completed_in_place(made->kind, made->flags)) {
    struct mck_unit unit;
    memcpy(&unit, made, sizeof unit);
    mck_windows_before_event();
    return mck_rt.is_ready ? mck_log_put(&mck_rt.log, unit) : MCK_NONE;
  }
  struct mck_event *e = mck_event_begin(call, made->kind, made->flags);
  if (!e) return MCK_NONE;
  *e = *made;
  return mck_log_commit(&mck_rt.log, 1);
}

void mck_message_unmake(uint32_t event) {
  struct mck_event *e = event == MCK_NONE ? NULL : mck_log_event(&mck_rt.log, event);
  if (e) mck_event_unmake(e);
}

void mck_match_write(uint32_t event, const MPI_Status *status, bool is_ignored) {
  if (event == MCK_NONE || status->MPI_SOURCE < 0) return;
  struct mck_event *e = &mck_rt.log.first[event];
  // What the program has named is known without the library, which may be faulty (rt/flow).
  if (e->flags & MCK_FLAG_ANY_SOURCE) __atomic_store_n(&e->msg.peer, status->MPI_SOURCE, __ATOMIC_RELAXED);
  if (e->flags & MCK_FLAG_ANY_TAG) __atomic_store_n(&e->msg.tag, status->MPI_TAG, __ATOMIC_RELAXED);
  unsigned any = is_ignored ? e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG) : 0;
  mck_event_flag(e, (uint8_t)(MCK_FLAG_MATCHED | any << MCK_FLAG_IGNORED_SHIFT));
}

bool mck_receive_is_truncated(int rc) {
  int class = MPI_ERR_OTHER;
  PMPI_Error_class(rc, &class);
  return class == MPI_ERR_TRUNCATE; // the message was taken all the same (MPI-3.1 3.2.5)
}
