// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of 5 x 5 and vectors of 5, as in NPB's BT.
#pragma once

void matvec_sub(double a[5][5], const double *x, double *b);     // b -= a x
void matmul_sub(double a[5][5], double b[5][5], double c[5][5]); // c -= a b
void binvcrhs(double lhs[5][5], double c[5][5], double *r);      // c = lhs^-1 c, r = lhs^-1 r; destroys lhs
void binvrhs(double lhs[5][5], double *r);                       // the same without c
