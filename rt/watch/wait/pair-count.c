// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hash table of numbers by three words (pair-count.h).
#include "watch/wait/pair-count.h"
#include <stdlib.h>

static struct mck_tally_entry *find(const struct mck_tally *t, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t words[3] = {a, b, c};
  size_t i = mck_base_hash(words, sizeof words, 2) & (t->capacity - 1);
  while (t->entries[i].is_used && (t->entries[i].a != a || t->entries[i].b != b || t->entries[i].c != c))
    i = (i + 1) & (t->capacity - 1);
  return &t->entries[i];
}

static bool grow(struct mck_tally *t) {
  struct mck_tally new = {.capacity = t->capacity ? 2 * t->capacity : 64, .count = t->count};
  new.entries = calloc(new.capacity, sizeof *new.entries);
  if (!new.entries) return false;
  for (size_t i = 0; i < t->capacity; i++) {
    const struct mck_tally_entry *e = &t->entries[i];
    if (e->is_used) *find(&new, e->a, e->b, e->c) = *e;
  }
  free(t->entries);
  *t = new;
  return true;
}

uint64_t *mck_tally_at(struct mck_tally *t, uint64_t a, uint64_t b, uint64_t c) {
  if (2 * (t->count + 1) > t->capacity && !grow(t)) return NULL;
  struct mck_tally_entry *e = find(t, a, b, c);
  if (!e->is_used) *e = (struct mck_tally_entry){a, b, c, 0, true}, t->count++;
  return &e->n;
}

uint64_t mck_tally_get(const struct mck_tally *t, uint64_t a, uint64_t b, uint64_t c) {
  const struct mck_tally_entry *e = t->capacity ? find(t, a, b, c) : NULL;
  return e && e->is_used ? e->n : 0;
}

void mck_tally_free(struct mck_tally *t) {
  free(t->entries);
  *t = (struct mck_tally){0};
}
