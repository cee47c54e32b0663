; RUN: opt-19 -load-pass-plugin=%plugin -passes=mck-signals,verify -S %s | FileCheck %s
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vectors of which only some lanes are meant: only those are signalled.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, i32, <2 x i1>, <2 x double>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i32>)

; Lanes 0, 1 and 3 of an interleaved load.
; CHECK-LABEL: define <4 x i32> @interleaved(
; CHECK: br i1
; CHECK: [[A:%.*]] = getelementptr i8, ptr %p, i64 0
; CHECK-NEXT: call preserve_allcc void @mck.{{[0-9]+}}.load8(ptr [[A]])
; CHECK-NEXT: [[B:%.*]] = getelementptr i8, ptr %p, i64 12
; CHECK-NEXT: call preserve_allcc void @mck.{{[0-9]+}}.load4(ptr [[B]])
; CHECK-NOT: {{@mck\.(load|store|access|sweep|map)}}
; CHECK: ret
define <4 x i32> @interleaved(ptr %p) {
  %wide = load <4 x i32>, ptr %p, align 4
  %more = add <4 x i32> %wide, <i32 1, i32 1, i32 1, i32 1>
  %some = shufflevector <4 x i32> %more, <4 x i32> poison, <4 x i32> <i32 0, i32 1, i32 3, i32 poison>
  ret <4 x i32> %some
}

; CHECK-LABEL: define <2 x double> @masked(
; CHECK: [[ON:%.*]] = extractelement <2 x i1> %mask, i64 0
; CHECK: freeze i1 [[ON]]
; CHECK: call preserve_allcc void @mck.{{[0-9]+}}.load8(ptr {{.*}})
; CHECK: extractelement <2 x i1> %mask, i64 1
; CHECK: call preserve_allcc void @mck.{{[0-9]+}}.load8(ptr {{.*}})
; CHECK: call <2 x double> @llvm.masked.load
define <2 x double> @masked(ptr %p, <2 x i1> %mask) {
  %v = call <2 x double> @llvm.masked.load.v2f64.p0(ptr %p, i32 8, <2 x i1> %mask, <2 x double> zeroinitializer)
  ret <2 x double> %v
}

; CHECK-LABEL: define void @constant_mask(
; CHECK: [[A:%.*]] = getelementptr i8, ptr %p, i64 4
; CHECK-NEXT: call preserve_allcc void @mck.{{[0-9]+}}.store8(ptr [[A]])
; CHECK-NOT: {{@mck\.(load|store|access|sweep|map)}}
; CHECK: call void @llvm.masked.store
define void @constant_mask(ptr %p, <4 x i32> %v) {
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, i32 4, <4 x i1> <i1 0, i1 1, i1 1, i1 0>)
  ret void
}

; CHECK-LABEL: define <2 x i32> @gather(
; CHECK-COUNT-2: call preserve_allcc void @mck.{{[0-9]+}}.load4(ptr {{.*}})
; CHECK: call <2 x i32> @llvm.masked.gather
define <2 x i32> @gather(<2 x ptr> %p, <2 x i1> %mask) {
  %v = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> %p, i32 4, <2 x i1> %mask, <2 x i32> zeroinitializer)
  ret <2 x i32> %v
}

; Both are loaded, one is meant.
; CHECK-LABEL: define i32 @either(
; CHECK: [[YES:%.*]] = freeze i1 %c
; CHECK: and i1 {{.*}}, [[YES]]
; CHECK: call preserve_allcc void @mck.{{[0-9]+}}.load4(ptr %p)
; CHECK: [[YES2:%.*]] = freeze i1 %c
; CHECK: [[NO:%.*]] = xor i1 [[YES2]], true
; CHECK: and i1 {{.*}}, [[NO]]
; CHECK: call preserve_allcc void @mck.{{[0-9]+}}.load4(ptr %q)
define i32 @either(ptr %p, ptr %q, i1 %c) {
  %a = load i32, ptr %p
  %b = load i32, ptr %q
  %v = select i1 %c, i32 %a, i32 %b
  ret i32 %v
}
