// RUN: %mpicc-check %s -o %t -pthread
// The library is not to end what is called too late: without its look at arguments it does not.
// RUN: %expect 0,66 %mpirun-check --mca mpi_param_check 0 -n 2 %t > %t.out 2>&1
// RUN: FileCheck %s --input-file=%t.out --implicit-check-not='signal 11' --implicit-check-not=Segmentation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second thread makes its first call, which it must not, while the main one is in MPI_Finalize: it waits until the main one is out of its hooks,
// without looking at a log that has been ended meanwhile (the process died of that). Whether it is reported (thread.level) depends on how far the
// main thread is; nothing else can be wrong with this run.
// CHECK: done
// CHECK: ==mpicc-check== {{no errors found|[0-9]+ errors?,}}
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int is_finalizing, is_asking;
static void *ask(void *arg) {
  int is_over = 0, size;
  while (!is_finalizing) {}
  is_asking = 1;
  MPI_Type_size(MPI_INT, &size);
  while (!is_over) MPI_Finalized(&is_over);
  return arg;
}

static int deleted(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  is_finalizing = 1;
  while (!is_asking) {}
  return MPI_SUCCESS;
}

int main(int argc, char **argv) {
  int rank, provided, keyval;
  pthread_t t;
  pthread_create(&t, NULL, ask, NULL);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);   // deleted at the beginning of MPI_Finalize
  MPI_Comm_free_keyval(&keyval);
  if (!rank) puts("done"), fflush(stdout);
  MPI_Finalize();
  pthread_join(t, NULL);
}
