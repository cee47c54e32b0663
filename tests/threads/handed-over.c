// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program asks for MPI_THREAD_MULTIPLE, and one thread hands MPI over to the next one: their calls have one order in
// every run, so all is judged as with one thread. With -DBOTH the threads call MPI at the same time.
// RUN: %mpicc-check -g -O1 %s -o %t -pthread
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='ERROR' --implicit-check-not='NOTE [unchecked]'
// RUN: %mpicc-check -g -O1 -DBOTH %s -o %t.both -pthread
// RUN: %mpirun-check -n 3 %t.both 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: NOTE [unchecked] several threads called MPI, so not all messages could be compared
#include <mpi.h>
#include <pthread.h>

static int rank, x[1000], y[1000];

// Both send first: any library may wait here.
// CHECK-DAG: WARNING [deadlock.buffering]
// CHECK-DAG: rank 1 would wait in MPI_Send({{.*}}handed-over.c:[[#@LINE+3]] in swap
static void swap(void) {
  int other = 3 - rank;
  MPI_Send(x, 1000, MPI_INT, other, 7, MPI_COMM_WORLD);
  MPI_Recv(y, 1000, MPI_INT, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void *collect(void *unused) {
  if (rank == 0) {
    // CHECK-DAG: NOTE [message.race]
    // CHECK-DAG: MPI_Recv by rank 0 {{.*}}handed-over.c:[[#@LINE+1]] in collect
    MPI_Recv(x, 4, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(x, 4, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(x, rank == 1 ? 4 : 2, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (rank == 2) MPI_Send(x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
  }
  return unused;
}

int main(int argc, char **argv) {
  int level;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (level < MPI_THREAD_MULTIPLE) return 1;
#ifdef BOTH
  if (rank == 1) MPI_Recv(y, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pthread_create(&thread, NULL, collect, NULL);
  if (rank == 2) MPI_Send(y, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(y, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pthread_join(thread, NULL);
#else
  pthread_create(&thread, NULL, collect, NULL);
  pthread_join(thread, NULL);
  if (rank == 1) MPI_Recv(y, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank) swap();
#endif
  MPI_Finalize();
  return 0;
}
