// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives: one event each. It has what the judge compares between ranks (MPI-3.1 chapter 5): root, operation, and
// what this rank sends and receives, as far as that is significant at this rank. Mostly that is one count of one type;
// otherwise a COLL_ARGS follows.
#include <stdlib.h>
#include <string.h>
#include "record/buffer/argument-array.h"
#include "record/access/range-flush.h"
#include "record/access/touched-range.h"
#include "record/buffer/buffer-in-use.h"
#include "record/buffer/byte-overlap.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/collective/collective.h"
#include "record/collective/topology.h"
#include "record/object/new-request.h"
#include "record/replay/online-run.h"
#include "record/rma/untrue-assertion.h"
#include "record/rma/window-buffer.h"
#include "record/run/log-budget.h"
#include "record/runtime.h"

enum { NO_ROOT = -1000 }; // what a wrapper passes when the function has no root (call-args.h)

// One side of a call, count of type to (from) each rank; counts, types: per rank, n of them.
struct side {
  bool is_there;
  MPI_Aint count;
  MPI_Datatype type;
  const int *counts;
  const MPI_Datatype *types;
  int n;
};

// --- what is sent and received --------------------------------------------------------------------------------------
// How many ranks the counts are for.
static void set_lengths(uint16_t fn, const struct mck_comm *c, MPI_Comm comm, struct side *send, struct side *recv) {
  send->n = recv->n = c->remote_size ? c->remote_size : c->size;
  if (mck_std_form(fn) == MCK_STD_FORM_REDUCE_SCATTER) recv->n = c->size;
  if (!mck_std_is_neighborhood(fn)) return;
  const struct mck_topology *t = mck_topology_find(c, comm);
  if (!t) send->is_there = recv->is_there = false;
  else send->n = t->ndestinations, recv->n = t->nsources;
}

// What is significant at this rank. false: nothing is.
static bool find_sides(uint16_t fn, const struct mck_args *a, const struct mck_comm *c, bool is_in_place,
                       struct side *send, struct side *recv) {
  *send = (struct side){true, a->sendcount, a->sendtype, a->sendcounts, a->sendtypes, 0};
  *recv = (struct side){true, a->recvcount, a->recvtype, a->recvcounts, a->recvtypes, 0};
  if (a->root != NO_ROOT) {
    if (a->root == MPI_PROC_NULL) return false;
    bool is_root = c->remote_size ? a->root == MPI_ROOT : a->root == c->rank;
    // MPI_IN_PLACE has its effect at the root only. In a reduction or broadcast both sides are the same.
    enum mck_std_flow flow = mck_std(fn)->flow;
    if (flow == MCK_STD_FLOW_GATHER) {
      send->is_there = is_root ? !is_in_place && !c->remote_size : true;
      recv->is_there = is_root;
    } else if (flow == MCK_STD_FLOW_SCATTER) {
      send->is_there = is_root;
      recv->is_there = is_root ? !is_in_place && !c->remote_size : true;
    }
  } else if (!a->op) send->is_there = !is_in_place;
  else if (a->recvcounts) send->is_there = false; // MPI_Reduce_scatter: the blocks of the result
  else send->count = recv->count = a->recvcount;  // MPI_Reduce_scatter_block has no other count
  set_lengths(fn, c, a->comm, send, recv);
  return send->is_there || recv->is_there;
}

static uint32_t *words; // of the COLL_ARGS at hand
static size_t nwords, words_capacity;

static void put(uint32_t word) {
  if (mck_base_grow((void **)&words, &words_capacity, nwords + 1, sizeof *words)) words[nwords++] = word;
}

// A count of zero is right with any type, and the handle may even be invalid: such a block has no type.
static uint32_t type_of(MPI_Datatype type, MPI_Aint count) {
  struct mck_type *t = count ? mck_type_find(type) : NULL;
  return t ? t->object.id : count ? MCK_NONE : 0;
}

// Appends the side's words. Returns the number of pieces, and whether they are plain counts.
static uint32_t put_side(const struct side *s, uint32_t *type, bool *is_counts) {
  *type = MCK_NONE, *is_counts = false;
  if (!s->is_there) return 0;
  if (!s->counts) {
    put(MCK_NONE), put(type_of(s->type, s->count)), put((uint32_t)s->count);
    return 1;
  }
  size_t begin = nwords;
  uint32_t nruns = 0, last = 0, one = s->types ? 0 : type_of(s->type, 1);
  for (int i = 0; i < s->n; i++) {
    uint32_t count = (uint32_t)s->counts[i], t = s->types ? type_of(s->types[i], s->counts[i]) : one;
    if (nruns && words[nwords - 2] == t && words[nwords - 1] == count) {
      words[nwords - 3]++;
      continue;
    }
    put(1), put(t), put(count);
    nruns++, last = t;
    if (!s->types && nruns * 3 > (uint32_t)s->n) { // longer than the counts themselves
      nwords = begin;
      for (int k = 0; k < s->n; k++) put((uint32_t)s->counts[k]);
      *type = last, *is_counts = true;
      return (uint32_t)s->n;
    }
  }
  return nruns;
}

// --- the event ------------------------------------------------------------------------------------------------------
static __attribute__((noinline)) uint32_t log_args(struct mck_event *coll, const struct side *send,
                                                   const struct side *recv) {
  uint32_t nsend, nrecv, send_type, recv_type;
  bool is_send_counts, is_recv_counts;
  nwords = 0;
  nsend = put_side(send, &send_type, &is_send_counts);
  nrecv = put_side(recv, &recv_type, &is_recv_counts);
  size_t extra = (nwords * 4 + MCK_UNIT - 1) / MCK_UNIT;
  mck_windows_before_event();
  struct mck_event *e = mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, 2 + extra) : NULL;
  if (!e) return MCK_NONE;
  coll->flags |= MCK_COLL_HAS_ARGS;
  e[0] = *coll;
  e[1] = (struct mck_event){.kind = MCK_EV_COLL_ARGS,
                            .fn = coll->fn,
                            .site = MCK_NONE,
                            .flags = (is_send_counts ? MCK_ARGS_SEND_COUNTS : 0) |
                                     (is_recv_counts ? MCK_ARGS_RECV_COUNTS : 0)};
  e[1].args.extra = (uint32_t)extra, e[1].args.nsend = nsend, e[1].args.nrecv = nrecv;
  e[1].args.send_type = send_type, e[1].args.recv_type = recv_type;
  memset(&e[2], 0, extra * MCK_UNIT);
  if (nwords) memcpy(&e[2], words, nwords * 4);
  return mck_log_commit(&mck_rt.log, 2 + extra);
}

static uint32_t op_of(MPI_Op op) {
  uint32_t number = mck_op_number(op);
  int is_commutative = 1;
  if (number != MCK_OP_USER || PMPI_Op_commutative(op, &is_commutative) != MPI_SUCCESS) return number;
  return is_commutative ? MCK_OP_USER : MCK_OP_USER_ORDERED;
}

// The sides differ, there are counts per rank, MPI_IN_PLACE, or this rank has a special part. true: the event was
// appended, at *index. false: coll is filled in, and is still to be appended.
static __attribute__((noinline)) bool log_sides(struct mck_call *call, const struct mck_args *a,
                                                const struct mck_comm *c, struct mck_event *coll, uint32_t *index) {
  struct side send, recv;
  bool is_in_place = a->sendbuf == MPI_IN_PLACE || a->recvbuf == MPI_IN_PLACE;
  if (is_in_place) coll->flags |= MCK_COLL_IN_PLACE;
  coll->coll.count = (uint64_t)(a->sendcount ? a->sendcount : a->recvcount);
  if (!find_sides(call->fn, a, c, is_in_place, &send, &recv)) return false;
  if (a->op) coll->coll.op = op_of(a->op);
  bool is_one = (!send.is_there || !send.counts) && (!recv.is_there || !recv.counts);
  if (is_one && send.is_there && recv.is_there) is_one = send.count == recv.count && send.type == recv.type;
  if (!is_one) {
    *index = log_args(coll, &send, &recv);
    return true;
  }
  coll->flags |= (send.is_there ? MCK_COLL_SENDS : 0) | (recv.is_there ? MCK_COLL_RECEIVES : 0);
  const struct side *s = send.is_there ? &send : &recv;
  coll->coll.type = type_of(s->type, s->count);
  coll->coll.count = (uint64_t)s->count;
  return false;
}

static inline uint32_t log_coll(struct mck_call *call, const struct mck_args *a, uint8_t flags) {
  struct mck_comm *c = call->nfindings ? NULL : mck_comm_find(a->comm);
  if (!c || !c->is_logged || c->object.is_freed) return MCK_NONE;
  struct mck_event coll = {.kind = MCK_EV_COLL, .flags = flags, .fn = call->fn, .site = mck_call_site(call)};
  coll.coll.comm = c->object.id;
  coll.coll.root = a->root == NO_ROOT ? -1 : a->root;
  coll.coll.type = MCK_NONE;
  uint32_t index;
  // The usual call: one count of one type, which is the same at all ranks (a broadcast, a reduction), or in both
  // directions (an exchange).
  if (a->sendtype && a->sendtype == a->recvtype && a->sendcount == a->recvcount && !a->sendcounts && !a->recvcounts &&
      a->sendbuf != MPI_IN_PLACE && a->recvbuf != MPI_IN_PLACE &&
      (a->root == NO_ROOT || (c->remote_size == 0 && mck_std_is_same_at_all(call->fn))) &&
      !mck_std_is_neighborhood(call->fn)) {
    if (a->op) coll.coll.op = op_of(a->op);
    struct mck_type *t = a->sendcount ? mck_call_type(call, a->sendtype) : NULL;
    coll.flags |= MCK_COLL_SENDS | MCK_COLL_RECEIVES;
    coll.coll.type = t ? t->object.id : a->sendcount ? MCK_NONE : 0;
    coll.coll.count = (uint64_t)a->sendcount;
  } else if ((a->sendtype || a->recvtype || a->sendtypes || a->recvtypes) && log_sides(call, a, c, &coll, &index))
    return index;
  mck_coll_same(&coll, a);
  struct mck_message_words m = mck_coll_words(coll.coll.comm, coll.coll.root, coll.coll.op, coll.coll.type,
                                              coll.coll.count);
  m.site = coll.site;
  return mck_event_put(call, MCK_EV_COLL, coll.flags, m);
}

uint32_t mck_coll_log(struct mck_call *call, const struct mck_args *a) { return log_coll(call, a, 0); }

// A call that we found wrong is expected to be refused and has no event. If the library carries it out all the same,
// the other ranks' logs count it.
static void log_late(struct mck_call *call, const struct mck_args *a, uint8_t flags, int rc) {
  if (MCK_LIKELY(!call->nfindings) || rc != MPI_SUCCESS || call->event != MCK_NONE) return;
  uint16_t nfindings = call->nfindings;
  call->nfindings = 0;
  call->event = log_coll(call, a, flags);
  if (mck_rt.is_online) mck_online_begin(call->event);
  call->nfindings = nfindings;
}

// The block that a rank sends to itself, in what it receives. NULL: it gets none, or not in one block.
static char *find_own_block(uint16_t fn, const struct mck_args *a, const struct mck_comm *c, const struct mck_type *t,
                            MPI_Aint *count) {
  bool is_at_root = a->root == NO_ROOT || a->root == c->rank;
  *count = a->recvcount;
  if (c->remote_size || a->sendbuf == MPI_IN_PLACE || a->recvbuf == MPI_IN_PLACE || !is_at_root) return NULL;
  switch (fn) {
  case MCK_FN_MPI_Scatter:
  case MCK_FN_MPI_Scatterv: return a->recvbuf;
  case MCK_FN_MPI_Gather:
  case MCK_FN_MPI_Allgather:
  case MCK_FN_MPI_Alltoall: return (char *)a->recvbuf + c->rank * *count * t->extent;
  case MCK_FN_MPI_Gatherv:
  case MCK_FN_MPI_Allgatherv:
  case MCK_FN_MPI_Alltoallv:
    if (!a->recvcounts || !a->recvdispls) return NULL;
    *count = a->recvcounts[c->rank];
    return (char *)a->recvbuf + ((const int *)a->recvdispls)[c->rank] * t->extent;
  default: return NULL;
  }
}

// What a rank sends to itself needs no other one: it may be there as soon as the rank has entered the call, and before
// others have. All that is received is stored behind the call, too (mck_assertion_used).
static __attribute__((noinline)) void log_own_block(struct mck_call *call, const struct mck_args *a) {
  struct mck_comm *c = call->nfindings || !a->recvtype ? NULL : mck_comm_find(a->comm);
  const struct mck_type *t = c ? mck_call_type(call, a->recvtype) : NULL;
  struct mck_buffer b = {0};
  MPI_Aint count;
  char *block = t ? find_own_block(call->fn, a, c, t, &count) : NULL;
  if (!block || count <= 0 || !mck_buffer_define(&b, block, count, t, true, call->fn)) return;
  struct mck_bytes bytes = mck_bytes_of_buffer(&b);
  mck_window_message_stored(call, &bytes);
}

void mck_coll_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  if (MCK_UNLIKELY(mck_nwindows)) mck_window_message_begin(call), log_own_block(call, a);
  call->event = log_coll(call, a, 0);
  if (MCK_UNLIKELY(mck_rt.is_online)) mck_online_begin(call->event);
  mck_unlock();
  mck_budget_enter(call, a);
  mck_wait_begin(call->event);
}
void mck_coll_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (MCK_UNLIKELY(call->nfindings)) {
    mck_lock();
    log_late(call, a, 0, rc);
    mck_unlock();
  }
  mck_budget_leave(call, a);
  if (MCK_UNLIKELY(mck_nwindows) && call->fn == MCK_FN_MPI_Bcast) mck_assertion_broadcast(call, a, rc);
}

struct mck_request *mck_coll_track(struct mck_call *call, struct mck_args *a) {
  struct mck_request *r = mck_request_track(call, a->request, MCK_REQUEST_COLL);
  if (!r) return NULL;
  r->event = call->event, r->is_active = true;
  mck_request_begin_uses(r, call);
  mck_arrays_begin(call, a, r);
  if (MCK_UNLIKELY(mck_nwindows)) mck_assertion_begin(r);
  return r;
}

void mck_icoll_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  call->scratch = mck_request_held(call, a->request);
  call->event = log_coll(call, a, MCK_FLAG_NONBLOCKING);
  if (MCK_UNLIKELY(mck_nwindows)) mck_window_message_posted(call);
  if (MCK_UNLIKELY(mck_rt.is_online)) mck_online_begin(call->event);
}
void mck_icoll_after(struct mck_call *call, struct mck_args *a, int rc) {
  log_late(call, a, MCK_FLAG_NONBLOCKING, rc);
  if (rc == MPI_SUCCESS && call->event != MCK_NONE) mck_coll_track(call, a);
  else if (rc == MPI_SUCCESS) mck_request_untracked(call, a->request);
  mck_unlock();
}
void mck_coll_init_before(struct mck_call *call, struct mck_args *a) { (void)call, (void)a; }
void mck_coll_init_after(struct mck_call *call, struct mck_args *a, int rc) { (void)call, (void)a, (void)rc; }
