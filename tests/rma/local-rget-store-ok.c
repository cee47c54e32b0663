// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of the epoch completes the operation (MPI-3.1 11.5.3), even if the request is waited for later; so does a flush (11.5.4).
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[4] = {0}, y[4] = {0}, w[4] = {0};
  MPI_Win win;
  MPI_Request request, flushed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(w, sizeof w, sizeof *w, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 1) {
    MPI_Rget(y, 4, MPI_INT, 0, 0, 4, MPI_INT, win, &flushed);
    MPI_Win_flush_local_all(win);
    y[1] = 1;
    MPI_Rget(x, 4, MPI_INT, 0, 0, 4, MPI_INT, win, &request);
  }
  MPI_Win_unlock_all(win);
  if (rank == 1) {
    x[1] = 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&flushed, MPI_STATUS_IGNORE);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return x[0] == 77 || y[0] == 77;
}
