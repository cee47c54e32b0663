// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type maps of what no datatype describes: the pieces of a buffer whose counts, displacements and datatypes are given
// per process (MPI-3.1 5.5 to 5.8). One element at the buffer's address is all of them. Callers hold the lock.
#pragma once
#include "object/type-map.h"

// What was kept under this key, the pieces' hash; NULL: nothing, or not any more. It stays until many others are kept,
// and then its generation changes, as if a datatype were freed in use.
const struct mck_type *mck_layout_find(uint64_t key);
// Keeps what flat has, and takes its items. NULL: no map, for flat is not known.
const struct mck_type *mck_layout_keep(uint64_t key, struct mck_flat *flat);
