// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A long run fills the log: each call of each rank takes some 32 bytes of it. Here the limit is 1 MiB instead of 4096,
// and the message behind 40,000 steps that nobody receives is not seen. The report says that it is incomplete. To mend
// that: a larger log_limit, or fewer steps, which mostly show the same errors.
//
//   mpicc-check incomplete.c -o incomplete
//   mpirun-check --check-options log_limit=1 -n 3 ./incomplete
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, size;
  int number = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int step = 0; step < 40000; step++)
    MPI_Sendrecv_replace(&number, 1, MPI_INT, (rank + 1) % size, 100, (rank + size - 1) % size, 100, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, 101, MPI_COMM_WORLD);
  MPI_Finalize();
}
