// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 1 reads its window in the same epoch in which rank 0 puts into it.
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank, *memory, number = 7;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
  if (rank == 1) printf("rank 1 has %d\n", *memory);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Finalize();
}
