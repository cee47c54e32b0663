// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: send modes, persistent requests, Sendrecv with MPI_PROC_NULL and wildcards, zero counts.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, right, left;

static void modes(void) {   // MPI-3.1 3.4, 3.6, 3.7.2
  int x = rank, y[8], bytes;
  MPI_Request r[8];
  MPI_Pack_size(4, MPI_INT, MPI_COMM_WORLD, &bytes);
  bytes += 4 * MPI_BSEND_OVERHEAD;
  void *buffer = malloc((size_t)bytes);
  MPI_Buffer_attach(buffer, bytes);
  for (int i = 0; i < 8; i++) MPI_Irecv(&y[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &r[i]);
  MPI_Barrier(MPI_COMM_WORLD);   // ready sends need the receives
  MPI_Send(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Ssend(&x, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
  MPI_Bsend(&x, 1, MPI_INT, right, 2, MPI_COMM_WORLD);
  MPI_Rsend(&x, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
  MPI_Request s[4];
  MPI_Isend(&x, 1, MPI_INT, right, 4, MPI_COMM_WORLD, &s[0]);
  MPI_Issend(&x, 1, MPI_INT, right, 5, MPI_COMM_WORLD, &s[1]);
  MPI_Ibsend(&x, 1, MPI_INT, right, 6, MPI_COMM_WORLD, &s[2]);
  MPI_Irsend(&x, 1, MPI_INT, right, 7, MPI_COMM_WORLD, &s[3]);
  MPI_Waitall(4, s, MPI_STATUSES_IGNORE);
  MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 8; i++) if (y[i] != left) abort();
  x = 5;
  MPI_Buffer_detach(&buffer, &bytes);
  free(buffer);
}

static void persistent(void) {   // MPI-3.1 3.9
  int x = 0, y = 0, z = 0;
  MPI_Request r[4], copy;
  MPI_Send_init(&x, 1, MPI_INT, right, 10, MPI_COMM_WORLD, &r[0]);
  MPI_Recv_init(&y, 1, MPI_INT, MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &r[1]);
  MPI_Ssend_init(&z, 1, MPI_INT, MPI_PROC_NULL, 10, MPI_COMM_WORLD, &r[2]);
  MPI_Recv_init(&z, 1, MPI_INT, MPI_PROC_NULL, 10, MPI_COMM_WORLD, &r[3]);
  for (int i = 0; i < 4; i++) {
    x = i;                        // inactive: the buffer is ours
    MPI_Startall(4, r);
    if (i & 1) MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    else for (int k = 0; k < 4; k++) { copy = r[k]; MPI_Wait(&copy, MPI_STATUS_IGNORE); }
    MPI_Barrier(MPI_COMM_WORLD);  // one wildcard at a time
    if (y != i) abort();
    y = -1;
  }
  MPI_Start(&r[1]);
  MPI_Start(&r[0]);
  int n, which[4], flag = 0;
  while (!flag) MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
  MPI_Waitsome(4, r, &n, which, MPI_STATUSES_IGNORE);   // all inactive
  if (n != MPI_UNDEFINED) abort();
  MPI_Waitany(4, r, &n, MPI_STATUS_IGNORE);
  if (n != MPI_UNDEFINED) abort();
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);                   // inactive: returns at once
  for (int k = 0; k < 4; k++) MPI_Request_free(&r[k]);
  x = y = z = 3;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void sendrecv(void) {   // MPI-3.1 3.10, 3.11
  int x = rank, y = -1;
  MPI_Status s;
  MPI_Sendrecv(&x, 1, MPI_INT, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, 1, &y, 1, MPI_INT, rank ? rank - 1 : MPI_PROC_NULL, 1,
               MPI_COMM_WORLD, &s);
  if (!rank && s.MPI_SOURCE != MPI_PROC_NULL) abort();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Sendrecv_replace(&x, 1, MPI_INT, right, 2, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (x != left) abort();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Sendrecv(NULL, 0, MPI_INT, right, 3, NULL, 0, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &s);
  MPI_Sendrecv(&x, 1, MPI_INT, rank, 4, &y, 1, MPI_INT, rank, 4, MPI_COMM_WORLD, &s);
  MPI_Sendrecv(&x, 1, MPI_INT, MPI_PROC_NULL, 7, &y, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int big[10];   // a longer receive (3.2.5)
  MPI_Request r;
  MPI_Isend(&x, 1, MPI_INT, right, 5, MPI_COMM_WORLD, &r);
  MPI_Recv(big, 10, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&x, 1, MPI_INT, right, 0, &y, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size, left = (rank + size - 1) % size;
  modes();
  persistent();
  sendrecv();
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
