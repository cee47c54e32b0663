// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 2 expects far more than the root has, in parts of which only the first comes: it waits inside of the call,
// though all have entered.
// CHECK: ERROR [collective.count] ranks give different amounts to MPI_Bcast
#include <mpi.h>

static int x[1000000];

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Bcast with 4 MPI_INT on ranks 0,1 {{.*}}collective-count.c:[[#@LINE+1]] in main
  MPI_Bcast(x, rank == 2 ? 1000000 : 4, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: collective number 1 of the communicator: ranks 0,1: 4 MPI_INT; rank 2: 1000000 MPI_INT
  // CHECK: no rank moves any more
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
