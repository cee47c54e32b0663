// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library sends what it is given.
//
//   mpicc -shared -fPIC -DLIBRARY flow-right.c -o libflow.so -ldl
//   mpicc-check flow-right.c -o flow
//   mpirun-check --flow=content -x LD_PRELOAD=./libflow.so -n 3 ./flow
#include <mpi.h>
#ifdef LIBRARY
#include <dlfcn.h>
int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  int (*real)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
  *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Send");
  return real(buffer, count, type, dest, tag, comm);
}
#else
int main(int argc, char **argv) {
  int rank, numbers[4] = {1, 2, 3, 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(numbers, 4, MPI_INT, 1, 90, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(numbers, 4, MPI_INT, 0, 90, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
#endif
