// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A store to the result of MPI_Rget while neither its request nor its epoch is complete (MPI-3.1 11.3.5).
// CHECK: ==mpicc-check== ERROR [rma.race-local] store to the result buffer of MPI_Rget before that is complete
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[4] = {0}, w[4] = {0};
  MPI_Win win;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(w, sizeof w, sizeof *w, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 1) {
    // CHECK: store by rank 1 {{.*}}local-rget-store.c:[[#@LINE+3]] in main
    // CHECK: in use since MPI_Rget {{.*}}local-rget-store.c:[[#@LINE+1]] in main
    MPI_Rget(x, 4, MPI_INT, 0, 0, 4, MPI_INT, win, &request);
    x[1] = 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return x[0] == 77;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
