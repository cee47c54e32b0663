// RUN: %mpicc-check -O1 -c %s -o %t.o 2>&1 | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handle that is lost where the loop makes the next one: the note at that place says so.
#include <mpi.h>

static void step(double *m) {
  MPI_Datatype column;
  // CHECK: lost-in-loop.c:[[#@LINE+2]]:3: warning: what MPI_Type_vector makes is never freed
  // CHECK: lost-in-loop.c:[[#@LINE+1]]:3: note: here its handle is lost when the loop makes the next one
  MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Bcast(m, 1, column, 0, MPI_COMM_WORLD);
}

void run(double *m) {
  for (int i = 0; i < 3; i++) step(m);
}
