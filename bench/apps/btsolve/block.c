// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and elimination of blocks.
#include "block.h"

void matvec_sub(double a[5][5], const double *x, double *b) {
  for (int m = 0; m < 5; m++)
    b[m] = b[m] - a[m][0] * x[0] - a[m][1] * x[1] - a[m][2] * x[2] - a[m][3] * x[3] - a[m][4] * x[4];
}

void matmul_sub(double a[5][5], double b[5][5], double c[5][5]) {
  for (int n = 0; n < 5; n++)
    for (int m = 0; m < 5; m++)
      c[m][n] = c[m][n] - a[m][0] * b[0][n] - a[m][1] * b[1][n] - a[m][2] * b[2][n] - a[m][3] * b[3][n] -
                a[m][4] * b[4][n];
}

void binvcrhs(double lhs[5][5], double c[5][5], double *r) {
  for (int p = 0; p < 5; p++) {
    double pivot = 1.0 / lhs[p][p];
    for (int n = p + 1; n < 5; n++) lhs[p][n] *= pivot;
    for (int n = 0; n < 5; n++) c[p][n] *= pivot;
    r[p] *= pivot;
    for (int m = 0; m < 5; m++) {
      if (m == p) continue;
      double factor = lhs[m][p];
      for (int n = p + 1; n < 5; n++) lhs[m][n] -= factor * lhs[p][n];
      for (int n = 0; n < 5; n++) c[m][n] -= factor * c[p][n];
      r[m] -= factor * r[p];
    }
  }
}

void binvrhs(double lhs[5][5], double *r) {
  for (int p = 0; p < 5; p++) {
    double pivot = 1.0 / lhs[p][p];
    for (int n = p + 1; n < 5; n++) lhs[p][n] *= pivot;
    r[p] *= pivot;
    for (int m = 0; m < 5; m++) {
      if (m == p) continue;
      double factor = lhs[m][p];
      for (int n = p + 1; n < 5; n++) lhs[m][n] -= factor * lhs[p][n];
      r[m] -= factor * r[p];
    }
  }
}
