// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t %t.file 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same at all ranks, or of one group, or MPI_UNDEFINED (6.4.2; MPI-3.1 6.6.2, 13.2.1, 13.6.1).
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Comm half, inter, all, node;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &half);
  // The other ranks have each other and rank 0 alone.
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 0, &inter);
  MPI_Intercomm_merge(inter, rank == 0, &all);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_set_atomicity(file, 1);
  MPI_File_set_size(file, 100);
  MPI_Comm_split_type(MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (node != MPI_COMM_NULL) MPI_Comm_free(&node);
  MPI_File_close(&file);
  MPI_Comm_free(&all);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
