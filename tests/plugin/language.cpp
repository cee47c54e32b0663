// RUN: %clangxx -O0 -g -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines
// RUN: %clangxx -O2 -g -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++: inline functions, constructors of globals (the runtime is attached before them), code that catches.
#include "recorder.h"
#include <numeric>
#include <stdexcept>
#include <vector>

static int attached_at_construction;
struct early {
  early() { attached_at_construction = recorder_attached; }
} first __attribute__((init_priority(101)));

inline void store_inline(int *p) { *p = 1; }
template <class T> __attribute__((noinline)) void store_template(T *p) { *p = T(2); }

__attribute__((noinline)) int may_throw(int n) {
  if (n > 2)
    throw std::runtime_error("too many");
  return n;
}

__attribute__((noinline)) void store_in_handler(int *p, int n) {
  try {
    p[0] = may_throw(n);
  } catch (const std::exception &) {
    p[1] = 5;
  }
}

int main() {
  std::vector<int> numbers(8);
  int *data = numbers.data();
  // CHECK: attached 1
  printf("attached %d\n", attached_at_construction);
  // CHECK-NEXT: == data
  // CHECK-NEXT: store +0 4
  // CHECK-NEXT: store +4 4
  // CHECK-NEXT: == handler
  // CHECK-NEXT: store +0 4
  // CHECK-NEXT: store +4 4
  // CHECK-NEXT: == done
  recorder_watch("data", data, 32);
  store_inline(data);
  store_template(data + 1);
  recorder_watch("handler", data, 32);
  store_in_handler(data, 1);
  store_in_handler(data, 3);
  recorder_watch("done", data, 1);
  recorder_size = 0;
  return std::accumulate(numbers.begin(), numbers.end(), 0) == 6 ? 0 : 1;
}
