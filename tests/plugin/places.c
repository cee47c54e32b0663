// RUN: %clang -O0 -g -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -g -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A signal has the place of its access. The two stores are equal, yet their signals are not merged into one.

// CHECK: call preserve_allcc void @mck.{{[0-9]+}}.test.store4({{.*}}){{.*}}, !dbg [[THEN:![0-9]+]]
// CHECK-NEXT: {{br label|store}} {{.*}}, !dbg [[THEN]]
// CHECK: call preserve_allcc void @mck.{{[0-9]+}}.test.store4({{.*}}){{.*}}, !dbg [[ELSE:![0-9]+]]
void act(void);
void branches(int *p, int n) {
  if (n > 3) {
    // CHECK-DAG: [[THEN]] = !DILocation(line: [[#@LINE+1]],
    *p = n;
    act();
  } else {
    // CHECK-DAG: [[ELSE]] = !DILocation(line: [[#@LINE+1]],
    *p = 7;
  }
}
