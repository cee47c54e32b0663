// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call is put for another, and both only send; the calls after it are compared all the same, since nothing has shifted.
// CHECK: ==mpicc-check== ERROR [collective.call] ranks of one communicator call different collectives
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  int x[4] = {0}, y[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank) MPI_Gather(x, 1, MPI_INT, y, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else
    // CHECK: MPI_Bcast on rank 0 {{.*}}collective-resume.c:[[#@LINE+1]] in main
    MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: ==mpicc-check== ERROR [collective.op]
  // CHECK: MPI_Allreduce with MPI_MIN on rank 0 {{.*}}collective-resume.c:[[#@LINE+1]] in main
  MPI_Allreduce(x, y, 1, MPI_INT, rank ? MPI_MAX : MPI_MIN, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 2 errors, 0 warnings, 0 notes
