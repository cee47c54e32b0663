// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not=WARNING
// RUN: env MPICC_CHECK_OPTIONS=pedantic=1 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A token of no bytes, and one of elements that have none: the standard does not promise more for it, but every library sends it at once.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 3 ranks wait for each other
// CHECK: the smallest message on the cycle has 0 bytes
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Datatype nothing;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Send(NULL, 0, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
  MPI_Recv(NULL, 0, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  MPI_Send(NULL, 3, nothing, (rank + 1) % size, 6, MPI_COMM_WORLD);
  MPI_Recv(NULL, 3, nothing, (rank + size - 1) % size, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&nothing);
  MPI_Finalize();
  return 0;
}
// QUIET: ==mpicc-check== no errors found in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
// CHECK: ==mpicc-check== 0 errors, 2 warnings, 0 notes in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
