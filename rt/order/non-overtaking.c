// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The receives of a log that are posted, and the relation R_m between them (non-overtaking.h).
#include "order/non-overtaking.h"
#include <stdlib.h>
#include <string.h>

static const struct mck_event *event_at(const struct mck_overtake *o, uint32_t index) { return &o->log->events[index]; }

void mck_overtake_open(struct mck_overtake *o, const struct mck_reader *log, const struct mck_pairs *pairs,
                       uint32_t number) {
  *o = (struct mck_overtake){.log = log, .pairs = pairs->of[number]};
  o->is_on = pairs->facts[number].nwilds > 0;
  o->is_full = pairs->facts[number].has_any_tag;
}

void mck_overtake_close(struct mck_overtake *o) {
  free(o->entries);
  free(o->held);
  free(o->pool);
  free(o->found);
  *o = (struct mck_overtake){0};
}

void mck_overtake_post(struct mck_overtake *o, uint32_t index) {
  if (!o->is_on) return; // nor is it open, where threads have an order
  const struct mck_event *e = event_at(o, index);
  if (e->kind != MCK_EV_RECV || (!o->is_full && !mck_event_is_wild(e))) return;
  if (mck_event_place(e) == MCK_STD_NO_PLACE) return;
  struct mck_overtake_entry new = {index, false};
  if (!MCK_PUSH(o->entries, o->count, o->capacity, new)) o->is_short = true;
}

void mck_overtake_complete(struct mck_overtake *o, uint32_t index) {
  size_t low = 0, high = o->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (o->entries[middle].index < index) low = middle + 1;
    else high = middle;
  }
  if (low == o->count || o->entries[low].index != index || o->entries[low].is_done) return;
  o->entries[low].is_done = true;
  o->ndone++;
  while (o->count && o->entries[o->count - 1].is_done) o->count--, o->ndone--;
  if (o->ndone <= o->count / 2) return;
  size_t kept = 0;
  for (size_t i = 0; i < o->count; i++)
    if (!o->entries[i].is_done) o->entries[kept++] = o->entries[i];
  o->count = kept;
  o->ndone = 0;
}

bool mck_overtake_comes_before(const struct mck_reader *log, const struct mck_pair *pairs, uint32_t one,
                               uint32_t other) {
  const struct mck_event *a = &log->events[one], *b = &log->events[other];
  if (mck_event_accepts(a, b)) return true;
  struct mck_pair s = pairs[one], t = pairs[other];
  return s.log != MCK_NONE && s.log == t.log && s.index < t.index && mck_event_accepts(b, a);
}

void mck_overtake_find(struct mck_overtake *o, uint32_t index) {
  o->nfound = 0;
  if (!o->count || !mck_event_is_known(event_at(o, index)) || o->pairs[index].log == MCK_NONE) return;
  for (size_t i = o->count; i-- > 0;) {
    uint32_t at = o->entries[i].index;
    if (o->entries[i].is_done || at >= index || o->pairs[at].log == MCK_NONE) continue;
    bool is_before = mck_overtake_comes_before(o->log, o->pairs, at, index);
    // For one tag the relation is its own closure: a message that the nearest receive accepts, earlier ones accept,
    // too.
    for (size_t k = 0; o->is_full && !is_before && k < o->nfound; k++)
      is_before = mck_overtake_comes_before(o->log, o->pairs, at, o->found[k]);
    if (is_before && !MCK_PUSH(o->found, o->nfound, o->found_capacity, at)) o->is_short = true;
  }
}

void mck_overtake_hold(struct mck_overtake *o, uint32_t index) {
  mck_overtake_find(o, index);
  if (!o->nfound) return;
  struct mck_overtake_held new = {index, (uint32_t)o->npool, (uint32_t)o->nfound};
  if (!mck_base_grow((void **)&o->pool, &o->pool_capacity, o->npool + o->nfound, sizeof *o->pool) ||
      !MCK_PUSH(o->held, o->nheld, o->held_capacity, new)) {
    o->is_short = true;
    return;
  }
  memcpy(o->pool + o->npool, o->found, o->nfound * sizeof *o->pool);
  o->npool += o->nfound;
}

const uint32_t *mck_overtake_recall(const struct mck_overtake *o, uint32_t index, size_t *n) {
  size_t low = 0, high = o->nheld;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (o->held[middle].receive < index) low = middle + 1;
    else high = middle;
  }
  *n = low < o->nheld && o->held[low].receive == index ? o->held[low].count : 0;
  return *n ? o->pool + o->held[low].first : NULL;
}
