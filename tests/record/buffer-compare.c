// RUN: %mpicc-check -O1 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{WARNING|NOTE}}'
// RUN: %mpicc-check -O0 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the C library that compare and search load from a buffer that is being received into: as far as is certain.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, found = 0;
  char memory[64] = "abcdefgh12", other[64] = "abcdefgh12", *received = memory + 4;
  volatile int eight = 8;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Irecv(received, 60, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &request);
    // CHECK-DAG: load by rank 0 {{.*}}buffer-compare.c:[[#@LINE+1]] in main
    found += memcmp(memory, other, (size_t)eight) == 0;
    // CHECK-DAG: load by rank 0 {{.*}}buffer-compare.c:[[#@LINE+1]] in main
    found += strcmp(memory, other) == 0;
    // CHECK-DAG: load by rank 0 {{.*}}buffer-compare.c:[[#@LINE+1]] in main
    found += strncmp(memory, other, (size_t)eight) == 0;
    // CHECK-DAG: load by rank 0 {{.*}}buffer-compare.c:[[#@LINE+1]] in main
    found += strcmp(other, received) != 0;   // one character at least
    // CHECK-DAG: load by rank 0 {{.*}}buffer-compare.c:[[#@LINE+1]] in main
    found += memchr(memory, 'e', (size_t)eight) != NULL;
    // CHECK-DAG: load by rank 0 {{.*}}buffer-compare.c:[[#@LINE+1]] in main
    found += strchr(memory, 'h') != NULL;
    // CHECK-DAG: load by rank 0 {{.*}}buffer-compare.c:[[#@LINE+1]] in main
    found += strrchr(memory, 'a') != NULL;
    // CHECK-DAG: load by rank 0 {{.*}}buffer-compare.c:[[#@LINE+1]] in main
    found += strstr(memory, argc ? "gh" : "g") != NULL;
    // CHECK-DAG: load by rank 0 {{.*}}buffer-compare.c:[[#@LINE+1]] in main
    found += strnlen(memory, (size_t)eight) == 8;
    // CHECK-DAG: load by rank 0 {{.*}}buffer-compare.c:[[#@LINE+1]] in main
    found += atoi(received + 4) == 12;
    MPI_Send(NULL, 0, MPI_CHAR, 1, 0, MPI_COMM_WORLD);   // now it may come
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (found != 10) MPI_Abort(MPI_COMM_WORLD, found);
  } else {
    MPI_Recv(NULL, 0, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(other, 60, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 10 errors, 0 warnings, 0 notes
