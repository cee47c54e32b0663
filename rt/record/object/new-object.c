// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that a call made, and objects that it freed. The table says which they are (rt/api/mpi.txt: new* roles), so
// every constructor makes its handle known. Freeing an object in use by a pending operation is legal (MPI-3.1 4.1.9,
// 6.4.3): only the handle ends.
#include "record/call/call.h"
#include "record/call/fortran-redirect.h"
#include "record/call/stack.h"
#include "record/object/leak.h"
#include "record/object/new-object.h"
#include "record/runtime.h"

#define U(handle) ((uint64_t)(uintptr_t)(handle))
static bool is_any_freed;

void mck_objects_unseen(void) {
  mck_lock();
  if (is_any_freed) mck_object_forget_freed();
  is_any_freed = false;
  mck_unlock();
}

// This is done before the call: as soon as the library has freed the handle, another thread may get it for a new
// object.
void mck_free_begin(struct mck_call *call) {
  call->is_freed_here = false;
  if (!call->old || !mck_rt.is_ready) return;
  enum mck_object_kind kind = call->old_kind;
  mck_lock();
  struct mck_object *object = mck_object_find(kind, call->old);
  if (object && !object->is_freed && (kind > MCK_OBJECT_WIN || !object->is_predefined)) {
    uint32_t site = mck_call_site(call);
    call->is_freed_here = true;
    const MPI_Fint *number = mck_fortran_handle(call, NULL); // the call will overwrite it with the null handle
    object->number = number ? *number : 0, object->is_overwritten = false;
    if (kind > MCK_OBJECT_WIN) mck_plain_drop(kind, (struct mck_plain *)object, site);
    else object->is_freed = true, object->free_site = site;
  }
  mck_unlock();
}

void mck_free_end(struct mck_call *call, int rc) {
  if (!call->old || !mck_rt.is_ready || !call->is_freed_here) return;
  enum mck_object_kind kind = call->old_kind;
  mck_lock();
  if (rc == MPI_SUCCESS) {
    is_any_freed = true;
    if (MCK_UNLIKELY(mck_rt.is_profiler)) mck_object_forget_freed();
  } else { // the call failed: the object still lives
    struct mck_object *object = mck_object_find(kind, call->old);
    if (object && kind > MCK_OBJECT_WIN) mck_plain_add(kind, call->old, object->fn, object->site);
    else if (object) object->is_freed = false;
  }
  mck_unlock();
}

static void new_plain(struct mck_call *call, enum mck_object_kind kind, uint64_t handle) {
  if (!mck_rt.is_ready) return;
  mck_lock();
  mck_plain_add(kind, handle, call->fn, mck_call_site(call));
  mck_unlock();
}

// A group constructor may return MPI_GROUP_EMPTY (MPI-3.1 6.3.2); predefined objects are never leaks.
#define NEW(kind, KIND, type, null)                                                                                    \
  void mck_new_##kind(struct mck_call *call, const type *made) {                                                       \
    if (made && *made != null) new_plain(call, MCK_OBJECT_##KIND, U(*made));                                           \
  }
NEW(group, GROUP, MPI_Group, MPI_GROUP_NULL)
NEW(op, OP, MPI_Op, MPI_OP_NULL)
NEW(file, FILE, MPI_File, MPI_FILE_NULL)
NEW(info, INFO, MPI_Info, MPI_INFO_NULL)

// A handler that was made where we cannot see it (by a PMPI_ call, before MPI_Init) is first seen when it is got.
// The program may have its own handle, too, with the same value: it may free both (MPI-3.1 8.3.4).
void mck_new_errhandler(struct mck_call *call, const MPI_Errhandler *made) {
  uint16_t fn = mck_std(call->fn)->current;
  bool is_got = fn == MCK_FN_MPI_Comm_get_errhandler || fn == MCK_FN_MPI_File_get_errhandler ||
                fn == MCK_FN_MPI_Win_get_errhandler;
  if (!made || *made == MPI_ERRHANDLER_NULL || !mck_rt.is_ready) return;
  mck_lock();
  bool is_unseen = is_got && !mck_plain_find(MCK_OBJECT_ERRHANDLER, U(*made));
  struct mck_plain *p = mck_plain_add(MCK_OBJECT_ERRHANDLER, U(*made), call->fn, mck_call_site(call));
  if (p && is_unseen) p->object.is_predefined = true, p->count = 0;
  mck_unlock();
}

void mck_fortran_new_errhandler(struct mck_call *call, const MPI_Fint *made) {
  MPI_Errhandler handler = PMPI_Errhandler_f2c(*made);
  if (handler) mck_new_errhandler(call, &handler);
}

// Communicators with another job, or from functions that differ between the two sides (accept, connect), are known,
// but are not compared between ranks.
void mck_new_comm(struct mck_call *call, const MPI_Comm *made) {
  if (!made || !mck_rt.is_ready) return;
  mck_lock();
  mck_comm_learn(*made, call->fn, mck_call_site(call));
  mck_unlock();
}

static void new_type(struct mck_call *call, MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return;
  if (mck_type_is_derived(type)) mck_type_add(type, MPI_DATATYPE_NULL, call->fn, mck_call_site(call));
  else {
    mck_object_know(MCK_OBJECT_TYPE, U(type));
    mck_type_find(type);
  }
}

void mck_new_type(struct mck_call *call, const MPI_Datatype *made) {
  if (!made || !mck_rt.is_ready) return;
  mck_lock();
  new_type(call, *made);
  mck_unlock();
}

void mck_new_types(struct mck_call *call, const MPI_Datatype *made, MPI_Datatype of) {
  int ni, na, nd, combiner;
  if (!made || !mck_rt.is_ready || PMPI_Type_get_envelope(of, &ni, &na, &nd, &combiner) != MPI_SUCCESS) return;
  mck_lock();
  for (int i = 0; i < nd; i++) new_type(call, made[i]);
  mck_unlock();
}

static void may_run_callbacks(const struct mck_call *call, int keyval) {
  mck_rt.is_attribute_user = true;
  mck_lock();
  mck_leaks_keyval(mck_std(call->fn)->current == MCK_FN_MPI_Comm_create_keyval ? keyval : MPI_KEYVAL_INVALID);
  mck_unlock();
}

void mck_new_keyval(struct mck_call *call, const int *made, void (*delete_callback)(void)) {
  if (!made || !mck_rt.is_ready) return;
  new_plain(call, MCK_OBJECT_KEYVAL, (uint64_t)(int64_t)*made);
  if (!delete_callback || delete_callback == (void (*)(void))MPI_COMM_NULL_DELETE_FN ||
      delete_callback == (void (*)(void))MPI_NULL_DELETE_FN ||
      delete_callback == (void (*)(void))MPI_TYPE_NULL_DELETE_FN ||
      delete_callback == (void (*)(void))MPI_WIN_NULL_DELETE_FN)
    return;
  may_run_callbacks(call, *made);
}

// The binding does not call the C function, and whether a callback is a null one is not known.
void mck_fortran_new_keyval(struct mck_call *call, const MPI_Fint *made) {
  if (mck_rt.is_ready) may_run_callbacks(call, (int)*made);
}

void mck_new_message(struct mck_call *call, const MPI_Message *made, uint32_t event) {
  if (!made || !mck_rt.is_ready || *made == MPI_MESSAGE_NULL || *made == MPI_MESSAGE_NO_PROC) return;
  mck_lock();
  struct mck_plain *p = mck_plain_add(MCK_OBJECT_MESSAGE, U(*made), call->fn, mck_call_site(call));
  if (p) p->object.id = event;
  mck_unlock();
}

void mck_new_memory(struct mck_call *call, const void *baseptr) {
  if (baseptr && *(void *const *)baseptr) new_plain(call, MCK_OBJECT_MEMORY, U(*(void *const *)baseptr));
}
