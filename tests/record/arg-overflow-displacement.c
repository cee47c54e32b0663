// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A displacement of elements that is no displacement of bytes any more.
// CHECK: ==mpicc-check== ERROR [arg.overflow] recvbuf of MPI_Allgatherv: 1 elements of extent 1152921504606846976, displaced by
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int mine = 0, count = 1, place = 8, all[9];
  MPI_Datatype far;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)1 << 60, &far);
  MPI_Type_commit(&far);
  // CHECK: MPI_Allgatherv on rank 0 {{.*}}arg-overflow-displacement.c:[[#@LINE+1]] in main
  MPI_Allgatherv(&mine, 1, MPI_INT, all, &count, &place, far, MPI_COMM_SELF);
  MPI_Type_free(&far);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
