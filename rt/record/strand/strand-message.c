// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of several strands of one process. Threads are not told apart by MPI: messages of two unordered strands are
// in no order, and either one's receive may take a message that both match (MPI-3.1 3.5). So
//
//   message.race  two receives, or two sends of one channel, at different places: which of them is first is luck. A
//                 lock does not change that. The same place in the code does the same with each message, as a pool of
//                 equal threads does: silent
//   thread.probe  a receive between a probe and the receive that follows it, or unordered with them, may take the
//                 message that was probed (3.8.1). A lock helps if one section has both the probe and its receive
#include "base/hash-table.h"
#include "record/call/call-object.h"
#include "record/error/local-finding.h"
#include "record/p2p/message-event.h"
#include "record/strand/strand-checks.h"
#include "record/strand/strand-finding.h"

// The last ones of this era are kept. One entry for each place, strand and channel.
enum { OPERATIONS = 128, PROBES = 32 };
enum kind { SEND, RECEIVE };
struct operation {
  uint64_t comm;
  enum kind kind;
  int peer, tag;
  int64_t type_size; // of a predefined datatype; 0: another one
  uint32_t alone;    // no other one that was listed when this was the state is for the same messages
  struct mck_strand_call call;
};
struct probe {
  uint64_t comm;
  int source, tag; // what it looks for; when it has returned, of the message that it found
  struct mck_strand_call call;
  bool is_found;
  bool suspects[OPERATIONS]; // receives that nothing orders with its begin
  bool is_received;
  struct mck_strand_call receive; // is_received: the first one behind it
  struct mck_held cover;          // the sections that have both
};
static struct operation operations[OPERATIONS];
static struct probe probes[PROBES];
static uint32_t noperations, nprobes;
static uint32_t state = 1; // of the list, but for what changes with each call of an entry
static uint8_t hints[256]; // 1 + where an entry probably is

static void forget(void) {
  static uint32_t era;
  if (mck_strand_era_is_over(&era)) noperations = nprobes = 0, state++;
}

// Is there a message that both are for?
static bool is_for_both(int source, int tag, int other_source, int other_tag) {
  return (source == other_source || mck_std_is_any_source(source) || mck_std_is_any_source(other_source)) &&
         (tag == other_tag || mck_std_is_any_tag(tag) || mck_std_is_any_tag(other_tag));
}
static bool overlap(const struct operation *a, const struct operation *b) {
  return a->comm == b->comm && a->kind == b->kind && is_for_both(a->peer, a->tag, b->peer, b->tag);
}
static bool may_take(const struct operation *o, const struct probe *p) {
  return o->kind == RECEIVE && o->comm == p->comm && is_for_both(o->peer, o->tag, p->source, p->tag);
}

static bool is_same_entry(const struct operation *a, const struct operation *b) {
  return a->call.pc == b->call.pc && a->call.moment.strand == b->call.moment.strand && a->comm == b->comm &&
         a->kind == b->kind && a->peer == b->peer && a->tag == b->tag;
}

// --- message.race ---
static void report_race(const struct operation *a, const struct operation *b) {
  const struct mck_strand_call *first, *second;
  struct mck_finding *f = mck_strand_finding(MCK_CHECK_MESSAGE_RACE, &a->call, &b->call, &first, &second);
  if (!f) return;
  const char *one = mck_fn_names[first->fn], *two = mck_fn_names[second->fn];
  if (a->kind == SEND) {
    mck_finding_text(f, "%s and %s of two threads send to one rank with one tag, in no order", one, two);
    mck_finding_why(f, "messages of two threads that nothing orders may arrive in either order (MPI-3.1 3.5)");
  } else {
    mck_finding_text(f, "%s and %s of two threads match the same messages: which one gets which is luck", one, two);
    mck_finding_why(f, "nothing orders the two threads, and MPI does not tell threads apart (MPI-3.1 3.5, 12.4)");
    if (a->type_size && b->type_size && a->type_size != b->type_size) {
      f->severity = MCK_WARNING;
      mck_finding_why(f, "their datatypes differ: with the other one's message each of them is wrong");
    }
  }
  mck_finding_help(f, "give the threads different tags or communicators, or let one thread do it");
  mck_local_done(f);
}

// --- thread.probe ---
static void report_probe(const struct probe *p, const struct mck_strand_call *receive) {
  const struct mck_strand_call *first, *second;
  struct mck_finding *f = mck_strand_finding(MCK_CHECK_THREAD_PROBE, &p->call, receive, &first, &second);
  if (!f) return;
  mck_finding_text(f, "a message that %s finds may be taken by %s of another thread", mck_fn_names[p->call.fn],
                   mck_fn_names[receive->fn]);
  mck_finding_why(f, "the receive behind the probe, %s, then gets another message or waits for ever (MPI-3.1 3.8.1)",
                  mck_fn_names[p->receive.fn]);
  mck_local_done(f);
}

// The receive that was stolen from, or has stolen, may have a probe of its own: then each may steal from the other.
static void report_both(const struct probe *p, const struct operation *o, const struct operation *now) {
  report_probe(p, &o->call);
  for (uint32_t i = 0; i < nprobes && i < PROBES; i++) {
    const struct probe *other = &probes[i];
    if (other->is_received && other->receive.begin == o->call.begin && may_take(now, other))
      report_probe(other, &now->call);
  }
}

// now receives the message of the probe. Other receives may have taken it: those that nothing orders with the probe,
// and that are not certainly before this one.
static void receive_probed(struct probe *p, const struct operation *now, bool *stolen) {
  p->is_received = true, p->receive = now->call, p->cover = mck_held_common(&p->call.held, &now->call.held);
  for (uint32_t i = 0; i < noperations && i < OPERATIONS; i++) {
    const struct operation *o = &operations[i];
    if (!p->suspects[i] || !may_take(o, p) || mck_thread_has(o->call.moment)) continue;
    if (!mck_held_excludes(&p->cover, &o->call.held)) report_both(p, o, now), stolen[i] = true;
  }
}

// A receive comes. slot: where it will be among the operations.
static void check_probes(const struct operation *now, uint32_t slot, bool *stolen) {
  for (uint32_t i = 0; i < nprobes && i < PROBES; i++) {
    struct probe *p = &probes[i];
    if (!may_take(now, p)) continue;
    bool is_behind = p->call.moment.strand == now->call.moment.strand || mck_thread_has(p->call.moment);
    if (p->is_found && !p->is_received && is_behind) receive_probed(p, now, stolen);
    else if (!p->is_received) p->suspects[slot] = mck_strand_order(&p->call, &now->call) != MCK_STRAND_ORDERED;
    else if (mck_strand_order(&p->receive, &now->call) != MCK_STRAND_ORDERED &&
             !mck_held_excludes(&p->cover, &now->call.held)) {
      report_probe(p, &now->call);
      for (uint32_t k = 0; k < noperations && k < OPERATIONS; k++)
        stolen[k] |= operations[k].call.pc == p->receive.pc &&
                     operations[k].call.moment.strand == p->receive.moment.strand;
    }
  }
}

static struct probe *find_probe(uint64_t comm, const struct mck_call *call, uint32_t strand) {
  for (uint32_t i = 0; i < nprobes && i < PROBES; i++)
    if (probes[i].call.pc == call->pc && probes[i].call.moment.strand == strand && probes[i].comm == comm)
      return &probes[i];
  return NULL;
}

static void begin_probe(struct mck_call *call, const struct mck_args *a, const struct mck_strand_call *now) {
  uint64_t comm = (uint64_t)(uintptr_t)a->comm;
  struct probe *p = find_probe(comm, call, now->moment.strand);
  if (!p) p = &probes[nprobes++ % PROBES];
  *p = (struct probe){.comm = comm, .source = a->source, .tag = a->recvtag, .call = *now};
  for (uint32_t i = 0; i < noperations && i < OPERATIONS; i++)
    p->suspects[i] = may_take(&operations[i], p) && mck_strand_order(&operations[i].call, now) != MCK_STRAND_ORDERED;
}

static void end_probe(struct mck_call *call, const struct mck_args *a) {
  struct probe *p = find_probe((uint64_t)(uintptr_t)a->comm, call, mck_thread_now().strand);
  if (!p) return;
  p->is_found = true;
  if (a->status != MPI_STATUS_IGNORE) p->source = a->status->MPI_SOURCE, p->tag = a->status->MPI_TAG;
}

// --- one operation ---
static uint8_t *hint_of(const struct operation *now) {
  uint64_t h = mck_table_mix((uintptr_t)now->call.pc ^ now->comm, (uint64_t)now->call.moment.strand << 32 | now->kind);
  return &hints[mck_table_mix(h, (uint64_t)(uint32_t)now->peer << 32 | (uint32_t)now->tag) % 256];
}

static struct operation *slot_of(const struct operation *now) {
  uint8_t *hint = hint_of(now);
  uint32_t n = noperations < OPERATIONS ? noperations : OPERATIONS, i = *hint ? *hint - 1u : 0;
  if (i >= n || !is_same_entry(&operations[i], now))
    for (i = 0; i < n && !is_same_entry(&operations[i], now); i++) continue;
  if (i == n) i = noperations++ % OPERATIONS, operations[i].alone = 0, state++;
  *hint = (uint8_t)(i + 1);
  return &operations[i];
}

static void compare(struct operation *own, const struct operation *now) {
  bool stolen[OPERATIONS] = {false}, is_alone = true;
  own->kind = SEND, own->comm = 0; // none, while the others are looked at
  if (now->kind == RECEIVE && nprobes) check_probes(now, (uint32_t)(own - operations), stolen);
  for (uint32_t i = 0; i < noperations && i < OPERATIONS; i++) {
    const struct operation *o = &operations[i];
    if (!overlap(o, now) || o->call.moment.strand == now->call.moment.strand || o->call.pc == now->call.pc) continue;
    is_alone = false;
    if (!stolen[i] && mck_strand_order(&o->call, &now->call) != MCK_STRAND_ORDERED) report_race(o, now);
  }
  *own = *now;
  own->alone = is_alone ? state : 0;
}

static void add(const struct operation *now) {
  struct operation *own = slot_of(now);
  if (own->alone == state && !nprobes) // its strand does once more what it did
    own->type_size = now->type_size, own->call = now->call;
  else compare(own, now);
}

static int64_t type_size(struct mck_call *call, MPI_Datatype type) {
  const struct mck_type *t = type && type != MPI_DATATYPE_NULL ? mck_call_type(call, type) : NULL;
  return t && t->object.is_predefined && type != MPI_BYTE && type != MPI_PACKED ? t->size : 0;
}

static bool is_of_class(uint16_t fn, const uint8_t *classes) {
  while (*classes && *classes != mck_fn_classes[fn]) classes++;
  return *classes != 0;
}

void mck_strand_message_before(struct mck_call *call, const struct mck_args *a, const struct mck_strand_call *now) {
  static const uint8_t probing[] = {MCK_CLASS_probe, MCK_CLASS_iprobe, 0};
  static const uint8_t sends[] = {MCK_CLASS_send, MCK_CLASS_isend, MCK_CLASS_sendrecv, 0},
                       receives[] = {MCK_CLASS_recv,   MCK_CLASS_irecv,   MCK_CLASS_sendrecv,
                                     MCK_CLASS_mprobe, MCK_CLASS_improbe, 0};
  if (call->nfindings || mck_std(call->fn)->family != MCK_STD_FAMILY_P2P) return;
  forget();
  struct operation o = {.comm = (uint64_t)(uintptr_t)a->comm, .call = *now};
  if (is_of_class(call->fn, sends) && !mck_std_is_null(a->dest)) {
    o.kind = SEND, o.peer = a->dest, o.tag = a->sendtag;
    add(&o);
  }
  if (is_of_class(call->fn, probing) && !mck_std_is_null(a->source)) begin_probe(call, a, now);
  if (is_of_class(call->fn, receives) && !mck_std_is_null(a->source)) {
    o.kind = RECEIVE, o.peer = a->source, o.tag = a->recvtag, o.type_size = type_size(call, a->recvtype);
    add(&o);
  }
}

void mck_strand_message_after(struct mck_call *call, const struct mck_args *a) {
  uint8_t class = mck_fn_classes[call->fn];
  if (class != MCK_CLASS_probe && class != MCK_CLASS_iprobe) return;
  forget();
  if (!mck_std_is_null(a->source)) end_probe(call, a);
}
