// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O2 %s -o %t
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -g0 %s -o %t
// RUN: %expect 0 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --check-prefix=BARE --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datatypes whose members fall on other members of the variable. Without debug information nothing is known.
// BARE: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

struct place { double x, y; };
struct particle { int id; struct place at; float charge; long cell; };
typedef struct { double value; long index; bool known; } best_t;
static struct particle all[8];

static MPI_Datatype make(MPI_Aint of_charge, MPI_Datatype charge, int places, MPI_Aint extent) {
  int counts[4] = {1, places, 1, 1};
  MPI_Aint at[4] = {0, offsetof(struct particle, at), of_charge, offsetof(struct particle, cell)};
  MPI_Datatype types[4] = {MPI_INT, MPI_DOUBLE, charge, MPI_LONG}, made, sized;
  MPI_Type_create_struct(4, counts, at, types, &made);
  MPI_Type_create_resized(made, 0, extent, &sized);
  MPI_Type_free(&made);
  MPI_Type_commit(&sized);
  return sized;
}

static void pass(MPI_Datatype type, int count) {
  MPI_Bcast(all, count, type, 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
}

// CHECK: ==mpicc-check== ERROR [type.buffer] buffer of MPI_Bcast: MPI_INT falls on all[0].cell, which is long
// CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.c:31 in pass
// CHECK: the datatype was made by MPI_Type_create_resized {{.*}} in make
// CHECK: MPI_INT has bytes 36 to 39 of struct particle; the member has bytes 32 to 39
// CHECK-NEXT: in the datatype: copy 2 of 3, part 1 of 4: MPI_INT, at byte 0 of a copy
// CHECK-NEXT: the copies of the datatype lie 36 bytes apart (its extent), the elements of the variable 40: MPI_Type_create_resized
int main(int argc, char **argv) {
  struct particle one = {0};
  best_t best[2] = {{0, 0, 0}};
  const MPI_Aint charge = offsetof(struct particle, charge), cell = offsetof(struct particle, cell), size = sizeof one;
  MPI_Datatype type;
  MPI_Init(&argc, &argv);
  // CHECK: ==mpicc-check== ERROR [type.buffer] buffer of MPI_Bcast: MPI_DOUBLE falls on one.charge, which is float
  // CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.c:[[#@LINE+4]] in main
  // CHECK-NEXT: the datatype was made by MPI_Type_create_resized {{.*}}type-member.c:24 in make
  // CHECK: MPI_DOUBLE has bytes 24 to 31 of struct particle; the member has bytes 24 to 27
  // CHECK-NEXT: in the datatype: part 3 of 4: MPI_DOUBLE, at byte 24 of a copy
  MPI_Bcast(&one, 1, type = make(charge, MPI_DOUBLE, 2, size), 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  // CHECK: ==mpicc-check== ERROR [type.buffer] buffer of MPI_Bcast: MPI_FLOAT falls on one.cell, which is long
  // CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.c:[[#@LINE+1]] in main
  MPI_Bcast(&one, 1, type = make(cell, MPI_FLOAT, 2, size), 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  // CHECK: ==mpicc-check== ERROR [type.buffer] buffer of MPI_Bcast: MPI_DOUBLE falls on one.charge, which is float
  // CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.c:[[#@LINE+2]] in main
  // CHECK: in the datatype: part 2 of 4, copy 3 of 3: MPI_DOUBLE, at byte 24 of a copy
  MPI_Bcast(&one, 1, type = make(charge, MPI_FLOAT, 3, size), 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  // CHECK: ==mpicc-check== ERROR [type.buffer] buffer of MPI_Bcast: MPI_FLOAT falls on the padding behind one.charge
  // CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.c:[[#@LINE+2]] in main
  // CHECK: MPI_FLOAT has bytes 28 to 31 of struct particle, where no member is
  MPI_Bcast(&one, 1, type = make(charge + 4, MPI_FLOAT, 2, size), 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  pass(make(charge, MPI_FLOAT, 2, size - 4), 3);
  // CHECK: ==mpicc-check== ERROR [type.buffer] buffer of MPI_Bcast: MPI_INT falls on best[1].index, which is long
  // CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.c:[[#@LINE+1]] in main
  MPI_Bcast(&best[1], 1, MPI_DOUBLE_INT, 0, MPI_COMM_WORLD);
  // CHECK: ==mpicc-check== ERROR [type.buffer] buffer of MPI_Bcast: MPI_INT falls on best[0].known, which is _Bool
  // CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.c:[[#@LINE+1]] in main
  MPI_Bcast(&best[0].known, 1, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: ==mpicc-check== ERROR [type.buffer] buffer of MPI_Bcast: MPI_DOUBLE falls on all[0].at.x, which is double
  // CHECK-NEXT: MPI_Bcast on rank 0 {{.*}}type-member.c:[[#@LINE+5]] in main
  // CHECK-NEXT: the datatype was made by MPI_Type_create_hvector {{.*}}type-member.c:[[#@LINE+2]] in main
  // CHECK: MPI_DOUBLE has bytes 13 to 20 of struct particle; the member has bytes 8 to 15
  MPI_Type_create_hvector(8, 1, sizeof one / sizeof(double), MPI_DOUBLE, &type);   // the stride is given in bytes
  MPI_Type_commit(&type);
  MPI_Bcast(&all[0].at.x, 1, type, 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  MPI_Finalize();
  return best[0].known;
}
// CHECK: ==mpicc-check== 8 errors, 0 warnings, 0 notes
