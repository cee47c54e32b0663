// RUN: %mpicc-check -O1 -g %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes of a window are also said as elements: of the variable that it was made of, or by the displacement unit.
// CHECK-DAG: ERROR [rma.race] race on a window of rank 0, bytes 16..31 (x[12..13])
// CHECK-DAG: ERROR [rma.race] race on a window of rank 0, bytes 16..23 (local[2])
// CHECK-DAG: ERROR [rma.race] race on window "the heap" of rank 0, bytes 24..31 (element 3 of 8 bytes)
// CHECK-DAG: ERROR [rma.race] race on a window of rank 0, bytes 4..7 (bytes 4..7 of local)
// The put behind it reads local while the other rank writes there: only the order of the whole run tells, since the fences of the other windows might
// have come in between.
// CHECK-DAG: ERROR [rma.race-local] race on a window of rank 0, bytes 4..7 (bytes 4..7 of local)
// Rank 0 itself has put to these bytes, too, before it puts them elsewhere.
// CHECK-DAG: ERROR [rma.race-local] MPI_Put reads what another MPI_Put on this rank's own window writes, before that is complete
#include <mpi.h>
#include <stdlib.h>

static double x[100];

int main(int argc, char **argv) {
  int rank;
  double local[10] = {0}, *heap = calloc(10, sizeof *heap);
  MPI_Win win[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(x + 10, 50 * sizeof *x, sizeof *x, MPI_INFO_NULL, MPI_COMM_WORLD, &win[0]);
  MPI_Win_create(local, sizeof local, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win[1]);
  MPI_Win_create(heap, 10 * sizeof *heap, sizeof *heap, MPI_INFO_NULL, MPI_COMM_WORLD, &win[2]);
  MPI_Win_set_name(win[2], "the\nheap");
  for (int i = 0; i < 3; i++) MPI_Win_fence(0, win[i]);
  MPI_Put(heap, 2, MPI_DOUBLE, 0, 2, 2, MPI_DOUBLE, win[0]);
  MPI_Put(heap, 1, MPI_DOUBLE, 0, 16, 1, MPI_DOUBLE, win[1]);
  MPI_Put(&rank, 1, MPI_INT, 0, 4, 1, MPI_INT, win[1]);
  MPI_Put(local, 1, MPI_DOUBLE, 0, 3, 1, MPI_DOUBLE, win[2]);
  for (int i = 0; i < 3; i++) MPI_Win_fence(0, win[i]);
  for (int i = 0; i < 3; i++) MPI_Win_free(&win[i]);
  free(heap);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 6 errors, 0 warnings, 0 notes
