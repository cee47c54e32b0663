// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All of the buffer is mapped.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <sys/mman.h>

int main(int argc, char **argv) {
  int rank;
  char *bytes = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), copy[8192];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  munmap(bytes + 4096, 4096);
  MPI_Sendrecv(bytes, 4096, MPI_CHAR, rank, 0, copy, 4096, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
