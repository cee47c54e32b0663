; RUN: opt-19 -load-pass-plugin=%plugin -passes=mck-signals,mck-signals,verify -S %s | FileCheck %s
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Within a block an access stands for later ones to the same bytes that are not stronger, until MPI may have acted.
; (Running the pass twice changes nothing.)

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @act()
declare i32 @think(i32) nounwind willreturn memory(none)
declare i32 @may_exit(i32) memory(none)

; CHECK-LABEL: define void @store_then_load(
; CHECK-COUNT-1: call preserve_allcc void @mck.{{[0-9]+}}.test.store8(ptr %p)
; CHECK-NOT: {{@mck\.(load|store|access|sweep|map)}}
; CHECK: ret void
define void @store_then_load(ptr %p) {
  store i64 1, ptr %p
  %low = load i32, ptr %p
  %high.p = getelementptr i8, ptr %p, i64 4
  %same = call i32 @think(i32 %low)
  %high = load i32, ptr %high.p
  store i32 %same, ptr %high.p
  ret void
}

; The store stands for the load: they have the same place, and nothing comes between.
; CHECK-LABEL: define void @load_then_store(
; CHECK: call preserve_allcc void @mck.{{[0-9]+}}.store4(ptr %p)
; CHECK-NOT: {{@mck\.(load|store|access|sweep|map)}}
; CHECK: ret void
define void @load_then_store(ptr %p) {
  %v = load i32, ptr %p
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: define void @larger(
; CHECK: call preserve_allcc void @mck.{{[0-9]+}}.load8(ptr %p)
; CHECK-NOT: {{@mck\.(load|store|access|sweep|map)}}
; CHECK: ret void
define void @larger(ptr %p) {
  %v = load i32, ptr %p
  %w = load i64, ptr %p
  ret void
}

; Neighbours of one line become one signal, downwards, too; a gap or something that may not return keeps them apart.
; CHECK-LABEL: define void @neighbours(
; CHECK: [[LOW:%.*]] = getelementptr i8, ptr %p1, i64 -4
; CHECK: call preserve_allcc void @mck.{{[0-9]+}}.test.access(ptr [[LOW]], i64 3073)
; CHECK: call preserve_allcc void @mck.{{[0-9]+}}.test.store4(ptr %p4)
; CHECK: call preserve_allcc void @mck.{{[0-9]+}}.test.store4(ptr %p5)
; CHECK-NOT: {{@mck\.(load|store|access|sweep|map)}}
; CHECK: ret void
define void @neighbours(ptr %p, i64 %i) {
  %i1 = add nsw i64 %i, 1
  %i2 = add nsw i64 %i, 2
  %i4 = add nsw i64 %i, 4
  %i5 = add nsw i64 %i, 5
  %p0 = getelementptr inbounds i32, ptr %p, i64 %i
  %p1 = getelementptr inbounds i32, ptr %p, i64 %i1
  %p2 = getelementptr inbounds i32, ptr %p, i64 %i2
  %p4 = getelementptr inbounds i32, ptr %p, i64 %i4
  %p5 = getelementptr inbounds i32, ptr %p, i64 %i5
  store i32 0, ptr %p1
  store i32 0, ptr %p2
  store i32 0, ptr %p0
  store i32 0, ptr %p4
  %w = call i32 @may_exit(i32 1)
  store i32 0, ptr %p5
  ret void
}

; CHECK-LABEL: define void @call_between(
; CHECK-COUNT-2: call preserve_allcc void @mck.{{[0-9]+}}.test.load4(ptr %p)
; CHECK: ret void
define void @call_between(ptr %p) {
  %v = load i32, ptr %p
  call void @act()
  %w = load i32, ptr %p
  ret void
}

; CHECK-LABEL: define void @atomic_between(
; CHECK: call preserve_allcc void @mck.{{[0-9]+}}.load4(ptr %p)
; CHECK: call preserve_allcc void @mck.{{[0-9]+}}.access(ptr %q, i64 1026)
; CHECK: call preserve_allcc void @mck.{{[0-9]+}}.load4(ptr %p)
; CHECK: ret void
define void @atomic_between(ptr %p, ptr %q) {
  %v = load i32, ptr %p
  %a = load atomic i32, ptr %q acquire, align 4
  %w = load i32, ptr %p
  ret void
}

; CHECK-LABEL: define void @other_space(
; CHECK-NOT: {{@mck\.(load|store|access|sweep|map)}}
; CHECK: ret void
define void @other_space(ptr addrspace(257) %p) {
  store i32 1, ptr addrspace(257) %p
  ret void
}

; An alloca behind the first access stays in the first block.
; CHECK-LABEL: define i32 @late_alloca(
; CHECK-NEXT: %local = alloca i32
; CHECK: ret i32
define i32 @late_alloca(ptr %p) {
  %v = load i32, ptr %p
  %local = alloca i32
  store i32 %v, ptr %local
  ret i32 %v
}

; Code that is never reached may be its own address.
; CHECK-LABEL: define void @unreached(
; CHECK: store i32
define void @unreached() {
  ret void
dead:
  %q = getelementptr i8, ptr %q, i64 1
  store i32 1, ptr %q
  br label %dead
}
