// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of arguments that must be one of several values: constants, and data representations of files.
#include <string.h>
#include "record/call/call.h"
#include "record/check/checks.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

void mck_check_one_of(struct mck_call *call, const char *what, int value, const int *constants, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (value == constants[i]) return;
  mck_local_report(call, MCK_CHECK_ARG_CONSTANT, "%s of %s is %d, which is none of the constants for it", what,
                   mck_fn_names[call->fn], value);
}

// MPI-3.1 4.1.4
void mck_check_distribs(struct mck_call *call, const char *what, const int *distribs, int n) {
  mck_check_array(call, what, distribs, n);
  for (int i = 0; distribs && i < n && !call->nfindings; i++)
    mck_check_constant(call, what, distribs[i], MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE);
}

// Other names than the predefined ones come from MPI_Register_datarep (13.5.3).
void mck_check_datarep(struct mck_call *call, const char *what, const char *name) {
  static const char *const known[] = {"native", "internal", "external32"};
  if (!name || call->nfindings || mck_rt.is_profiler || mck_rt.is_datarep_registered) return;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(name, known[i])) return;
  mck_local_report(call, MCK_CHECK_ARG_CONSTANT, "%s of %s is \"%.64s\", which is no data representation", what,
                   mck_fn_names[call->fn], name);
}

void mck_check_newdatarep(struct mck_call *call, const char *what, const char *name) {
  (void)call, (void)what, (void)name;
  mck_rt.is_datarep_registered = true;
}
