// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t %t.file 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of constructors and calls on files that must be the same at all ranks (MPI-3.1 6.6.2, 13.2.1, 13.6.1).
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Comm half, inter, all;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &half);
  // The other ranks have each other and rank 0 alone.
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 0, &inter);
  // CHECK-DAG: ==mpicc-check== ERROR [collective.argument] ranks give a different high to MPI_Intercomm_merge
  // CHECK-DAG: MPI_Intercomm_merge with high 1 on rank 1 {{.*}}collective-argument.c:[[#@LINE+2]] in main
  // CHECK-DAG: ranks 0,2: high 0; rank 1: high 1
  MPI_Intercomm_merge(inter, rank == 1, &all);
  // CHECK-DAG: ==mpicc-check== ERROR [collective.argument] ranks give a different amode to MPI_File_open
  // CHECK-DAG: collective-argument.c:[[#@LINE+2]] in main
  int amode = MPI_MODE_CREATE | (rank == 0 ? MPI_MODE_RDWR : MPI_MODE_WRONLY);
  MPI_File_open(MPI_COMM_WORLD, argv[1], amode, MPI_INFO_NULL, &file);
  // CHECK-DAG: ==mpicc-check== ERROR [collective.argument] ranks give a different flag to MPI_File_set_atomicity
  // CHECK-DAG: MPI_File_set_atomicity with flag 1 on rank 0 {{.*}}collective-argument.c:[[#@LINE+1]] in main
  MPI_File_set_atomicity(file, rank == 0);
  MPI_File_close(&file);
  MPI_Comm_free(&all);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 3 errors, 0 warnings, 0 notes
