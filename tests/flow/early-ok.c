// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check --flow=content -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first fence need not be a barrier (MPI_MODE_NOPRECEDE), so an operation may come before its target has looked at
// its window. It counts nevertheless.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

enum { PART = 16 };

int main(int argc, char **argv) {
  int rank, one = 1, out[2 * PART], copy[2 * PART], *memory;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate((2 * PART + 1) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  for (int i = 0; i <= 2 * PART; i++) memory[i] = 0;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 2 * PART; i++) out[i] = k * 1000 + i + 1;
    for (int r = 0; r < 2; r++) MPI_Put(out + r * PART, PART, MPI_INT, r, rank * PART, PART, MPI_INT, win);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 2 * PART, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Get(copy, 2 * PART, MPI_INT, 1 - rank, 0, 2 * PART, MPI_INT, win);
    MPI_Win_fence(k < 2 ? 0 : MPI_MODE_NOSUCCEED, win);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
