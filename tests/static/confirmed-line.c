// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call that the compiler warned of stands in a line with the one where a rank hangs. The finding names the warning;
// that no rank executed it is not said beside it.
// RUN: %mpicc-check %s -o %t 2>&1 | grep 'confirmed-line.c:20:39: warning: MPI_Bcast is called by some ranks'
// RUN: %expect66 %mpirun-check --check-options graph=none --json %t.json -n 2 %t 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// CHECK: ==mpicc-check== ERROR [deadlock]
// CHECK: the compiler warned of it at confirmed-line.c:20:39 [collective.divergence]
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, n = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Recv(&n, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // clang-format off
  if (rank == 1)
    // one line for both
    MPI_Barrier(MPI_COMM_WORLD); else MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
