// RUN: %mpicc-check -O0 %s -o %t && rm -f %t.order && %mpirun-check -n 3 %t %t.order 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// RUN: %mpicc-check -O2 %s -o %t && rm -f %t.order && %mpirun-check -n 3 %t %t.order 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The receive behind a probe has the source that the probe found, and room for the shorter one of two messages.
#include <mpi.h>
#include "Inputs/hidden-order.h"

int main(int argc, char **argv) {
  int rank, data[2] = {0, 0};
  MPI_Status status;
  MPI_Init(&argc, &argv);
  hidden_open(argv[1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    // CHECK: WARNING [message.race] a wildcard receive takes whichever of several messages comes first, and one of them would be truncated
    // CHECK-NEXT: MPI_Probe by rank 0 {{.*}}message-race-probed.c:[[#@LINE+2]] in main
    // CHECK-NEXT: whose source goes to: MPI_Recv {{.*}}message-race-probed.c:[[#@LINE+2]] in main
    MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    MPI_Recv(data, 1, MPI_INT, status.MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hidden_done(0);
    MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    if (rank == 2) hidden_wait(0);
    MPI_Send(data, rank, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  // CHECK: the other message: 2 MPI_INT; the receive: 1 MPI_INT
  // CHECK: to see it: mpirun-check --take 0:1=2:5
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning,
