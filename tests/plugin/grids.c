// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep over several dimensions is a handful of signals before the nest, even where the vectorizer has left checks within it; whether they are the
// right bytes is for random.test.

// A row of 510 elements is a piece; what the vector loop leaves over is another one. Behind the signals the loops call nothing.
// CHECK-LABEL: define {{.*}}@plane(
// CHECK: call preserve_mostcc void @mck.{{[0-9]+}}.test.sweep(ptr {{.*}}, i64 4096, i64 510)
// CHECK: fmul <
// CHECK-NOT: call {{.*}}@mck.
// CHECK: ret void
void plane(double *a) {
  for (int i = 1; i < 511; i++)
    for (int j = 1; j < 511; j++) a[i * 512 + j] = 2 * a[i * 512 + j];
}

// Rows of planes: three dimensions, of which the first is a piece.
// CHECK-LABEL: define {{.*}}@volume(
// CHECK: call preserve_mostcc void @mck.test.grid(ptr %{{.*}}, i64 {{[0-9]+}}, i64 800, i64 %{{.*}}, i64 80000, i64 98)
// CHECK-NOT: call {{.*}}@mck.
// CHECK: ret void
void volume(double (*restrict to)[100][100], double value, long rows) {
  for (long i = 1; i < 99; i++)
    for (long j = 1; j < rows; j++)
      for (long k = 1; k < 99; k++) to[i][j][k] = value;
}

// How far the inner loop goes differs: a signal for each row.
// CHECK-LABEL: define {{.*}}@triangle(
// CHECK: br label
// CHECK: call {{.*}}@mck.{{[0-9]+}}.test.range(
// CHECK: ret void
void triangle(double *a) {
  for (long i = 0; i < 512; i++)
    for (long j = 0; j <= i; j++) a[i * 512 + j] += 1;
}

// Unrolled, each store has replaced its own load; then the stores touch each other. 51201:
// 200 bytes are stored to.
// CHECK-LABEL: define {{.*}}@block(
// CHECK: call {{.*}}@mck.{{[0-9]+}}.access(ptr {{.*}}, i64 51201)
// CHECK-NOT: call {{.*}}store8(
// CHECK: {{^}}}
void block(double (*to)[5], const double *u) {
  for (int m = 0; m < 5; m++)
    for (int n = 0; n < 5; n++) to[m][n] += u[m] * u[n];
}
