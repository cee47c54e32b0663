// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check --take 0:1=1:5,0:2=1:5 -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The receive behind the probe says any source again, with room for what was probed. (--take: the probe sees the short message.)
// CHECK: ==mpicc-check== WARNING [message.probe-race] a receive can get another message than the one that was probed, and that one does not fit
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, n, data[2] = {0, 0};
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < 2; i++) {
      // CHECK: MPI_Probe by rank 0 {{.*}}message-probe-race.c:[[#@LINE+1]] in main
      MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_INT, &n);
      // CHECK: MPI_Recv by rank 0 {{.*}}message-probe-race.c:[[#@LINE+1]] in main
      MPI_Recv(data, n, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  } else {
    // CHECK: can get: MPI_Send from rank 2 {{.*}}message-probe-race.c:[[#@LINE+1]] in main
    MPI_Send(data, rank, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning
