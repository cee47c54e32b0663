// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lazy clocks cost: the lower half of the ranks receives messages from anybody of the upper half, and answers each
// 16th. Prints the seconds of the run itself; with MPICC_CHECK_OPTIONS=stats=1 the report says those of judging.
//   mpirun -n 8 wildcards [messages]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ANSWER = 16, DATA = 1, BACK = 2 };

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int owners = size / 2, senders = size - owners;
  long each = (argc > 1 ? atol(argv[1]) : 1000000) / owners / senders / ANSWER * ANSWER;  // from one to one
  double x[4] = {0}, begin = MPI_Wtime();
  if (rank < owners) {
    int *seen = calloc((size_t)size, sizeof *seen);
    for (long i = 0; i < each * senders; i++) {
      MPI_Status status;
      MPI_Recv(x, 4, MPI_DOUBLE, MPI_ANY_SOURCE, DATA, MPI_COMM_WORLD, &status);
      if (++seen[status.MPI_SOURCE] % ANSWER == 0) MPI_Send(x, 1, MPI_DOUBLE, status.MPI_SOURCE, BACK, MPI_COMM_WORLD);
    }
    free(seen);
  } else {
    for (long i = 0; i < each; i++)
      for (int to = 0; to < owners; to++) {
        MPI_Send(x, 4, MPI_DOUBLE, to, DATA, MPI_COMM_WORLD);
        if ((i + 1) % ANSWER == 0) MPI_Recv(x, 1, MPI_DOUBLE, to, BACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%ld messages, %d of %d ranks with wildcards: %.2f s\n", each * owners * senders, owners, size, MPI_Wtime() - begin);
  MPI_Finalize();
  return 0;
}
