// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - -DEMPTY | FileCheck %s --check-prefix=EMPTY
// RUN: %clang -O2 -flto=full -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=LTO
// RUN: %clang -O2 -flto=thin -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=LTO
// RUN: %clang -O2 --target=x86_64-linux-gnu -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=X86
// RUN: %clang -O2 --target=aarch64-linux-gnu -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=LTO
// RUN: %clang -O2 -mcmodel=medium -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=LTO
// RUN: %clang -O2 -masm=intel -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=LTO
// RUN: %clang -O2 -fno-integrated-as -fpass-plugin=%plugin -c %s -o %t.o
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a module brings: hidden, once per executable, the runtime only by weak names. Where nothing is signalled, only
// what ranks may come from.

// CHECK-DAG: $mck.pages.v9 = comdat any
// CHECK-DAG: @mck.nothing.v9 = linkonce_odr hidden global [1048640 x i8] zeroinitializer{{.*}}, comdat
// CHECK-DAG: @mck.pages.v9 = linkonce_odr hidden global ptr @mck.nothing.v9{{.*}}, comdat
// CHECK-DAG: @llvm.global_ctors = appending global {{.*}} i32 1, ptr @mck.attach.v9, ptr @mck.attach.v9
// CHECK-LABEL: define {{.*}}@store(
// CHECK: [[PAGES:%.*]] = load ptr, ptr @mck.pages.v9, align 8, !invariant.load {{.*}}, !nosanitize
// CHECK: br i1 {{.*}}, !prof [[WEIGHTS:![0-9]+]]
// CHECK: call preserve_allcc void @mck.{{[0-9]+}}.store4(ptr %{{.*}}) [[CALL:#[0-9]+]]
// CHECK: store i32 1
// CHECK-DAG: declare extern_weak void @__mck_attach(i32, ptr, ptr)
// CHECK: define linkonce_odr hidden void @mck.attach.v9(){{.*}} comdat
// CHECK: icmp ne ptr @__mck_attach, null
// CHECK: call void @__mck_attach(i32 9, ptr @mck.pages.v9, ptr @mck.seen.v9)
// CHECK: attributes [[CALL]] = { {{.*}}nomerge
// CHECK-NOT: sanitize_thread
// CHECK: [[WEIGHTS]] = !{!"branch_weights", i32 1,
// EMPTY-NOT: mck.{{[^ars]}}
// EMPTY: @mck.ranks = private constant
// EMPTY-NOT: mck.{{[^ars]}}
// Gates are assembly on x86-64, but not where modules will be merged.
// X86: module asm "{{.*}}.weak __mck_access_at"
// X86: declare hidden preserve_allcc void @mck.{{[0-9]+}}.store4(
// LTO-NOT: module asm
// LTO-DAG: define linkonce_odr hidden preserve_mostcc void @mck.store4(
// LTO-DAG: declare extern_weak void @__mck_access_at(ptr{{.*}}, i64, i32, ptr, ptr)
#ifndef EMPTY
void store(int *p) { *p = 1; }
#else
int twice(int n) { return 2 * n; }
#endif
