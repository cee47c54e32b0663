// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Five values for each point of a grid whose planes (z) are divided among the ranks, in flat arrays.
#pragma once
#include <mpi.h>

enum { BEFORE, HERE, AFTER };
typedef double block[3][5][5]; // of the point before, of this one, of the one behind

struct field {
  int rank, size;
  int nx, ny, nz;    // of this rank; nz may differ
  int first, planes; // its first plane, and the planes of all
  double *u;         // coefficients; a plane more on both sides
  double *rhs;
  double *w;    // the solution: in the window, with a plane more on both sides
  block *lhs;   // a line in x or y
  double *lhsc; // z: a block for each point
  MPI_Win w_win;
  MPI_Win pipe_win; // 30 values for each line in z, forth, and 5 back
  double *pipe;
  MPI_Group before, after; // the ranks next to this one
};
#define POINT(f, k, j, i) ((((long)(k) * (f)->ny + (j)) * (f)->nx + (i)) * 5)
#define GHOSTED(f, k, j, i) POINT(f, (k) + 1, j, i)

void field_make(struct field *f, int n, int planes);
void field_release(struct field *f);
void field_set_block(const struct field *f, int k, int j, int i, const int step[3], int is_first, int is_last,
                     block lhs);
void field_exchange(struct field *f);                   // gets the planes next to ours
void field_set_rhs(struct field *f, const int step[3]); // as if w were the solution along this direction

void line_solve(struct field *f, const int step[3]); // x or y
void pipeline_solve(struct field *f);                // z
