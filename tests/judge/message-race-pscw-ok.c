// RUN: %mpicc-check %s -o %t
// RUN: %expect 0 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check --check-options clocks=online -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two messages to two wildcard receives, ordered by a window alone: rank 2 sends when its wait has returned, which rank 0's
// complete behind its first receive allows (MPI-3.1 11.5.2); and the second time when its start has met rank 0's post.
#include <mpi.h>

static void meet(MPI_Win win, MPI_Group group, int is_origin) {
  if (is_origin) {
    MPI_Win_start(group, 0, win);
    MPI_Win_complete(win);
  } else {
    MPI_Win_post(group, 0, win);
    MPI_Win_wait(win);
  }
}

int main(int argc, char **argv) {
  int rank, x = 0, memory = 0;
  MPI_Win win;
  MPI_Group world, other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &(int){2 - rank}, &other);
  for (int round = 0; round < 2; round++) {
    if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 1) meet(win, other, round ? rank == 2 : rank == 0);
    if (rank == 2) MPI_Send(&x, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Group_free(&other);
  MPI_Group_free(&world);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
