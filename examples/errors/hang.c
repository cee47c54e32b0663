// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 1 goes in steps of 0.1 until it is at 1.0, and never is there exactly. The others wait for it. That may be a
// long computation, so a note says where the rank is, and the run goes on. (The loop gives up, so that the test ends.)
//
//   mpicc-check hang.c -o hang
//   mpirun-check --check-options hang_time=1 -n 3 ./hang
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, steps = 0;
  volatile double position = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1)
    while (position != 1.0 && ++steps < 1000000000) position += 0.1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
