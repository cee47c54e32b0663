// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffered send without a buffer.
// CHECK: ==mpicc-check== ERROR [buffer.attach] MPI_Bsend, but no buffer is attached
#include <mpi.h>
static char room[sizeof(int[4]) + MPI_BSEND_OVERHEAD], more[sizeof room];

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int x[4] = {0};
  // CHECK: MPI_Bsend on rank 0 {{.*}}buffer-none.c:[[#@LINE+1]] in main
  int rc = MPI_Bsend(x, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
  // Open MPI sends it all the same: an event like any other, which the receive finds.
  if (rc == MPI_SUCCESS) MPI_Recv(x, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
