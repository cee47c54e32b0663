// RUN: %clang -O2 -Rpass='(loop|slp)-vector' -Rpass-missed=loop-vectorize %s -c -o %t.o > %t.plain 2>&1
// RUN: %clang -O2 -fpass-plugin=%plugin -Rpass='(loop|slp)-vector' -Rpass-missed=loop-vectorize %s -c -o %t.o > %t.checked 2>&1
// RUN: cmp %t.plain %t.checked && FileCheck %s < %t.plain
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the optimizer does to loops is the same with the plugin, whether MPI can see the memory or not.
// CHECK-COUNT-4: remark: vectorized loop
#include <stdlib.h>
static double own[4096], other[4096];
double sum_own(void) {
  double sum = 0;
  for (int i = 0; i < 4096; i++)
    own[i] = 2 * own[i] + i;
  for (int i = 0; i < 4096; i++)
    if (own[i] > sum)
      sum = own[i];
  return sum;
}
double chosen(void) {
  double sum = 0;
  for (int i = 0; i < 4096; i++)
    other[i] += i;
  for (int i = 0; i < 4096; i++)
    if (own[i] > 3)
      own[i] = other[i];
  return own[5];
}
void triad(double *restrict a, const double *b, const double *c, long n) {
  for (long i = 0; i < n; i++)
    a[i] = b[i] + 3 * c[i];
}
int count(const int *keys, int n, int key) {
  int found = 0;
  for (int i = 0; i < n; i++)
    found += keys[i] == key;
  return found;
}
void row(float *restrict to, const float *from, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      to[i * m + j] = from[j * n + i];
}
