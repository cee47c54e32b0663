// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second half of the buffer was unmapped: the finding is there although the process dies of it.
// CHECK: ==mpicc-check== ERROR [arg.memory] sendbuf of MPI_Sendrecv: 8192 bytes are to be read, but there is memory for 4096 only
#include <mpi.h>
#include <sys/mman.h>

int main(int argc, char **argv) {
  int rank;
  char *bytes = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), copy[8192];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  munmap(bytes + 4096, 4096);
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}arg-memory-unmapped.c:[[#@LINE+1]] in main
  MPI_Sendrecv(bytes, 8192, MPI_CHAR, rank, 0, copy, 8192, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
