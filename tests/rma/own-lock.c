// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=WARNING --implicit-check-not='shared lock' --implicit-check-not='exclusive lock of'
// RUN: %mpirun-check -n 2 %t ok 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='{{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two puts of one process to the same bytes in one epoch of an exclusive lock (MPI-3.1 11.7): nothing is said of locks, which order nothing between them.
// CHECK: ERROR [rma.race] race on a window of rank 0, bytes 0..3
// CHECK: MPI_Put from rank 1 {{.*}}own-lock.c:[[#@LINE+16]] in main
// CHECK: neither completed before the other: no synchronization between them completes MPI_Put at its target
// CHECK: 1 error
// OK: no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, memory = 0, x[2] = {1, 2};
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    for (int i = 0; i < 2; i++) {
      if (i && argc > 1) MPI_Win_flush(0, win);
      MPI_Put(x + i, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock(0, win);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
