// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=access=0 %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is put, fetched or accumulated is of another type than its target, or longer.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, memory[64] = {0};
  float f[8] = {0};
  int x[8] = {0};
  double result[8] = {0};
  MPI_Win win;
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  int lengths[2] = {1, 1};
  MPI_Aint displacements[2] = {0, 4};
  MPI_Datatype types[2] = {MPI_INT, MPI_FLOAT};
  MPI_Type_create_struct(2, lengths, displacements, types, &pair);
  MPI_Type_commit(&pair);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    // CHECK: ERROR [type.mismatch] MPI_Put moves MPI_FLOAT (origin) to where MPI_INT is (target): element 0
    // CHECK-NEXT: MPI_Put on rank 0 {{.*}}transfer.c:[[#@LINE+1]] in main
    MPI_Put(f, 2, MPI_FLOAT, 1, 0, 2, MPI_INT, win);
    // CHECK: ERROR [rma.origin-size] MPI_Put moves 12 bytes (origin) to where there is room for 8 (target)
    // CHECK-NEXT: MPI_Put on rank 0 {{.*}}transfer.c:[[#@LINE+1]] in main
    MPI_Put(x, 3, MPI_INT, 1, 0, 2, MPI_INT, win);
    // CHECK: ERROR [type.mismatch] MPI_Get moves MPI_FLOAT (target) to where MPI_INT is (origin): element 1
    // CHECK-NEXT: MPI_Get on rank 0 {{.*}}transfer.c:[[#@LINE+1]] in main
    MPI_Get(x, 4, MPI_INT, 1, 0, 2, pair, win);
    // CHECK: ERROR [type.mismatch] MPI_Get_accumulate moves MPI_INT (target) to where MPI_DOUBLE is (result): element 0
    // CHECK-NEXT: MPI_Get_accumulate on rank 0 {{.*}}transfer.c:[[#@LINE+1]] in main
    MPI_Get_accumulate(x, 2, MPI_INT, result, 1, MPI_DOUBLE, 1, 0, 2, MPI_INT, MPI_SUM, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Type_free(&pair);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 4 errors, 0 warnings, 0 notes
