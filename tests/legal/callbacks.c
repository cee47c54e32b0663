// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: operations that call MPI, attribute callbacks at the end, error handlers that return, PMPI_ calls, MPI_Pcontrol, generalized requests.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, errors;

static void add(void *in, void *inout, int *n, MPI_Datatype *t) {   // MPI-3.1 5.9.5
  int bytes;
  MPI_Type_size(*t, &bytes);
  double start = MPI_Wtime();
  for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i] + (bytes != 4) + (start < 0);
}
static void count_error(MPI_Comm *c, int *code, ...) {   // 8.3.1
  int class, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Error_class(*code, &class);
  MPI_Error_string(*code, text, &length);
  (void)c;
  errors++;
}
// 8.7.1: runs in MPI_Finalize, where MPI still works
static int at_finalize(MPI_Comm c, int key, void *value, void *extra) {
  MPI_Comm *kept = value;
  (void)c, (void)key, (void)extra;
  MPI_Comm_free(kept);
  return MPI_SUCCESS;
}
static int copy(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag) {   // 6.7.2: a communicator with each copy
  MPI_Comm *mine = malloc(sizeof *mine);
  (void)key, (void)extra, (void)in;
  MPI_Comm_split(c, 0, 0, mine);
  *(void **)out = mine, *flag = 1;
  return MPI_SUCCESS;
}
static int drop(MPI_Comm c, int key, void *value, void *extra) {
  (void)c, (void)key, (void)extra;
  MPI_Comm_free(value);
  free(value);
  return MPI_SUCCESS;
}
static int query(void *extra, MPI_Status *s) { (void)extra; MPI_Status_set_elements(s, MPI_INT, 0), MPI_Status_set_cancelled(s, 0); s->MPI_SOURCE = s->MPI_TAG = MPI_UNDEFINED; return MPI_SUCCESS; }
static int release(void *extra) { (void)extra; return MPI_SUCCESS; }
static int cancel(void *extra, int complete) { (void)extra, (void)complete; return MPI_SUCCESS; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[2] = {rank, 1}, y[2], key, flag;
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  MPI_Allreduce(x, y, 2, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Scan(x, y, 2, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Reduce_local(x, y, 2, MPI_INT, op);
  MPI_Request r;
  MPI_Iallreduce(x, y, 2, MPI_INT, op, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Op_free(&op);

  MPI_Errhandler handler, old;
  MPI_Comm c, d;
  MPI_Comm_dup(MPI_COMM_WORLD, &c);
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(c, handler);
  MPI_Comm_get_errhandler(c, &old);
  MPI_Errhandler_free(&old), MPI_Errhandler_free(&handler);
  MPI_Comm_call_errhandler(c, MPI_ERR_OTHER);
  MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
  MPI_Bcast(x, 1, MPI_INT, 0, c);
  MPI_Comm_free(&c);

  // attributes
  MPI_Comm *kept = malloc(sizeof *kept), *mine = malloc(sizeof *mine);
  MPI_Comm_dup(MPI_COMM_WORLD, kept);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, kept);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_create_keyval(copy, drop, &key, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &c), MPI_Comm_dup(MPI_COMM_WORLD, mine);
  MPI_Comm_set_attr(c, key, mine);
  for (int i = 0; i < 3; i++) {
    MPI_Comm *inner;
    MPI_Comm_dup(c, &d);
    MPI_Comm_get_attr(d, key, &inner, &flag);
    MPI_Sendrecv(x, 1, MPI_INT, (rank + 1) % size, i, y, 1, MPI_INT, MPI_ANY_SOURCE, i, *inner, MPI_STATUS_IGNORE);
    MPI_Barrier(*inner);
    MPI_Comm_free(&d);
  }
  MPI_Comm_free(&c);
  MPI_Comm_free_keyval(&key);

  // the program's own use of the profiling interface (14.2)
  MPI_Pcontrol(1);
  MPI_Pcontrol(0, "anything");
  PMPI_Comm_dup(MPI_COMM_WORLD, &c);
  MPI_Sendrecv(x, 1, MPI_INT, (rank + 1) % size, 0, y, 1, MPI_INT, MPI_ANY_SOURCE, 0, c, MPI_STATUS_IGNORE);
  MPI_Barrier(c);
  PMPI_Comm_free(&c);
  PMPI_Barrier(MPI_COMM_WORLD);
  PMPI_Sendrecv(x, 1, MPI_INT, (rank + 1) % size, 0, y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  // generalized requests (12.2)
  MPI_Grequest_start(query, release, cancel, NULL, &r);
  MPI_Grequest_complete(r);
  MPI_Request two[2] = {r, MPI_REQUEST_NULL};
  MPI_Isend(x, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, &two[1]);
  MPI_Recv(y, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
  if (!rank) puts("done");
  MPI_Finalize();
  return errors != 1;
}
