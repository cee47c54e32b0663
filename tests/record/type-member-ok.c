// RUN: %mpicc-check %s -o %t
// RUN: %expect 0 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O2 %s -o %t
// RUN: %expect 0 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datatypes that fit the members, and members that may hold anything.
#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

struct place { double x, y; };
struct particle { int id; struct place at; float charge; long cell; };
static struct particle all[8], grid[3][4];
typedef struct { double value; int index; } best_t;
typedef struct { short value; int index; } small_t;
typedef struct { double work[100]; int used; int scratch[64]; char raw[60]; } arena_t;
typedef struct { unsigned a : 3, b : 9; char c; int n; } packed_t;
typedef struct { union { int i; double d; } u; union { long l; float f[2]; } v; } any_t;
typedef struct { int n; double complex z; enum { RED, GREEN } color; void *self; wchar_t wide; int64_t big; } odd_t;
typedef struct { int n; _Float16 half[6]; __int128 huge; _Atomic int count; const float fixed; } rare_t;
typedef struct { int n; struct { float a, b; }; struct { int k; } inner[3]; } nameless_t;
typedef struct { int n; double tail[]; } open_t;
static open_t open = {2, {1, 2}};

static MPI_Datatype make(MPI_Datatype of_int, MPI_Datatype of_long) {
  int counts[] = {1, 2, 1, 1};
  MPI_Aint at[] = {0, offsetof(struct particle, at), offsetof(struct particle, charge), offsetof(struct particle, cell)};
  MPI_Datatype types[] = {of_int, MPI_DOUBLE, MPI_FLOAT, of_long}, made, sized;
  MPI_Type_create_struct(4, counts, at, types, &made);
  MPI_Type_create_resized(made, 0, sizeof(struct particle), &sized);
  MPI_Type_free(&made);
  MPI_Type_commit(&sized);
  return sized;
}

#define PASS(address, count, type) MPI_Bcast(address, count, type, 0, MPI_COMM_WORLD)

static void pass_all(int n) {
  struct particle some[n];   // its length is known to the run only
  memset(some, 0, sizeof some);
  MPI_Datatype type = make(MPI_INT, MPI_LONG), other = make(MPI_UNSIGNED, MPI_INT64_T), column, rows, away;
  PASS(some, n, type);
  PASS(some + 1, n - 1, other);
  PASS(all, 8, type);
  for (int i = 0; i < 8; i++) PASS(&all[i], 1, other);
  PASS(grid, 12, type);
  PASS(&grid[1][2], 2, type);
  PASS(&all[2].at, 2, MPI_DOUBLE);
  PASS(&all[2].charge, 1, MPI_FLOAT);
  PASS(all, sizeof all, MPI_BYTE);
  PASS(all, 20, MPI_CHAR);
  MPI_Type_vector(3, 1, 4, type, &column), MPI_Type_commit(&column);
  PASS(&grid[0][1], 1, column);
  int sizes[] = {3, 4}, parts[] = {2, 2}, starts[] = {1, 1};
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, type, &rows), MPI_Type_commit(&rows);
  PASS(grid, 1, rows);
  MPI_Type_create_hvector(8, 1, sizeof *all, MPI_LONG, &away), MPI_Type_commit(&away);
  PASS(&all[0].cell, 1, away);
  MPI_Type_free(&type), MPI_Type_free(&other), MPI_Type_free(&column), MPI_Type_free(&rows), MPI_Type_free(&away);
}

// Displacements may be addresses, and lead to other variables (MPI-3.1 4.1.12).
static void pass_addresses(void) {
  struct particle one = {0};
  best_t best = {0, 0};
  int counts[] = {1, 2, 1};
  MPI_Aint at[3], base;
  MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_DOUBLE_INT}, type;
  MPI_Get_address(&one.id, &at[0]), MPI_Get_address(&one.at, &at[1]), MPI_Get_address(&best, &at[2]);
  MPI_Type_create_struct(3, counts, at, types, &type), MPI_Type_commit(&type);
  PASS(MPI_BOTTOM, 1, type);
  MPI_Type_free(&type);
  MPI_Get_address(&one, &base);
  for (int i = 0; i < 3; i++) at[i] -= base;
  MPI_Type_create_struct(3, counts, at, types, &type), MPI_Type_commit(&type);
  PASS(&one, 1, type);
  MPI_Type_free(&type);
}

int main(int argc, char **argv) {
  best_t best[2] = {{0, 0}};
  small_t small[2] = {{0, 0}};
  arena_t arena = {{0}};
  packed_t packed = {0};
  any_t any = {{0}};
  odd_t odd = {0};
  rare_t rare = {0};
  nameless_t nameless = {0};
  struct timespec now = {0, 0};
  MPI_Init(&argc, &argv);
  pass_all(5);
  pass_addresses();
  PASS(best, 2, MPI_DOUBLE_INT);
  PASS(small, 2, MPI_SHORT_INT);
  PASS(arena.work, 100, MPI_DOUBLE);
  PASS(arena.work, 30, MPI_INT);   // storage for this and that
  PASS(arena.scratch + 1, 20, MPI_DOUBLE);
  PASS(arena.raw + 4, 7, MPI_DOUBLE);
  PASS(&arena.used, 1, MPI_INT);
  PASS(&packed, 1, MPI_INT);
  PASS(&packed, 2, MPI_INT);
  PASS(&any, 2, MPI_DOUBLE);
  PASS(&any.v, 2, MPI_INT);
  PASS(&odd.z, 1, MPI_C_DOUBLE_COMPLEX);
  PASS(&odd.z, 2, MPI_DOUBLE);
  PASS(&odd.color, 1, MPI_INT);
  PASS(&odd.self, 1, MPI_AINT);
  PASS(&odd.wide, 1, MPI_WCHAR);
  PASS(&odd.big, 1, MPI_LONG_LONG);
  PASS(rare.half, 6, MPI_SHORT);   // MPI has no datatype for it
  PASS(&rare.huge, 2, MPI_UNSIGNED_LONG);
  PASS(&rare.count, 1, MPI_INT);
  MPI_Allreduce(MPI_IN_PLACE, &nameless.a, 2, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  PASS(nameless.inner, 3, MPI_INT);
  PASS(&open, 1, MPI_INT);
  PASS(open.tail, 2, MPI_DOUBLE);
  PASS(&now, 2, MPI_LONG);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
