// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that set the size of a file. For the consistency of accesses they write the bytes between the old size and the
// new one (MPI-3.1 13.2.4, 13.2.5).
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "api/fns.h"

static inline bool mck_std_sets_file_size(uint16_t fn) {
  return fn == MCK_FN_MPI_File_set_size || fn == MCK_FN_MPI_File_preallocate;
}
