// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clock before MPI_Finalize, and after it the functions that may be called then (MPI-3.1 8.7).
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  double seconds = 0;
  int version, subversion, flag, length;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Get_version(&version, &subversion), MPI_Get_library_version(text, &length);
  MPI_Initialized(&flag), MPI_Finalized(&flag);
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 3; i++) seconds += MPI_Wtime();
  seconds += MPI_Wtick();
  MPI_Finalize();
  MPI_Get_version(&version, &subversion), MPI_Get_library_version(text, &length);
  MPI_Initialized(&flag), MPI_Finalized(&flag);
  return seconds < 0;
}
