// RUN: rm -rf %t.d && mkdir -p %t.d/logs && %mpicc-check %s -o %t.d/limit
// RUN: env MPICC_CHECK_OPTIONS=on=0 %mpirun -n 2 %t.d/limit | sort > %t.d/plain
// RUN: %mpirun-check --check-options log_limit=1:log_dir=%t.d/logs -n 2 %t.d/limit 2> %t.d/said | sort > %t.d/checked
// RUN: cmp %t.d/plain %t.d/checked && FileCheck %s --implicit-check-not='==mpicc-check==' < %t.d/said
// RUN: rmdir %t.d/logs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Far more calls than the log may hold: the program computes the same, one line says so for all ranks, and nothing is
// concluded from what is missing. The last message is received and the last communicator freed outside the log.
// CHECK: ==mpicc-check== warning: the log of rank {{[01]}} reached its limit of 1 MiB
// CHECK: ==mpicc-check== no errors found in {{.*}} on 2 ranks ({{.*}}), incomplete
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, got = 0, base[2] = {0, 0};
  long sum = 0;
  MPI_Win win;
  MPI_Comm copy;
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(base, sizeof base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  for (int i = 0; i < 30000; i++) {
    MPI_Request request;
    // Rank 0 fills its log first: rank 1's still holds receives whose sends are no longer recorded.
    MPI_Irecv(&got, 1, MPI_INT, 1 - rank, i % 7, MPI_COMM_WORLD, &request);
    MPI_Send(&i, 1, MPI_INT, 1 - rank, i % 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += got;
    for (int k = 0; rank == 0 && k < 3; k++) MPI_Sendrecv(&i, 1, MPI_INT, 0, 9, &got, 1, MPI_INT, 0, 9, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    if (i % 1000) continue;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(base, 1, pair, 1, 0, 1, pair, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&pair);
    MPI_Comm_free(&copy);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  printf("rank %d got %ld\n", rank, sum);
  return 0;
}
