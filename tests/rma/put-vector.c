// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two origins write every other element; both the even ones.
// CHECK: ==mpicc-check== ERROR [rma.race] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int w[8] = {0}, x[8] = {0};
  MPI_Win win;
  MPI_Datatype odd;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(4, 1, 2, MPI_INT, &odd);
  MPI_Type_commit(&odd);
  MPI_Win_create(w, sizeof w, sizeof *w, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  // CHECK: MPI_Put from rank 1 {{.*}}put-vector.c:[[#@LINE+1]] in main
  if (rank > 0) MPI_Put(x, 4, MPI_INT, 0, 0, 1, odd, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Type_free(&odd);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
