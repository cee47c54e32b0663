// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block-tridiagonal systems along x or y: each line is on one rank.
#include "block.h"
#include "field.h"

static double *rhs_at(struct field *f, int k, int line, int at, const int step[3]) {
  return f->rhs + (step[0] ? POINT(f, k, line, at) : POINT(f, k, at, line));
}

void line_solve(struct field *f, const int step[3]) {
  int n = step[0] ? f->nx : f->ny, lines = step[0] ? f->ny : f->nx;
  for (int k = 0; k < f->nz; k++)
    for (int line = 0; line < lines; line++) {
      for (int at = 0; at < n; at++)
        field_set_block(f, k, step[0] ? line : at, step[0] ? at : line, step, at == 0, at == n - 1, f->lhs[at]);
      binvcrhs(f->lhs[0][HERE], f->lhs[0][AFTER], rhs_at(f, k, line, 0, step));
      for (int at = 1; at < n; at++) {
        matvec_sub(f->lhs[at][BEFORE], rhs_at(f, k, line, at - 1, step), rhs_at(f, k, line, at, step));
        matmul_sub(f->lhs[at][BEFORE], f->lhs[at - 1][AFTER], f->lhs[at][HERE]);
        if (at < n - 1) binvcrhs(f->lhs[at][HERE], f->lhs[at][AFTER], rhs_at(f, k, line, at, step));
        else binvrhs(f->lhs[at][HERE], rhs_at(f, k, line, at, step));
      }
      for (int at = n - 2; at >= 0; at--)
        for (int m = 0; m < 5; m++)
          for (int c = 0; c < 5; c++)
            rhs_at(f, k, line, at, step)[m] -= f->lhs[at][AFTER][m][c] * rhs_at(f, k, line, at + 1, step)[c];
    }
}
