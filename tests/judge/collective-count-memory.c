// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A count that is too large does not fit the other ranks, and not the buffer either: one mistake, one finding.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, counts[3] = {10, 10, 30}, starts[3] = {0, 10, 20};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *own = calloc(10, sizeof *own), *all = calloc(30, sizeof *all);
  // CHECK: ==mpicc-check== ERROR [collective.count] ranks give different amounts to MPI_Bcast
  // CHECK: {{^}}  ranks 1,2: buffer of MPI_Bcast: 200 bytes at offset 0 of a heap block of 40 bytes
  MPI_Bcast(own, rank == 0 ? 10 : 50, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: ==mpicc-check== ERROR [collective.count] what MPI_Gatherv sends and receives differs in amount
  // CHECK-NEXT: MPI_Gatherv on rank 2 {{.*}}collective-count-memory.c:[[#@LINE+5]] in main
  // CHECK-NEXT: MPI_Gatherv on rank 0 {{.*}}collective-count-memory.c:[[#@LINE+4]] in main
  // CHECK-NEXT: rank 2 sends 10 MPI_INT to rank 0, which expects 30 MPI_INT
  // CHECK-NEXT: {{^}}  rank 0: recvbuf of MPI_Gatherv: 200 bytes at offset 0 of a heap block of 120 bytes
  // CHECK-NEXT: help: make each rank expect as much
  MPI_Gatherv(own, 10, MPI_INT, all, counts, starts, MPI_INT, 0, MPI_COMM_WORLD);
  free(own);
  free(all);
  MPI_Finalize();
}
// CHECK: ==mpicc-check== 2 errors, 0 warnings, 0 notes
