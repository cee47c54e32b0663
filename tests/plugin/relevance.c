// RUN: %clang -O0 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,OPT
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can never be MPI's is not signalled, all else is.

void escape(void *);
int global;
static const int constants[8] = {3, 1, 4, 1, 5, 9, 2, 6};

// CHECK-LABEL: define {{.*}}@own_local(
// CHECK-NOT: {{@mck\.(load|store|access|sweep|map)}}
// CHECK: ret i32
int own_local(int n) {
  int local[4] = {n, n + 1, n + 2, n + 3};
  return n > 3 ? local[n & 3] : local[0];
}

// Not at -O0, where the pointer is stored in a variable.
// OPT-LABEL: define {{.*}}@own_pointer(
// OPT-NOT: {{@mck\.(load|store|access|sweep|map)}}
// OPT: ret i32
int own_pointer(int n) {
  int first[4] = {n, n + 1, n + 2, n + 3}, second[4] = {n, n + 4, n + 7, n};
  int *chosen = n > 3 ? first : second;
  return chosen[n & 3];
}

// CHECK-LABEL: define {{.*}}@constant(
// CHECK-NOT: {{@mck\.(load|store|access|sweep|map)}}
// CHECK: ret i32
int constant(int n) {
  return constants[n & 7];
}

struct big { int part[64]; };

// CHECK-LABEL: define {{.*}}@by_value(
// CHECK-NOT: {{@mck\.(load|store|access|sweep|map)}}
// CHECK: ret i32
int by_value(struct big copy, int n) {
  return copy.part[n & 63];
}

// CHECK-LABEL: define {{.*}}@escaping_local(
// CHECK: call preserve_allcc void @mck.{{[0-9]+}}.test.load4(ptr {{.*}})
// CHECK: ret i32
int escaping_local(void) {
  int local = 0;
  escape(&local);
  return local;
}

// CHECK-LABEL: define {{.*}}@through_pointer(
// CHECK: call preserve_allcc void @mck.{{[0-9]+}}.store8(ptr {{.*}})
// CHECK: ret void
void through_pointer(double *p) {
  *p = 1;
}

// CHECK-LABEL: define {{.*}}@of_global(
// CHECK: call preserve_allcc void @mck.{{[0-9]+}}.load4(ptr @global)
// CHECK: ret i32
int of_global(void) {
  return global;
}

// CHECK-LABEL: define {{.*}}@passes_struct(
// CHECK: call preserve_allcc void @mck.{{[0-9]+}}.test.access(ptr {{.*}}, i64 65536)
// CHECK: ret i32
int take(struct big);
int passes_struct(struct big *p) {
  return take(*p);
}

// CHECK-LABEL: define {{.*}}@excluded(
// CHECK-NOT: {{@mck\.(load|store|access|sweep|map)}}
// CHECK: ret i32
__attribute__((disable_sanitizer_instrumentation)) int excluded(int *p) {
  return *p;
}

// Of a block that is only said to be new nobody knows where it is: it may be a piece of a window.
// CHECK-LABEL: define {{.*}}@from_pool(
// CHECK: call preserve_allcc void @mck.{{[0-9]+}}.test.load4(
// CHECK: ret i32
__attribute__((malloc)) int *of_pool(int n);
int from_pool(int n) {
  int *own = of_pool(n);
  return own[1];
}

// What was rounded is the same block.
// CHECK-LABEL: define {{.*}}@rounded(
// CHECK: call preserve_allcc void @mck.{{[0-9]+}}.test.load4(
// CHECK: ret i32
static int blocks[256];
int rounded(int n) {
  escape((int *)(((unsigned long)blocks + 63) / 64 * 64));
  return blocks[n];
}
