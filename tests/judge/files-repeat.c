// RUN: rm -rf %t.d && mkdir %t.d && %mpicc-check %s -o %t.d/run
// RUN: %expect66 %mpirun-check --keep-logs --check-options log_dir=%t.d:report=%t.d/report -n 2 %t.d/run > %t.d/out 2>&1
// RUN: %expect66 %mpirun-check --judge %t.d/mpicc-check-* 2> %t.d/judged
// RUN: %expect66 %mpirun-check --check-options judge_threads=1 --judge %t.d/mpicc-check-* 2> %t.d/judged-1
// RUN: %expect66 %mpirun-check --check-options judge_threads=3 --judge %t.d/mpicc-check-* 2> %t.d/judged-3
// RUN: cmp %t.d/judged %t.d/judged-1 && cmp %t.d/judged %t.d/judged-3
// RUN: tail -n +2 %t.d/report | cmp - %t.d/judged && FileCheck %s < %t.d/judged
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kept logs give the report of MPI_Finalize again: findings made on the spot, how often, and the judge's.
// CHECK-DAG: ERROR [arg.rank]
// CHECK-DAG: on ranks 0,1, 5 times
// CHECK-DAG: ERROR [message.lost]
// CHECK-DAG: WARNING [leak.comm]
// CHECK: ==mpicc-check== 2 errors, 1 warning, 0 notes
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; i < 2 + rank; i++) MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
