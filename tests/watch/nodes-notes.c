// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=simulated_nodes=3:hang_time=3:graph=%t-graph %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING --implicit-check-not=warning:
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t-graph.dot
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank of another node than rank 0's is asked for the graph when the others have come to wait, and computes for longer than hang_time.
// CHECK: NOTE [hang.asked] what the ranks do now
// CHECK-NEXT: rank 0 {{.*}} in MPI_Barrier at nodes-notes.c:[[#@LINE+32]]{{.*}}; rank 1 {{.*}} in MPI_Recv at nodes-notes.c:[[#@LINE+31]]{{.*}}; rank 2 is running
// CHECK: rank 0 waits in MPI_Barrier for ranks 1,2
// CHECK: rank 1 waits in MPI_Recv(source 2, tag 5) for rank 2
// CHECK: NOTE [hang.computing] rank 2 has called no MPI function for long, and others wait
// CHECK: {{rank 2 is now|called from}} {{.*}}nodes-notes.c:{{26|27}} in compute
// CHECK: called from nodes-notes.c:[[#@LINE+24]] in main
// CHECK: done
// CHECK: ==mpicc-check== no errors found in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
// GRAPH: r1 -> r2;
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static volatile int x;
__attribute__((noinline)) static void compute(int seconds) {
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do {
    for (int i = 0; i < 100000; i++) x++;
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < seconds * 1000000000L);
}

int main(int argc, char **argv) {
  int rank, y = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 2) compute(2), raise(SIGUSR1), compute(4);
  if (rank == 2) MPI_Send(&y, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&y, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
