// RUN: %clang -O2 %s -lm -o %t.plain && %t.plain > %t.expected
// RUN: %clang -O2 -fpass-plugin=%plugin %s -lm -o %t && %t | diff %t.expected -
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O1 -fpass-plugin=%plugin -emit-llvm -c %s -o %t.bc && opt-19 -passes=verify %t.bc -o /dev/null
// RUN: %clang -O2 -fpass-plugin=%plugin -emit-llvm -c %s -o %t.bc && opt-19 -passes=verify %t.bc -o /dev/null
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain version of a loop gets a local array as an argument. Pointers to the array that were kept before are loaded
// within the loop: the argument is not the only way to it.
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

// One of the objects is made on one path only: no value that can be tested before the loop.
double *made(long n);
void on_one_path(double **keep, const int *index, const long *bound, int has) {
  double *x;
  if (has) x = keep[0] = made(*bound);
  keep[1] = made(*bound + 1);
  for (long k = 0; k < *bound; k++) {
    if (has)
      for (long i = 0; i < bound[k]; i++) x[index[i]] += keep[1][i];
    else keep[1][index[k]] += 2;
  }
}
__attribute__((noinline)) double *made(long n) {
  static double of[100];
  __asm__("");
  return of + n;
}

// A function of numbers writes errno at most: the pointers that are loaded anew behind it are the same, so their objects
// are tested.
// CHECK: define {{.*}} @with_root(
// CHECK: call {{.*}} @mck.test.object(
// CHECK: call {{.*}} @with_root.mck.plain(
struct fields { double *from, *to; };
double sqrt(double);
void with_root(struct fields *f, long n) {
  for (long i = 0; i < n; i++) {
    f->to[i] = sqrt(f->from[i]);
    f->to[i] += sqrt(f->to[i] - 1);
  }
}

// The plain version gets a structure and how large it is, and not an address for each member.
struct grid { double limit; int width, first; const int *count; const double *at; double *sum; };
void members(struct grid g[static 1], const int *list, int n) {
  for (int i = 0; i < n; i++)
    for (int m = 0; m < g->count[i]; m++) {
      int j = list[i * g->width + m];
      if (j >= g->first && g->at[j] < g->limit * g->limit) g->sum[j] += g->at[j];
    }
}

// The plain versions stand behind all functions.
// CHECK: define internal {{.*}} @through_kept.mck.plain(
// CHECK: define internal {{.*}} @members.mck.plain(ptr {{[^,]*}}dereferenceable(40) %{{[0-9]+}}, i32 %{{[0-9]+}}, ptr {{[^,]*}}, ptr {{[^,]*}})

int main(void) {
  static struct kept k;
  printf("%g\n", through_kept(&k, 40));
  return 0;
}
