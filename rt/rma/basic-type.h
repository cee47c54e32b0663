// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Basic type: the one basic type that a datatype consists of; accumulates are atomic by it (MPI-3.1 11.7.1).
#pragma once
#include "log/log.h"

// types: of one log or parcel, by id. Returns MCK_NONE if there are several, or it is not known. Pairs (MPI_2INT) are
// basic types by themselves.
uint32_t mck_rma_basic_of(const struct mck_type_def *types, uint32_t ntypes, uint32_t type);
