// RUN: %unit/test-range-set | FileCheck %s
// CHECK: ok
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges that come and go against a linear search through all of them: of all lengths, crowded and far apart.
#include "base/range-set.h"
#include <stdio.h>
#include <stdlib.h>

#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (printf("line %d, seed %u: %s\n", __LINE__, seed, #condition), exit(1)))
enum { RANGES = 300, ROUNDS = 100000 };
static unsigned seed = 4711;
static struct mck_byte_range ranges[RANGES];
static uint64_t number(uint64_t below) { return ((uint64_t)rand() << 31 ^ (uint64_t)rand()) % below; }
static bool is_asked(const struct mck_byte_range *range, void *count) {
  (*(unsigned *)count) += (unsigned)(range - ranges) + 1; // a sum tells which ones were asked, each once
  return false;
}
static bool is_any(const struct mck_byte_range *range, void *unused) { return (void)range, (void)unused, true; }

static void choose(uintptr_t *low, uintptr_t *high) {
  unsigned order = (unsigned)number(32);
  *low = 0x100000 + number((uint64_t)1 << (number(4) ? 16 : 34));
  *high = *low + 1 + number((uint64_t)1 << order);
}

int main(void) {
  srand(seed);
  for (int round = 0; round < ROUNDS; round++) {
    uintptr_t low, high;
    bool is_written = number(2);
    choose(&low, &high);
    unsigned wanted = 0, got = 0, live = 0;
    for (int i = 0; i < RANGES; i++) {
      const struct mck_byte_range *s = &ranges[i];
      live += s->is_listed;
      if (s->is_listed && (s->is_written || is_written) && s->low < high && low < s->high) wanted += (unsigned)i + 1;
    }
    EXPECT(live == mck_range_set_size);
    EXPECT(!mck_range_set_find(low, high, is_written, is_asked, &got) && got == wanted);
    EXPECT((mck_range_set_find(low, high, is_written, is_any, NULL) != NULL) == (wanted > 0));
    struct mck_byte_range *s = &ranges[number(RANGES)];
    if (s->is_listed) mck_range_set_remove(s);
    else {
      choose(&s->low, &s->high);
      s->is_written = number(2);
      mck_range_set_add(s);
    }
  }
  for (int i = 0; i < RANGES; i++) mck_range_set_remove(&ranges[i]), mck_range_set_remove(&ranges[i]);
  EXPECT(mck_range_set_size == 0 && !mck_range_set_find(0, ~(uintptr_t)0, true, is_any, NULL));
  puts("ok");
  return 0;
}
