// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check --take 0:1=1,0:2=2,0:3=1,0:4=2,0:5=1:3 -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same with room for every message, with one type, and with MPI_BYTE, which takes any: notes only.
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 5 notes
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[4] = {0}, more[4] = {0};
  MPI_Request request;
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  if (rank == 0) {
    MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else MPI_Send(data, rank, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
    MPI_Recv(more, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else if (rank == 1) MPI_Send(data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  else MPI_Send(data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Irecv(data, 2, pair, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
    MPI_Recv(more, 4, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else MPI_Send(data, rank == 1 ? 4 : 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Recv(data, 8, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 2, MPI_INT, 2, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) MPI_Send(data, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  else MPI_Send(data, 2, MPI_INT, 0, 4, MPI_COMM_WORLD);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
