// RUN: %mpicc-check -O0 %s -o %t
// RUN: env READY='[arg.memory]' %python %source/tests/wrappers/Inputs/interrupt.py SIGTERM process sh -c 'exec "$@" 2>&1' sh %mpirun-check --check-options hang_time=1 -n 2 %t > %t.out
// RUN: FileCheck %s --input-file=%t.out
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call that was found wrong and does not return is told while it hangs: the test ends the run when it has read the
// finding. The report at the end has it, too, and where the ranks were.
// CHECK: ==mpicc-check== ERROR [arg.memory] buf of MPI_Recv
// CHECK-NEXT: MPI_Recv on rank 1 {{.*}}wrong-call.c:[[#@LINE+18]] in main
// CHECK-NEXT: the call has not returned; the run goes on
// CHECK: ==mpicc-check== ERROR [arg.memory] buf of MPI_Recv
// CHECK: ==mpicc-check== NOTE [run.ended]
// CHECK: rank 1 was in MPI_Recv, which was called wrongly
// CHECK: ==mpicc-check== 1 error, 0 warnings, 1 note
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *buffer = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(buffer, 4096);
  if (rank == 0)
    for (;;) pause(); // the message never comes
  MPI_Recv(buffer, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
