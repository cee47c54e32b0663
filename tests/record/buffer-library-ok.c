// RUN: %mpicc-check -O1 %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O0 %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the C library that stop short of buffers in use, or only load what is being sent: no byte more than they touch is signalled.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int up(const void *a, const void *b) { return (*(const char *)a > *(const char *)b) - (*(const char *)a < *(const char *)b); }

int main(int argc, char **argv) {
  int rank;
  char memory[128], *low = memory, *sent = memory + 16, word[64];
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memset(memory, 'x', sizeof memory);
  memory[40] = 0;
  snprintf(word, sizeof word, "%d23456789abcdefgh%s", rank, argv[0] + strlen(argv[0]));
  MPI_Isend(sent, 64, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, &request);
  FILE *null = fopen("/dev/null", "r+"), *zero = fopen("/dev/zero", "r");
  word[15] = 0;
  strcpy(low, word);   // 16 bytes
  word[5] = 0;
  strcpy(low, word);
  strcat(low, word);
  strncat(low, word, 5);
  strncpy(low, word, 16);
  sprintf(low, "%s", word);
  snprintf(low, 16, argc > 9 ? "%s" : "%s and more", word);
  stpcpy(low, word);
  if (fread(low, 2, 8, zero) != 8 || fclose(zero)) return 1;
  if (!fgets(strcpy(low, word), 16, null)) low[0] = 0;
  // What is being sent may be loaded.
  if (fwrite(sent, 1, 5, null) != 5 || write(fileno(null), sent + 4, 1) != 1 || strlen(sent) != 24) return 1;
  qsort(low, 16, 1, up);
  char *copy = strdup(sent);
  free(copy);
  fclose(null);
  MPI_Recv(word, 64, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
