// RUN: rm -rf %t.d && mkdir %t.d && %mpicc-check %s -o %t.d/run
// RUN: not %mpirun-check --check-options log_budget=0:report=%t.d/report -n 3 %t.d/run > %t.d/out 2>&1
// RUN: FileCheck %s --implicit-check-not='{{ERROR|WARNING|NOTE}} [' < %t.d/report
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was judged before a run dies is said all the same, and nothing of what left the logs is missed: neither the messages
// that were matched nor the collectives. A message that no one received may still have been: that is not said.
#include <mpi.h>
#include <signal.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  _Alignas(float) char real[sizeof(float)] = {0};   // may hold anything
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 2, 9, MPI_COMM_WORLD);
  for (int turn = 0; turn < 20; turn++) {
    if (rank == 0) MPI_Send(real, 1, turn == 3 ? MPI_FLOAT : MPI_INT, 1, 4, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&value, 1, MPI_INT, turn % 3, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (turn == 15 && rank == 1) raise(SIGSEGV);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ERROR [run.died] rank 1 was killed by SIGSEGV
// CHECK-NEXT: it died here
// CHECK-NEXT: last recorded MPI call, MPI_Barrier
// CHECK: ERROR [type.mismatch] MPI_FLOAT is sent where MPI_INT is received
// CHECK-NEXT: MPI_Send from rank 0 {{.*}}.c:17 in main
// CHECK-NEXT: MPI_Recv on rank 1 {{.*}}.c:18 in main
// CHECK: ==mpicc-check== 2 errors, 0 warnings, 0 notes
