// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// REQUIRES: x86_64
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly that touches a local variable that MPI never gets, or no memory.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[2] = {1, 2}, y[2], own;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Isend(x, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
  MPI_Recv(y, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  __asm__ volatile("mfence" ::: "memory");
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("movl $3, %0" : "=m"(own));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return y[0] == 9 && own;
}
