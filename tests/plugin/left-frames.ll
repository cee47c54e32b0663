; RUN: opt-19 -load-pass-plugin=%plugin -passes=mck-signals,mck-signals,verify -S %s | FileCheck %s
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Behind setjmp and at the begin of a handler the runtime gets to know, once, that functions may have been left. Other
; functions that return twice mean nothing.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @_setjmp(ptr) returns_twice
declare i32 @vfork() returns_twice
declare void @work()
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define i32 @jumps(
; CHECK: call i32 @_setjmp(ptr %p)
; CHECK-NEXT: call void @mck.left.gate()
; CHECK-NEXT: ret i32
define i32 @jumps(ptr %p) {
  %result = call i32 @_setjmp(ptr %p)
  ret i32 %result
}

; CHECK-LABEL: define i32 @forks(
; CHECK-NOT: mck.left.gate
; CHECK: ret i32
define i32 @forks() {
  %result = call i32 @vfork()
  ret i32 %result
}

; CHECK-LABEL: define void @catches(
; CHECK: call ptr @__cxa_begin_catch(ptr %thrown)
; CHECK-NEXT: call void @mck.left.gate()
; CHECK-NOT: mck.left.gate
; CHECK: ret void
define void @catches() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %failed
failed:
  %pad = landingpad { ptr, i32 } catch ptr null
  %thrown = extractvalue { ptr, i32 } %pad, 0
  %object = call ptr @__cxa_begin_catch(ptr %thrown)
  call void @__cxa_end_catch()
  br label %done
done:
  ret void
}

; CHECK-DAG: declare extern_weak void @__mck_left()
; CHECK-DAG: define linkonce_odr hidden void @mck.left.gate()
; CHECK-DAG: musttail call void @__mck_left()
