// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that make and free communicators, datatypes, groups and operations.
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/call.h"
#include "record/call/fortran-redirect.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/check/checks.h"
#include "record/check/type-report.h"
#include "record/collective/collective.h"
#include "record/collective/topology.h"
#include "record/collective/user-op.h"
#include "record/object/new-object.h"
#include "record/object/new-request.h"
#include "record/runtime.h"

enum { NO_ROOT = -1000 }; // what a wrapper passes when the function has no root (call-args.h)

// --- communicators ---
void mck_comm_new_before(struct mck_call *call, struct mck_args *a) {
  a->root = NO_ROOT; // the leader of an intercommunicator's side is no root
  if (mck_std(call->fn)->collective == MCK_STD_COLLECTIVE_GROUP) {
    mck_waits_create_group(call, a);
    return;
  }
  mck_coll_before(call, a);
  if (mck_std(call->fn)->collective == MCK_STD_COLLECTIVE_GROUPS) mck_waits_leaders(call, a);
}

void mck_comm_new_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (rc != MPI_SUCCESS || !a->newcomm || !mck_rt.is_ready) return;
  mck_lock();
  struct mck_comm *c = mck_comm_add(*a->newcomm, mck_comm_find(a->comm), call->fn, a->tag, mck_call_site(call), 0);
  if (c && call->fn == MCK_FN_MPI_Dist_graph_create_adjacent)
    mck_topology_note_own(c, *a->newcomm, mck_call_site(call));
  mck_unlock();
}

void mck_icomm_new_before(struct mck_call *call, struct mck_args *a) {
  a->root = NO_ROOT;
  mck_icoll_before(call, a);
}

void mck_icomm_new_after(struct mck_call *call, struct mck_args *a, int rc) {
  struct mck_comm *parent = mck_comm_find(a->comm);
  if (rc == MPI_SUCCESS && call->event != MCK_NONE && parent) {
    struct mck_request *r = mck_coll_track(call, a);
    if (r)
      r->has_comm = true, r->newcomm = *a->newcomm, r->parent = parent, r->key = mck_comm_reserve_key(parent, call->fn);
  } else if (rc == MPI_SUCCESS) mck_request_untracked(call, a->request);
  mck_unlock();
}

void mck_comm_get_before(struct mck_call *call, struct mck_args *a) { (void)call, (void)a; }
void mck_comm_get_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS || !a->newcomm || *a->newcomm == MPI_COMM_NULL || !mck_rt.is_ready) return;
  mck_lock();
  struct mck_comm *c = mck_comm_find(*a->newcomm);
  if (!c || c->object.is_freed) c = mck_comm_learn(*a->newcomm, call->fn, mck_call_site(call));
  if (c) c->object.is_adopted = true; // the program may free it, but need not (MPI-3.1 10.3.2)
  mck_event_plain(call);              // from now on messages of the parents may order events (10.3)
  mck_unlock();
}

void mck_comm_free_before(struct mck_call *call, struct mck_args *a) {
  mck_old_comm(call, "comm", a->newcomm);
  if (mck_depth <= 1 && a->newcomm) {
    a->comm = *a->newcomm, a->root = NO_ROOT;
    mck_coll_before(call, a); // MPI-3.1 6.4.3: collective
  }
  mck_free_begin(call);
}
void mck_comm_free_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)a;
  mck_wait_end();
  mck_free_end(call, rc);
}

// --- groups, datatypes, operations ---
void mck_group_new_before(struct mck_call *call, struct mck_args *a) { (void)call, (void)a; }
void mck_group_new_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc == MPI_SUCCESS) mck_new_group(call, a->newgroup);
}
void mck_group_free_before(struct mck_call *call, struct mck_args *a) {
  mck_old_group(call, "group", a->newgroup);
  mck_free_begin(call);
}
void mck_group_free_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)a;
  mck_free_end(call, rc);
}

void mck_type_new_before(struct mck_call *call, struct mck_args *a) { (void)call, (void)a; }
void mck_type_new_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS || !a->newtype || !mck_rt.is_ready) return;
  mck_lock();
  struct mck_type *t = mck_type_add(*a->newtype, a->type ? a->type : MPI_DATATYPE_NULL, call->fn, mck_call_site(call)),
                  *old;
  // A duplicate is committed if its original is (MPI-3.1 4.1.10).
  if (t) t->is_uncommitted = call->fn != MCK_FN_MPI_Type_dup || ((old = mck_type_find(a->type)) && old->is_uncommitted);
  mck_unlock();
}
void mck_type_commit_before(struct mck_call *call, struct mck_args *a) {
  if (!a->newtype) return;
  mck_check_type(call, "datatype", *a->newtype);
  if (MCK_UNLIKELY(mck_options.pedantic)) mck_check_commit_twice(call, *a->newtype);
}
void mck_type_commit_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)call;
  if (rc != MPI_SUCCESS || !mck_rt.is_ready || !a->newtype) return;
  mck_lock();
  struct mck_type *t = mck_type_find(*a->newtype);
  if (t) t->is_uncommitted = false;
  mck_unlock();
}
void mck_type_free_before(struct mck_call *call, struct mck_args *a) {
  mck_old_type(call, "datatype", a->newtype);
  mck_free_begin(call);
}
void mck_type_free_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)a;
  mck_free_end(call, rc);
}

void mck_op_new_before(struct mck_call *call, struct mck_args *a) { (void)call, (void)a; }
void mck_op_new_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS) return;
  mck_new_op(call, a->newop);
  mck_lock();
  struct mck_plain *made = mck_op_find(*a->newop);
  if (made) made->function = mck_user_op_passed();
  mck_unlock();
}
void mck_op_free_before(struct mck_call *call, struct mck_args *a) {
  mck_old_op(call, "op", a->newop);
  mck_free_begin(call);
}
void mck_op_free_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)a;
  mck_free_end(call, rc);
}
