// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings about handles that stand for nothing: freed, or never given out.
#include "record/fortran.h"
#include "record/runtime.h"

void mck_handle_freed(struct mck_call *call, const char *what, const char *noun, const struct mck_object *object) {
  mck_lock();
  struct mck_finding *f = mck_local_add(MCK_CHECK_HANDLE_FREED, mck_call_site(call), 0);
  call->nfindings++;
  if (mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 1u + call->fn);
  if (what) mck_finding_text(f, "%s of %s is a %s that was freed before", what, mck_fn_names[call->fn], noun);
  else mck_finding_text(f, "%s gets a %s that was freed before", mck_fn_names[call->fn], noun);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, object->free_site, "freed");
  mck_finding_place(f, mck_rt.rank, object->site, "created by %s", mck_fn_names[object->fn]);
  mck_local_done(f);
  mck_unlock();
}

// The one that had a Fortran handle last; entries are visited in the order in which they were made.
static __thread struct { int number; const struct mck_object *found; } search __attribute__((tls_model("initial-exec")));
static void compare(enum mck_object_kind kind, const struct mck_object *object) {
  (void)kind;
  if (object->is_freed && object->number == search.number) search.found = object;
}

void mck_handle_unknown(struct mck_call *call, const char *what, enum mck_object_kind kind) {
  static const char *const nouns[] = {[MCK_OBJECT_COMM] = "communicator", [MCK_OBJECT_TYPE] = "datatype", [MCK_OBJECT_WIN] = "window",
                                      [MCK_OBJECT_GROUP] = "group", [MCK_OBJECT_OP] = "operation"};
  const MPI_Fint *number = mck_fortran_handle(call, what);
  const char *name = what ? what : "the argument", *function = mck_fn_names[call->fn];
  search.found = NULL;
  if (number && *number > 0) {
    search.number = *number;
    mck_lock();
    mck_object_visit(kind, compare);
    mck_unlock();
  }
  if (search.found) mck_handle_freed(call, what, nouns[kind], search.found);
  else if (number) mck_local_report(call, MCK_CHECK_HANDLE_NULL, "%s of %s is %d, which is no %s handle", name, function, *number, nouns[kind]);
  else mck_local_report(call, MCK_CHECK_HANDLE_NULL, "%s of %s is NULL, which is no %s handle", name, function, nouns[kind]);
}
