// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under a condition that is the same in all iterations a pointer is loaded before the loop, and what it points to is
// signalled there, as a range. Whether these are the right bytes is for random.test.
struct field { double *w; long n, width; };

// CHECK-LABEL: define {{.*}}@same(
// CHECK: call {{.*}}@mck.{{[0-9]+}}.test.range(
// CHECK: fadd
// CHECK-NOT: call {{.*}}@mck.
// CHECK: {{^}}}
double same(const struct field *f, int has, const double *from, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    sum += from[i];
    if (has) sum += f->w[i];
  }
  return sum;
}

// Rows may be empty, so that the width is not loaded in each iteration.
// CHECK-LABEL: define {{.*}}@rows(
// CHECK: call {{.*}}@mck.{{[0-9]+}}.test.sweep(
// CHECK: fadd
// CHECK-NOT: call {{.*}}@mck.
// CHECK: {{^}}}
void rows(const struct field *f, long first, long last, long n) {
  for (long j = 0; j < n; j++)
    for (long i = first; i < last; i++) f->w[j * f->width + i] += 1;
}

// It is not the same: each access is tested.
// CHECK-LABEL: define {{.*}}@other(
// CHECK: fadd
// CHECK: call {{.*}}@mck.{{.*}}load8(
// CHECK: {{^}}}
double other(const struct field *f, const int *has, const double *from, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    sum += from[i];
    if (has[i]) sum += f->w[i];
  }
  return sum;
}

// Nobody knows how long this takes: perhaps another process ends it. It loads in each iteration.
// CHECK-LABEL: define {{.*}}@wait_for(
// CHECK: phi i64
// CHECK: load i64
// CHECK: {{^}}}
void wait_for(struct field *f, int has, long *turns) {
  for (long n = 0;; n++) {
    *turns = n;
    if (has && f->n) return;
  }
}
