// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s
// RUN: %expect66 %mpirun-check -n 2 %t crash 2>&1 | FileCheck %s --check-prefix=CRASH
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The root broadcasts more than the other rank has room for: the MPI library ends the run, and the files say why.
// A rank that crashes behind such a call: the call comes first in the report.
// CRASH: ERROR [collective.op] ranks give different operations to MPI_Allreduce
// CRASH: ERROR [run.died] rank 1 was killed by SIGSEGV
// CRASH: last recorded MPI call, MPI_Allreduce
// CRASH: this may be a consequence of [collective.op] above: the ranks did not agree in the last call
// CHECK: ==mpicc-check== ERROR [collective.count] ranks give different amounts to MPI_Bcast
#include <mpi.h>
#include <signal.h>

int main(int argc, char **argv) {
  int rank, x[8] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1) {
    MPI_Allreduce(x, x + 4, 1, MPI_INT, rank ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD);
    if (rank) raise(SIGSEGV);
  }
  // CHECK: MPI_Bcast with 8 MPI_INT on rank 0 {{.*}}collective-count-crash.c:[[#@LINE+1]] in main
  MPI_Bcast(x, rank ? 4 : 8, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: collective number 1 of the communicator: rank 0: 8 MPI_INT; rank 1: 4 MPI_INT
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: help: make the amount (count times datatype) the same on all ranks
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
