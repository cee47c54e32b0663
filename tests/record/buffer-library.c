// RUN: %mpicc-check -O1 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{WARNING|NOTE}}'
// RUN: %mpicc-check -O0 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the C library touch buffers in use: what they store to or load is known from their arguments and results.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What a function of the program does that the library calls is signalled there.
// CHECK-DAG: load by rank 0 {{.*}}buffer-library.c:[[#@LINE+1]] in up
static int up(const void *a, const void *b) { return (*(const char *)a > *(const char *)b) - (*(const char *)a < *(const char *)b); }

int main(int argc, char **argv) {
  int rank;
  char sent[64] = "abc", received[64] = "defgh", word[64];
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Isend(sent, 64, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(received + 4, 60, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
  snprintf(word, sizeof word, "%d%s", rank, argv[0] + strlen(argv[0]));
  if (rank == 0) {
    FILE *null = fopen("/dev/null", "r+"), *zero = fopen("/dev/zero", "r");
    // CHECK-DAG: store by rank 0 {{.*}}buffer-library.c:[[#@LINE+1]] in main
    strcpy(sent, word);
    // CHECK-DAG: store by rank 0 {{.*}}buffer-library.c:[[#@LINE+1]] in main
    strcat(sent, word);
    // CHECK-DAG: store by rank 0 {{.*}}buffer-library.c:[[#@LINE+1]] in main
    strncpy(sent, word, (size_t)(rank + 9));
    // CHECK-DAG: store by rank 0 {{.*}}buffer-library.c:[[#@LINE+1]] in main
    sprintf(sent, "%s", word);
    // CHECK-DAG: store by rank 0 {{.*}}buffer-library.c:[[#@LINE+1]] in main
    snprintf(sent, sizeof sent, "%d", rank);
    // CHECK-DAG: store by rank 0 {{.*}}buffer-library.c:[[#@LINE+1]] in main
    if (fread(sent, 1, 4, zero) != 4 || fclose(zero)) return 1;
    // CHECK-DAG: load by rank 0 {{.*}}buffer-library.c:[[#@LINE+1]] in main
    if (fwrite(received, 1, 5, null) != 5 || fflush(null)) return 1;
    // CHECK-DAG: load by rank 0 {{.*}}buffer-library.c:[[#@LINE+1]] in main
    if (write(fileno(null), received + 4, 1) != 1) return 1;
    // CHECK-DAG: load by rank 0 {{.*}}buffer-library.c:[[#@LINE+1]] in main
    if (strlen(received) > 60) return 1;
    // CHECK-DAG: store by rank 0 {{.*}}buffer-library.c:[[#@LINE+1]] in main
    qsort(received + 1, 4, 1, up);
    fclose(null);
  }
  MPI_Recv(word, 64, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(word, 60, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== {{11|12}} errors, 0 warnings, 0 notes
