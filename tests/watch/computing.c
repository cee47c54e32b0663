// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=hang_time=1 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 computes for longer than hang_time while the others wait: a note that says where it is, and the run goes on.
// It is in a function of the kernel's own library nearly always, which libc calls: the line is that of the program.
// CHECK: NOTE [hang.computing] rank 1 has called no MPI function for long, and others wait
// CHECK-NEXT: ranks 0,2 are in MPI_Barrier at computing.c:[[#@LINE+22]] and may go on; rank 1 is running
// CHECK: {{rank 1 is now|called from}} {{.*}}computing.c:[[#@LINE+12]] in relax
// CHECK: called from computing.c:[[#@LINE+19]] in main
// CHECK: done
// CHECK: ==mpicc-check== no errors found in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static volatile int x;
__attribute__((noinline)) static void relax(void) {
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do { x++; clock_gettime(CLOCK_MONOTONIC, &now); } while (now.tv_sec - begin.tv_sec < 4);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) relax();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
