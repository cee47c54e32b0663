// RUN: %mpicc-check -fopenmp %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads probe and receive the same messages: one may receive what the other one has found.
// CHECK: ==mpicc-check== WARNING [thread.probe] a message that MPI_Probe finds may be taken by MPI_Recv of another
// thread
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int level, data[2][3] = {{0}};
  MPI_Request requests[2];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  for (int i = 0; i < 2; i++) MPI_Isend(data[i], 3, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[i]);
  // CHECK-NEXT: MPI_Probe on rank 0 by OpenMP thread {{[01]}} of 2 {{.*}}probe.c:[[#@LINE+7]] in main{{$}}
  // CHECK: MPI_Recv by OpenMP thread {{[01]}} of 2 {{.*}}probe.c:[[#@LINE+9]] in main{{$}}
  // CHECK: the receive behind the probe, MPI_Recv, then gets another message or waits for ever (MPI-3.1 3.8.1)
#pragma omp parallel num_threads(2)
  {
    MPI_Status status;
    int n;
    MPI_Probe(0, 0, MPI_COMM_SELF, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    int *room = malloc((size_t)n * sizeof *room);
    MPI_Recv(room, n, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    free(room);
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 1 note
