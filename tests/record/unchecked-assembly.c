// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// REQUIRES: x86_64
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly stores to a buffer that is being sent: nobody sees it, and the report says so.
// CHECK: ==mpicc-check== NOTE [unchecked] loads and stores of inline assembly are not seen: unchecked-assembly.c:[[#@LINE+12]]
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[2] = {1, 2}, y[2];
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Isend(x, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
  MPI_Recv(y, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  __asm__ volatile("mfence" ::: "memory");   // touches nothing
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("movl $3, %0" : "=m"(x[0]));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return y[0] == 9;
}
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 1 note
