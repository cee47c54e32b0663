// RUN: %mpicc-check -O1 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 dies in a function that qsort calls. The frames of the C library, which keep no frame pointers, stand between
// it and the program's call: that call is named next.
#include <mpi.h>
#include <stdlib.h>

struct item {
  int *key;
};

static int compare(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  // CHECK: ==mpicc-check== ERROR [run.died] rank 1 was killed by SIGSEGV
  // CHECK-NEXT: it died here {{.*}}died-callback.c:[[#@LINE+3]] in compare
  // CHECK-NEXT: called from died-callback.c:[[#@LINE+8]] in sort_all
  // CHECK-NEXT: called from died-callback.c:[[#@LINE+17]] in main
  return *x->key - *y->key;
}

static __attribute__((noinline)) int sort_all(int n) {
  struct item *items = calloc((size_t)n, sizeof *items);
  if (!items) return 0;
  qsort(items, (size_t)n, sizeof *items, compare);
  free(items);
  return n;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) rank += sort_all(1000);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return rank > 1000;
}
// CHECK: last recorded MPI call, MPI_Barrier
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
