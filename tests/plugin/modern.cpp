// RUN: %clangxx -std=c++20 -O0 -g -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines
// RUN: %clangxx -std=c++20 -O2 -g -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++: lambdas, coroutines (their frames are cut into functions), templates with loops, exceptions that leave a loop early: exactly what is executed.
#include "recorder.h"
#include <coroutine>
#include <memory>

struct generator {
  struct promise_type {
    int value;
    generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) { value = v; return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

static generator count(int *data, int n) {
  for (int i = 0; i < n; ++i) {
    data[i] = i + 1;
    co_yield i;
  }
}

template <class T, class F> __attribute__((noinline)) void each(T *data, long n, F f) {
  for (long i = 0; i < n; ++i)
    f(data[i]);
}

__attribute__((noinline)) static void check(int value) {
  if (value == 3)
    throw value;
}

__attribute__((noinline)) static void until_thrown(int *data, int n) {
  for (int i = 0; i < n; ++i) {
    check(i);
    data[i] = 7;
  }
}

_Alignas(4096) int area[2048];

int main() {
  // CHECK: == coroutine
  // CHECK-NEXT: store +0 4
  // CHECK-NEXT: store +4 4
  recorder_watch("coroutine", area, 64);
  generator g = count(area, 9);
  g.handle.resume();
  g.handle.resume();
  recorder_size = 0;
  g.handle.destroy();
  // The third of four elements.
  // CHECK-NEXT: == lambda
  // CHECK-NEXT: {{store \+0 4|store -8 16}}
  recorder_watch("lambda", area + 2, 4);
  int first = area[1000];
  each(area, 4, [first](int &x) { x = first + 5; });
  // CHECK-NEXT: == thrown
  // CHECK-NEXT: store +0 4
  // CHECK-NEXT: store +4 4
  // CHECK-NEXT: store +8 4
  // CHECK-NEXT: == done
  recorder_watch("thrown", area, 64);
  try {
    until_thrown(area, 10);
  } catch (int) {
    recorder_watch("done", area, 1);
  }
  recorder_size = 0;
  return area[2] == 7 && area[3] == 5 ? 0 : 1;
}
