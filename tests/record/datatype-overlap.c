// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A receive type that has an element twice.
// CHECK: ==mpicc-check== ERROR [datatype.self-overlap] recvtype of MPI_Sendrecv has bytes that would be written twice
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[4] = {0}, y[8];
  MPI_Datatype t;
  int lengths[2] = {2, 2};
  int places[2] = {0, 1};
  MPI_Type_indexed(2, lengths, places, MPI_INT, &t);
  MPI_Type_commit(&t);
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}datatype-overlap.c:[[#@LINE+1]] in main
  MPI_Sendrecv(x, 4, MPI_INT, rank, 0, y, 1, t, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&t);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
