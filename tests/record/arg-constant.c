// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Zero is none of MPI_SEEK_SET, MPI_SEEK_CUR, MPI_SEEK_END.
// CHECK: ==mpicc-check== ERROR [arg.constant] whence of MPI_File_seek is 0, which is none of the constants for it
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File f;
  if (argc < 2) return 1;
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  // CHECK: MPI_File_seek on rank 0 {{.*}}arg-constant.c:[[#@LINE+1]] in main
  MPI_File_seek(f, 0, 0);
  MPI_File_close(&f);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
