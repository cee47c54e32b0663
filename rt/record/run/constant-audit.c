// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI's constants as the rooms without mpi.h know them are those of the installed mpi.h.
#include <mpi.h>
#include <stddef.h>
#include "abi.h"
#include "standard/constants.h"

#define MCK_CONSTANT(name, value) _Static_assert((int)MPI_##name == (int)MCK_##name, "standard/constants.inc");
#include "standard/constants.inc"
#undef MCK_CONSTANT

// What the plugin assumes of a status.
#define MCK_AUDIT_PART(part, name)                                                                                     \
  _Static_assert(offsetof(MPI_Status, part) == MCK_STATUS_##name##_AT && sizeof((MPI_Status){0}.part) == 4, "abi.h");
MCK_AUDIT_PART(MPI_SOURCE, SOURCE)
MCK_AUDIT_PART(MPI_TAG, TAG)
MCK_AUDIT_PART(MPI_ERROR, ERROR)
_Static_assert(sizeof(MPI_Status) == MCK_STATUS_BYTES, "abi.h");
