// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check --check-options why=all -n 2 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: %expect66 %mpirun-check --check-options why=type.byte-mix -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='why: message'
// RUN: not %mpirun-check --check-options why=message.lots -n 2 %t 2>&1 | FileCheck %s --check-prefix=BAD
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Option why: by which rule a finding was made, and a candidate for one was dismissed.
// ALL-DAG: ==mpicc-check== why: message.lost: rank 0 sends more messages with tag 7 to rank 1 than that rank posts matching receives (0); {{.*}}(MPI-3.1 3.5); 3 left over
// ALL-DAG: ==mpicc-check== why: deadlock.buffering dismissed: the rerun with synchronous sends found no cycle of ranks
// CHECK-DAG: ==mpicc-check== why: type.byte-mix: MPI_Send from rank 0 and MPI_Recv on rank 1 are matched
// CHECK-DAG: ==mpicc-check== ERROR [message.lost]
// BAD: why=message.lots: must be all, or the id of a check
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&x, sizeof x, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++) MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 1 note
