// RUN: %mpicc-check %s -o %t
// RUN: %expect 0 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect 0 %mpirun-check --check-options clocks=online -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect 0 %mpirun-check --check-options clocks=online:log_budget=0 -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// What rank 2 sends behind a collective that waits for rank 0 cannot have come to the wildcard receive that rank 0 had completed before it.
// RUN: %expect 0 %mpirun-check --check-options clocks=online -n 3 %t loose 2>&1 | FileCheck %s --check-prefix=LOOSE --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// These do not make it wait: a broadcast from elsewhere, a reduction to another root, a scan from above, a lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CHECK: ==mpicc-check== no errors found
// LOOSE: ==mpicc-check== NOTE [message.race] a wildcard receive takes whichever of several messages comes first; they look alike
// LOOSE: 4 of 4 receives here could have got another message; up to 2 ranks could be first
#include <mpi.h>

static int rank, a[3], b[3], one[3] = {1, 1, 1}, at[3] = {0, 1, 2};
static MPI_Comm world = MPI_COMM_WORLD, ring, other;
static MPI_Win window;

static void strict(int way) {
  MPI_Request request = MPI_REQUEST_NULL;
  switch (way) {
  case 0: MPI_Barrier(world); break;
  case 1: MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, world); break;
  case 2: MPI_Bcast(a, 1, MPI_INT, 0, world); break;
  case 3: MPI_Scatter(a, 1, MPI_INT, b, 1, MPI_INT, 0, world); break;
  case 4: MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, 2, world); break;
  case 5: MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, 2, world); break;
  case 6: MPI_Scan(a, b, 1, MPI_INT, MPI_SUM, world); break;
  case 7: MPI_Alltoallv(a, one, at, MPI_INT, b, one, at, MPI_INT, world); break;
  case 8: MPI_Comm_dup(world, &other), MPI_Comm_free(&other); break;
  case 9: MPI_Win_fence(0, window); break;
  case 10: MPI_Ibarrier(world, &request), MPI_Wait(&request, MPI_STATUS_IGNORE); break;
  case 11: MPI_Ibcast(a, 1, MPI_INT, 0, world, &request), MPI_Wait(&request, MPI_STATUS_IGNORE); break;
  case 12: MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, ring); break;
  default: MPI_Reduce_scatter(a, b, one, MPI_INT, MPI_SUM, world);
  }
}

static void loose(int way) {
  switch (way) {
  case 0: MPI_Bcast(a, 1, MPI_INT, 1, world); break;
  case 1: MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, 1, world); break;
  case 2: MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, world); break;
  default: MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window), MPI_Win_unlock(1, window);
  }
}

int main(int argc, char **argv) {
  (void)argv;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Cart_create(world, 1, (int[]){3}, (int[]){1}, 0, &ring);
  MPI_Win_create(a, sizeof a, 1, MPI_INFO_NULL, world, &window);
  for (int way = 0; way < (argc > 1 ? 4 : 14); way++) {
    MPI_Barrier(world);
    if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, 0, world);
    if (rank == 0) MPI_Recv(a, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, MPI_STATUS_IGNORE);
    if (argc > 1) loose(way);
    else strict(way);
    if (rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 0, world);
    if (rank == 0) MPI_Recv(a, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, MPI_STATUS_IGNORE);
  }
  MPI_Win_free(&window);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
