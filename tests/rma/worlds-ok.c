// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check --mca btl self,vader,tcp -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parents and children are two worlds (MPI-3.1 10.3.2), and neither's logs have the messages between them: here these order a put and a load, and a ready
// send behind its receive, first of the parents, then of the children.
// CHECK-DAG: parents done
// CHECK-DAG: children done
// CHECK-DAG: ==mpicc-check== no errors found in {{.*}} on 2 ranks
// CHECK-DAG: ==mpicc-check== no errors found in {{.*}} on 2 ranks
#include <mpi.h>
#include <stdio.h>

static MPI_Comm other;
static int rank;

// A message from rank "from" of the other world to rank "to" of ours.
static void pass_on(int from, int to, int is_ours) {
  int token = 0;
  if (is_ours) {
    if (rank == from) MPI_Send(&token, 1, MPI_INT, 0, 1, other);
    if (rank == to) MPI_Recv(&token, 1, MPI_INT, 0, 2, other, MPI_STATUS_IGNORE);
  } else if (rank == 0) {
    MPI_Recv(&token, 1, MPI_INT, from, 1, other, MPI_STATUS_IGNORE);
    MPI_Send(&token, 1, MPI_INT, to, 2, other);
  }
}

static void act(int is_ours) {
  int *memory, x = 7, got = 0;
  MPI_Win window;
  MPI_Request request = MPI_REQUEST_NULL;
  if (!is_ours) {
    pass_on(0, 1, 0);
    pass_on(1, 0, 0);
    return;
  }
  MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_lock_all(0, window);
  if (rank == 0) {
    MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_flush(1, window);
  }
  pass_on(0, 1, 1);
  if (rank == 1) {
    MPI_Win_sync(window);
    if (*memory != 7) printf("not 7\n");
    MPI_Irecv(&got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
  }
  pass_on(1, 0, 1);
  if (rank == 0) MPI_Rsend(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&other);
  int is_child = other != MPI_COMM_NULL;
  if (!is_child) MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
  act(!is_child);
  act(is_child);
  MPI_Comm_disconnect(&other);
  if (rank == 0) printf(is_child ? "children done\n" : "parents done\n");
  MPI_Finalize();
  return 0;
}
