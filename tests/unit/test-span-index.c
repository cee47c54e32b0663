// RUN: %unit/test-span-index | FileCheck %s
// CHECK: ok
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbered ranges that come and go against a look at all of them: short and long, crowded and far apart.
#include "base/span-index.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition) ((condition) ? (void)0 : (printf("line %d: %s\n", __LINE__, #condition), exit(1)))
enum { ROUNDS = 400000 };
static struct mck_span_index index_;
static struct {
  uintptr_t low, high;
} model[MCK_SPANS];
static uint64_t number(uint64_t below) { return ((uint64_t)rand() << 31 ^ (uint64_t)rand()) % below; }

// Lines that are MCK_SPAN_HEADS apart have one list.
static void choose(uintptr_t *low, uintptr_t *high) {
  static const unsigned lengths[] = {1, 4, 64, 200, 300, 4096, 1 << 20};
  *low = 0x100000 + number(4) * MCK_SPAN_HEADS * 64 + number(number(4) ? 1024 : 1 << 20);
  *high = *low + 1 + number(lengths[number(sizeof lengths / sizeof *lengths)]);
}

static void ask(uintptr_t low, uintptr_t high) {
  uint16_t found[MCK_SPANS];
  unsigned char times[MCK_SPANS] = {0};
  uint32_t n = mck_span_find(&index_, low, high, found);
  for (uint32_t i = 0; i < n; i++) times[found[i]]++;
  for (unsigned i = 0; i < MCK_SPANS; i++)
    EXPECT(times[i] == (low < high && model[i].low < high && low < model[i].high));
}

int main(void) {
  srand(19);
  for (unsigned round = 0; round < ROUNDS; round++) {
    uint32_t i = (uint32_t)number(number(2) ? MCK_SPANS : 16);
    uintptr_t low, high;
    choose(&low, &high);
    EXPECT(mck_span_is_used(&index_, i) == (model[i].low < model[i].high));
    mck_span_remove(&index_, i);
    if (number(3)) mck_span_add(&index_, i, model[i].low = low, model[i].high = high);
    else model[i].low = model[i].high = 0;
    if (!number(20000)) mck_span_clear(&index_), memset(model, 0, sizeof model);
    choose(&low, &high);
    ask(low, high);
    ask(low, low);
  }
  puts("ok");
}
