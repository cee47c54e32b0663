// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times and results of the miniatures.
#include "measured.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double loop_wall, loop_cpu;

static double read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void measured_begin(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  loop_wall = read_clock(CLOCK_MONOTONIC), loop_cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void measured_end(void) {
  loop_cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID) - loop_cpu;
  MPI_Barrier(MPI_COMM_WORLD);
  loop_wall = read_clock(CLOCK_MONOTONIC) - loop_wall;
}

int measured_print(const char *name, int is_right) {
  int rank, are_right;
  double mine[2] = {loop_wall, loop_cpu}, most[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&is_right, &are_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Reduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: loop %.6f s, cpu %.6f s, %s\n", name, most[0], most[1], are_right ? "right" : "WRONG"), fflush(stdout);
  return are_right;
}

// The largest size that this process has had. (ru_maxrss counts what mpirun had before it started the program.)
static long find_memory(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long kib = 0;
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "VmHWM: %ld", &kib) == 1) break;
  if (file) fclose(file);
  return kib;
}

int measured_finish(int is_right) {
  double begin = read_clock(CLOCK_MONOTONIC);
  MPI_Finalize();
  double end = read_clock(CLOCK_MONOTONIC);
  char line[128]; // in one piece: the ranks share the output
  snprintf(line, sizeof line, "used %ld KiB, cpu %.6f s, finalize %.6f s\n", find_memory(),
           read_clock(CLOCK_PROCESS_CPUTIME_ID), end - begin);
  fputs(line, stdout);
  fflush(stdout);
  return is_right ? 0 : 1;
}

long measured_argument(int argc, char **argv, int place, long otherwise, long least) {
  long value = argc > place ? atol(argv[place]) : otherwise;
  if (value < least) {
    fprintf(stderr, "%s: argument %d must be at least %ld\n", argv[0], place, least);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return value;
}
