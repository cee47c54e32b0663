// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,USUAL \
// RUN:   --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check --check-options pedantic=1 -n 3 %t 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,PEDANTIC \
// RUN:   --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier orders stores and loads of a shared window, but not memory (MPI-3.1 11.2.3).
// One note, whatever the number of loads; it does not change the exit code.
// USUAL: ==mpicc-check== NOTE [rma.sync-missing] a load reads {{.*}}, without MPI_Win_sync on both sides
// PEDANTIC: ==mpicc-check== WARNING [rma.sync-missing] a load reads {{.*}}, without MPI_Win_sync on both sides
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
  for (int i = 0; i < 10; i++) {
    // CHECK: store by rank 0 {{.*}}sync-missing.c:[[#@LINE+1]] in main
    if (rank == 0) memory[2] = i;
    MPI_Barrier(MPI_COMM_WORLD);
    // CHECK: comes before load by rank 1 {{.*}}sync-missing.c:[[#@LINE+1]] in main
    if (rank == 1) x += first[2];
    MPI_Barrier(MPI_COMM_WORLD);
  }
  // CHECK: bytes 8..11 (element 2 of 4 bytes) of rank 0
  // CHECK: rank 0 does not synchronize the window between its store and what orders it before the load
  // CHECK: rank 1 does not synchronize the window between what orders the store before its load, and that load
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return x < 0;
}
// USUAL: ==mpicc-check== 0 errors, 0 warnings, 1 note 
// PEDANTIC: ==mpicc-check== 0 errors, 1 warning, 0 notes
