// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check --check-options clocks=online -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// The logs of other nodes come over MPI.
// RUN: env MPICC_CHECK_OPTIONS=simulated_nodes=3 %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: env MPICC_CHECK_OPTIONS=clocks=off %mpirun-check -n 4 %t 2>&1 | FileCheck %s --check-prefix=OFF --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A master and its workers, right whichever message comes first: one note, with sums, and the program's own exit status.
// OFF: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  enum { TASKS = 1000 };
  int rank, size, x = 0, left = TASKS, working;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  working = size - 1;
  // CHECK: ==mpicc-check== NOTE [message.race] a wildcard receive takes whichever of several messages comes first; they look alike
  // CHECK-NEXT: on rank 0, {{[0-9,]+}} times
  while (rank == 0 && working) {
    // CHECK: MPI_Recv by rank 0 {{.*}}message-race-workers.c:[[#@LINE+1]] in main
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    int more = left-- > 0;
    working -= !more;
    MPI_Send(&more, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD);
  }
  for (int more = 1; rank && more;) {
    MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Recv(&more, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  // CHECK-NEXT: got: MPI_Send from rank {{[1-3]}}, not rank {{[1-3]}}  message-race-workers.c:[[#@LINE-3]] in main
  // CHECK-NEXT: {{[0-9,]+}} of 1,003 receives here could have got another message; up to 3 ranks could be first
  // CHECK-NEXT: help: nothing to mend if the program works whichever comes first; to run it the other way: mpirun-check --take 0:
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 1 note
