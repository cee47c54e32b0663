// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check --flow=content -n 2 %t 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc -g %s -o %t.plain
// RUN: %expect66 %mpirun-check --flow=content -n 2 %t.plain 2>&1 | FileCheck %s --check-prefix=PLAIN
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of the program that let other bytes come: the library is not blamed. Where the program was not recompiled, a
// store to a buffer in use is not seen, and a note says that it is not decided.
#include <mpi.h>
#include <stdlib.h>
#include <sys/mman.h>

// Memory that is gone when its receive is completed is not looked at: the first receives show that it is there.
static void lose_memory(int rank) {
  enum { ROOM = 1 << 20 };
  char x[100] = {1}, *block = malloc(ROOM), *mapped;
  mapped = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int k = 0; k < 6; k++) {
    MPI_Request request;
    if (rank == 1) MPI_Irecv(k % 2 ? mapped : block + 8, 100, MPI_BYTE, 0, 9, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_Send(x, 100, MPI_BYTE, 1, 9, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) continue;
    // CHECK-DAG: free by rank 1 {{.*}}open.c:[[#@LINE+1]] in lose_memory
    if (k == 4) free(block);
    // CHECK-DAG: free by rank 1 {{.*}}open.c:[[#@LINE+1]] in lose_memory
    if (k == 5) munmap(mapped, ROOM);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  int rank, x[1000] = {0}, y[1000] = {0};
  float f[10];
  MPI_Request request, two[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Issend(x, 1000, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    // CHECK-DAG: ERROR [buffer.modified-in-use]
    x[999] = 1; // the receive is not posted yet
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(x, 10, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(x, 1000, MPI_INT, 1, 2, MPI_COMM_WORLD);
    MPI_Send(x, 1000, MPI_INT, 1, 3, MPI_COMM_WORLD);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(y, 1000, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // CHECK-DAG: ERROR [type.mismatch]
    MPI_Recv(f, 10, MPI_FLOAT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // PLAIN: NOTE [flow.content] other data came than was sent: bytes 0..127 of 4000
    // PLAIN: not decided: the library is at fault, or the program has changed a buffer that was in use
    MPI_Irecv(y, 1000, MPI_INT, 0, 2, MPI_COMM_WORLD, two);
    MPI_Irecv(x, 1000, MPI_INT, 0, 3, MPI_COMM_WORLD, two + 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&two[1], MPI_STATUS_IGNORE); // the first message is there, too
    // CHECK-DAG: store by rank 1 {{.*}}open.c:[[#@LINE+1]] in main
    y[0] = 77;
    MPI_Wait(&two[0], MPI_STATUS_IGNORE);
  }
  lose_memory(rank);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 5 errors, 0 warnings, 0 notes
