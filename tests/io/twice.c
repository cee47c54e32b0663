// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t %t.data 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each rank writes through the file that all have opened, and reads through one that it has opened itself.
// CHECK: ==mpicc-check== WARNING [io.overlap] a rank reads bytes of a file that it writes through another open, and no MPI_File_sync orders the two
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 1, y;
  MPI_File all, own;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 2) return 1;
  // CHECK-DAG: and by MPI_File_open {{.*}}twice.c:[[#@LINE+1]] in main
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &all);
  // CHECK-DAG: the file was opened by MPI_File_open {{.*}}twice.c:[[#@LINE+1]] in main
  MPI_File_open(MPI_COMM_SELF, argv[1], MPI_MODE_RDWR, MPI_INFO_NULL, &own);
  // CHECK-DAG: MPI_File_write_at from rank 0 {{.*}}twice.c:[[#@LINE+1]] in main
  MPI_File_write_at(all, 4 * rank, &x, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(all);
  // CHECK-DAG: conflicts with MPI_File_read_at from rank 0 {{.*}}twice.c:[[#@LINE+1]] in main
  MPI_File_read_at(own, 4 * rank, &y, 1, MPI_INT, MPI_STATUS_IGNORE);
  // CHECK-DAG: the rank opened the file twice, and no close or MPI_File_sync of the one comes before an open or MPI_File_sync of the other (MPI-3.1 13.6.1)
  MPI_File_close(&own);
  MPI_File_close(&all);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
