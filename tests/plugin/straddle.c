// RUN: %clang -O0 -g -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %clang -O2 -g -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines --strict-whitespace
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An access whose first byte is on a page without interest and whose last byte is not.
#include "recorder.h"

#define KEEP __attribute__((noinline))
struct packed { long value; } __attribute__((packed));
typedef float vector __attribute__((vector_size(16), aligned(4)));

_Alignas(4096) char area[12288];

KEEP static long load_packed(struct packed *p) { return p->value; }
KEEP static void store_vector(vector *p, float f) { *p = (vector){f, f, f, f}; }
KEEP static void fill(char *p) { memset(p, 1, 33); }

int main(void) {
  // CHECK:== second page
  // CHECK-NEXT:load -7 8
  // CHECK-NEXT:store -12 16
  // CHECK-NEXT:store -32 33
  recorder_watch("second page", area + 4096, 4096);
  recorder_sink = load_packed((struct packed *)(area + 4096 - 7));
  recorder_sink = load_packed((struct packed *)(area + 4096 - 8));
  store_vector((vector *)(area + 4096 - 12), 1);
  store_vector((vector *)(area + 4096 - 16), 1);
  fill(area + 4096 - 32);
  fill(area + 4096 - 33);
  return 0;
}
