// RUN: %clang -O2 -fpass-plugin=%plugin -I%source/rt -S -emit-llvm %s -o - | FileCheck %s --check-prefix=CODE
// RUN: %clang -O2 -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that calls functions of the module is one nest, if all that these do is known. A call through a
// pointer may let MPI act, also two calls further on: then what is watched is asked again for each access.
#include "abi.h"
#include "recorder.h"
#define CALLED __attribute__((noinline))

CALLED static void count(long *n, long by) {
  while (by % 7) *n += by--;
}
CALLED static void count_twice(long *n, long by) { count(n, by), count(n + 1, by); }

static void nothing(long i) { (void)i; }
static void (*volatile hook)(long) = nothing;
CALLED static void inner(long i) {
  void (*called)(long) = *(void (**)(long))&hook;
  called(i);
}
CALLED static void outer(long *n, long i) { count(n, 3), inner(i); }

// CODE-DAG: define internal {{.*}}@quiet.mck.plain(
CALLED void quiet(double *a, const int *index, long *n, long size) {
  for (long i = 0; i < size; i++) a[index[i]] += 1, count_twice(n, i);
}

// CODE-NOT: @loud.mck.plain(
CALLED void loud(double *a, const int *index, long *n, long size) {
  for (long i = 0; i < size; i++) a[index[i]] += 1, outer(n, i);
}

static double a[8];
HIDDEN_FROM_PLUGIN static void begin(long i) {
  if (i == 5) recorder_watch("a", a, sizeof a);
}

int main(void) {
  static const int index[8] = {7, 6, 5, 4, 3, 2, 1, 0};
  static double other[8];
  static long n[2];
  recorder_watch("other", other, sizeof other);
  // CHECK: == other
  // CHECK-NEXT: == before
  quiet(a, index, n, 8);
  printf("== before\n");
  hook = begin;
  loud(a, index, n, 8);
  // CHECK-NEXT: == a
  // CHECK-NEXT: store +8 8
  // CHECK-NEXT: store +0 8
  // CHECK-NOT: {{.}}
  return 0;
}
