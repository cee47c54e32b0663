// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A collective access between begin and end of another one.
// CHECK: ==mpicc-check== ERROR [io.split] MPI_File_read_at_all before the split collective access was ended
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
  MPI_File_write_at_all(f, 16 * rank, x, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_write_at_all_begin(f, 16 * rank, x, 4, MPI_INT);
  // CHECK: MPI_File_read_at_all on rank 0 {{.*}}io-split-collective.c:[[#@LINE+1]] in main
  MPI_File_read_at_all(f, 16 * rank, y, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_write_at_all_end(f, x, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
