// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=polling_time=1 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 0 probes for a message that rank 1 sends only afterwards, and gives up after a time. It is a note, and the run goes on.
// CHECK: NOTE [hang.polling] 2 ranks wait or poll for each other, and may go on: MPI_Iprobe on rank 0, MPI_Recv on rank 1
// CHECK-NEXT: rank 0 polls with MPI_Iprobe at polling-open.c:[[#@LINE+25]] and may go on; rank 1 waits in MPI_Recv at polling-open.c:[[#@LINE+29]]; rank 2 waits in MPI_Finalize at polling-open.c:[[#@LINE+33]] for these ranks
// CHECK-NEXT: rank 0 polls with MPI_Iprobe for rank 1 {{ *}}polling-open.c:[[#@LINE+24]] in main
// CHECK-NEXT: rank 1 waits in MPI_Recv(source 0, tag 2) for rank 0 {{ *}}polling-open.c:[[#@LINE+27]] in main
// CHECK-NEXT: rank 0 asks again and again for MPI_Iprobe(source 1, tag 1)
// CHECK-NEXT: the loop of rank 0 may end for another reason (a clock, a counter, memory, a file, a signal), so the run goes on
// CHECK: done
// CHECK: ==mpicc-check== no errors found in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
#include <mpi.h>
#include <stdio.h>
#include <time.h>

// 6 seconds; on a busy machine, where a process seldom has its turn, up to 40. No call of MPI.
static int is_time_left(void) {
  static long first, npolls;
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  if (!npolls++) first = t.tv_sec;
  return t.tv_sec - first < (npolls < 1000000 ? 40 : 6);
}

int main(int argc, char **argv) {
  int rank, flag = 0, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    while (!flag && is_time_left()) MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
