// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=hang_time=1 %mpirun-check --mca btl self,vader,tcp -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 0 waits for its child for longer than hang_time, and rank 1 for rank 0: rank 0 is in a call of MPI, though its log does not say in which, so
// hang.computing is not said of it.
// CHECK-DAG: done
// CHECK-DAG: ==mpicc-check== no errors found in {{.*}} on 1 rank
// CHECK-DAG: ==mpicc-check== no errors found in {{.*}} on 2 ranks
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static void compute(int seconds) {
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do {
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < seconds * 1000000000L);
}

int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Comm other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&other);
  if (other == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
    if (rank == 0) MPI_Recv(&x, 1, MPI_INT, 0, 7, other, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("done\n");
  } else {
    compute(3);
    MPI_Send(&x, 1, MPI_INT, 0, 7, other);
  }
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
