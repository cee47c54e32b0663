// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of datatype-alignment.c.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char memory[3 * sizeof(double)] __attribute__((aligned(8))) = {0};
  double y[2];
  MPI_Sendrecv(memory + 8, 2, MPI_DOUBLE, 0, 0, y, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(memory + 3, 2 * sizeof(double), MPI_BYTE, 0, 0, y, 2 * sizeof(double), MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(memory + 3, 0, MPI_DOUBLE, 0, 0, y, 0, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // A packed struct, sent as what it is.
  struct __attribute__((packed)) { char c; double d; } packed = {1, 2};
  int lengths[2] = {1, 1};
  MPI_Aint places[2] = {0, 1};
  MPI_Datatype types[2] = {MPI_CHAR, MPI_DOUBLE}, t;
  MPI_Type_create_struct(2, lengths, places, types, &t), MPI_Type_commit(&t);
  MPI_Sendrecv(&packed, 1, t, 0, 0, memory, 1, t, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&t);
  y[0] = 0;
  MPI_Allreduce(MPI_IN_PLACE, y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return size < 1;
}
