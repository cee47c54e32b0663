// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=polling_time=1:watch_period=10 %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that probe in vain for longer than six times polling_time, and wait for something else as well: they end by themselves, and nothing is said.
// CHECK: done
// CHECK: no errors found
#include <fcntl.h>
#include <mpi.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {   // no call of MPI
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  int rank, flag = 0, x = 0, pipes[2], zero = open("/dev/zero", O_RDONLY);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (pipe(pipes) || zero < 0) return 1;
  for (double begin = now(); rank < 3 && now() - begin < 8;) {
    char c;
    MPI_Iprobe(3, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    struct pollfd p = {.fd = pipes[0], .events = POLLIN};
    if (rank == 1) poll(&p, 1, 2);   // a command may come
    else usleep(2000);
    if (rank == 0 && read(zero, &c, 1) != 1) return 1;
    if (rank == 2) MPI_Wtime();
  }
  if (rank < 3) MPI_Send(&x, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
  for (int i = 0; rank == 3 && i < 3; i++) MPI_Recv(&x, 1, MPI_INT, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 3) printf("done\n");
  MPI_Finalize();
  return 0;
}
