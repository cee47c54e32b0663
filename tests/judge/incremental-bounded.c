// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check --check-options log_budget=1:log_limit=2 -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='{{ERROR|WARNING|NOTE}} [' --implicit-check-not='limit'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 200,000 messages are more than 6 MiB of events a rank; with cuts they never come near a limit of 2 MiB.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int turn = 0; turn < 200; turn++) {
    for (int i = 0; i < 1000; i++) {
      if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, i % 4, MPI_COMM_WORLD);
      else MPI_Recv(&value, 1, MPI_INT, 0, i % 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
