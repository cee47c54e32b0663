// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes that operations touch, joined where they adjoin or overlap, so that a search is short: a row of puts is one
// item. The target's loads and stores come epoch by epoch, so the items of the last epoch are kept at hand.
#include "judge/window/operation-cover.h"
#include <stdlib.h>
#include "base/base.h"

// An operation mostly goes on where the last one ended.
bool mck_cover_add(struct mck_operation_cover *cover, uint32_t epoch, uint64_t low, uint64_t high) {
  struct mck_covered new = {low, high, epoch}, *last = cover->count ? &cover->items[cover->count - 1] : NULL;
  if (last && last->epoch == epoch && low >= last->low && low <= last->high) {
    if (high > last->high) last->high = high;
    return true;
  }
  return MCK_PUSH(cover->items, cover->count, cover->capacity, new);
}

static int compare(const void *a, const void *b) {
  const struct mck_covered *x = a, *y = b;
  if (x->epoch != y->epoch) return x->epoch < y->epoch ? -1 : 1;
  return x->low < y->low ? -1 : x->low > y->low;
}

void mck_cover_join(struct mck_operation_cover *cover) {
  if (!cover->count) return;
  qsort(cover->items, cover->count, sizeof *cover->items, compare);
  size_t kept = 0;
  for (size_t i = 1; i < cover->count; i++) {
    const struct mck_covered *x = &cover->items[i];
    struct mck_covered *last = &cover->items[kept];
    if (x->epoch != last->epoch || x->low > last->high) cover->items[++kept] = *x;
    else if (x->high > last->high) last->high = x->high;
  }
  cover->count = kept + 1;
}

// The first of items [begin, end) that is of this epoch or a later one.
static size_t find_epoch(const struct mck_operation_cover *cover, size_t begin, size_t end, uint32_t epoch) {
  while (begin < end) {
    size_t middle = begin + (end - begin) / 2;
    if (cover->items[middle].epoch < epoch) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

bool mck_cover_touches(struct mck_operation_cover *cover, uint32_t epoch, uint64_t low, uint64_t high) {
  if (epoch != cover->epoch) {
    cover->begin = find_epoch(cover, 0, cover->count, epoch);
    cover->end = epoch == UINT32_MAX ? cover->count : find_epoch(cover, cover->begin, cover->count, epoch + 1);
    cover->epoch = epoch;
  }
  size_t begin = cover->begin, end = cover->end;
  while (begin < end) { // the first item that ends behind low
    size_t middle = begin + (end - begin) / 2;
    if (cover->items[middle].high <= low) begin = middle + 1;
    else end = middle;
  }
  return begin < cover->end && cover->items[begin].low < high;
}

void mck_cover_free(struct mck_operation_cover *cover) {
  free(cover->items);
  *cover = (struct mck_operation_cover){0};
}
