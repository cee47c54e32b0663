// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of the lazy clocks. The ranks of the lower half receive messages from any rank of the upper half, and answer
// each 16th; then MPI_Finalize judges the run. Prints both times, as judge.c does. Bar: judging 1,000,000 messages of 8
// ranks, 4 of them with wildcards, takes less than 1/4 of the run.
// usage: mpirun -n 8 wildcards [messages, default 1000000 [bytes of each, default 32 [cpu|clock [nonblocking]]]]
// cpu: each rank also prints the processor time of both, which other programs on the machine change less. nonblocking:
// MPI_Irecv and MPI_Wait.
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "measure.h"

enum { ANSWER = 16, DATA = 1, BACK = 2 };

static double cpu(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int owners = size / 2, senders = size - owners;
  long each = (argc > 1 ? atol(argv[1]) : 1000000) / owners / senders / ANSWER * ANSWER; // from one rank to another
  int n = argc > 2 ? atoi(argv[2]) / (int)sizeof(double) : 4;
  bool is_nonblocking = argc > 4;
  double *x = calloc((size_t)n + 1, sizeof *x);
  double begin = now(), used = cpu();
  if (rank < owners) {
    int *seen = calloc((size_t)size, sizeof *seen);
    for (long i = 0; i < each * senders; i++) {
      MPI_Status status;
      if (is_nonblocking) {
        MPI_Request request;
        MPI_Irecv(x, n, MPI_DOUBLE, MPI_ANY_SOURCE, DATA, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
      } else MPI_Recv(x, n, MPI_DOUBLE, MPI_ANY_SOURCE, DATA, MPI_COMM_WORLD, &status);
      if (++seen[status.MPI_SOURCE] % ANSWER == 0) MPI_Send(x, 1, MPI_DOUBLE, status.MPI_SOURCE, BACK, MPI_COMM_WORLD);
    }
    free(seen);
  } else {
    for (long i = 0; i < each; i++)
      for (int to = 0; to < owners; to++) {
        MPI_Send(x, n, MPI_DOUBLE, to, DATA, MPI_COMM_WORLD);
        if ((i + 1) % ANSWER == 0) MPI_Recv(x, 1, MPI_DOUBLE, to, BACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double communicated = now() - begin, middle = cpu();
  begin = now();
  MPI_Finalize();
  if (rank == 0)
    printf("%ld messages %.6f s, MPI_Finalize %.6f s\n", each * owners * senders, communicated, now() - begin);
  if (argc > 3 && !strcmp(argv[3], "cpu"))
    printf("rank %d: %.6f s and %.6f s of processor time\n", rank, middle - used, cpu() - middle);
  free(x);
  return 0;
}
