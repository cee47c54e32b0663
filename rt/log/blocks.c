// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of ranks with the same count and type (blocks.h).
#include "log/blocks.h"

bool mck_blocks_add(struct mck_blocks *b, uint32_t n, uint32_t type, uint64_t count) {
  struct mck_blocks_run *last = b->count ? &b->runs[b->count - 1] : NULL;
  uint32_t begin = last ? last->end : 0, end = n >= MCK_NONE - begin ? MCK_NONE : begin + n;
  if (end == begin) return true;
  if (last && last->type == type && last->count == count) return last->end = end, true;
  struct mck_blocks_run run = {end, type, count};
  return MCK_PUSH(b->runs, b->count, b->capacity, run);
}

const struct mck_blocks_run *mck_blocks_at(const struct mck_blocks_run *runs, size_t n, uint32_t i) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (runs[middle].end <= i) low = middle + 1;
    else high = middle;
  }
  return low < n ? &runs[low] : NULL;
}

static uint64_t words_of(uint32_t n, bool is_counts) { return (uint64_t)n * (is_counts ? 1 : 3); }

bool mck_blocks_is_sound(const struct mck_event *e) {
  uint64_t words = words_of(e->args.nsend, e->flags & MCK_ARGS_SEND_COUNTS) +
                   words_of(e->args.nrecv, e->flags & MCK_ARGS_RECV_COUNTS);
  return words <= (uint64_t)e->args.extra * (MCK_UNIT / 4);
}

bool mck_blocks_read(struct mck_blocks *b, const struct mck_event *e, uint64_t left, bool is_recv) {
  b->count = 0;
  if (!(e->flags & MCK_COLL_HAS_ARGS))
    return !(e->flags & (is_recv ? MCK_COLL_RECEIVES : MCK_COLL_SENDS)) ||
           mck_blocks_add(b, MCK_NONE, e->coll.type, e->coll.count);
  const struct mck_event *args = e + 1;
  if (left < 2 || args->kind != MCK_EV_COLL_ARGS || mck_event_units(args) > left - 1 || !mck_blocks_is_sound(args))
    return true;
  bool is_counts = args->flags & MCK_ARGS_SEND_COUNTS;
  const uint32_t *at = (const uint32_t *)(args + 1);
  if (is_recv) at += words_of(args->args.nsend, is_counts), is_counts = args->flags & MCK_ARGS_RECV_COUNTS;
  uint32_t n = is_recv ? args->args.nrecv : args->args.nsend;
  uint32_t type = is_recv ? args->args.recv_type : args->args.send_type;
  for (uint32_t i = 0; i < n; i++, at += is_counts ? 1 : 3) {
    if (!(is_counts ? mck_blocks_add(b, 1, type, at[0]) : mck_blocks_add(b, at[0], at[1], at[2]))) return false;
  }
  return true;
}
