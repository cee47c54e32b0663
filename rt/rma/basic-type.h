// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Basic: the one basic type that a datatype consists of, which accumulates are atomic by (MPI-3.1 11.7.1).
#pragma once
#include "log/log.h"

// types: of one log or parcel, by id. MCK_NONE: several, or not known. Pairs (MPI_2INT) are basic types by themselves.
uint32_t mck_rma_basic_of(const struct mck_type_def *types, uint32_t ntypes, uint32_t type);
