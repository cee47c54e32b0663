// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks up the classes of receives and of messages, compares each pair of them once, and sums up the results.
#include "clock/receive-class.h"
#include <stdlib.h>
#include <string.h>

// The size is for a log that has nothing but wildcards: memory that is not written to costs nothing.
size_t mck_kinds_size(const struct mck_text *t) {
  struct mck_kinds *k;
  return t->wild ? mck_slice_size(t->units * sizeof *k->kind_of) + mck_slice_size((t->units + 1) * sizeof *k->more) : 0;
}

bool mck_kinds_open(struct mck_kinds *k, const struct mck_text *t, struct mck_slices *slices) {
  k->text = t;
  if (!t->wild) return true;
  k->kind_of = mck_slices_take(slices, t->units * sizeof *k->kind_of);
  k->more = mck_slices_take(slices, (t->units + 1) * sizeof *k->more);
  k->is_compared = calloc(MCK_KINDS_MAX, MCK_KINDS_MAX);
  if (!k->kind_of || !k->more || !k->is_compared ||
      !mck_base_grow((void **)&k->kinds, &k->capacity, 1, sizeof *k->kinds) ||
      !mck_base_grow((void **)&k->shapes, &k->shapes_capacity, 1, sizeof *k->shapes))
    return false;
  k->more[0] = 0;
  k->kinds[0] = (struct mck_kind){0},
  k->shapes[0] = (struct mck_kinds_shape){0}; // they are read even when out of memory
  return true;
}

void mck_kinds_close(struct mck_kinds *k) {
  free(k->kinds), free(k->shapes), free(k->is_compared);
  mck_table_free(&k->table);
  mck_table_free(&k->shape_table);
}

// Counts a pair as compared. A receive cannot get a later message of the sender and tag that it got, so such pairs are
// never compared.
static void settle(struct mck_kinds *k, uint32_t shape, uint32_t kind) {
  uint8_t *is_compared = &k->is_compared[(size_t)shape * MCK_KINDS_MAX + kind];
  k->shapes[shape].ncompared += !*is_compared;
  *is_compared = 1;
}

void mck_kinds_search(struct mck_kinds *k, struct mck_kinds_way *way, uint16_t word, uint32_t from, uint16_t got) {
  uint32_t at, id;
  uint64_t hash = mck_table_mix((uint64_t)word << 32 | got, from);
  way->word = word, way->got = got;
  MCK_TABLE_EACH (&k->table, hash, at, id)
    if (k->kinds[id].word == word && k->kinds[id].from == from && k->kinds[id].got == got) {
      way->kind = (uint16_t)id;
      return;
    }
  const struct mck_kind new = {.word = word, .got = got, .from = from};
  way->kind = 0;
  if (k->nkinds == MCK_KINDS_MAX) k->is_full = true;
  else if (!mck_table_add(&k->table, hash, (uint32_t)k->nkinds) || !MCK_PUSH(k->kinds, k->nkinds, k->capacity, new))
    k->is_short = true;
  if (k->is_full || k->is_short) return;
  way->kind = (uint16_t)(k->nkinds - 1);
  for (uint32_t i = 0; i < k->nshapes; i++)
    if (k->shapes[i].from == from) settle(k, i, way->kind);
  k->sink->kind(k->sink->context, k->log, &k->text->words[word]);
}

void mck_kinds_search_shape(struct mck_kinds *k, struct mck_kinds_way *way, uint32_t from, uint16_t look) {
  uint32_t at, id;
  uint64_t hash = mck_table_mix(look, from);
  way->look = look;
  MCK_TABLE_EACH (&k->shape_table, hash, at, id)
    if (k->shapes[id].from == from && k->shapes[id].look == look) {
      way->shape = (uint16_t)id;
      return;
    }
  const struct mck_kinds_shape new = {.from = from, .look = look};
  way->shape = 0;
  if (k->nshapes == MCK_KINDS_MAX) k->is_full = true;
  else if (!mck_table_add(&k->shape_table, hash, (uint32_t)k->nshapes) ||
           !MCK_PUSH(k->shapes, k->nshapes, k->shapes_capacity, new))
    k->is_short = true;
  if (k->is_full || k->is_short) return;
  way->shape = (uint16_t)(k->nshapes - 1);
  for (uint32_t i = 0; i < k->nkinds; i++)
    if (k->kinds[i].from == from) settle(k, way->shape, i);
}

void mck_kinds_compare(struct mck_kinds *k, uint32_t first, uint32_t end, uint32_t shape, struct mck_pair send) {
  const uint8_t *row = k->is_compared + (size_t)shape * MCK_KINDS_MAX;
  // Nearest first: the class keeps its last receive.
  for (uint32_t i = end; i-- > first && !k->is_full && !k->is_short;) {
    uint32_t number = k->kind_of[i];
    const struct mck_kind *kind = &k->kinds[number];
    if (row[number]) continue;
    settle(k, shape, number);
    k->sink->alternative(k->sink->context, number, (struct mck_pair){k->log, kind->index},
                         (struct mck_pair){kind->from, kind->message}, send);
  }
}

// Reports the ranges between the probes, from the end, as mck_kinds_compare does.
void mck_kinds_look_beside(struct mck_kinds *k, struct mck_kinds_way *way, uint32_t low, struct mck_pair send) {
  uint32_t end = k->nwilds;
  for (; way->nseen; way->nseen--) {
    uint32_t seen = way->seen[way->nseen - 1];
    mck_kinds_tell(k, way, low > seen + 1 ? low : seen + 1, end, send);
    end = seen;
  }
  mck_kinds_tell(k, way, low, end, send);
}

void mck_kinds_sum(struct mck_kinds *k) {
  int32_t others = 0;
  for (uint32_t i = 0; i < k->nwilds; i++) {
    struct mck_kind *kind = &k->kinds[k->kind_of[i]];
    others += k->more[i];
    kind->n++;
    kind->open += others > 0;
    if ((uint32_t)others > kind->others) kind->others = (uint32_t)others;
  }
}
