// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Five columns of a matrix that has four: the fifth is where the first one was.
// CHECK: ==mpicc-check== ERROR [datatype.self-overlap] recvtype of MPI_Sendrecv would write bytes twice: 5 elements of extent 4 overlap
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a[4][4] = {{0}}, b[5][4] = {{0}};
  MPI_Datatype column, next;
  MPI_Type_vector(4, 1, 4, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, sizeof(int), &next);
  MPI_Type_commit(&next);
  int more[5][4] = {{0}};
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}datatype-overlap-count.c:[[#@LINE+1]] in main
  MPI_Sendrecv(more, 20, MPI_INT, 0, 0, b, 5, next, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  a[0][0] = b[0][0];
  MPI_Type_free(&column), MPI_Type_free(&next);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
