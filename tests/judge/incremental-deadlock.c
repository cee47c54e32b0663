// RUN: rm -rf %t.d && mkdir %t.d && %mpicc-check %s -o %t.d/run
// RUN: %expect66 %mpirun-check --check-options log_budget=0:report=%t.d/report -n 3 %t.d/run > %t.d/out 2>&1
// RUN: FileCheck %s --implicit-check-not='{{ERROR|WARNING|NOTE}} [' < %t.d/report
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The watch finds a deadlock in recycled logs: receives in a ring, one of them a request that was pending at a cut; the
// third rank waits in a collective, whose number counts what left the logs.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0, other = 0, extra = 0;
  MPI_Request request;
  MPI_Comm pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2, 0, &pair);
  for (int turn = 0; turn < 20; turn++) {
    MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % 3, 1, &other, 1, MPI_INT, (rank + 2) % 3, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&value, 1, MPI_INT, 0, pair);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) MPI_Irecv(&extra, 1, MPI_INT, MPI_ANY_SOURCE, 2, pair, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Recv(&extra, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&pair);
  MPI_Finalize();
  return 0;
}
// CHECK: ERROR [deadlock]
// CHECK: MPI_Wait
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
