// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work of a bounded amount that takes much longer than the watch needs to call a rank stuck: what the right programs do while others wait.
#pragma once
static inline unsigned compute_some(unsigned millions) {
  volatile unsigned x = 1;
  for (unsigned i = 0; i < millions * 1000000; i++) x = x * 5 + i;
  return x;
}
static inline unsigned compute(void) { return compute_some(100); }
