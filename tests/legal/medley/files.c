// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file of a step: each rank writes its columns, and reads those of another one when that is allowed.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include "medley.h"

enum { ROWS = 5, WIDTH = 8 };

static void set_columns(MPI_File file, int size, int column) {
  MPI_Datatype columns;
  int sizes[2] = {ROWS, size * WIDTH}, part[2] = {ROWS, WIDTH}, start[2] = {0, column * WIDTH};
  MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_CHAR, &columns);
  MPI_Type_commit(&columns);
  MPI_File_set_view(file, 0, MPI_CHAR, columns, "native", MPI_INFO_NULL);
  MPI_Type_free(&columns);
}

void step_file(struct group *g) {
  char name[64], sent[ROWS * WIDTH], got[ROWS * WIDTH];
  int next = (g->rank + 1) % g->size;
  MPI_File file;
  snprintf(name, sizeof name, "medley.%d.%d", step_number, g->color);
  for (int i = 0; i < ROWS * WIDTH; i++) sent[i] = byte_of(step_number, g->rank, i);
  MPI_File_open(g->comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  set_columns(file, g->size, g->rank && IS_WRONG(41) ? g->rank - 1 : g->rank);
  if (draw(&shared_draws, 2)) MPI_File_write_all(file, sent, ROWS * WIDTH, MPI_CHAR, MPI_STATUS_IGNORE);
  else MPI_File_write_at(file, 0, sent, ROWS * WIDTH, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(g->comm);
  if (!IS_WRONG(42)) MPI_File_sync(file);
  set_columns(file, g->size, next);
  MPI_File_read_at_all(file, 0, got, ROWS * WIDTH, MPI_CHAR, MPI_STATUS_IGNORE);
  for (int i = 0; i < ROWS * WIDTH; i++) expect(got[i] == byte_of(step_number, next, i), "what a file holds");
  MPI_File_close(&file);
}
