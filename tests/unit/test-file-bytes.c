// RUN: %unit/test-file-bytes | FileCheck %s
// CHECK: ok
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes of views against a table of all bytes of a small file: random filetypes, displacements, places and sizes, and
// whether two accesses overlap. Then numbers that only a damaged log has.
#include "io/file-bytes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (printf("line %d, round %d: %s\n", __LINE__, round, #condition), exit(1)))
enum { FILE_SIZE = 4096, BLOCKS = 5, ROUNDS = 10000 };
static int round;
static unsigned number(unsigned below) { return (unsigned)rand() % below; }

struct filetype {
  struct mck_block blocks[BLOCKS];
  struct mck_type_body body;
  struct mck_type_def def;
};
struct pieces {
  uint64_t low[FILE_SIZE], high[FILE_SIZE];
  size_t n;
};

static void choose(struct filetype *t) {
  uint64_t at = number(4);
  t->def = (struct mck_type_def){.nblocks = 1 + number(BLOCKS), .body = &t->body, .blocks = t->blocks};
  t->body = (struct mck_type_body){0, 0, 0};
  for (uint32_t i = 0; i < t->def.nblocks; i++) {
    t->blocks[i] = (struct mck_block){(int64_t)at, 1 + number(6)};
    t->body.size += t->blocks[i].length;
    at += t->blocks[i].length + 1 + number(5);
  }
  const struct mck_block *last = &t->blocks[t->def.nblocks - 1];
  t->body.extent = last->offset + (int64_t)last->length + (int64_t)number(4);
}

static bool add(void *context, uint64_t low, uint64_t high) {
  struct pieces *p = context;
  p->low[p->n] = low, p->high[p->n++] = high;
  return true;
}

// The k-th byte that the view shows.
static uint64_t place(const struct filetype *t, uint64_t disp, uint64_t k) {
  if (!t) return disp + k;
  uint64_t at = disp + k / t->body.size * (uint64_t)t->body.extent, rest = k % t->body.size;
  uint32_t i = 0;
  for (; rest >= t->blocks[i].length; i++) rest -= t->blocks[i].length;
  return at + (uint64_t)t->blocks[i].offset + rest;
}

// One access: its pieces, and its bytes in a table.
static void make(struct pieces *p, uint8_t *bytes) {
  static struct filetype t;
  struct mck_file_view view;
  bool has_holes = number(4) != 0;
  uint64_t disp = number(100), offset = number(200), size = number(100);
  choose(&t);
  EXPECT(mck_file_view_make(&view, disp, has_holes ? &t.def : NULL));
  p->n = 0;
  EXPECT(mck_file_bytes(&view, offset, size, FILE_SIZE, add, p));
  memset(bytes, 0, FILE_SIZE);
  for (uint64_t k = 0; k < size; k++) bytes[place(has_holes ? &t : NULL, disp, offset + k)] = 1;
  uint8_t laid[FILE_SIZE] = {0};
  for (size_t i = 0; i < p->n; i++) {
    EXPECT(p->low[i] < p->high[i] && (!i || p->low[i] > p->high[i - 1])); // ascending, and adjacent ones are one
    memset(laid + p->low[i], 1, p->high[i] - p->low[i]);
  }
  EXPECT(!memcmp(laid, bytes, FILE_SIZE));
}

static void check_damaged(void) {
  struct filetype t;
  struct mck_file_view view;
  struct pieces p = {.n = 0};
  choose(&t);
  uint64_t size = t.body.size;
  EXPECT(mck_file_view_make(&view, 0, &t.def));
  EXPECT(!mck_file_bytes(&view, UINT64_MAX - 3, 8, FILE_SIZE, add, &p));
  EXPECT(!mck_file_bytes(&view, 0, UINT64_MAX, FILE_SIZE, add, &p));
  EXPECT(!mck_file_bytes(&view, (uint64_t)INT64_MAX, 8, FILE_SIZE, add, &p));
  EXPECT(!mck_file_bytes(&view, 0, size * 10, 9 * t.def.nblocks, add, &p));
  EXPECT(!p.n && mck_file_bytes(&view, 0, size * 10, 10 * t.def.nblocks, add, &p) && p.n);
  view.disp = INT64_MAX, p.n = 0;
  EXPECT(!mck_file_bytes(&view, 0, 8, FILE_SIZE, add, &p) && !p.n);
  EXPECT(mck_file_view_make(&view, INT64_MAX, NULL) && !mck_file_bytes(&view, 0, 8, FILE_SIZE, add, &p));
  EXPECT(mck_file_view_make(&view, UINT64_MAX, NULL) && !mck_file_bytes(&view, 8, 8, FILE_SIZE, add, &p) && !p.n);
  t.body.size++;
  EXPECT(!mck_file_view_make(&view, 0, &t.def));
  t.body.size--, t.body.extent = 0;
  EXPECT(!mck_file_view_make(&view, 0, &t.def));
  t.body.extent = 100, t.blocks[0].offset = -1;
  EXPECT(!mck_file_view_make(&view, 0, &t.def));
  t.blocks[0].offset = 0, t.def.nblocks = MCK_NONE;
  EXPECT(!mck_file_view_make(&view, 0, &t.def));
}

int main(void) {
  static struct pieces a, b;
  static uint8_t bytes_a[FILE_SIZE], bytes_b[FILE_SIZE];
  srand(4711);
  for (; round < ROUNDS; round++) {
    make(&a, bytes_a), make(&b, bytes_b);
    bool is_overlap = false, is_common = false;
    for (size_t i = 0; i < a.n; i++)
      for (size_t k = 0; k < b.n; k++) is_overlap |= a.low[i] < b.high[k] && b.low[k] < a.high[i];
    for (int i = 0; i < FILE_SIZE; i++) is_common |= bytes_a[i] && bytes_b[i];
    EXPECT(is_overlap == is_common);
    check_damaged();
  }
  puts("ok");
  return 0;
}
