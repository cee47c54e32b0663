// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check %s -o %t -DLEVEL=MPI_THREAD_SERIALIZED
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check %s -o %t -DLEVEL=MPI_THREAD_MULTIPLE
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI-3.1 8.7.1: MPI_Finalize runs the callbacks of MPI_COMM_SELF, the last attribute set first, each with its own
// extra state, while MPI still works: messages, windows, files, requests of before, an attribute that is set there.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef LEVEL
#define LEVEL MPI_THREAD_SINGLE
#endif
static int order[4], n, keys[4], memory[4], received, rank, size;
static MPI_Win win;
static MPI_Comm dup;
static MPI_Request request;
static void check(int is_right) {
  if (!is_right) MPI_Abort(MPI_COMM_WORLD, 9);
}
static void exchange(void) {
  int x = rank, y = -1, last = keys[0];
  MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) % size, 7, &y, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  check(y == (rank + size - 1) % size);
  MPI_Comm_set_attr(MPI_COMM_SELF, last, NULL);
  MPI_Comm_free_keyval(&last);
}
static void put(void) {
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  check(memory[0] == (rank + size - 1) % size);
  memory[0] = 3;
  MPI_Win_free(&win);
}
static void write_file(void) {
  MPI_File file;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(dup);
  MPI_Comm_free(&dup);
  MPI_File_open(MPI_COMM_WORLD, "finalize-callbacks.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_File_write_at_all(file, rank * 4, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}
static int at_end(MPI_Comm comm, int key, void *value, void *extra) {
  int is_finalized, which = (int)(intptr_t)value;
  (void)key;
  MPI_Finalized(&is_finalized);
  check(!is_finalized && comm == MPI_COMM_SELF && extra == &order[which]);
  order[n++] = which;
  (which == 3 ? exchange : which == 2 ? put : write_file)();
  return MPI_SUCCESS;
}
int main(int argc, char **argv) {
  int provided, is_finalized;
  MPI_Init_thread(&argc, &argv, LEVEL, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Irecv(&received, 1, MPI_INT, (rank + size - 1) % size, 9, dup, &request);
  MPI_Send(&size, 1, MPI_INT, (rank + 1) % size, 9, dup);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keys[0], NULL);
  for (int i = 1; i < 4; i++) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &keys[i], &order[i]);
    MPI_Comm_set_attr(MPI_COMM_SELF, keys[i], (void *)(intptr_t)i);
    MPI_Comm_free_keyval(&keys[i]);
  }
  MPI_Finalize();
  MPI_Finalized(&is_finalized);
  return !(is_finalized && n == 3 && order[0] == 3 && order[1] == 2 && order[2] == 1);
}
