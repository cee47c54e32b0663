// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: requests started many times, freed or cancelled while active, copied, generalized, asked for their status; sends in all modes.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int rank, size, right, left;
static int query(void *s, MPI_Status *st) {
  (void)s;
  MPI_Status_set_elements(st, MPI_INT, 3);
  MPI_Status_set_cancelled(st, 0);
  st->MPI_SOURCE = 5;
  st->MPI_TAG = 6;
  return 0;
}
static int freefn(void *s) {
  (*(int *)s)++;
  return 0;
}
static int cancelfn(void *s, int complete) {
  (void)s;
  (void)complete;
  return 0;
}
static void generalized(void) {
  int n = 0, flag, idx;
  MPI_Request r[3];
  MPI_Status st;
  for (int i = 0; i < 3; i++) MPI_Grequest_start(query, freefn, cancelfn, &n, &r[i]);
  MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
  if (flag) abort();
  MPI_Grequest_complete(r[0]);
  MPI_Wait(&r[0], &st);
  int c;
  MPI_Get_elements(&st, MPI_INT, &c);
  if (c != 3 || st.MPI_SOURCE != 5) abort();
  MPI_Grequest_complete(r[2]);
  MPI_Waitany(3, r, &idx, MPI_STATUS_IGNORE);
  if (idx != 2) abort();
  MPI_Cancel(&r[1]);
  MPI_Grequest_complete(r[1]);
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  if (n != 3) abort();
}
static void persistent(void) {
  int b[4] = {0}, s[4];
  MPI_Request r[4];
  MPI_Recv_init(&b[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Send_init(&s[0], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Recv_init(&b[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &r[2]);
  MPI_Ssend_init(&s[1], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &r[3]);
  for (int i = 0; i < 50; i++) {
    s[0] = s[1] = i;
    MPI_Startall(4, r);
    if (i % 3 == 0) MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    else if (i % 3 == 1) {
      int n = 0, out, idx[4];
      while (n < 4) {
        MPI_Waitsome(4, r, &out, idx, MPI_STATUSES_IGNORE);
        n += out;
      }
    } else {
      for (int k = 0; k < 4; k++) {
        int idx;
        MPI_Waitany(4, r, &idx, MPI_STATUS_IGNORE);
      }
    }
    if (b[0] != i || b[1] != i) abort();
    b[0] = b[1] = -1;
  }
  int flag, idx, out, ix[4];
  MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
  if (!flag) abort(); // inactive
  MPI_Waitany(4, r, &idx, MPI_STATUS_IGNORE);
  if (idx != MPI_UNDEFINED) abort();
  MPI_Testany(4, r, &idx, &flag, MPI_STATUS_IGNORE);
  if (!flag) abort();
  MPI_Testsome(4, r, &out, ix, MPI_STATUSES_IGNORE);
  if (out != MPI_UNDEFINED) abort();
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  MPI_Testall(4, r, &flag, MPI_STATUSES_IGNORE);
  // freed while active (send): buffer in use until the ack
  s[0] = 77;
  MPI_Startall(2, r);
  MPI_Request_free(&r[1]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  s[0] = 0;
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[2]);
  MPI_Request_free(&r[3]);
  // started, cancelled
  MPI_Recv_init(&b[0], 1, MPI_INT, left, 99, MPI_COMM_WORLD, &r[0]);
  for (int i = 0; i < 3; i++) {
    MPI_Start(&r[0]);
    MPI_Cancel(&r[0]);
    MPI_Status st;
    MPI_Wait(&r[0], &st);
    MPI_Test_cancelled(&st, &flag);
    if (!flag) abort();
    b[0] = 1;
  }
  MPI_Request_free(&r[0]);
  // to nobody
  MPI_Send_init(&s, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Recv_init(&b, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Startall(2, r);
  b[0] = s[0];
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
}
static void freed(void) {
  int *big = malloc(1 << 20), got = 0, x = 4;
  MPI_Request r, q;
  memset(big, 1, 1 << 20);
  MPI_Irecv(&got, 1, MPI_INT, left, 7, MPI_COMM_WORLD, &r);
  MPI_Isend(big, 1 << 18, MPI_INT, right, 8, MPI_COMM_WORLD, &q);
  MPI_Request_free(&q);
  MPI_Isend(&x, 1, MPI_INT, right, 7, MPI_COMM_WORLD, &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  int *in = malloc(1 << 20);
  MPI_Recv(in, 1 << 18, MPI_INT, left, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(&x, 1, MPI_INT, right, 9, left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  big[0] = in[0] = got;
  free(big);
  free(in);
}
static void cancelled(void) {
  int x = 0, flag, idx;
  MPI_Request r[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status st;
  MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 55, MPI_COMM_WORLD, &r[1]);
  MPI_Cancel(&r[1]);
  MPI_Waitany(3, r, &idx, &st);
  if (idx != 1) abort();
  MPI_Test_cancelled(&st, &flag);
  if (!flag) abort();
  x = 3;
  MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &r[0]);
  MPI_Cancel(&r[0]);
  MPI_Request_free(&r[0]);
  MPI_Irecv(&x, 1, MPI_INT, left, 56, MPI_COMM_WORLD, &r[2]);
  MPI_Cancel(&r[2]);
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  x++;
  MPI_Irecv(&x, 1, MPI_INT, left, 57, MPI_COMM_WORLD, &r[2]);
  MPI_Barrier(MPI_COMM_WORLD);
  int y = 1;
  MPI_Send(&y, 1, MPI_INT, right, 57, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  // maybe matched already: cancel may fail, both are right
  MPI_Cancel(&r[2]);
  MPI_Wait(&r[2], &st);
  MPI_Test_cancelled(&st, &flag);
  if (flag) MPI_Recv(&x, 1, MPI_INT, left, 57, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  x = 0;
  // reused request variable, copies of handles
  MPI_Request a, b;
  int u = 1, v = 2, w[2];
  MPI_Isend(&u, 1, MPI_INT, right, 60, MPI_COMM_WORLD, &a);
  b = a;
  a = MPI_REQUEST_NULL;
  MPI_Isend(&v, 1, MPI_INT, right, 61, MPI_COMM_WORLD, &a);
  MPI_Wait(&b, MPI_STATUS_IGNORE);
  u = 0;
  MPI_Wait(&a, MPI_STATUS_IGNORE);
  v = 0;
  MPI_Recv(&w[0], 1, MPI_INT, left, 60, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&w[1], 1, MPI_INT, left, 61, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // MPI_Request_get_status does not complete, but says that it is
  MPI_Irecv(&w[0], 1, MPI_INT, left, 62, MPI_COMM_WORLD, &a);
  MPI_Send(&v, 1, MPI_INT, right, 62, MPI_COMM_WORLD);
  do MPI_Request_get_status(a, &flag, MPI_STATUS_IGNORE);
  while (!flag);
  w[1] = w[0];
  w[0] = 3; // complete (MPI-3.1 3.7.6)
  MPI_Wait(&a, &st);
}
static void sends(void) {
  int z[8], s, pos;
  char *buf;
  MPI_Status st;
  for (int i = 0; i < 8; i++) z[i] = rank;
  MPI_Sendrecv_replace(z, 8, MPI_INT, right, 1, left, 1, MPI_COMM_WORLD, &st);
  if (z[7] != left) abort();
  MPI_Sendrecv_replace(z, 8, MPI_INT, right, 1, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int own[8];
  MPI_Request early;
  MPI_Irecv(own, 8, MPI_INT, rank, 3, MPI_COMM_WORLD, &early);
  MPI_Sendrecv(z, 8, MPI_INT, rank, 3, NULL, 0, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &st);
  MPI_Wait(&early, &st);
  for (int k = 0; k < 3; k++) {
    MPI_Pack_size(8, MPI_INT, MPI_COMM_WORLD, &s);
    s = 2 * (s + MPI_BSEND_OVERHEAD);
    buf = malloc(s);
    MPI_Buffer_attach(buf, s);
    MPI_Bsend(z, 8, MPI_INT, right, 5, MPI_COMM_WORLD);
    z[0]++;
    MPI_Request r;
    MPI_Ibsend(z, 8, MPI_INT, right, 6, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    z[0]++;
    int in[8];
    MPI_Recv(in, 8, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in, 8, MPI_INT, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    void *p;
    MPI_Buffer_detach(&p, &s);
    memset(p, 0, s);
    free(p);
  }
  MPI_Send(NULL, 0, MPI_INT, right, 9, MPI_COMM_WORLD);
  MPI_Recv(NULL, 0, MPI_CHAR, left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(NULL, 0, MPI_DOUBLE, right, 9, MPI_COMM_WORLD);
  MPI_Recv(z, 8, MPI_INT, left, 9, MPI_COMM_WORLD, &st);
  MPI_Get_count(&st, MPI_INT, &s);
  if (s) abort();
  // the same buffer sent several times at once, read meanwhile (3.7.2: only modifying is wrong)
  MPI_Request q[6];
  int in[6][8], sum = 0;
  for (int i = 0; i < 3; i++) MPI_Irecv(in[i], 8, MPI_INT, left, 10 + i, MPI_COMM_WORLD, &q[3 + i]);
  for (int i = 0; i < 3; i++) MPI_Isend(z, 8, MPI_INT, right, 10 + i, MPI_COMM_WORLD, &q[i]);
  for (int i = 0; i < 8; i++) sum += z[i];
  MPI_Sendrecv(z, 8, MPI_INT, right, 20, in[5], 8, MPI_INT, left, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(6, q, MPI_STATUSES_IGNORE);
  z[0] = sum;
  char pk[64];
  pos = 0;
  MPI_Pack(z, 4, MPI_INT, pk, 64, &pos, MPI_COMM_WORLD);
  MPI_Sendrecv(pk, pos, MPI_PACKED, right, 30, z, 4, MPI_INT, left, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(z, 4, MPI_INT, right, 31, pk, 64, MPI_PACKED, left, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pos = 0;
  MPI_Unpack(pk, 64, &pos, z, 4, MPI_INT, MPI_COMM_WORLD);
  MPI_Sendrecv(z, 16, MPI_BYTE, right, 32, pk, 64, MPI_BYTE, left, 32, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Request rr;
  MPI_Irecv(z, 8, MPI_INT, left, 40, MPI_COMM_WORLD, &rr);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rsend(in[0], 8, MPI_INT, right, 40, MPI_COMM_WORLD);
  MPI_Wait(&rr, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Pcontrol(0);
  MPI_Pcontrol(2, "x", 3.0);
  MPI_Pcontrol(1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size, left = (rank + size - 1) % size;
  generalized();
  persistent();
  freed();
  cancelled();
  sends();
  if (!rank) puts("done");
  MPI_Finalize();
}
