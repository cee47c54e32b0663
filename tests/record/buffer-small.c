// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message that is larger than the attached buffer.
// CHECK: ==mpicc-check== ERROR [buffer.attach] the message of MPI_Ibsend and MPI_BSEND_OVERHEAD are larger than all of the attached buffer
#include <mpi.h>
static char room[sizeof(int[4]) + MPI_BSEND_OVERHEAD], more[sizeof room];

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int x[64] = {0}, y[64], n;
  void *at;
  MPI_Request request;
  MPI_Buffer_attach(room, sizeof room);
  // CHECK: MPI_Ibsend on rank 0 {{.*}}buffer-small.c:[[#@LINE+1]] in main
  if (MPI_Ibsend(x, 64, MPI_INT, 0, 0, MPI_COMM_WORLD, &request) == MPI_SUCCESS) MPI_Recv(y, 64, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&at, &n);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
