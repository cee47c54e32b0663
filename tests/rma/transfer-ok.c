// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signatures that are equal however they are built, bytes, an origin that MPI_NO_OP ignores, and MPI_PROC_NULL.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, memory[64] = {0}, x[8] = {0}, result[8];
  MPI_Win win;
  MPI_Datatype vector, twice;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
  MPI_Type_contiguous(2, vector, &twice);
  MPI_Type_commit(&vector);
  MPI_Type_commit(&twice);
  MPI_Win_fence(0, win);
  if (rank == 0) {
    MPI_Put(x, 4, MPI_INT, 1, 0, 1, twice, win);
    MPI_Put(x, 1, vector, 1, 10, 2, MPI_INT, win);
    MPI_Put(x, 8, MPI_BYTE, 1, 20, 2, MPI_INT, win);
    MPI_Put(x, 8, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Get_accumulate(NULL, 0, MPI_DOUBLE, result, 4, MPI_INT, 1, 30, 2, vector, MPI_NO_OP, win);
  }
  MPI_Win_fence(0, win);
  MPI_Type_free(&vector);
  MPI_Type_free(&twice);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
