// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file is created that may only be read.
// CHECK: ==mpicc-check== ERROR [io.amode] amode of MPI_File_open has MPI_MODE_CREATE or MPI_MODE_EXCL with MPI_MODE_RDONLY
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File f;
  if (argc < 2) return 1;
  // CHECK: MPI_File_open on rank 0 {{.*}}io-amode-open.c:[[#@LINE+1]] in main
  if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDONLY, MPI_INFO_NULL, &f) == MPI_SUCCESS) MPI_File_close(&f);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
