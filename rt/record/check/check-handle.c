// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the handles that a call gets: null, freed, predefined where the call would free it, or no handle at all
// (MPI-3.1 2.5.1, 2.5.4).
#include <stdio.h>
#include "record/rma/window-lifetime.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/buffer/heap.h"
#include "record/call/call-args.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/check/checks.h"
#include "record/check/handle-report.h"
#include "record/check/type-report.h"
#include "record/collective/open-file.h"
#include "record/error/local-finding.h"
#include "record/object/new-object.h"
#include "record/rma/transfer-size.h"
#include "record/runtime.h"

const char *const mck_handle_nouns[MCK_OBJECT_KINDS] = {[MCK_OBJECT_COMM] = "communicator",
                                                        [MCK_OBJECT_TYPE] = "datatype",
                                                        [MCK_OBJECT_WIN] = "window",
                                                        [MCK_OBJECT_GROUP] = "group",
                                                        [MCK_OBJECT_OP] = "operation",
                                                        [MCK_OBJECT_FILE] = "file",
                                                        [MCK_OBJECT_INFO] = "info",
                                                        [MCK_OBJECT_ERRHANDLER] = "error handler",
                                                        [MCK_OBJECT_KEYVAL] = "attribute key",
                                                        [MCK_OBJECT_MESSAGE] = "message",
                                                        [MCK_OBJECT_MEMORY] = "memory"};

void mck_handle_report_stale(struct mck_call *call, const char *what, const char *noun, const char *end, uint16_t fn,
                             uint32_t site, uint32_t free_site) {
  const char *article = strchr("aeiou", noun[0]) ? "an" : "a";
  mck_lock();
  struct mck_finding *f = mck_local_add(MCK_CHECK_HANDLE_FREED, mck_call_site(call), 0);
  call->nfindings++;
  if (mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 1u + call->fn);
  mck_finding_text(f, "%s of %s is %s %s that was %s before", what, mck_fn_names[call->fn], article, noun, end);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, free_site, "freed");
  if (site != MCK_NONE) mck_finding_place(f, mck_rt.rank, site, "created by %s", mck_fn_names[fn]);
  mck_local_done(f);
  mck_unlock();
}

static __attribute__((noinline, cold)) void refuse(struct mck_call *call, const char *what, enum mck_object_kind kind,
                                                   uint64_t handle, bool is_null, const struct mck_object *object) {
  const char *name = mck_fn_names[call->fn], *noun = mck_handle_nouns[kind];
  if (mck_depth > 1) return;
  if (is_null && kind == MCK_OBJECT_FILE && mck_file_report_unopened(call, what)) return;
  if (is_null) mck_local_report(call, MCK_CHECK_HANDLE_NULL, "%s of %s is a null %s handle", what, name, noun);
  else if (object) mck_handle_report_stale(call, what, noun, "freed", object->fn, object->site, object->free_site);
  else if (!handle && kind <= MCK_OBJECT_ERRHANDLER) mck_handle_unknown(call, what, kind);
  else {
    mck_lock();
    bool is_garbage = mck_object_is_garbage(kind, handle);
    mck_unlock();
    if (is_garbage)
      mck_local_report(call, MCK_CHECK_HANDLE_UNKNOWN, "%s of %s is no %s handle (%#llx)", what, name, noun,
                       (unsigned long long)handle);
  }
}

static inline const struct mck_object *find(enum mck_object_kind kind, uint64_t handle) {
  mck_lock();
  const struct mck_object *object = mck_object_find(kind, handle);
  mck_unlock();
  return object;
}

static inline __attribute__((always_inline)) void check(struct mck_call *call, const char *what,
                                                        enum mck_object_kind kind, uint64_t handle, uint64_t null) {
  if (!mck_rt.is_ready) return;
  const struct mck_object *object = find(kind, handle);
  if (MCK_UNLIKELY(!object || object->is_freed)) refuse(call, what, kind, handle, handle == null, object);
}

#define U(handle) ((uint64_t)(uintptr_t)(handle))
#define CHECK(kind, KIND, type, null)                                                                                  \
  void mck_check_##kind(struct mck_call *call, const char *what, type value) {                                         \
    check(call, what, MCK_OBJECT_##KIND, U(value), U(null));                                                           \
  }
// Every message has these two checks.
MCK_HOT void mck_check_comm(struct mck_call *call, const char *what, MPI_Comm value) {
  if (!mck_rt.is_ready) return;
  const struct mck_comm *c = mck_call_comm(call, value);
  if (MCK_UNLIKELY(!c || c->object.is_freed))
    refuse(call, what, MCK_OBJECT_COMM, U(value), value == MPI_COMM_NULL, c ? &c->object : NULL);
}
static inline __attribute__((always_inline)) struct mck_type *check_commtype(struct mck_call *call, const char *what,
                                                                             MPI_Datatype value) {
  if (!mck_rt.is_ready) return NULL;
  struct mck_type *t = (struct mck_type *)find(MCK_OBJECT_TYPE, U(value));
  if (MCK_UNLIKELY(!t || t->object.is_freed)) {
    refuse(call, what, MCK_OBJECT_TYPE, U(value), value == MPI_DATATYPE_NULL, t ? &t->object : NULL);
    return NULL;
  }
  if (MCK_UNLIKELY(t->is_uncommitted)) mck_check_uncommitted(call, what, t);
  else if (MCK_LIKELY(!t->is_forgotten)) call->type = t;
  return t;
}
void mck_check_commtype(struct mck_call *call, const char *what, MPI_Datatype value) {
  check_commtype(call, what, value);
}
MCK_HOT void mck_check_sendtype(struct mck_call *call, const char *what, MPI_Datatype value, const void *buf,
                                MPI_Aint count, const struct mck_args *a) {
  const struct mck_type *t = check_commtype(call, what, value);
  if (MCK_LIKELY(t != NULL) && MCK_UNLIKELY((uintptr_t)buf & t->misaligned))
    mck_check_misaligned(call, t, buf, count, a, true);
}
MCK_HOT void mck_check_recvtype(struct mck_call *call, const char *what, MPI_Datatype value, const void *buf,
                                MPI_Aint count, const struct mck_args *a) {
  struct mck_type *t = check_commtype(call, what, value);
  if (MCK_UNLIKELY(!t)) return;
  if (MCK_UNLIKELY((uintptr_t)buf & t->misaligned)) mck_check_misaligned(call, t, buf, count, a, false);
  if (MCK_UNLIKELY(t->may_overlap)) mck_check_overlap(call, what, t, count, a);
}
CHECK(type, TYPE, MPI_Datatype, MPI_DATATYPE_NULL)
CHECK(win, WIN, MPI_Win, MPI_WIN_NULL)
CHECK(group, GROUP, MPI_Group, MPI_GROUP_NULL)
CHECK(op, OP, MPI_Op, MPI_OP_NULL)
CHECK(file, FILE, MPI_File, MPI_FILE_NULL)
CHECK(info, INFO, MPI_Info, MPI_INFO_NULL)
CHECK(errhandler, ERRHANDLER, MPI_Errhandler, MPI_ERRHANDLER_NULL)
CHECK(message, MESSAGE, MPI_Message, MPI_MESSAGE_NULL)

// A freed key stays valid for the attributes that were set with it: they may still be read and deleted (MPI-3.1
// 6.7.2).
void mck_check_keyval(struct mck_call *call, const char *what, int value) {
  if (!mck_rt.is_ready) return;
  if (value == MPI_TAG_UB) mck_rt.is_tag_asker = true;
  const struct mck_object *object = find(MCK_OBJECT_KEYVAL, (uint64_t)(int64_t)value);
  if (value == MPI_KEYVAL_INVALID) refuse(call, what, MCK_OBJECT_KEYVAL, 0, true, NULL);
  else if (object) {
    uint8_t change = mck_std(call->fn)->attribute;
    if (object->is_freed && change == MCK_STD_ATTRIBUTE_SETS) refuse(call, what, MCK_OBJECT_KEYVAL, 0, false, object);
    if (object->is_predefined && change != MCK_STD_ATTRIBUTE_NONE)
      mck_local_report(call, MCK_CHECK_HANDLE_PREDEFINED,
                       "%s of %s is a predefined attribute key: the attribute cannot be changed", what,
                       mck_fn_names[call->fn]);
  }
}

// --- what is about to be freed ---
// Another thread may be adding or dropping a reference: between its stores none may seem to be there.
static bool has_reference(const struct mck_object *object) {
  mck_lock();
  bool has = ((const struct mck_plain *)object)->count > 0;
  mck_unlock();
  return has;
}

static void old(struct mck_call *call, const char *what, enum mck_object_kind kind, uint64_t handle, bool is_null) {
  call->old = is_null ? 0 : handle, call->old_kind = (uint8_t)kind;
  if (!mck_rt.is_ready || mck_depth > 1) return;
  const struct mck_object *object = is_null ? NULL : find(kind, handle);
  if (!object || object->is_freed) {
    if (kind == MCK_OBJECT_KEYVAL && !is_null && !object) return;
    refuse(call, what, kind, handle, is_null, object);
  } else if (object->is_predefined) {
    // A constructor may have returned the empty group, and a get function a predefined error handler. The message of a
    // probe of MPI_PROC_NULL may be received (MPI-3.1 6.3.2, 8.3.4, 3.8.2).
    bool is_reference = kind == MCK_OBJECT_GROUP || kind == MCK_OBJECT_MESSAGE ||
                        (kind == MCK_OBJECT_ERRHANDLER && has_reference(object));
    if (!is_reference)
      mck_local_report(call, MCK_CHECK_HANDLE_PREDEFINED, "%s of %s is a predefined %s: it cannot be freed", what,
                       mck_fn_names[call->fn], mck_handle_nouns[kind]);
  }
}

#define OLD(kind, KIND, type, null)                                                                                    \
  void mck_old_##kind(struct mck_call *call, const char *what, const type *given) {                                    \
    old(call, what, MCK_OBJECT_##KIND, given ? U(*given) : 0, !given || *given == null);                               \
  }                                                                                                                    \
  void mck_known_##kind(type value) {                                                                                  \
    if (!mck_rt.is_ready) return;                                                                                      \
    mck_lock();                                                                                                        \
    mck_object_know(MCK_OBJECT_##KIND, U(value));                                                                      \
    mck_unlock();                                                                                                      \
  }
OLD(comm, COMM, MPI_Comm, MPI_COMM_NULL)
OLD(win, WIN, MPI_Win, MPI_WIN_NULL)
OLD(group, GROUP, MPI_Group, MPI_GROUP_NULL)
OLD(op, OP, MPI_Op, MPI_OP_NULL)
OLD(file, FILE, MPI_File, MPI_FILE_NULL)
OLD(info, INFO, MPI_Info, MPI_INFO_NULL)
OLD(errhandler, ERRHANDLER, MPI_Errhandler, MPI_ERRHANDLER_NULL)
OLD(message, MESSAGE, MPI_Message, MPI_MESSAGE_NULL)
OLD(keyval, KEYVAL, int, MPI_KEYVAL_INVALID)

// A type whose constructor we did not see is defined first, so that it is known as freed afterwards.
void mck_old_type(struct mck_call *call, const char *what, const MPI_Datatype *given) {
  mck_lock();
  if (mck_rt.is_ready && given) mck_type_find(*given);
  mck_unlock();
  old(call, what, MCK_OBJECT_TYPE, given ? U(*given) : 0, !given || *given == MPI_DATATYPE_NULL);
}
void mck_known_type(MPI_Datatype value) {
  if (!mck_rt.is_ready) return;
  mck_lock();
  mck_object_know(MCK_OBJECT_TYPE, U(value));
  mck_unlock();
}

// Only memory of MPI_Alloc_mem may be freed (MPI-3.1 8.2). MPI_Free_mem(NULL) is accepted, like free(NULL).
void mck_old_memory(struct mck_call *call, const char *what, const void *base) {
  call->old = U(base), call->old_kind = MCK_OBJECT_MEMORY;
  if (!mck_rt.is_ready || mck_depth > 1 || !base || mck_rt.is_profiler) return;
  const struct mck_object *object = find(MCK_OBJECT_MEMORY, U(base));
  if (!object)
    mck_local_report(call, MCK_CHECK_HANDLE_UNKNOWN, "%s of %s is not what MPI_Alloc_mem returned", what,
                     mck_fn_names[call->fn]);
  else if (object->is_freed) refuse(call, what, MCK_OBJECT_MEMORY, U(base), false, object);
  if (object && !object->is_freed && mck_lifetime_is_near(base)) mck_lifetime_freed_in(call, base);
  struct mck_heap_shadow_block block = {U(base), 0};
  if (!object || object->is_freed || !mck_buffers_are_in_use() || !mck_heap_is_seen() ||
      !mck_heap_shadow_at(block.low, &block.size))
    return;
  mck_lock();
  if (mck_heap_is_certain(&block)) mck_buffer_check_freed(base, block.size, call->pc, call->frame);
  mck_unlock();
}
