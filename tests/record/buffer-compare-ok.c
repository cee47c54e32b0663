// RUN: %mpicc-check -O1 %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O0 %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of buffer-compare.c: functions that compare and search stop before a buffer that is being received into.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, found = 0;
  char memory[64] = "abcdefgh12", other[64] = "abddefgh12", number[8] = "0012", *received = memory + 4;
  volatile int eight = 8, four = 4;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Irecv(received, 60, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &request);
    found += memcmp(memory, other, (size_t)four) != 0;
    found += strcmp(memory, other) != 0;   // the third character tells
    found += strncmp(memory, other, (size_t)eight) != 0;
    found += strcmp(other, memory) != 0;
    found += memchr(memory, 'd', (size_t)eight) != NULL;   // found in front of what is in use
    found += strchr(memory, 'd') != NULL;
    found += strstr(memory, argc ? "cd" : "c") != NULL;
    found += strnlen(memory, (size_t)four) == 4;
    found += atoi(number) == 12;
    MPI_Send(NULL, 0, MPI_CHAR, 1, 0, MPI_COMM_WORLD);   // now it may come
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    found += strcmp(memory, "abcdabddefgh12") == 0;
    if (found != 10) MPI_Abort(MPI_COMM_WORLD, found);
  } else {
    MPI_Recv(NULL, 0, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(other, 60, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
