// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks up the classes of receives and of messages, compares each pair of them once, and sums up the results.
#include "clock/receive-class.h"
#include <stdlib.h>
#include <string.h>

// The size is for a log that has nothing but wildcards: memory that is not written to costs nothing.
size_t mck_classes_size(const struct mck_plain_log *t) {
  struct mck_classes *k;
  return t->wild ? mck_slice_size(t->units * sizeof *k->class_of) + mck_slice_size((t->units + 1) * sizeof *k->more)
                 : 0;
}

bool mck_classes_open(struct mck_classes *k, const struct mck_plain_log *t, struct mck_slices *slices) {
  k->plain_log = t;
  if (!t->wild) return true;
  k->class_of = mck_slices_take(slices, t->units * sizeof *k->class_of);
  k->more = mck_slices_take(slices, (t->units + 1) * sizeof *k->more);
  k->is_compared = calloc(MCK_CLASSES_MAX, MCK_CLASSES_MAX);
  if (!k->class_of || !k->more || !k->is_compared ||
      !mck_base_grow((void **)&k->classes, &k->capacity, 1, sizeof *k->classes) ||
      !mck_base_grow((void **)&k->message_classes, &k->message_classes_capacity, 1, sizeof *k->message_classes))
    return false;
  k->more[0] = 0;
  k->classes[0] = (struct mck_receive_class){0},
  k->message_classes[0] = (struct mck_message_class){0}; // they are read even when out of memory
  return true;
}

void mck_classes_close(struct mck_classes *k) {
  free(k->classes), free(k->message_classes), free(k->is_compared);
  mck_table_free(&k->table);
  mck_table_free(&k->message_class_table);
}

// Counts a pair as compared. A receive cannot get a later message of the sender and tag that it got, so such pairs are
// never compared.
static void settle(struct mck_classes *k, uint32_t message_class, uint32_t class) {
  uint8_t *is_compared = &k->is_compared[(size_t)message_class * MCK_CLASSES_MAX + class];
  k->message_classes[message_class].ncompared += !*is_compared;
  *is_compared = 1;
}

void mck_classes_search(struct mck_classes *k, struct mck_class_channel *channel, uint16_t word, uint32_t from,
                        uint16_t got) {
  uint32_t at, id;
  uint64_t hash = mck_table_mix((uint64_t)word << 32 | got, from);
  channel->word = word, channel->got = got;
  MCK_TABLE_EACH (&k->table, hash, at, id)
    if (k->classes[id].word == word && k->classes[id].from == from && k->classes[id].got == got) {
      channel->class = (uint16_t)id;
      return;
    }
  const struct mck_receive_class new = {.word = word, .got = got, .from = from};
  channel->class = 0;
  if (k->nclasses == MCK_CLASSES_MAX) k->is_full = true;
  else if (!mck_table_add(&k->table, hash, (uint32_t)k->nclasses) ||
           !MCK_PUSH(k->classes, k->nclasses, k->capacity, new))
    k->is_short = true;
  if (k->is_full || k->is_short) return;
  channel->class = (uint16_t)(k->nclasses - 1);
  for (uint32_t i = 0; i < k->nmessage_classes; i++)
    if (k->message_classes[i].from == from) settle(k, i, channel->class);
  k->sink->add_class(k->sink->context, k->log, &k->plain_log->words[word]);
}

void mck_classes_search_shape(struct mck_classes *k, struct mck_class_channel *channel, uint32_t from, uint16_t look) {
  uint32_t at, id;
  uint64_t hash = mck_table_mix(look, from);
  channel->look = look;
  MCK_TABLE_EACH (&k->message_class_table, hash, at, id)
    if (k->message_classes[id].from == from && k->message_classes[id].look == look) {
      channel->message_class = (uint16_t)id;
      return;
    }
  const struct mck_message_class new = {.from = from, .look = look};
  channel->message_class = 0;
  if (k->nmessage_classes == MCK_CLASSES_MAX) k->is_full = true;
  else if (!mck_table_add(&k->message_class_table, hash, (uint32_t)k->nmessage_classes) ||
           !MCK_PUSH(k->message_classes, k->nmessage_classes, k->message_classes_capacity, new))
    k->is_short = true;
  if (k->is_full || k->is_short) return;
  channel->message_class = (uint16_t)(k->nmessage_classes - 1);
  for (uint32_t i = 0; i < k->nclasses; i++)
    if (k->classes[i].from == from) settle(k, channel->message_class, i);
}

void mck_classes_compare(struct mck_classes *k, uint32_t first, uint32_t end, uint32_t message_class,
                         struct mck_pair send) {
  const uint8_t *row = k->is_compared + (size_t)message_class * MCK_CLASSES_MAX;
  // Nearest first: the class keeps its last receive.
  for (uint32_t i = end; i-- > first && !k->is_full && !k->is_short;) {
    uint32_t number = k->class_of[i];
    const struct mck_receive_class *class = &k->classes[number];
    if (row[number]) continue;
    settle(k, message_class, number);
    k->sink->alternative(k->sink->context, number, (struct mck_pair){k->log, class->index},
                         (struct mck_pair){class->from, class->message}, send);
  }
}

// Reports the ranges between the probes, from the end, as mck_classes_compare does.
void mck_classes_look_between(struct mck_classes *k, struct mck_class_channel *channel, uint32_t low,
                              struct mck_pair send) {
  uint32_t end = k->nwildcards;
  for (; channel->nprobes; channel->nprobes--) {
    uint32_t probe = channel->probes[channel->nprobes - 1];
    mck_classes_report(k, channel, low > probe + 1 ? low : probe + 1, end, send);
    end = probe;
  }
  mck_classes_report(k, channel, low, end, send);
}

void mck_classes_sum(struct mck_classes *k) {
  int32_t others = 0;
  for (uint32_t i = 0; i < k->nwildcards; i++) {
    struct mck_receive_class *class = &k->classes[k->class_of[i]];
    others += k->more[i];
    class->n++;
    class->open += others > 0;
    if ((uint32_t)others > class->others) class->others = (uint32_t)others;
  }
}
