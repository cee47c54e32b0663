// RUN: %clang -O2 %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang -O2 -fpass-plugin=%plugin %s -o %t && %t | diff %t.expected -
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain version of a loop gets a local array as an argument. Pointers to the array that were kept before are loaded
// within the loop: the argument is not the only way to it.
// CHECK: define internal {{.*}} @through_kept.mck.plain(
#include <stdio.h>

struct kept { double *at[40]; int index[40]; };
__attribute__((noinline)) static void keep(struct kept *k, double *at) {
  for (int i = 0; i < 40; i++) k->at[i] = at, k->index[i] = i % 3 ? 3 : i;
}

__attribute__((noinline)) double through_kept(struct kept *k, int n) {
  double local[64];
  for (int i = 0; i < 64; i++) local[i] = i;
  keep(k, local);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double before = local[3];
    k->at[i][k->index[i]] += before + 1;
    sum += local[3] - before;
  }
  return sum + local[5];
}

int main(void) {
  static struct kept k;
  printf("%g\n", through_kept(&k, 40));
  return 0;
}
