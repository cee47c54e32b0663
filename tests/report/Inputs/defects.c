// Defects on both sides of several functions, for tests of fingerprints. Run on 2 ranks or more.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>

static void exchange(MPI_Win win, int rank, int size, int *value, volatile int *memory) {
  MPI_Win_fence(0, win);
  if (rank == size - 1) MPI_Put(value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  if (rank == 0) *memory = 7; // conflicts with the line above
  MPI_Win_fence(0, win);
}

static void relax(int rank, int *value) {
  if (rank == 0) MPI_Send(value, 1, MPI_INT, 1, -1, MPI_COMM_WORLD); // two equal defects
  if (rank == 0) MPI_Send(value, 1, MPI_INT, 1, -1, MPI_COMM_WORLD);
  if (rank == 0) MPI_Ssend(value, 1, MPI_INT, 1, -1, MPI_COMM_WORLD); // another function
}

static void swap(int rank, int *value) {
  if (rank == 0) MPI_Send(value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(value, 1, MPI_FLOAT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, *memory, value = 1;
  MPI_Win win;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  exchange(win, rank, size, &value, memory);
  relax(rank, &value);
  swap(rank, memory); // of no known type, however it is optimized
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy); // a leak
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
