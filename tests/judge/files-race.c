// RUN: rm -rf %t.d && mkdir %t.d && %mpicc-check %s -o %t.d/run
// RUN: %expect66 %mpirun-check --keep-logs --check-options log_dir=%t.d:report=%t.d/report -n 3 %t.d/run > %t.d/out 2>&1
// RUN: %expect66 %mpirun-check --judge %t.d/mpicc-check-* 2> %t.d/judged
// RUN: tail -n +2 %t.d/report | cmp - %t.d/judged && FileCheck %s < %t.d/judged
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kept logs give the report of MPI_Finalize again: a race, a mismatch of derived types, different roots.
// CHECK-DAG: ERROR [rma.race]
// CHECK-DAG: ERROR [type.mismatch]
// CHECK-DAG: ERROR [collective.root]
// CHECK: ==mpicc-check== 3 errors, 0 warnings, 0 notes
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value[8] = {0}, base[4] = {0}, lengths[2] = {1, 1};
  double pair[2] = {0, 0};
  MPI_Aint places[2] = {0, 8};
  MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE}, mixed;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(base, sizeof base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank > 0) MPI_Put(value, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Type_create_struct(2, lengths, places, parts, &mixed);
  MPI_Type_commit(&mixed);
  if (rank == 1) MPI_Send(pair, 1, mixed, 0, 3, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(value, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&mixed);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(value, 0, MPI_INT, rank == 2 ? 2 : 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
