// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second is used before it is freed. A window's group is one more owner.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Group first, second, third;
  MPI_Win win;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_group(MPI_COMM_WORLD, &first);
  MPI_Comm_group(MPI_COMM_WORLD, &second);
  MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_get_group(win, &third);
  MPI_Group_free(&first);
  MPI_Group_size(second, &size);
  MPI_Group_free(&second);
  MPI_Group_size(third, &size);
  MPI_Group_free(&third);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
