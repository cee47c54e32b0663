// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equal signatures, built differently: a struct of 3 ints against a vector of ints and single ints (MPI-3.1 3.3.1).
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int x[16] = {0};
  MPI_Datatype three, gaps;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_struct(2, (int[]){1, 2}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_INT, MPI_INT}, &three);
  MPI_Type_vector(3, 1, 2, MPI_INT, &gaps);
  MPI_Type_commit(&three);
  MPI_Type_commit(&gaps);
  if (rank == 0) {
    MPI_Send(x, 1, three, 1, 0, MPI_COMM_WORLD);
    MPI_Send(x, 1, three, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(x, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(x, 2, gaps, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&three);
  MPI_Type_free(&gaps);
  MPI_Finalize();
  return 0;
}
