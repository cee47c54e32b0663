// RUN: %mpicc-check -w %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report says which datatype it means: by the name that the program gave it (MPI-3.1 6.8), and by the call that made
// it. Datatypes that are alike share a definition: where they have several names, none is said.
#include <mpi.h>

static MPI_Datatype make(int blocks, const char *name) {
  MPI_Datatype type;
  MPI_Type_vector(blocks, 1, 2, MPI_INT, &type); // line 10
  if (name) MPI_Type_set_name(type, name);
  MPI_Type_commit(&type);
  return type;
}

int main(int argc, char **argv) {
  int rank, x[64] = {0};
  float y[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype named = make(2, "col\001umn"), bare = make(3, NULL), alike[2];
  for (int i = 0; i < 2; i++) alike[i] = make(4, i ? "one" : "other");
  if (rank == 0) {
    MPI_Send(x, 1, named, 1, 1, MPI_COMM_WORLD);
    MPI_Send(y, 3, MPI_FLOAT, 1, 2, MPI_COMM_WORLD);
    MPI_Send(x, 1, alike[0], 1, 3, MPI_COMM_WORLD);
    MPI_Send(x, 1, alike[1], 1, 4, MPI_COMM_WORLD);
  } else {
    // CHECK-DAG: sent: 1 of the datatype col?umn, made by MPI_Type_vector at type-names.c:10 (8 bytes); expected: 2 MPI_FLOAT
    MPI_Recv(y, 2, MPI_FLOAT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // CHECK-DAG: sent: 3 MPI_FLOAT; expected: 1 of a datatype made by MPI_Type_vector at type-names.c:10 (12 bytes)
    MPI_Recv(x, 1, bare, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // CHECK-DAG: sent: 1 of a datatype made by MPI_Type_vector at type-names.c:10 (16 bytes); expected: 4 MPI_FLOAT
    MPI_Recv(y, 4, MPI_FLOAT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // CHECK-DAG: message of 1 of a datatype made by MPI_Type_vector at type-names.c:10 (16 bytes) is never received
  }
  // CHECK-DAG: ERROR [collective.type] ranks give different types to MPI_Bcast
  // CHECK-DAG: rank 1 gives 1 of the datatype col?umn, made by MPI_Type_vector at type-names.c:10 (8 bytes)
  MPI_Bcast(x, rank ? 1 : 2, rank ? named : MPI_FLOAT, 0, MPI_COMM_WORLD);
  // CHECK-DAG: ERROR [collective.type] what MPI_Allgather sends and receives differs in type
  // CHECK-DAG: rank 0 sends 1 of a datatype made by MPI_Type_vector at type-names.c:10 (12 bytes) to rank 0, which expects 3 MPI_FLOAT
  MPI_Allgather(x, 1, bare, y, 3, MPI_FLOAT, MPI_COMM_WORLD);
  MPI_Type_free(&named), MPI_Type_free(&bare), MPI_Type_free(&alike[0]), MPI_Type_free(&alike[1]);
  MPI_Finalize();
  return 0;
}
// CHECK: 6 errors, 0 warnings, 0 notes
