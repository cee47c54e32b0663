// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of buffer-detach.c.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
static char room[sizeof(int[4]) + MPI_BSEND_OVERHEAD], more[sizeof room];

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  void *at;
  int n;
  MPI_Buffer_attach(room, sizeof room);
  MPI_Buffer_detach(&at, &n);
  MPI_Finalize();
  return size < 1;
}
