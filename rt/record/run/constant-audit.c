// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI's constants as the rooms without mpi.h know them are those of the installed mpi.h.
#include <mpi.h>
#include "standard/constants.h"

#define MCK_CONSTANT(name, value) _Static_assert((int)MPI_##name == (int)MCK_##name, "standard/constants.inc");
#include "standard/constants.inc"
#undef MCK_CONSTANT
