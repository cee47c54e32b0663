// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=watch_period=10 %mpirun-check --mca btl self,vader,tcp -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spawned processes are a world of their own with a watch of its own. No watch sees both: a rank that waits for the other world may go on. Rank 0 waits
// for a child that waits for rank 1, which waits for the other child, which computes.
// CHECK-DAG: child done
// CHECK-DAG: parent done
// CHECK-DAG: ==mpicc-check== no errors found in {{.*}} on 2 ranks
// CHECK-DAG: ==mpicc-check== no errors found in {{.*}} on 2 ranks
#include <mpi.h>
#include <stdio.h>
#include "busy.h"

int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Comm other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&other);
  int is_child = other != MPI_COMM_NULL;
  if (!is_child) MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
  if (is_child && rank == 1) compute(), compute();
  else MPI_Recv(&x, 1, MPI_INT, is_child ? 1 : rank, 7, other, MPI_STATUS_IGNORE);
  if (is_child) MPI_Send(&x, 1, MPI_INT, rank, 7, other);   // child 1 to parent 1, child 0 to parent 0
  else if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 7, other);
  // A collective of both that one comes late to, and the end of their connection.
  if (is_child && rank == 0) compute();
  MPI_Barrier(other);
  if (!is_child && rank == 1) compute();
  MPI_Comm_disconnect(&other);
  if (rank == 0) printf(is_child ? "child done\n" : "parent done\n");
  MPI_Finalize();
  return 0;
}
