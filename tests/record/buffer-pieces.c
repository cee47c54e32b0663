// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nonblocking collectives whose buffers are pieces with gaps between them, and gaps within them: the pieces are in use.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, to[8] = {1, 2, 3, 4, 5, 6, 7, 8}, from[8] = {0}, x;
  int counts[2] = {2, 1}, displs[2] = {4, 0};   // elements 4, 5 and 0
  int bytes[2] = {0, 16}, ones[2] = {1, 1};     // elements 0, 2 and 4, 6
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  int own = rank ? 1 : 2, owns[2] = {own, own};
  MPI_Ialltoallv(to, counts, displs, MPI_INT, from, owns, displs, MPI_INT, MPI_COMM_WORLD, &request);
  // CHECK: ERROR [buffer.modified-in-use] {{.*}}MPI_Ialltoallv
  // CHECK: store by {{.*}}buffer-pieces.c:[[#@LINE+1]] in main
  to[5] = 1;
  // CHECK: ERROR [buffer.read-in-use] {{.*}}MPI_Ialltoallv
  // CHECK: load by {{.*}}buffer-pieces.c:[[#@LINE+1]] in main
  x = from[4];
  MPI_Wait(&request, MPI_STATUS_IGNORE);

  MPI_Datatype pair, pairs[2];
  MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  pairs[0] = pairs[1] = pair;
  MPI_Ialltoallw(to, ones, bytes, pairs, from, ones, bytes, pairs, MPI_COMM_WORLD, &request);
  // CHECK: ERROR [buffer.modified-in-use] {{.*}}MPI_Ialltoallw
  // CHECK: store by {{.*}}buffer-pieces.c:[[#@LINE+1]] in main
  to[6] = x;
  // CHECK: ERROR [buffer.overlap] recvbuf of MPI_Sendrecv will be written over a buffer that a pending MPI_Ialltoallw will write
  // CHECK: MPI_Sendrecv on {{.*}}buffer-pieces.c:[[#@LINE+1]] in main
  MPI_Sendrecv(&x, 1, MPI_INT, rank, 0, &from[2], 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 4 errors, 0 warnings, 0 notes
