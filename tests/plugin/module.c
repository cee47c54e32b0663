// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - -DEMPTY | FileCheck %s --check-prefix=EMPTY
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a module brings: hidden, once per executable, the runtime only by weak names. Nothing if nothing is signalled.

// CHECK-DAG: $mck.pages.v4 = comdat any
// CHECK-DAG: @mck.nothing.v4 = linkonce_odr hidden global [1048576 x i8] zeroinitializer{{.*}}, comdat
// CHECK-DAG: @mck.pages.v4 = linkonce_odr hidden global ptr @mck.nothing.v4{{.*}}, comdat
// CHECK-DAG: @llvm.global_ctors = appending global {{.*}} i32 1, ptr @mck.attach.v4, ptr @mck.attach.v4
// CHECK-LABEL: define {{.*}}@store(
// CHECK: [[PAGES:%.*]] = load ptr, ptr @mck.pages.v4, align 8, !invariant.load {{.*}}, !nosanitize
// CHECK: br i1 {{.*}}, !prof [[WEIGHTS:![0-9]+]]
// CHECK: call preserve_mostcc void @mck.store4(ptr %{{.*}}) [[CALL:#[0-9]+]]
// CHECK: store i32 1
// CHECK-DAG: declare extern_weak void @__mck_access_at(ptr{{.*}}, i64, i32, ptr, ptr)
// CHECK-DAG: declare extern_weak void @__mck_attach(i32, ptr, ptr)
// CHECK: define linkonce_odr hidden void @mck.attach.v4(){{.*}} comdat
// CHECK: icmp ne ptr @__mck_attach, null
// CHECK: call void @__mck_attach(i32 4, ptr @mck.pages.v4, ptr @mck.seen.v4)
// CHECK: attributes [[CALL]] = { {{.*}}nomerge
// CHECK-NOT: sanitize_thread
// CHECK: [[WEIGHTS]] = !{!"branch_weights", i32 1,
// EMPTY-NOT: mck.
#ifndef EMPTY
void store(int *p) { *p = 1; }
#else
int twice(int n) { return 2 * n; }
#endif
