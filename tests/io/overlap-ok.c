// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of overlap.c: the parts are as far apart as they are long, and rank 0 reads behind a synchronization.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[4] = {0}, y[4];
  MPI_File f;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 2) return 1;
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  MPI_File_write_at_all(f, 16 * rank, x, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(f);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(f);
  if (rank == 0) MPI_File_read_at(f, 16, y, 2, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  MPI_Finalize();
  return 0;
}
