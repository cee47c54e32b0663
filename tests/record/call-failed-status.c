// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the requests failed, and why (MPI-3.1 3.7.5).
// CHECK: ==mpicc-check== ERROR [call.failed] MPI_Waitall returned an error: MPI_ERR_IN_STATUS
#include <mpi.h>

static int query(void *fails, MPI_Status *status) {
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
  status->MPI_ERROR = fails ? MPI_ERR_IO : MPI_SUCCESS;
  return status->MPI_ERROR;
}
static int release(void *extra) { return (void)extra, MPI_SUCCESS; }
static int cancel(void *extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

int main(int argc, char **argv) {
  int rank, x = 1, y;
  MPI_Request r[3];
  MPI_Status s[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Irecv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[2]);
  MPI_Grequest_start(query, release, cancel, &x, &r[1]);
  MPI_Grequest_complete(r[1]);
  // CHECK: MPI_Waitall on rank 0 {{.*}}call-failed-status.c:[[#@LINE+3]] in main
  // CHECK: request 1, MPI_Grequest_start {{.*}}call-failed-status.c:[[#@LINE-3]] in main
  // CHECK: request 1 failed, made by MPI_Grequest_start: MPI_ERR_IO: input/output error
  if (MPI_Waitall(3, r, s) != MPI_ERR_IN_STATUS) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
