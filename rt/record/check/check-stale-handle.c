// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings about handles that stand for no object: the object was freed, or there never was one.
#include <stdio.h>
#include "record/call/call.h"
#include "record/call/fortran-redirect.h"
#include "record/check/handle-report.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

// The last object that had a Fortran handle; entries are visited in the order in which they were made.
static __thread struct {
  int number;
  const struct mck_object *found;
} search __attribute__((tls_model("initial-exec")));
static void compare(enum mck_object_kind kind, const struct mck_object *object, struct mck_reference held) {
  (void)kind, (void)held;
  if (object->is_freed && object->number == search.number) search.found = object;
}

void mck_handle_unknown(struct mck_call *call, const char *what, enum mck_object_kind kind) {
  const MPI_Fint *number = mck_fortran_handle(call, what);
  const char *noun = mck_handle_nouns[kind], *function = mck_fn_names[call->fn];
  search.found = NULL;
  if (number && *number > 0) {
    search.number = *number;
    mck_lock();
    mck_object_visit(kind, compare);
    mck_unlock();
  }
  if (search.found) {
    mck_handle_report_stale(call, what, noun, "freed", search.found->fn, search.found->site, search.found->free_site);
  } else if (number)
    mck_local_report(call, MCK_CHECK_HANDLE_UNKNOWN, "%s of %s is %d, which is no %s handle", what, function, *number,
                     noun);
  else
    mck_local_report(call, MCK_CHECK_HANDLE_UNKNOWN, "%s of %s is NULL, which is no %s handle", what, function, noun);
}
