// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// File agreement: the ranks find out together whether accesses to files may conflict. Else no logs are gathered for
// that.
#pragma once
#include <mpi.h>
#include "log/log.h"

// Collective. Takes MCK_WHOLE_FILES out of needs, or leaves it there, on all ranks. Returns 0 or an MPI error code.
int mck_agree_on_files(const struct mck_reader *own, MPI_Comm comm, unsigned *needs);
