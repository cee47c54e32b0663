// RUN: %mpicc-check %s -o %t -pthread
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An error handler leaves MPI_Isend by a jump under MPI_THREAD_MULTIPLE; then the thread waits for another one, which calls MPI. That must
// not wait for a lock of ours.
// CHECK-DAG: ==mpicc-check== ERROR [arg.rank]
// CHECK-DAG: done
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static void leave(MPI_Comm *comm, int *code, ...) {
  (void)comm, (void)code;
  longjmp(back, 1);
}

static void *work(void *x) {
  MPI_Request r[2];
  int y;
  MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[0]);
  MPI_Isend(x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return x;
}

int main(int argc, char **argv) {
  int level, x = 0;
  MPI_Errhandler handler;
  MPI_Request r = MPI_REQUEST_NULL;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_create_errhandler(leave, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  if (!setjmp(back)) {
    // CHECK: MPI_Isend on rank 0 {{.*}}left.c:[[#@LINE+1]] in main
    MPI_Isend(&x, 1, MPI_INT, 100, 0, MPI_COMM_WORLD, &r);
  }
  pthread_create(&thread, NULL, work, &x);
  pthread_join(thread, NULL);
  MPI_Errhandler_free(&handler);
  fprintf(stderr, "done\n");
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings
