// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check --check-options log_budget=0 -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --check-prefix=WHOLE --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// The clocks that go with the messages know of all of it, whatever becomes of the log.
// RUN: %mpirun-check --check-options log_budget=0:clocks=online -n 3 %t 2>&1 | FileCheck %s --check-prefix=WHOLE --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logs that are recycled at each barrier: each part is judged at its end, and its receives are counted together. What was
// sent behind a barrier cannot have come to a receive that was over before. Only decisions of the first part can be named.
// CHECK: ==mpicc-check== NOTE [message.race] a wildcard receive takes whichever of several messages comes first; they look alike
// CHECK-NEXT: on rank 0, 10 times
// CHECK: in a part of the run 1 of 2 receives here could have got another message; up to 2 ranks could be first
// CHECK-NEXT: to run it the other way: mpirun-check --take 0:1={{1|2}}:0
// WHOLE: ==mpicc-check== NOTE [message.race] a wildcard receive takes whichever of several messages comes first; they look alike
// WHOLE: 10 of 20 receives here could have got another message; up to 2 ranks could be first
// WHOLE: to run it the other way: mpirun-check --take 0:{{[0-9]+}}={{1|2}}:0
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 10; i++) {
    for (int k = 0; k < 2 && rank == 0; k++) MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank) MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (i < 9) MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 1 note
// WHOLE: ==mpicc-check== 0 errors, 0 warnings, 1 note
