// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many small programs in one file, each a case: "program NUMBER" is wrong and stands still, "program NUMBER ok" differs in the repair only.
// "program NUMBER,NUMBER... ok TIMES" runs several right ones, one after the other, so many times (repeat.sh).
#pragma once
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "busy.h"

enum { BIG = 1 << 18 };   // ints: more than any library sends eagerly
static int rank, size, ok, x, y, z[64], big[BIG], other_big[BIG];
static MPI_Request req[8];
static MPI_Comm world, comm;
#define IGNORE MPI_STATUS_IGNORE

// In the right programs one rank comes late, so that the others stand still for many looks of the watch.
static unsigned work = 100;   // millions of steps
static inline void late(int who) {
  if (ok && rank == who) compute_some(work);
}
#define recv(from, tag) MPI_Recv(&y, 1, MPI_INT, from, tag, world, IGNORE)   // the call's line is the case's
#define send(to, tag) MPI_Send(&x, 1, MPI_INT, to, tag, world)

static void run(int number);
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  world = MPI_COMM_WORLD;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  ok = argc > 2 && !strcmp(argv[2], "ok");
  int times = argc > 3 ? atoi(argv[3]) : 1;
  if (argc > 4) work = (unsigned)atoi(argv[4]);
  for (int i = 0; i < times; i++)
    for (char *list = argv[1]; *list; list += strspn(list, ",")) {
      run((int)strtol(list, &list, 10));
      MPI_Barrier(world);
    }
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
