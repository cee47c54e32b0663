// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A filetype that has bytes twice, of a file to be written.
// CHECK: ==mpicc-check== ERROR [io.view] filetype of MPI_File_set_view has bytes twice, but the file is open for writing
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File f;
  if (argc < 2) return 1;
  int lengths[2] = {2, 2}, places[2] = {0, 1};
  MPI_Datatype t;
  MPI_Type_indexed(2, lengths, places, MPI_INT, &t), MPI_Type_commit(&t);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  // CHECK: MPI_File_set_view on rank 0 {{.*}}io-view-twice.c:[[#@LINE+1]] in main
  MPI_File_set_view(f, 0, MPI_INT, t, "native", MPI_INFO_NULL);
  MPI_File_close(&f);
  MPI_Type_free(&t);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
