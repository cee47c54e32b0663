// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=graph=%t-graph %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t-graph.dot
// RUN: %expect 0 %mpirun-check -n 3 %t own 2>&1 | FileCheck %s --check-prefix=OWN --implicit-check-not='{{NOTE|ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SIGUSR1 prints who waits for whom, and the run goes on; a handler of the program's own gets it instead.
// CHECK: NOTE [hang.asked] what the ranks do now
// CHECK-NEXT: rank 0 is running; rank 1 {{.*}} in MPI_Barrier at asked.c:[[#@LINE+29]]
// CHECK: rank 1 waits in MPI_Barrier for rank{{s?}} 0
// CHECK: rank 2 waits in MPI_Recv(source 0, tag 5) for rank 0
// CHECK: wait-for graph: {{.*}}asked.c{{.*}}-graph.dot
// CHECK: done
// GRAPH: r2 -> r0;
// OWN: own handler
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include "busy.h"

static volatile sig_atomic_t caught;
static void on_signal(int number) { caught = number; }

int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1) signal(SIGUSR1, on_signal);
  if (rank == 0) {
    for (int i = 0; i < 4; i++) compute();   // the others come to wait
    raise(SIGUSR1);
    for (int i = 0; i < 4; i++) compute();
    MPI_Send(&x, 1, MPI_INT, 2, 5, MPI_COMM_WORLD);
    if (caught) printf("own handler\n");
  }
  if (rank == 2) MPI_Recv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
// OWN: ==mpicc-check== no errors found in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
