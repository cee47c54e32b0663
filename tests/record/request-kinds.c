// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests of files, windows and generalized requests that nobody completes.
#include <mpi.h>

static int query(void *extra, MPI_Status *s) { (void)extra; MPI_Status_set_elements(s, MPI_INT, 0), MPI_Status_set_cancelled(s, 0); return MPI_SUCCESS; }
static int release(void *extra) { (void)extra; return MPI_SUCCESS; }
static int cancel(void *extra, int complete) { (void)extra, (void)complete; return MPI_SUCCESS; }

int main(int argc, char **argv) {
  static char text[4];
  MPI_File file;
  MPI_Request request[2];
  MPI_Init(&argc, &argv);
  // CHECK-DAG: MPI_Grequest_start on rank 0 {{.*}}request-kinds.c:[[#@LINE+1]] in main
  MPI_Grequest_start(query, release, cancel, NULL, &request[0]);
  MPI_Grequest_complete(request[0]);
  MPI_File_open(MPI_COMM_SELF, argv[0], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  // CHECK-DAG: MPI_File_iread_at {{.*}}request-kinds.c:[[#@LINE+1]] in main
  MPI_File_iread_at(file, 0, text, 4, MPI_CHAR, &request[1]);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
// CHECK-DAG: ERROR [request.not-completed] the operation started by MPI_Grequest_start is never completed
// CHECK-DAG: ERROR [io.pending] MPI_File_close of a file with an operation that is not complete
// CHECK: ==mpicc-check== 2 errors, 0 warnings, 0 notes
