// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tour: one MPI_Put that races with a store, and one MPI_Recv of the wrong type. docs/design/tour.md follows both from
// these lines to the report.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 5, *memory;
  double sent = 1.5;
  float received[2];
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock(1, win);
    MPI_Send(&sent, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    *memory = 7;
    MPI_Recv(received, 2, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
