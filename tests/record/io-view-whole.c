// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Six bytes of a file of integers.
// CHECK: ==mpicc-check== ERROR [io.view] MPI_File_write_at of 6 bytes, which is not a whole number of etypes of 4 bytes
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[4] = {0}, y[4];
  MPI_File f;
  if (argc < 2) return 1;
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  // CHECK: MPI_File_write_at on rank 0 {{.*}}io-view-whole.c:[[#@LINE+1]] in main
  MPI_File_write_at(f, 0, x, 6, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  y[0] = 0;
  (void)y;
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
