// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line that two functions call, from frames of a size that changes. gcc keeps no frame pointers here.
#include <mpi.h>
#include <stdlib.h>
static __attribute__((noinline)) void inner(int rank, int n, int tag) {
  volatile int room[n];
  room[0] = rank;
  if (rank == 0) MPI_Send((int *)room, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv((int *)room, 1, MPI_FLOAT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static __attribute__((noinline)) int first(int rank, int n) { inner(rank, n, 3); return n + 1; }
static __attribute__((noinline)) int second(int rank, int n) { inner(rank, n, 4); return n + 2; }
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int r = 0;
  for (int i = 0; i < 3; i++) r += first(rank, 5 + i % 2), r += second(rank, 7);
  MPI_Finalize();
  return r == 0;
}
