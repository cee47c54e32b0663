// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=pedantic=1 %mpirun-check -n 3 %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: env MPICC_CHECK_OPTIONS=pedantic=1 %mpirun-check -n 3 %t atomic 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: env MPICC_CHECK_OPTIONS=pedantic=1 %mpirun-check -n 3 %t many flushes 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both ranks synchronize the window around the barrier; or they order memory by atomic accesses of their own.
// Flushes that complete nothing do the same, and stay where the other operations leave the logs (unshared.c).
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, unit, x = 0, *memory, *first;
  MPI_Aint bytes;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate_shared(4 * sizeof x, sizeof x, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  for (int i = 0; i < 10 && argc == 1; i++) {
    if (rank == 0) memory[2] = i;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 1) x += first[2];
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int i = 0; i < 10 && argc == 2; i++) {
    if (rank == 0) memory[2] = i, __atomic_store_n(&memory[3], i, __ATOMIC_RELEASE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) x += __atomic_load_n(&first[3], __ATOMIC_ACQUIRE) + first[2];
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int i = 0; i < 20000 && argc > 2; i++)
    MPI_Put(&i, 1, MPI_INT, rank, 0, 1, MPI_INT, win), MPI_Win_flush(rank, win);
  for (int i = 0; i < 10 && argc > 2; i++) {
    if (rank == 0) memory[2] = i;
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_flush_all(win);
    if (rank == 1) x += first[2];
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return x < 0;
}
