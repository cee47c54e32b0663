// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 --mca btl_vader_single_copy_mechanism none %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: wildcards that complete out of order, completion calls with null and inactive requests, copies of handles, cancelled receives, freed requests.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BIG = 1 << 18 };
static int rank, size;

static void out_of_order(void) {   // MPI-3.1 3.5: matching is in order, completion is not
  static char big[2][BIG], small[64];
  MPI_Request r[3], s[3];
  int order[3], n = 0;
  if (rank == 0) {
    for (int i = 0; i < 2; i++) MPI_Irecv(big[i], BIG, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r[i]);
    MPI_Irecv(small, 64, MPI_CHAR, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &r[2]);
    MPI_Barrier(MPI_COMM_WORLD);
    while (n < 3) {
      int k;
      MPI_Waitany(3, r, &k, MPI_STATUS_IGNORE);
      order[n++] = k;
    }
    if (order[0] + order[1] + order[2] != 3) abort();
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
      for (int i = 0; i < 2; i++) MPI_Isend(big[i], BIG, MPI_CHAR, 0, i, MPI_COMM_WORLD, &s[i]);
      MPI_Isend(small, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &s[2]);
      MPI_Waitall(3, s, MPI_STATUSES_IGNORE);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void tests(void) {   // MPI-3.1 3.7.3, 3.7.5
  MPI_Request r[6];
  int flag, index, n, which[6], x[6] = {0}, y[6];
  for (int i = 0; i < 6; i++) r[i] = MPI_REQUEST_NULL;
  MPI_Testany(6, r, &index, &flag, MPI_STATUS_IGNORE);
  if (!flag || index != MPI_UNDEFINED) abort();
  MPI_Testsome(6, r, &n, which, MPI_STATUSES_IGNORE);
  MPI_Testall(6, r, &flag, MPI_STATUSES_IGNORE);
  MPI_Waitany(0, NULL, &index, MPI_STATUS_IGNORE);
  MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
  MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int round = 0; round < 4; round++) {   // the array is used again
    for (int i = 0; i < 3; i++) MPI_Irecv(&y[i], 1, MPI_INT, i == 1 ? MPI_ANY_SOURCE : left, i, MPI_COMM_WORLD, &r[2 * i]);
    for (int i = 0; i < 3; i++) MPI_Isend(&x[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &r[2 * i + 1]);
    int left_over = 6;
    while (left_over) {
      if (round == 0) { MPI_Waitsome(6, r, &n, which, MPI_STATUSES_IGNORE); left_over -= n; }
      else if (round == 1) { MPI_Testsome(6, r, &n, which, MPI_STATUSES_IGNORE); left_over -= n; }
      else if (round == 2) { MPI_Testany(6, r, &index, &flag, MPI_STATUS_IGNORE); left_over -= flag; }
      else for (int i = 0; i < 6; i++) { MPI_Test(&r[i], &flag, MPI_STATUS_IGNORE); if (flag && left_over) left_over--; else if (!flag) i--; }
    }
    for (int i = 0; i < 3; i++) x[i] += y[i] + 1;
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void copies(void) {   // MPI-3.1 3.7: handles may be copied
  static int x[BIG / 4], y[BIG / 4];
  for (int n = 1; n; n = n == 1 ? BIG / 4 : 0) {
    MPI_Request r, s, saved[2];
    MPI_Irecv(y, n, MPI_INT, rank, 7, MPI_COMM_WORLD, &r);
    saved[1] = r;
    MPI_Isend(x, n, MPI_INT, rank, 7, MPI_COMM_WORLD, &s);
    saved[0] = s;
    MPI_Isend(x, 1, MPI_INT, rank, 8, MPI_COMM_WORLD, &s);   // s written again: the first lives on in saved[0]
    MPI_Recv(&(int){0}, 1, MPI_INT, rank, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&saved[0], MPI_STATUS_IGNORE);
    MPI_Wait(&saved[1], MPI_STATUS_IGNORE);
    MPI_Wait(&s, MPI_STATUS_IGNORE);
    x[0] = y[0] + 1;
  }
  MPI_Request list[10], *end = list;   // a list that is compacted as requests end
  for (int i = 0; i < 5; i++) MPI_Isend(&x[i], 1, MPI_INT, rank, 20 + i, MPI_COMM_WORLD, end++);
  for (int i = 0; i < 5; i++) MPI_Irecv(&y[i], 1, MPI_INT, rank, 20 + i, MPI_COMM_WORLD, end++);
  while (end > list) {
    int k, flag;
    MPI_Testany((int)(end - list), list, &k, &flag, MPI_STATUS_IGNORE);
    if (flag) list[k] = *--end;
  }
  for (int i = 0; i < 5; i++) x[i] = y[i] + 1;
}

static void cancelled(void) {   // MPI-3.1 3.8.4, 3.7.3
  int y, flag, x = 1;
  MPI_Request r, s;
  MPI_Status status;
  MPI_Irecv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &r);
  MPI_Cancel(&r);
  MPI_Wait(&r, &status);
  MPI_Test_cancelled(&status, &flag);
  y = 2;
  if (!flag) abort();
  MPI_Irecv(&y, 1, MPI_INT, rank, 98, MPI_COMM_WORLD, &r);
  MPI_Cancel(&r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Irecv(&y, 1, MPI_INT, rank, 97, MPI_COMM_WORLD, &r);
  MPI_Cancel(&r);
  MPI_Request_free(&r);
  MPI_Isend(&x, 1, MPI_INT, rank, 98, MPI_COMM_WORLD, &s);
  MPI_Request_free(&s);   // active: ends by itself; the message that comes back says so
  MPI_Recv(&y, 1, MPI_INT, rank, 98, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  x = y;
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  out_of_order();
  tests();
  copies();
  cancelled();
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
