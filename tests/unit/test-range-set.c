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

// Loops that post ranges along arrays, more or fewer than may wait for their cells, and mostly ask for none of them.
static void post_in_loops(void) {
  enum { MOST = 5000, LOOPS = 300, LENGTH = 8 };
  static struct mck_byte_range posted[MOST];
  for (int loop = 0; loop < LOOPS; loop++) {
    unsigned n = 1 + (unsigned)number(number(4) ? 100 : MOST), by = 1 + (unsigned)number(3);
    uintptr_t base = 0x1000000 + number(4) * 0x100000;
    bool is_written = number(2), is_mixed = !number(4);
    for (unsigned i = 0; i < n; i++) {
      struct mck_byte_range *s = &posted[i * by % MOST]; // the same struct may come twice: it is listed then
      if (s->is_listed) continue;
      s->low = base + (uintptr_t)i * 2 * LENGTH, s->high = s->low + LENGTH;
      s->is_written = is_mixed ? number(2) : is_written;
      mck_range_set_add(s);
      unsigned before = 0, behind = 0;
      if (!number(50)) {
        EXPECT(!mck_range_set_find(base - 1, base, true, is_asked, &before) && !before);
        EXPECT(!mck_range_set_find(s->high, s->high + 1, true, is_any, &behind));
      }
      if (!number(200)) EXPECT(mck_range_set_find(s->low, s->low + 1, true, is_any, NULL) == s);
      if (!number(200)) EXPECT(!mck_range_set_find(s->high, s->high + LENGTH, true, is_any, NULL));
      if (!number(100)) mck_range_set_forget(s), *s = (struct mck_byte_range){0};
    }
    unsigned live = 0, nwritten = 0;
    for (unsigned i = 0; i < MOST; i++)
      live += posted[i].is_listed, nwritten += posted[i].is_listed & posted[i].is_written;
    EXPECT(live == mck_range_set_size && mck_range_set_has_written() == (nwritten > 0));
    for (unsigned i = 0; i < MOST; i++) {
      const struct mck_byte_range *s = &posted[i];
      if (s->is_listed && !number(20)) EXPECT(mck_range_set_find(s->low, s->high, true, is_any, NULL) == s);
    }
    for (unsigned i = 0; i < MOST; i++) mck_range_set_remove(&posted[i]);
    EXPECT(mck_range_set_size == 0);
  }
  for (unsigned i = 0; i < MOST; i++) mck_range_set_forget(&posted[i]);
}

int main(void) {
  srand(seed);
  post_in_loops();
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
