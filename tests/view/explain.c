// RUN: rm -rf %t.d && mkdir %t.d && %mpicc-check %s -o %t.d/run
// RUN: %mpirun-check --keep-logs --check-options log_dir=%t.d -n 3 %t.d/run
// RUN: %mpicc-check explain explain.c:20 explain.c:26 %t.d/mpicc-check-* | FileCheck %s --check-prefix=CHAIN
// RUN: %mpicc-check-log --explain=explain.c:20,explain.c:28 %t.d/mpicc-check-* | FileCheck %s --check-prefix=NONE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What orders two places of a run, and what does not.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, *memory, x = 0;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  // CHAIN: MPI_Put of rank 1 {{.*}}explain.c:20
  // CHAIN-NEXT: and MPI_Get of rank 2 {{.*}}explain.c:26
  // CHAIN-NEXT: ordered: MPI_Put of rank 1
  // CHAIN-NEXT: is complete with MPI_Win_flush of rank 1 {{.*}}explain.c:21
  if (rank == 1) MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  if (rank == 1) MPI_Win_flush(0, win);
  // CHAIN-NEXT: MPI_Send of rank 1 {{.*}}explain.c:24
  // CHAIN-NEXT: told MPI_Recv of rank 2 {{.*}}explain.c:25
  if (rank == 1) MPI_Send(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  if (rank == 2) MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 2) MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  // CHAIN-NEXT: before MPI_Get of rank 2
  if (rank == 0) MPI_Put(&x, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
  // NONE: MPI_Put of rank 1 {{.*}}explain.c:20
  // NONE-NEXT: and MPI_Put of rank 0 {{.*}}explain.c:28
  // NONE-NEXT: nothing orders them that the logs tell
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
// A message orders its two ends: the send comes before the end of the receive.
// RUN: %mpicc-check explain explain.c:24 explain.c:25 %t.d/mpicc-check-* | FileCheck %s --check-prefix=ENDS
// ENDS: ordered: MPI_Send of rank 1 {{.*}}explain.c:24
// ENDS-NEXT: MPI_Send of rank 1 {{.*}}explain.c:24
// ENDS-NEXT: told MPI_Recv of rank 2 {{.*}}explain.c:25
// ENDS-NEXT: before the end of MPI_Recv of rank 2 {{.*}}explain.c:25
