// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of wait marks (bench/marks.sh). One process sends itself messages of 4 B: nothing depends on time, so
// instructions can be counted. Two processes play ping-pong, and the best blocks are printed.
// usage: mpirun -n 1 marks COUNT | mpirun -n 2 marks BLOCKS
#include <mpi.h>
#include "measure.h"

int main(int argc, char **argv) {
  int rank, size, x = 0, y = 0, n = argc > 1 ? atoi(argv[1]) : 1;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; size == 1 && i < n; i++) {
    MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  double *times = malloc(sizeof *times * (size_t)(n > 0 ? n : 1));
  for (int i = 0; size == 2 && i < n; i++) {
    enum { MESSAGES = 400 };
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now();
    for (int k = 0; k < MESSAGES; k++) {
      if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    times[i] = (now() - start) / MESSAGES / 2;
  }
  if (size == 2 && rank == 0 && n > 0)
    printf("%.2f %.2f\n", 1e9 * quantile(times, n, 0.1), 1e9 * quantile(times, n, 0.5));
  free(times);
  MPI_Finalize();
  return 0;
}
