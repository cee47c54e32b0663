// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds when which memory was attached to a dynamic window (attachment.h).
#include "rma/attachment.h"
#include <stdlib.h>
#include "base/hash-table.h"

static int compare(const void *a, const void *b) {
  const struct mck_attachment *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

static bool is_same(const struct mck_attachment *a, const struct mck_attachment *b) {
  return a->low == b->low && a->high == b->high;
}

static bool collect(struct mck_attachments *s, const struct mck_reader *log, uint32_t win, struct mck_table *open) {
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    uint32_t slot, id;
    if (e->kind != MCK_EV_ATTACH || e->attach.win != win) continue;
    uint64_t low = e->attach.address, hash = mck_table_mix(low, 0);
    if (e->flags & MCK_ATTACH_DETACHED) {
      MCK_TABLE_EACH (open, hash, slot, id)
        if (s->items[id].low == low && s->items[id].to == MCK_NONE) s->items[id].to = (uint32_t)i;
      continue;
    }
    struct mck_attachment new = {low, low + e->attach.size, (uint32_t)i, MCK_NONE, e->site, 0};
    if (new.high <= low) continue;
    // Where memory is attached again, the entry of its address is taken over.
    bool is_known = false;
    MCK_TABLE_EACH (open, hash, slot, id)
      if (s->items[id].low == low && s->items[id].to != MCK_NONE) {
        open->slots[slot].next = (uint32_t)s->count + 1;
        is_known = true;
        break;
      }
    if (!MCK_PUSH(s->items, s->count, s->capacity, new)) return false;
    if (!is_known && !mck_table_add(open, hash, (uint32_t)s->count - 1)) return false;
  }
  return true;
}

bool mck_attachments_make(struct mck_attachments *s, const struct mck_reader *log, uint32_t win) {
  struct mck_table open = {0};
  bool is_good = collect(s, log, win, &open);
  mck_table_free(&open);
  if (!is_good || !s->count) return is_good;
  s->reach = malloc(s->count * sizeof *s->reach);
  if (!s->reach) return false;
  qsort(s->items, s->count, sizeof *s->items, compare);
  for (size_t i = 0; i < s->count; i++)
    s->reach[i] = i && s->reach[i - 1] > s->items[i].high ? s->reach[i - 1] : s->items[i].high;
  for (size_t i = s->count, next = i; i-- > 0;) {
    if (i + 1 < s->count && !is_same(&s->items[i], &s->items[i + 1])) next = i + 1;
    s->items[i].next = (uint32_t)next;
  }
  return true;
}

void mck_attachments_free(struct mck_attachments *s) {
  free(s->items);
  free(s->reach);
  *s = (struct mck_attachments){0};
}

// Of the attachments with the bytes of the first one, which follow each other in time: one that has a moment between
// the two events.
static const struct mck_attachment *find_between(const struct mck_attachments *s, size_t first, uint32_t after,
                                                 uint32_t before) {
  size_t low = first, high = s->items[first].next;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->items[middle].to > after) high = middle;
    else low = middle + 1;
  }
  return low < s->items[first].next && s->items[low].from < before ? &s->items[low] : NULL;
}

// The first one, by bytes, that reaches behind a byte.
static size_t find_first(const struct mck_attachments *s, uint64_t byte) {
  size_t low = 0, high = s->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->reach[middle] > byte) high = middle;
    else low = middle + 1;
  }
  while (low && low < s->count && is_same(&s->items[low], &s->items[low - 1])) low--;
  return low;
}

static bool is_covered(const struct mck_attachments *s, uint64_t low, uint64_t high, uint32_t after, uint32_t before) {
  for (size_t i = find_first(s, low); i < s->count && s->items[i].low <= low && low < high; i = s->items[i].next)
    if (s->items[i].high > low && find_between(s, i, after, before)) low = s->items[i].high;
  return low >= high;
}

enum mck_attached mck_attachments_ask(const struct mck_attachments *s, uint64_t low, uint64_t high, uint32_t after,
                                      uint32_t before) {
  if (is_covered(s, low, high, after, before)) return MCK_ATTACHED_THEN;
  return is_covered(s, low, high, 0, MCK_NONE) ? MCK_ATTACHED_ANOTHER_TIME : MCK_ATTACHED_NEVER;
}

const struct mck_attachment *mck_attachments_find(const struct mck_attachments *s, uint64_t byte, uint32_t after,
                                                  uint32_t before) {
  for (size_t i = find_first(s, byte); i < s->count && s->items[i].low <= byte; i = s->items[i].next) {
    const struct mck_attachment *attachment = s->items[i].high > byte ? find_between(s, i, after, before) : NULL;
    if (attachment) return attachment;
  }
  return NULL;
}

const char *mck_attachment_say(char text[MCK_RANGE_SIZE], const struct mck_attachment *attachment, uint64_t low,
                               uint64_t high) {
  snprintf(text, MCK_RANGE_SIZE, "bytes %lld..%lld of the %llu that it attached", (long long)(low - attachment->low),
           (long long)(high - 1 - attachment->low), (unsigned long long)(attachment->high - attachment->low));
  return text;
}
