// RUN: %mpicc -g %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=hash_sends=1 %expect 0 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -g %s -DCHANGES -o %t
// RUN: env MPICC_CHECK_OPTIONS=hash_sends=1 %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefix=ONCE --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gaps of a datatype are free, and so is everything when the operation is complete; a buffer may be freed before a completed request is
// waited for again. In recompiled code the store itself is reported, and nothing a second time.
// CHECK: ==mpicc-check== no errors found
// ONCE: ==mpicc-check== ERROR [buffer.modified-in-use] store to a buffer that a pending MPI_Issend is sending from
// ONCE: ==mpicc-check== 1 error
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  double matrix[8][8] = {{0}}, column[8];
  MPI_Request request;
  MPI_Datatype type;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  if (rank == 0) {
    MPI_Issend(&matrix[0][3], 1, type, 1, 1, MPI_COMM_WORLD, &request);
    matrix[7][4] = 1;
#ifdef CHANGES
    matrix[7][3] = 1;
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    matrix[7][3] = 1;
  } else if (rank == 1) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(column, 8, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
