// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct {int; double} is received as doubles. Where the datatype of one side does not fit its own buffer, that is
// the cause, and said alone; a mismatch of another element of the same message is said, too.
// CHECK-DAG: ==mpicc-check== ERROR [type.mismatch] MPI_INT is sent where MPI_DOUBLE is received
// CHECK-DAG: {{^}}  from element 0 on, sent: 1 MPI_INT, 1 MPI_DOUBLE, 1 MPI_INT, 1 MPI_DOUBLE; expected: 4 MPI_DOUBLE
#include <mpi.h>
#include <stddef.h>

struct particle {
  float charge;
  int kind;
  long id;
};
static MPI_Datatype make(MPI_Datatype first, MPI_Datatype second, MPI_Datatype third) {
  MPI_Datatype type;
  MPI_Aint places[] = {0, offsetof(struct particle, kind), offsetof(struct particle, id)};
  MPI_Type_create_struct(3, (int[]){1, 1, 1}, places, (MPI_Datatype[]){first, second, third}, &type);
  MPI_Type_commit(&type);
  return type;
}

int main(int argc, char **argv) {
  int rank;
  double x[8] = {0}, number[4] = {0};
  float half[8] = {0};
  struct particle one = {0};
  MPI_Datatype pair, right, wrong, late;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &pair);
  MPI_Type_commit(&pair);
  right = make(MPI_FLOAT, MPI_INT, MPI_LONG), wrong = make(MPI_INT, MPI_FLOAT, MPI_LONG);
  late = make(MPI_FLOAT, MPI_FLOAT, MPI_LONG);
  if (rank == 0) {
    MPI_Send(x, 2, pair, 1, 0, MPI_COMM_WORLD);
    // CHECK-DAG: ERROR [type.buffer] buf of MPI_Send: MPI_INT falls on one.charge, which is float
    MPI_Send(&one, 1, wrong, 1, 1, MPI_COMM_WORLD);
    MPI_Send(half, 8, MPI_FLOAT, 1, 2, MPI_COMM_WORLD);
    // CHECK-DAG: ERROR [type.buffer] buf of MPI_Send: MPI_FLOAT falls on one.kind, which is int
    MPI_Send(&one, 1, late, 1, 3, MPI_COMM_WORLD);
  } else {
    // CHECK-DAG: MPI_Recv on rank 1 {{.*}}type-mismatch-struct.c:[[#@LINE+1]] in main
    MPI_Recv(x, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&one, 1, right, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // CHECK-DAG: ERROR [type.buffer] buf of MPI_Recv: the variable half is float[8], but the datatype is of MPI_INT
    MPI_Recv(half, 8, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // CHECK-DAG: ERROR [type.mismatch] MPI_FLOAT is sent where MPI_DOUBLE is received
    MPI_Recv(number, 2, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&pair), MPI_Type_free(&right), MPI_Type_free(&wrong), MPI_Type_free(&late);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 5 errors, 0 warnings, 0 notes
