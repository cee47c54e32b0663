// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time from a deadlock to its report. It begins when the last rank enters its last call: each rank writes the clock
// to stderr right before. It ends when the process that started mpirun reads the first byte of the report. So it
// includes the watch's proof, the layout of the graph by dot, and mpirun's forwarding. usage: deadlock RUNS COMMAND...
// runs COMMAND (mpirun ... deadlock KIND) so many times
//        mpirun -n N deadlock KIND  KIND: recv, send (around a ring), barrier (rank 0, the last, is in a receive)
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "measure.h"

static void stand(const char *kind) {
  static int big[1 << 18];
  int rank, size, x;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &x, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (double begin = now(); rank == 0 && now() - begin < 0.5;) {} // the other ranks wait already when this one stops
  fprintf(stderr, "stops %.9f\n", now());
  if (!strcmp(kind, "send")) MPI_Send(big, 1 << 18, MPI_INT, right, 0, MPI_COMM_WORLD);
  if (!strcmp(kind, "barrier") && rank > 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Recv(&x, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Returns the seconds from the last stop to the first byte of the report; negative: there was no report.
static double run(char **command) {
  int out[2];
  if (pipe(out)) return -1;
  pid_t child = fork();
  if (child == 0) {
    dup2(out[1], 2);
    close(out[0]), close(out[1]);
    execvp(command[0], command);
    _exit(127);
  }
  close(out[1]);
  FILE *lines = fdopen(out[0], "r");
  char line[4096];
  double last = 0, report = -1;
  while (lines && fgets(line, sizeof line, lines)) {
    double t = now();
    const char *stop = strstr(line, "stops ");
    if (stop && atof(stop + 6) > last) last = atof(stop + 6);
    if (report < 0 && strstr(line, "==mpicc-check== ERROR [deadlock]")) report = t;
  }
  if (lines) fclose(lines);
  waitpid(child, NULL, 0);
  return report < 0 || last <= 0 ? -1 : report - last;
}

int main(int argc, char **argv) {
  int runs = argc > 1 ? atoi(argv[1]) : 0;
  if (runs > 0 && argc > 2) {
    double *times = malloc(sizeof *times * (size_t)runs);
    int n = 0;
    for (int i = 0; times && i < runs; i++) {
      times[n] = run(argv + 2);
      n += times[n] >= 0;
    }
    if (n)
      printf("%d of %d told: median %.3f s, 90 %% %.3f s, most %.3f s\n", n, runs, quantile(times, n, 0.5),
             quantile(times, n, 0.9), times[n - 1]);
    else printf("none of %d told\n", runs);
    free(times);
    return n < runs;
  }
  if (argc < 2) return 2;
  MPI_Init(&argc, &argv);
  stand(argv[1]);
  MPI_Finalize();
  return 0;
}
