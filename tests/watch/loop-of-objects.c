// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t > %t.1 2>&1
// RUN: FileCheck %s --input-file=%t.1 --check-prefix=COMM --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check -n 2 %t root > %t.2 2>&1
// RUN: FileCheck %s --input-file=%t.2 --check-prefix=ROOT --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check -n 2 %t the window > %t.3 2>&1
// RUN: FileCheck %s --input-file=%t.3 --check-prefix=WIN --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communicators and windows that one call makes in a loop: the report says which of them it is.
// COMM: ==mpicc-check== ERROR [collective.comm-order]
// COMM: rank 0 waits in MPI_Barrier on the 2nd communicator of MPI_Comm_dup at loop-of-objects.c:[[#@LINE+15]] for
// COMM: rank 1 waits in MPI_Barrier on the 3rd communicator of MPI_Comm_dup at loop-of-objects.c:[[#@LINE+14]] for
// ROOT: ==mpicc-check== ERROR [collective.root]
// ROOT: number 1 of the communicator, the 3rd that MPI_Comm_dup made at loop-of-objects.c:[[#@LINE+12]]: rank 0
// WIN: ==mpicc-check== ERROR [deadlock]
// WIN: rank 0 waits in MPI_Win_fence of the 2nd window of MPI_Win_create at loop-of-objects.c:[[#@LINE+11]] for rank 1
// WIN: rank 1 waits in MPI_Win_fence of the 3rd window of MPI_Win_create at loop-of-objects.c:[[#@LINE+10]] for rank 0
#include <mpi.h>
int main(int argc, char **argv) {
  int rank, x = 0, memory[12];
  MPI_Comm comms[12];
  MPI_Win wins[12];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 12; i++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    MPI_Win_create(&memory[i], sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &wins[i]);
  }
  if (argc == 1) MPI_Barrier(comms[rank + 1]);
  if (argc == 2) MPI_Bcast(&x, 1, MPI_INT, rank, comms[2]);
  if (argc == 3) MPI_Win_fence(0, wins[rank + 1]);
  for (int i = 0; i < 12; i++) MPI_Comm_free(&comms[i]), MPI_Win_free(&wins[i]);
  MPI_Finalize();
  return 0;
}
