// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hole of two bytes between integers.
// CHECK: ==mpicc-check== ERROR [io.view] filetype of MPI_File_set_view has a hole that is not a whole number of etypes of 4 bytes
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File f;
  if (argc < 2) return 1;
  MPI_Datatype t;
  MPI_Type_create_resized(MPI_INT, 0, 6, &t), MPI_Type_commit(&t);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  // CHECK: MPI_File_set_view on rank 0 {{.*}}io-view-hole.c:[[#@LINE+1]] in main
  MPI_File_set_view(f, 0, MPI_INT, t, "native", MPI_INFO_NULL);
  MPI_File_close(&f);
  MPI_Type_free(&t);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
