// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An info key or value that is too long or empty.
// CHECK: ==mpicc-check== ERROR [arg.info] key of MPI_Info_set is empty
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Info info;
  MPI_Info_create(&info);
  // CHECK: MPI_Info_set on rank 0 {{.*}}arg-info.c:[[#@LINE+1]] in main
  MPI_Info_set(info, "", "true");
  MPI_Info_free(&info);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
