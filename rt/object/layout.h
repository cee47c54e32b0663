// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts: type maps of buffers that no single datatype describes, because counts, displacements and datatypes are
// given per process (MPI-3.1 5.5 to 5.8). One element of a layout, at the buffer's address, is the whole buffer.
// Callers hold the lock.
#pragma once
#include "object/type-map.h"

// A table of layouts stays small, and what is too large for it is found out at each call.
enum { MCK_LAYOUT_BLOCKS_MAX = 16384 };

// The layout kept under this key, the hash of its pieces; NULL: none is kept. It stays until many others are kept; then
// its generation changes, as if a datatype were freed in use.
const struct mck_type *mck_layout_find(uint64_t key);
// Keeps the map in flat and takes its items. NULL: flat is unknown.
const struct mck_type *mck_layout_keep(uint64_t key, struct mck_flat *flat);
