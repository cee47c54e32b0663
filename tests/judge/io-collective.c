// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank reads where the other writes; both end.
// CHECK: ==mpicc-check== ERROR [io.collective] ranks of one file call different collectives
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  int x = 0;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File_open(MPI_COMM_WORLD, "io-collective.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  if (rank) MPI_File_read_at_all(file, 4 * rank, &x, 1, MPI_INT, MPI_STATUS_IGNORE);
  else
    // CHECK: MPI_File_write_at_all on rank 0 {{.*}}io-collective.c:[[#@LINE+1]] in main
    MPI_File_write_at_all(file, 4 * rank, &x, 1, MPI_INT, MPI_STATUS_IGNORE);
  // CHECK: collective number 1 of the file that MPI_File_open made at io-collective.c:[[#@LINE-5]]: rank 0 in MPI_File_write_at_all; rank 1 in MPI_File_read_at_all
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
