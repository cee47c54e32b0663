// RUN: %unit/test-io-cut | FileCheck %s
// CHECK: ok
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The random accesses of test-io-random in logs that are cut at some of the barriers: what is found at the cuts and at
// the end together are conflicts by the reference over the whole run. With one open, all runs with conflicts are found.
#define main random_main
#include "test-io-random.c"
#undef main
#include "cut-logs.h"

static unsigned cuts;
static void may_cut(void) {
  if (number(3)) return;
  cut_logs(logs, RANKS, judge, &early);
  is_cut = true, cuts++;
}

int main(void) {
  after_barrier = may_cut;
  return random_main() || cuts < ROUNDS / 10;
}
