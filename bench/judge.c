// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of judging: many messages between pairs of ranks, then MPI_Finalize, which judges them. Prints both times.
// Run it with and without the checker (MPICC_CHECK_OPTIONS=on=0). Bar: judging 1,000,000 messages takes less than 1/4
// of the time of the messages. stream: 100 sends one way and 100 back, as fast as possible; pingpong: one by one.
// usage: mpirun -n 2|4|... judge stream|pingpong [messages of a pair, default 1000000]
#include <mpi.h>
#include <string.h>
#include "measure.h"

int main(int argc, char **argv) {
  int rank, size, x = 0;
  long messages = argc > 2 ? atol(argv[2]) : 1000000;
  int burst = argc > 1 && !strcmp(argv[1], "pingpong") ? 1 : 100;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size % 2 || messages < 1) {
    if (rank == 0) fprintf(stderr, "usage: mpirun -n 2|4|... judge stream|pingpong [messages]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double start = now();
  long done = 0;
  for (long turn = 0; done < messages; turn++) {
    for (int i = 0; i < burst; i++, done++) {
      if (rank % 2 == turn % 2) MPI_Send(&x, 1, MPI_INT, rank ^ 1, i % 8, MPI_COMM_WORLD);
      else MPI_Recv(&x, 1, MPI_INT, rank ^ 1, i % 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double communicated = now() - start;
  start = now();
  MPI_Finalize();
  double finalized = now() - start;
  if (rank == 0) printf("%ld messages %.6f s, MPI_Finalize %.6f s\n", done, communicated, finalized);
  return 0;
}
