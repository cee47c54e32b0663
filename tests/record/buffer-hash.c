// RUN: %mpicc -g %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=hash_sends=1 %expect66 %mpirun-check -n 2 %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// RUN: %expect 0 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefix=WITHOUT
// With --flow the content is known at both ends; a store that is told explains the change.
// RUN: %expect66 %mpirun-check --flow=content -n 2 %t 2>&1 | FileCheck %s --check-prefix=FLOW
// RUN: %mpicc-check -w -g %s -o %t.checked
// RUN: %expect66 %mpirun-check --flow=content -n 2 %t.checked 2>&1 | FileCheck %s --check-prefix=SEEN
// FLOW-COUNT-4: ERROR [buffer.modified-in-use] the buffer that {{.*}} was sending from was changed
// FLOW: code that was not compiled by mpicc-check has changed them (MPI-3.1 3.7.2), or the MPI library
// FLOW: ==mpicc-check== 4 errors, 0 warnings, 0 notes
// SEEN-COUNT-4: ERROR [buffer.modified-in-use] store to a buffer that a pending
// SEEN: ==mpicc-check== 4 errors, 0 warnings, 0 notes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that was not recompiled changes what MPI is sending from: a synchronous send that is not received yet, a column
// of a matrix, a persistent send, one of several that are waited for together. Only the option sees it.
// CHECK: ==mpicc-check== ERROR [buffer.modified-in-use] the buffer that MPI_Issend was sending from was changed
// CHECK-NEXT: MPI_Issend on rank 0 {{.*}}buffer-hash
// CHECK-NEXT: complete, and changed by then {{.*}}buffer-hash
// CHECK: ==mpicc-check== ERROR [buffer.modified-in-use] the buffer that MPI_Issend was sending from was changed
// CHECK: ==mpicc-check== ERROR [buffer.modified-in-use] the buffer that MPI_Ssend_init was sending from was changed
// CHECK: the bytes are not those at the time of MPI_Start;
// CHECK: ==mpicc-check== ERROR [buffer.modified-in-use] the buffer that MPI_Issend was sending from was changed
// CHECK: complete, and changed by then {{.*}}buffer-hash
// CHECK: ==mpicc-check== 4 errors
// WITHOUT: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[100] = {0};
  double matrix[8][8] = {{0}}, column[8];
  MPI_Request request;
  MPI_Datatype type;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  if (rank == 0) {
    MPI_Issend(x, 100, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    x[99] = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Issend(&matrix[0][3], 1, type, 1, 1, MPI_COMM_WORLD, &request);
    matrix[7][3] = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ssend_init(x, 100, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    x[0] = 5;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Issend(x, 100, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
    x[1] = 7;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  } else if (rank == 1) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(x, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(column, 8, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(x, 100, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(x, 100, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
