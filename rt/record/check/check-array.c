// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of pointers, sizes and arrays. A negative length of an array is reported by the length's own check.
#include <string.h>
#include "record/call/call-args.h"
#include "record/call/call.h"
#include "record/check/checks.h"
#include "record/error/local-finding.h"

void mck_check_pointer_failed(struct mck_call *call, const char *what) {
  mck_local_report(call, MCK_CHECK_ARG_NULL, "%s of %s is NULL", what, mck_fn_names[call->fn]);
}

// An array of n entries, which are not read. NULL is right for no entries.
void mck_check_array(struct mck_call *call, const char *what, const void *array, int n) {
  if (MCK_UNLIKELY(!array && n > 0))
    mck_local_report(call, MCK_CHECK_ARG_NULL, "%s of %s is NULL, but has %d entries", what, mck_fn_names[call->fn], n);
}

static bool has_entries(struct mck_call *call, const char *what, const void *array, int n) {
  mck_check_array(call, what, array, n);
  return array && n > 0;
}

void mck_check_counts(struct mck_call *call, const char *what, const int *counts, int n) {
  if (!has_entries(call, what, counts, n)) return;
  for (int i = 0; i < n; i++)
    if (MCK_UNLIKELY(counts[i] < 0)) {
      mck_local_report(call, MCK_CHECK_ARG_COUNT, "%s[%d] of %s is negative (%d)", what, i, mck_fn_names[call->fn],
                       counts[i]);
      return;
    }
}

void mck_check_types(struct mck_call *call, const char *what, const MPI_Datatype *types, int n) {
  if (!has_entries(call, what, types, n)) return;
  for (int i = 0; i < n && !call->nfindings; i++) mck_check_type(call, what, types[i]);
}

void mck_check_commtypes(struct mck_call *call, const char *what, const MPI_Datatype *types, int n) {
  if (!has_entries(call, what, types, n)) return;
  for (int i = 0; i < n && !call->nfindings; i++) mck_check_commtype(call, what, types[i]);
}

void mck_check_size(struct mck_call *call, const char *what, int64_t size) {
  if (MCK_UNLIKELY(size < 0))
    mck_local_report(call, MCK_CHECK_ARG_SIZE, "%s of %s is negative (%lld)", what, mck_fn_names[call->fn],
                     (long long)size);
}

// MPI-3.1 11.2.1: a positive integer.
void mck_check_disp_unit(struct mck_call *call, const char *what, int unit) {
  if (MCK_UNLIKELY(unit <= 0))
    mck_local_report(call, MCK_CHECK_ARG_DISP_UNIT, "%s of %s is %d, but must be positive", what,
                     mck_fn_names[call->fn], unit);
}

void mck_check_displacement(struct mck_call *call, const char *what, int64_t displacement) {
  if (MCK_UNLIKELY(displacement < 0))
    mck_local_report(call, MCK_CHECK_ARG_DISPLACEMENT, "%s of %s is negative (%lld)", what, mck_fn_names[call->fn],
                     (long long)displacement);
}

// MPI-3.1 11.3: non-negative, in units of the target's disp_unit; it has no meaning with MPI_PROC_NULL (11.3). In a
// dynamic window it is an address, and addresses of user space are positive.
void mck_check_target_disp(struct mck_call *call, const char *what, MPI_Aint displacement, const struct mck_args *a) {
  if (a->target != MPI_PROC_NULL) mck_check_displacement(call, what, displacement);
}

void mck_check_position(struct mck_call *call, const char *what, const void *position, MPI_Aint size, size_t width) {
  if (!position) {
    mck_check_pointer_failed(call, what);
    return;
  }
  int64_t at = width == sizeof(MPI_Aint) ? *(const MPI_Aint *)position : *(const int *)position;
  if (at < 0 || (size >= 0 && at > size))
    mck_local_report(call, MCK_CHECK_ARG_SIZE, "%s of %s is %lld, outside of the buffer of %lld bytes", what,
                     mck_fn_names[call->fn], (long long)at, (long long)size);
}

void mck_check_assertion(struct mck_call *call, const char *what, int assertion, int allowed) {
  if (MCK_UNLIKELY(assertion & ~allowed))
    mck_local_report(call, MCK_CHECK_ARG_ASSERT, "%s of %s has bits that mean nothing there (%#x)", what,
                     mck_fn_names[call->fn], (unsigned)(assertion & ~allowed));
}

// MPI-3.1 chapter 9: keys have at most MPI_MAX_INFO_KEY characters with the closing null, values MPI_MAX_INFO_VAL.
static void check_string(struct mck_call *call, const char *what, const char *string, size_t max, const char *limit) {
  if (!string) mck_check_pointer_failed(call, what);
  else if (strnlen(string, max) == max)
    mck_local_report(call, MCK_CHECK_ARG_INFO, "%s of %s is longer than %s allows", what, mck_fn_names[call->fn],
                     limit);
  else if (!*string && max == MPI_MAX_INFO_KEY)
    mck_local_report(call, MCK_CHECK_ARG_INFO, "%s of %s is empty", what, mck_fn_names[call->fn]);
}

void mck_check_key(struct mck_call *call, const char *what, const char *key) {
  check_string(call, what, key, MPI_MAX_INFO_KEY, "MPI_MAX_INFO_KEY");
}
void mck_check_value(struct mck_call *call, const char *what, const char *value) {
  check_string(call, what, value, MPI_MAX_INFO_VAL, "MPI_MAX_INFO_VAL");
}

// MPI-3.1 6.4.2: the control of subset assignment (non-negative integer), or MPI_UNDEFINED.
void mck_check_color(struct mck_call *call, const char *what, int color) {
  if (color < 0 && color != MPI_UNDEFINED)
    mck_local_report(call, MCK_CHECK_ARG_COLOR, "%s of %s is %d, but must be non-negative or MPI_UNDEFINED", what,
                     mck_fn_names[call->fn], color);
}

// --- subarrays and distributed arrays (MPI-3.1 4.1.3, 4.1.4) ---
void mck_check_sizes(struct mck_call *call, const char *what, const int *sizes, int n) {
  if (!has_entries(call, what, sizes, n)) return;
  for (int i = 0; i < n; i++)
    if (sizes[i] < 1) {
      mck_local_report(call, MCK_CHECK_ARG_SIZE, "%s[%d] of %s is %d, but must be positive", what, i,
                       mck_fn_names[call->fn], sizes[i]);
      return;
    }
}

void mck_check_subsizes(struct mck_call *call, const char *what, const int *subsizes, int n, const int *sizes) {
  if (!has_entries(call, what, subsizes, n) || !sizes) return;
  for (int i = 0; i < n; i++)
    if (subsizes[i] < 1 || (sizes[i] > 0 && subsizes[i] > sizes[i])) {
      mck_local_report(call, MCK_CHECK_ARG_SIZE, "%s[%d] of %s is %d, but must be 1 to %d, the size of the array", what,
                       i, mck_fn_names[call->fn], subsizes[i], sizes[i]);
      return;
    }
}

void mck_check_starts(struct mck_call *call, const char *what, const int *starts, int n, const int *sizes,
                      const int *subsizes) {
  if (!has_entries(call, what, starts, n) || !sizes || !subsizes) return;
  for (int i = 0; i < n; i++)
    if (starts[i] < 0 || (subsizes[i] > 0 && subsizes[i] <= sizes[i] && starts[i] > sizes[i] - subsizes[i])) {
      mck_local_report(call, MCK_CHECK_ARG_SIZE, "%s[%d] of %s is %d: the subarray reaches out of the array", what, i,
                       mck_fn_names[call->fn], starts[i]);
      return;
    }
}

void mck_check_psizes(struct mck_call *call, const char *what, const int *psizes, int n, int size) {
  mck_check_sizes(call, what, psizes, n);
  int64_t product = 1;
  for (int i = 0; psizes && i < n; i++) {
    if (psizes[i] < 1) return; // reported already
    product *= psizes[i];
    if (product > INT32_MAX) break;
  }
  if (psizes && n > 0 && size >= 0 && product != size)
    mck_local_report(call, MCK_CHECK_ARG_DIMS, "%s of %s make a grid of %lld processes, but size is %d", what,
                     mck_fn_names[call->fn], (long long)product, size);
}
