// RUN: %mpicc-check %s -o %t
// RUN: %expect 66 timeout 50 taskset -c 0 %mpirun-check --check-options=polling_time=1 -n 6 %t 2>&1 | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Six ranks poll on one processor. From one look of the watch to the next, a rank may have had no turn; and MPI gives
// the processor away in each test.
// CHECK: ERROR [deadlock.polling] deadlock: 6 ranks wait for each other: MPI_Test on ranks 0-5
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, value, flag = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &request);
  while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
  MPI_Finalize();
}
