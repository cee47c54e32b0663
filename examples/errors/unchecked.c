// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library for the numbers is built with plain mpicc. It writes to a buffer that a pending receive uses, and nobody
// sees that. The report says what was not checked. With "mpicc-check -shared ..." the error is found.
//
//   mpicc -g -shared -fPIC -DKERNEL unchecked.c -o libkernel.so
//   mpicc-check unchecked.c ./libkernel.so -o unchecked
//   mpirun-check -n 3 ./unchecked
#include <mpi.h>
#include <stdlib.h>
void smooth(double *cells, int count);
#ifdef KERNEL
void smooth(double *cells, int count) {
  for (int i = 1; i < count; i++) cells[i] = (cells[i] + cells[i - 1]) / 2;
}
#else
int main(int argc, char **argv) {
  int rank, size;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *cells = calloc(8, sizeof *cells), mine = rank;
  MPI_Irecv(cells, 1, MPI_DOUBLE, (rank + size - 1) % size, 110, MPI_COMM_WORLD, &request);
  MPI_Send(&mine, 1, MPI_DOUBLE, (rank + 1) % size, 110, MPI_COMM_WORLD);
  smooth(cells, 8);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(cells);
  MPI_Finalize();
}
#endif
