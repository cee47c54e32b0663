// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI's constants for what has no mpi.h: MCK_PROC_NULL is MPI_PROC_NULL as logs have it.
#pragma once

enum mck_std_constant {
#define MCK_CONSTANT(name, value) MCK_##name = (value),
#include "standard/constants.inc"
#undef MCK_CONSTANT
};
