// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of io-view.c.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File f;
  if (argc < 2) return 1;
  int lengths[2] = {1, 1}, places[2] = {0, 2};
  MPI_Datatype t;
  MPI_Type_indexed(2, lengths, places, MPI_INT, &t), MPI_Type_commit(&t);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  MPI_File_set_view(f, 0, MPI_INT, t, "native", MPI_INFO_NULL);
  // An array of two dimensions, in Fortran's order.
  int sizes[2] = {4, 4}, subsizes[2] = {2, 2}, starts[2] = {1, 1};
  MPI_Datatype block;
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &block), MPI_Type_commit(&block);
  MPI_File_set_view(f, 0, MPI_INT, block, "native", MPI_INFO_NULL);
  MPI_File_set_view(f, 0, MPI_BYTE, block, "native", MPI_INFO_NULL);
  MPI_Type_free(&block);
  MPI_File_close(&f);
  MPI_Type_free(&t);
  MPI_Finalize();
  return size < 1;
}
