// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request of a generalized operation is lost.
// CHECK: ==mpicc-check== ERROR [request.overwritten] the request made by MPI_Grequest_start is never completed: its variable was used for another one
#include <mpi.h>

static int query(void *x, MPI_Status *s) { (void)x; return MPI_Status_set_elements(s, MPI_INT, 0), MPI_Status_set_cancelled(s, 0); }
static int release(void *x) { (void)x; return MPI_SUCCESS; }
static int cancel(void *x, int complete) { (void)x, (void)complete; return MPI_SUCCESS; }

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request r;
  // CHECK: MPI_Grequest_start on rank 0 {{.*}}grequest-overwritten.c:[[#@LINE+1]] in main
  MPI_Grequest_start(query, release, cancel, NULL, &r);
  // CHECK: overwritten {{.*}}grequest-overwritten.c:[[#@LINE+1]] in main
  MPI_Grequest_start(query, release, cancel, NULL, &r);
  MPI_Grequest_complete(r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
