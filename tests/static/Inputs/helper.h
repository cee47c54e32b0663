// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An inline function with a mistake (objects.test).
#include <mpi.h>
static inline void send_result(int *value, int rank) { MPI_Send(value, 1, MPI_INT, rank, -3, MPI_COMM_WORLD); }
