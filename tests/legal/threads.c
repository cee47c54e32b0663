// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: several threads communicate at once (MPI-3.1 12.4), on one communicator and on their own.
// CHECK: done
// CHECK: NOTE [unchecked] several threads called MPI
// CHECK: ==mpicc-check== 0 errors, 0 warnings
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 200 };
static int rank, size;
static MPI_Comm comms[THREADS];

static void *work(void *argument) {
  int me = (int)(long)argument, right = (rank + 1) % size, left = (rank + size - 1) % size, flag, n, which[4];
  double out[2][64] = {{0}}, in[2][64];
  MPI_Request r[4];
  for (int i = 0; i < ROUNDS; i++) {
    int count = i % 3 ? 64 : 1;
    MPI_Irecv(in[0], 64, MPI_DOUBLE, left, me, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(in[1], 64, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[me], &r[1]);
    MPI_Isend(out[0], count, MPI_DOUBLE, right, me, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(out[1], count, MPI_DOUBLE, right, i, comms[me], &r[3]);
    switch (i % 5) {
      case 0: MPI_Waitall(4, r, MPI_STATUSES_IGNORE); break;
      case 1: for (int k = 0; k < 4; k++) MPI_Wait(&r[k], MPI_STATUS_IGNORE); break;
      case 2: for (int k = 0; k < 4; k++) MPI_Waitany(4, r, &n, MPI_STATUS_IGNORE); break;
      case 3: for (int k = 0; k < 4; k += n) MPI_Waitsome(4, r, &n, which, MPI_STATUSES_IGNORE); break;
      case 4: do MPI_Testall(4, r, &flag, MPI_STATUSES_IGNORE); while (!flag); break;
    }
    for (int k = 0; k < 64; k++) out[0][k] += in[0][0], out[1][k] += in[1][0];
    if (i % 50 == 0) {
      MPI_Barrier(comms[me]);
      MPI_Datatype t;
      MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &t), MPI_Type_commit(&t);
      MPI_Sendrecv(out[0], 1, t, right, 1000, in[0], 4, MPI_DOUBLE, left, 1000, comms[me], MPI_STATUS_IGNORE);
      MPI_Type_free(&t);
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  int level;
  pthread_t threads[THREADS];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < THREADS; i++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  if (level == MPI_THREAD_MULTIPLE) {
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  }
  for (int i = 0; i < THREADS; i++) MPI_Comm_free(&comms[i]);
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
