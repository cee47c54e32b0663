// RUN: mkdir -p %t.d && %mpicc -w -O1 -shared -fPIC %S/Inputs/faulty-access.c -o %t.d/libmpi_faulty.so -ldl
// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check --flow=content -n 2 -x LD_PRELOAD=%t.d/libmpi_faulty.so %t %t.d/file 2>&1 | \
// RUN:   FileCheck %s
// RUN: %expect 0 %mpirun-check --flow=content -n 2 %t %t.d/file 2>&1 | FileCheck %s --check-prefix=RIGHT
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files on a faulty library: each fault is found on its call, among right ones. On the real library nothing is found.
// RIGHT: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { N = 100, LONG = 40000 };
static int rank, x[LONG], y[LONG];
static const char *name;

static void fault(int of, const char *what) {
  if (rank == of && what) setenv("FAULT", what, 1);
  else unsetenv("FAULT");
}
static void fill(int seed) {
  for (int i = 0; i < LONG; i++) x[i] = seed * 1000000 + rank * 100000 + i;
}
static MPI_File open_file(void) {
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  return file;
}
static void exchange(MPI_File file) { MPI_File_sync(file), MPI_Barrier(MPI_COMM_WORLD), MPI_File_sync(file); }

static void own(void) { // what was written is read again, or not
  MPI_File file = open_file();
  fill(1), MPI_File_write_at(file, rank * N, x, N, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_read_at(file, rank * N, y, N, MPI_INT, MPI_STATUS_IGNORE);
  fill(2), fault(0, "write-displaced");
  // CHECK-DAG: MPI_File_write_at {{.*}} rank 0 {{.*}}files.c:[[#@LINE+1]] in own
  if (rank == 0) MPI_File_write_at(file, 1000, x, N, MPI_INT, MPI_STATUS_IGNORE);
  fault(0, NULL), fill(3), fault(1, "write-tail");
  // CHECK-DAG: MPI_File_write_at {{.*}} rank 1 {{.*}}files.c:[[#@LINE+1]] in own
  if (rank == 1) MPI_File_write_at(file, 2000, x, LONG, MPI_INT, MPI_STATUS_IGNORE);
  fault(1, NULL);
  if (rank == 1) MPI_File_write_at(file, 2000 + LONG, x, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

static void of_others(void) {
  MPI_File file = open_file();
  fill(4), MPI_File_write_at_all(file, rank * N, x, N, MPI_INT, MPI_STATUS_IGNORE);
  exchange(file);
  MPI_File_read_at(file, 0, y, 2 * N, MPI_INT, MPI_STATUS_IGNORE);
  fault(1, "read-displaced");
  // CHECK-DAG: received by MPI_File_read_at on rank 1 {{.*}}files.c:[[#@LINE+1]] in of_others
  if (rank == 1) MPI_File_read_at(file, 10, y, 20, MPI_INT, MPI_STATUS_IGNORE);
  fault(1, NULL);
  MPI_File_close(&file);
}

// A read has less than was asked for only at the end of the file.
static void lengths(void) {
  MPI_Status status;
  MPI_File file;
  MPI_Barrier(MPI_COMM_WORLD); // the last open is over
  file = open_file();
  fill(6), MPI_File_write_at(file, rank * N, x, N, MPI_INT, &status), exchange(file);
  MPI_File_read_at(file, 2 * N - 10, y, 20, MPI_INT, &status);
  fault(1, "read-short");
  // CHECK-DAG: ERROR [flow.content] the status of a read tells fewer bytes than are in the file
  // CHECK-DAG: received by MPI_File_read_at on rank 1 {{.*}}files.c:[[#@LINE+1]] in lengths
  if (rank == 1) MPI_File_read_at(file, 0, y, 20, MPI_INT, &status);
  fault(1, NULL);
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_read_at(file, 2 * N * 4 + 8, y, 20, MPI_INT, &status);
  MPI_File_read_at(file, 1 << 20, y, 20, MPI_INT, &status);
  fault(0, "read-short");
  // CHECK-DAG: ERROR [flow.content] the status of MPI_File_read_at tells another length than was asked for
  // CHECK-DAG: MPI_File_read_at on rank 0 {{.*}}files.c:[[#@LINE+1]] in lengths
  if (rank == 0) MPI_File_read_at(file, 4, y, 20, MPI_INT, &status);
  fault(0, NULL);
  MPI_File_close(&file);
}

// Ranks write every other block: filetypes with holes; pending and split accesses.
static void strided(void) {
  MPI_Datatype blocks;
  MPI_Request request;
  MPI_File file;
  MPI_Barrier(MPI_COMM_WORLD); // the last open is over
  file = open_file();
  MPI_Type_vector(10, 5, 10, MPI_INT, &blocks), MPI_Type_commit(&blocks);
  MPI_File_set_view(file, 4 * 5 * rank, MPI_INT, blocks, "native", MPI_INFO_NULL);
  fill(5), MPI_File_iwrite_at(file, 7, x, 30, MPI_INT, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_read_at(file, 7, y, 30, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_write_at_all_begin(file, 40, x, 10, MPI_INT), MPI_File_write_at_all_end(file, x, MPI_STATUS_IGNORE);
  fault(1, "read-displaced");
  // CHECK-DAG: received by MPI_File_read_at on rank 1 {{.*}}files.c:[[#@LINE+1]] in strided
  if (rank == 1) MPI_File_read_at(file, 40, y, 9, MPI_INT, MPI_STATUS_IGNORE);
  fault(1, NULL);
  MPI_File_close(&file);
  MPI_Type_free(&blocks);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  name = argv[1];
  own();
  of_others();
  lengths();
  strided();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_File_delete(name, MPI_INFO_NULL);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 6 errors, 0 warnings, 0 notes
