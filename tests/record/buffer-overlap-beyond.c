// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t > %t.out 2>&1
// RUN: FileCheck %s --input-file=%t.out --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The count is too large, so the send buffer reaches into the receive buffer behind it: one cause, one finding.
// CHECK: ==mpicc-check== ERROR [arg.memory] sendbuf of MPI_Sendrecv
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  static int large[1 << 16];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *a = malloc(64), *b = malloc(64), *out = a < b ? a : b, *in = a < b ? b : a, count = (int)(in - out) + 4;
  for (int i = 0; i < 16; i++) a[i] = b[i] = 0;
  if (rank == 0)
    // CHECK: MPI_Sendrecv on rank 0 {{.*}}overlap-beyond.c:[[#@LINE+1]] in main
    MPI_Sendrecv(out, count, MPI_INT, 1, 3, in, 4, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Sendrecv(in, 4, MPI_INT, 0, 3, large, 1 << 16, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(a), free(b);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
