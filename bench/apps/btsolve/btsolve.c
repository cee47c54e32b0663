// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block-tridiagonal systems in three directions, after NPB's BT, with one-sided communication. The solution is known,
// and each step goes on from what was found. usage: btsolve [points in x and y: up to 256] [planes] [steps]
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include "bench/apps/measured.h"
#include "field.h"

// Replaces w by what was found, and returns the largest difference.
static double take_solution(struct field *f) {
  double most = 0;
  for (int k = 0; k < f->nz; k++)
    for (int j = 0; j < f->ny; j++)
      for (int i = 0; i < f->nx; i++)
        for (int m = 0; m < 5; m++) {
          double found = f->rhs[POINT(f, k, j, i) + m];
          most = fmax(most, fabs(found - f->w[GHOSTED(f, k, j, i) + m]));
          f->w[GHOSTED(f, k, j, i) + m] = found;
        }
  return most;
}

int main(int argc, char **argv) {
  static const int steps[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  MPI_Init(&argc, &argv);
  int size, n = (int)measured_argument(argc, argv, 1, 32, 2);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct field f;
  double worst = 0;
  field_make(&f, n > 256 ? 256 : n, (int)measured_argument(argc, argv, 2, 32, size));
  long turns = measured_argument(argc, argv, 3, 12, 1);
  measured_begin();
  for (long turn = 0; turn < turns; turn++) {
    field_exchange(&f);
    for (int d = 0; d < 3; d++) {
      field_set_rhs(&f, steps[d]);
      if (d < 2) line_solve(&f, steps[d]);
      else pipeline_solve(&f);
      if (d < 2) worst = fmax(worst, fabs(f.rhs[0] - f.w[GHOSTED(&f, 0, 0, 0)]));
    }
    worst = fmax(worst, take_solution(&f));
  }
  measured_end();
  int is_right = measured_print("btsolve", worst < 1e-9);
  field_release(&f);
  return measured_finish(is_right);
}
