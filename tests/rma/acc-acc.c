// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two origins accumulate in one place with different operations (MPI-3.1 11.7.1).
// CHECK: ==mpicc-check== ERROR [rma.atomicity] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int w[8] = {0}, x[8] = {0};
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(w, sizeof w, sizeof *w, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Op op = rank == 1 ? MPI_SUM : MPI_PROD;
  if (rank > 0) {
    // CHECK: MPI_Accumulate from rank 1 {{.*}}acc-acc.c:[[#@LINE+1]] in main
    MPI_Accumulate(x, 1, MPI_INT, 0, 3, 1, MPI_INT, op, win);
  }
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
