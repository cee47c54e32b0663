// RUN: %mpicc-check %s -o %t
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %mpirun-check --keep-logs --check-options log_dir=%t.d -n 2 %t 2>&1 | FileCheck %s --check-prefix=CLEAN --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check-log --rank 0 --kind probe,done %t.d/mpicc-check-*/ | FileCheck %s --implicit-check-not=MPI_Iprobe --implicit-check-not=MPI_Request
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a probe or MPI_Request_get_status finds is logged once, however often it is asked for in turn, and again when something has happened between.
// CLEAN: ==mpicc-check== no errors found
// CHECK: MPI_Iprobe {{.*}}tag=1
// CHECK: MPI_Iprobe {{.*}}tag=2
// CHECK: MPI_Request_get_status done=
// CHECK: MPI_Iprobe {{.*}}tag=2
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[3] = {0}, is_one = 0, is_two = 0, is_three = 0;
  MPI_Request request, sends[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1)
    for (int i = 0; i < 3; i++) MPI_Isend(&x[i], 1, MPI_INT, 0, i + 1, MPI_COMM_WORLD, &sends[i]);
  if (rank == 0) {
    MPI_Irecv(&x[2], 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
    while (!is_one) MPI_Iprobe(1, 1, MPI_COMM_WORLD, &is_one, MPI_STATUS_IGNORE);
    while (!is_two) MPI_Iprobe(1, 2, MPI_COMM_WORLD, &is_two, MPI_STATUS_IGNORE);
    while (!is_three) MPI_Request_get_status(request, &is_three, MPI_STATUS_IGNORE);
    for (int i = 0; i < 1000; i++) {
      MPI_Iprobe(1, 1, MPI_COMM_WORLD, &is_one, MPI_STATUS_IGNORE);
      MPI_Request_get_status(request, &is_three, MPI_STATUS_IGNORE);
      MPI_Iprobe(1, 2, MPI_COMM_WORLD, &is_two, MPI_STATUS_IGNORE);
    }
    MPI_Recv(&x[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 1000; i++) MPI_Iprobe(1, 2, MPI_COMM_WORLD, &is_two, MPI_STATUS_IGNORE);
    MPI_Recv(&x[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
