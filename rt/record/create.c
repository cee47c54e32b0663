// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives, and the calls that make and free communicators, datatypes, groups and operations.
#include "record/fortran.h"
#include "record/runtime.h"

enum { NO_ROOT = -1000 };   // what a wrapper passes when the function has no root (hooks.h)

static uint32_t log_coll(struct mck_call *call, const struct mck_args *a, uint8_t flags) {
  struct mck_comm *c = call->nfindings ? NULL : mck_comm_find(a->comm);
  if (!c || !c->is_logged || c->object.is_freed) return MCK_NONE;
  uint32_t site = mck_call_site(call);
  struct mck_type *t = a->sendtype || a->recvtype ? mck_type_find(a->sendtype ? a->sendtype : a->recvtype) : NULL;
  struct mck_event *e = mck_event_begin(call, MCK_EV_COLL, flags);
  if (!e) return MCK_NONE;
  e->site = site;
  e->coll.comm = c->object.id;
  e->coll.root = a->root == NO_ROOT ? -1 : a->root;
  e->coll.op = a->op ? mck_op_number(a->op) : MCK_OP_NONE;
  e->coll.type = t ? t->object.id : MCK_NONE;
  e->coll.count = (uint64_t)(a->sendcount ? a->sendcount : a->recvcount);
  return mck_log_commit(&mck_rt.log, 1);
}

void mck_coll_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  call->event = log_coll(call, a, 0);
  mck_unlock();
  mck_wait_begin(call->event);
}
void mck_coll_after(struct mck_call *call, struct mck_args *a, int rc) { (void)call, (void)a, (void)rc; mck_wait_end(); }

static struct mck_request *track(struct mck_call *call, struct mck_args *a) {
  struct mck_request *r = mck_request_find(*a->request, mck_call_variable(call, a->request, 0));
  if (r) {   // see p2p.c
    mck_buffer_end(&r->buffers[0]), mck_buffer_end(&r->buffers[1]);
    mck_request_remove(r);
  }
  r = mck_request_add(*a->request, mck_call_variable(call, a->request, 0));
  if (r) r->kind = MCK_REQUEST_COLL, r->fn = call->fn, r->site = call->site, r->event = call->event, r->is_active = true;
  return r;
}

void mck_icoll_before(struct mck_call *call, struct mck_args *a) { mck_lock(); call->event = log_coll(call, a, MCK_FLAG_NONBLOCKING); }
void mck_icoll_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc == MPI_SUCCESS && call->event != MCK_NONE) track(call, a);
  mck_unlock();
}
void mck_coll_init_before(struct mck_call *call, struct mck_args *a) { (void)call, (void)a; }
void mck_coll_init_after(struct mck_call *call, struct mck_args *a, int rc) { (void)call, (void)a, (void)rc; }

// Collective over something that has no sequence of its own here (a file, a group): not compared between ranks, but it may order
// what comes before it against other ranks' calls, so it leaves an event.
void mck_file_coll_before(struct mck_call *call, struct mck_args *a) {
  (void)a;
  mck_lock();
  mck_event_plain(call);
  mck_unlock();
}
void mck_file_coll_after(struct mck_call *call, struct mck_args *a, int rc) { (void)call, (void)a, (void)rc; }

// --- communicators ---
void mck_comm_new_before(struct mck_call *call, struct mck_args *a) {
  a->root = NO_ROOT;   // the leader of an intercommunicator's side is no root
  if (call->fn == MCK_FN_MPI_Comm_create_group) {   // collective over the group only (MPI-3.1 6.4.2)
    mck_file_coll_before(call, a);
    return;
  }
  mck_coll_before(call, a);
}

void mck_comm_new_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (rc != MPI_SUCCESS || !a->newcomm || !mck_rt.is_ready) return;
  mck_lock();
  mck_comm_add(*a->newcomm, mck_comm_find(a->comm), call->fn, a->tag, mck_call_site(call), 0);
  mck_unlock();
}

void mck_icomm_new_before(struct mck_call *call, struct mck_args *a) {
  a->root = NO_ROOT;
  mck_icoll_before(call, a);
}

void mck_icomm_new_after(struct mck_call *call, struct mck_args *a, int rc) {
  struct mck_comm *parent = mck_comm_find(a->comm);
  if (rc == MPI_SUCCESS && call->event != MCK_NONE && parent) {
    struct mck_request *r = track(call, a);
    if (r) r->newcomm = *a->newcomm, r->parent = parent, r->key = mck_comm_reserve_key(parent, call->fn);
  }
  mck_unlock();
}

void mck_comm_get_before(struct mck_call *call, struct mck_args *a) { (void)call, (void)a; }
void mck_comm_get_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS || !a->newcomm || *a->newcomm == MPI_COMM_NULL || !mck_rt.is_ready) return;
  mck_lock();
  if (!mck_comm_find(*a->newcomm)) {
    struct mck_comm *c = mck_comm_add(*a->newcomm, NULL, call->fn, 0, mck_call_site(call), 0);
    if (c) c->object.is_predefined = true;
  }
  mck_unlock();
}

// What is freed twice, or null.
static void check_free(struct mck_call *call, enum mck_object_kind sort, const char *kind, const void *handle, bool is_null, struct mck_object *object) {
  if (mck_depth > 1 || !mck_rt.is_ready) return;
  if (is_null) mck_local_report(call, MCK_CHECK_HANDLE_NULL, "%s gets a null %s handle", mck_fn_names[call->fn], kind);
  else if (!handle) mck_handle_unknown(call, NULL, sort);
  else if (object && object->is_freed) mck_handle_freed(call, NULL, kind, object);
}

// Marked before the call: as soon as the library has let go of the handle, another thread may get it for a new object.
static void free_before(struct mck_call *call, struct mck_object *object) {
  call->scratch = NULL;
  if (!object || object->is_predefined || object->is_freed) return;
  mck_lock();
  call->scratch = object;
  object->free_site = mck_call_site(call);
  const MPI_Fint *number = mck_fortran_handle(call, NULL);   // the call will overwrite it with the null handle
  if (object->nmore) object->nmore--;
  else object->is_freed = true, object->number = number ? *number : 0;
  mck_unlock();
}

static void free_after(struct mck_call *call, int rc) {
  struct mck_object *object = call->scratch;
  if (!object) return;
  mck_lock();
  if (rc != MPI_SUCCESS) {   // it lives on
    if (object->is_freed) object->is_freed = false;
    else object->nmore++;
  } else if (MCK_UNLIKELY(mck_rt.is_profiler)) mck_object_forget_freed();
  mck_unlock();
}

void mck_comm_free_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct mck_comm *c = a->newcomm ? mck_comm_find(*a->newcomm) : NULL;
  mck_unlock();
  check_free(call, MCK_OBJECT_COMM, "communicator", a->newcomm ? *a->newcomm : NULL, !a->newcomm || *a->newcomm == MPI_COMM_NULL, c ? &c->object : NULL);
  if (mck_depth <= 1 && a->newcomm) {
    a->comm = *a->newcomm, a->root = NO_ROOT;
    mck_coll_before(call, a);   // MPI-3.1 6.4.3: collective
  }
  free_before(call, c ? &c->object : NULL);
}
void mck_comm_free_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)a;
  if (mck_depth <= 1) mck_wait_end();   // within another call the mark is that call's
  free_after(call, rc);
}

// --- groups, datatypes, operations ---
void mck_group_new_before(struct mck_call *call, struct mck_args *a) { (void)call, (void)a; }
void mck_group_new_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS || !a->newgroup || !mck_rt.is_ready) return;
  mck_lock();
  mck_group_add(*a->newgroup, call->fn, mck_call_site(call));
  mck_unlock();
}
void mck_group_free_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct mck_plain *g = a->newgroup ? mck_group_find(*a->newgroup) : NULL;
  mck_unlock();
  check_free(call, MCK_OBJECT_GROUP, "group", a->newgroup ? *a->newgroup : NULL, !a->newgroup || *a->newgroup == MPI_GROUP_NULL, g ? &g->object : NULL);
  free_before(call, g ? &g->object : NULL);
}
void mck_group_free_after(struct mck_call *call, struct mck_args *a, int rc) { (void)a; free_after(call, rc); }

void mck_type_new_before(struct mck_call *call, struct mck_args *a) { (void)call, (void)a; }
void mck_type_new_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS || !a->newtype || !mck_rt.is_ready) return;
  mck_lock();
  struct mck_type *t = mck_type_add(*a->newtype, a->type ? a->type : MPI_DATATYPE_NULL, call->fn, mck_call_site(call)), *old;
  // A duplicate is as its original (MPI-3.1 4.1.10).
  if (t) t->is_uncommitted = call->fn != MCK_FN_MPI_Type_dup || ((old = mck_type_find(a->type)) && old->is_uncommitted);
  mck_unlock();
}
void mck_type_commit_before(struct mck_call *call, struct mck_args *a) { if (a->newtype) mck_check_type(call, "datatype", *a->newtype); }
void mck_type_commit_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)call;
  if (rc != MPI_SUCCESS || !mck_rt.is_ready || !a->newtype) return;
  mck_lock();
  struct mck_type *t = mck_type_find(*a->newtype);
  if (t) t->is_uncommitted = false;
  mck_unlock();
}
void mck_type_free_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct mck_type *t = a->newtype && *a->newtype != MPI_DATATYPE_NULL ? mck_type_find(*a->newtype) : NULL;
  mck_unlock();
  check_free(call, MCK_OBJECT_TYPE, "datatype", a->newtype ? *a->newtype : NULL, !a->newtype || *a->newtype == MPI_DATATYPE_NULL, t ? &t->object : NULL);
  free_before(call, t ? &t->object : NULL);
}
void mck_type_free_after(struct mck_call *call, struct mck_args *a, int rc) { (void)a; free_after(call, rc); }

void mck_op_new_before(struct mck_call *call, struct mck_args *a) { (void)call, (void)a; }
void mck_op_new_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS || !a->newop || !mck_rt.is_ready) return;
  mck_lock();
  mck_op_add(*a->newop, call->fn, mck_call_site(call));
  mck_unlock();
}
void mck_op_free_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct mck_plain *o = a->newop ? mck_op_find(*a->newop) : NULL;
  mck_unlock();
  check_free(call, MCK_OBJECT_OP, "operation", a->newop ? *a->newop : NULL, !a->newop || *a->newop == MPI_OP_NULL, o ? &o->object : NULL);
  free_before(call, o ? &o->object : NULL);
}
void mck_op_free_after(struct mck_call *call, struct mck_args *a, int rc) { (void)a; free_after(call, rc); }

