// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_Finalize between begin and end of an access.
// CHECK: ==mpicc-check== ERROR [init.pending-at-finalize] the access begun by MPI_File_write_at_all_begin is not ended
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[4] = {0}, y[4];
  MPI_File f;
  if (argc < 2) return 1;
  (void)y;
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  // CHECK: MPI_File_write_at_all_begin on rank 0 {{.*}}pending-at-finalize.c:[[#@LINE+1]] in main
  MPI_File_write_at_all_begin(f, 0, x, 4, MPI_INT);
  MPI_Finalize();
  return size < 1;
}
// CHECK: WARNING [leak.file]
// CHECK: ==mpicc-check== 1 error, 1 warning, 0 notes
