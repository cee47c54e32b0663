// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=hang_time=1:log_limit=1 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=hang.computing
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 computes for long, and nobody waits for it: the others send each other messages, from call to call, of which their logs, which are full, have no
// events.
// CHECK: done
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BYTES = 1 << 22, FILLS = 40000 };
static volatile int x;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  int rank, goes_on = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *to = calloc(BYTES, 1), *from = calloc(BYTES, 1);
  if (rank != 1)
    for (int i = 0; i < FILLS; i++) MPI_Sendrecv(to, 1, MPI_CHAR, rank, 0, from, 1, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  double begin = now();
  while (rank == 1 ? now() - begin < 3 : goes_on) {
    if (rank == 1) {
      for (int i = 0; i < 100000; i++) x++;
      continue;
    }
    to[0] = rank == 0 && now() - begin < 4;
    MPI_Sendrecv(to, BYTES, MPI_CHAR, 2 - rank, 1, from, BYTES, MPI_CHAR, 2 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    goes_on = rank == 0 ? to[0] : from[0];
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  free(to), free(from);
  MPI_Finalize();
  return 0;
}
