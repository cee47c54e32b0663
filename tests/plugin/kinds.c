// RUN: %clang -O0 -g -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %clang -O2 -g -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %clang -Os -g -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines --strict-whitespace
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kind of access, with exactly the bytes it touches and its flags.
#include "recorder.h"
#include <stdatomic.h>

#define KEEP __attribute__((noinline))
struct pair { long first, second; };
struct big { char bytes[6000]; };

_Alignas(4096) char area[32768];

KEEP static void store_int(int *p) { *p = 7; }
KEEP static int load_int(int *p) { return *p; }
KEEP static void store_volatile(volatile short *p) { *p = 7; }
KEEP static int add_atomic(atomic_int *p) { return atomic_fetch_add(p, 1); }
KEEP static int swap_atomic(atomic_int *p) { int old = 1; return atomic_compare_exchange_strong(p, &old, 2); }
KEEP static int load_atomic(atomic_int *p) { return atomic_load_explicit(p, memory_order_acquire); }
KEEP static void copy(char *to, const char *from, size_t n) { memcpy(to, from, n); }
KEEP static void move(char *to, const char *from, size_t n) { memmove(to, from, n); }
KEEP static void fill(char *to, size_t n) { memset(to, 1, n); }
KEEP static void copy_big(struct big *to, const struct big *from) { *to = *from; }
KEEP static void store_byte(char *p) { *p = 1; }

int main(void) {
  if (!recorder_attached)
    return 1;
  // CHECK:== scalar
  // CHECK-NEXT:store +0 4
  // CHECK-NEXT:load +0 4
  // CHECK-NEXT:store volatile +2 2
  // CHECK-NEXT:store +7 1
  recorder_watch("scalar", area, 64);
  store_int((int *)area);
  recorder_sink = load_int((int *)area);
  store_volatile((short *)(area + 2));
  store_byte(area + 7);
  store_byte(area + 64); // beside it
  // CHECK-NEXT:== atomic
  // CHECK-NEXT:store atomic +0 4
  // CHECK-NEXT:store atomic +4 4
  // CHECK-NEXT:load atomic +8 4
  recorder_watch("atomic", area, 64);
  recorder_sink = add_atomic((atomic_int *)area);
  recorder_sink = swap_atomic((atomic_int *)(area + 4));
  recorder_sink = load_atomic((atomic_int *)(area + 8));
  // The source of a copy, then its target; a copy of nothing is no access.
  // CHECK-NEXT:== range
  // CHECK-NEXT:load +0 10
  // CHECK-NEXT:store +20 10
  // CHECK-NEXT:load +5 3
  // CHECK-NEXT:store +60 9
  recorder_watch("range", area, 64);
  copy(area + 1000, area, 10);
  copy(area + 20, area + 1000, 10);
  move(area + 2000, area + 5, 3);
  fill(area + 60, 9);
  fill(area, 0);
  copy(area, area + 1000, 0);
  // The watched page is in the middle of a long range, and at its very end.
  // CHECK-NEXT:== long range
  // CHECK-NEXT:store -4096 12288
  // CHECK-NEXT:store -4095 4096
  // CHECK-NEXT:load -1000 6000
  recorder_watch("long range", area + 8192, 4096);
  fill(area + 4096, 12288);
  fill(area + 4097, 4096);
  fill(area + 4096, 4096);
  copy_big((struct big *)(area + 16384), (struct big *)(area + 7192));
  return 0;
}
