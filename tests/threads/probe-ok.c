// RUN: %mpicc-check -fopenmp %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same as probe.c, but the matched probe takes the message out of the queue.
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 1 note
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int level, data[2][3] = {{0}};
  MPI_Request requests[2];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  for (int i = 0; i < 2; i++) MPI_Isend(data[i], 3, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[i]);
#pragma omp parallel num_threads(2)
  {
    MPI_Status status;
    int n;
    MPI_Message message;
    MPI_Mprobe(0, 0, MPI_COMM_SELF, &message, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    int *room = malloc((size_t)n * sizeof *room);
    MPI_Mrecv(room, n, MPI_INT, &message, MPI_STATUS_IGNORE);
    free(room);
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
