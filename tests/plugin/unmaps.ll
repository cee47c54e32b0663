; RUN: opt-19 -load-pass-plugin=%plugin -passes=mck-signals,mck-signals,verify -S %s | FileCheck %s
; RUN: sed 's/^declare i32 @munmap(ptr, i64)/define i32 @munmap(ptr %%p, i64 %%n) { ret i32 0 }/' %s > %t.ll
; RUN: opt-19 -load-pass-plugin=%plugin -passes=mck-signals,verify -S %t.ll | FileCheck %s --check-prefix=OWN
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The runtime gets to know what munmap is about to take away, once. A program's own function of that name means nothing.
; OWN-NOT: {{call.*mck.unmap.gate}}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @munmap(ptr, i64)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define i32 @plain(
; CHECK: call void @mck.unmap.gate(ptr %p, i64 %n)
; CHECK-NEXT: %result = notail call i32 @munmap(ptr %p, i64 %n)
; CHECK-NEXT: ret i32 %result
define i32 @plain(ptr %p, i64 %n) {
  %result = call i32 @munmap(ptr %p, i64 %n)
  ret i32 %result
}

; CHECK-LABEL: define i32 @invoked(
; CHECK: call void @mck.unmap.gate(ptr %p, i64 4096)
; CHECK-NEXT: %result = invoke i32 @munmap(ptr %p, i64 4096)
define i32 @invoked(ptr %p) personality ptr @__gxx_personality_v0 {
  %result = invoke i32 @munmap(ptr %p, i64 4096) to label %done unwind label %failed
done:
  ret i32 %result
failed:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}

; Not in place of a call that must be a tail call, and nothing where munmap is only an address.
; CHECK-LABEL: define i32 @tail(
; CHECK-NOT: mck.unmap.gate
; CHECK: musttail call i32 @munmap
define i32 @tail(ptr %p, i64 %n) {
  %result = musttail call i32 @munmap(ptr %p, i64 %n)
  ret i32 %result
}
; CHECK-LABEL: define ptr @address(
; CHECK-NOT: mck.unmap.gate
; CHECK: ret ptr @munmap
define ptr @address() {
  ret ptr @munmap
}

; CHECK-DAG: declare extern_weak void @__mck_unmap(ptr, i64)
; CHECK-DAG: define linkonce_odr hidden void @mck.unmap.gate(ptr %0, i64 %1)
; CHECK-DAG: icmp ne ptr @__mck_unmap, null
; CHECK-DAG: musttail call void @__mck_unmap(ptr %0, i64 %1)
