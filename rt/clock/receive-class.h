// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Receive classes: for the wildcard receives of one log, what each got, and how many other messages could have matched
// it. The receives all take one tag, or any tag, from any source, and each is complete when the next is posted
// (plain-run-clock.h). Receives with one word that got messages with one word are one class. The messages that could
// have matched a class are reported once for each word of messages: a loop has few classes and few words.
#pragma once
#include "base/huge-pages.h"
#include "clock/plain-run-clock.h"

enum { MCK_KINDS_MAX = 1024 }; // classes of receives, and of messages: a run that has more is left to clock.h
struct mck_kind {
  uint16_t word, got;      // the word of the receive; the word of its message
  uint32_t from;           // the log of the message
  uint32_t index, message; // the event of its last receive; the event of the message that this got
  uint64_t n, open;        // receives; those of them that could have got another message
  uint32_t others;         // the most other messages that could have matched one of them
};
struct mck_kinds_way { // the last receive and message of a channel; words are 0: there was none
  uint16_t word, got, kind;
  uint16_t look, shape;
  uint32_t low;   // wildcards before this one cannot have got the next message (as in late-message.c)
  uint32_t *seen; // probes with wildcards that found the first message, ascending: it is the one that they got
  size_t nseen, seen_capacity;
};
struct mck_kinds_shape { // a class of messages
  uint32_t from, ncompared;
  uint16_t look;
};
struct mck_kinds {
  const struct mck_queues_sink *sink;
  uint32_t log;
  uint16_t *kind_of; // [number of a wildcard]: its class
  int32_t *more;     // [number]: the difference to the one before in the number of other messages
  uint32_t nwilds;
  struct mck_kind *kinds;
  size_t nkinds, capacity;
  struct mck_kinds_shape *shapes;
  size_t nshapes, shapes_capacity;
  struct mck_table table, shape_table;
  uint8_t *is_compared; // [shape][kind]
  const struct mck_text *text;
  bool is_short, is_full;
};
size_t mck_kinds_size(const struct mck_text *text);
bool mck_kinds_open(struct mck_kinds *kinds, const struct mck_text *text, struct mck_slices *slices);
void mck_kinds_close(struct mck_kinds *kinds);
void mck_kinds_sum(struct mck_kinds *kinds); // after the last message: computes open and others
// The rare cases of the functions below.
void mck_kinds_search(struct mck_kinds *kinds, struct mck_kinds_way *way, uint16_t word, uint32_t from, uint16_t got);
void mck_kinds_search_shape(struct mck_kinds *kinds, struct mck_kinds_way *way, uint32_t from, uint16_t look);
void mck_kinds_compare(struct mck_kinds *kinds, uint32_t first, uint32_t end, uint32_t shape, struct mck_pair send);

void mck_kinds_look_beside(struct mck_kinds *kinds, struct mck_kinds_way *way, uint32_t low, struct mck_pair send);

static inline void mck_kinds_tell(struct mck_kinds *k, const struct mck_kinds_way *way, uint32_t low, uint32_t end,
                                  struct mck_pair send) {
  if (low >= end) return;
  k->more[low]++, k->more[end]--;
  if (MCK_UNLIKELY(k->shapes[way->shape].ncompared != k->nkinds)) mck_kinds_compare(k, low, end, way->shape, send);
  if (MCK_UNLIKELY(k->sink->range != NULL)) k->sink->range(k->sink->context, k->log, low, end - low, send);
}

// The next message of a channel. Its sender knew that the first `known` wildcards had matched. The later ones posted so
// far could have got it, except those that come before the receive of an earlier message of the channel. look: its
// word.
static inline void mck_kinds_look(struct mck_kinds *k, struct mck_kinds_way *way, uint32_t known, struct mck_pair send,
                                  uint16_t look) {
  uint32_t low = way->low > known ? way->low : known;
  if (low >= k->nwilds && !way->nseen) return;
  if (MCK_UNLIKELY(way->look != look)) mck_kinds_search_shape(k, way, send.log, look);
  if (MCK_UNLIKELY(way->nseen)) mck_kinds_look_beside(k, way, low, send);
  else mck_kinds_tell(k, way, low, k->nwilds, send);
}

// A wildcard receive takes the message, or a probe finds it. word: that of the receive.
static inline void mck_kinds_take(struct mck_kinds *k, struct mck_kinds_way *way, uint32_t index, uint16_t word,
                                  struct mck_pair got, uint16_t look) {
  if (MCK_UNLIKELY(way->word != word || way->got != look)) mck_kinds_search(k, way, word, got.log, look);
  struct mck_kind *kind = &k->kinds[way->kind];
  kind->index = index;
  kind->message = got.index;
  k->kind_of[k->nwilds++] = way->kind;
  k->more[k->nwilds] = 0;
}

// The wildcard that was added last is a probe, which leaves the message.
static inline void mck_kinds_see(struct mck_kinds *k, struct mck_kinds_way *way) {
  if (!MCK_PUSH(way->seen, way->nseen, way->seen_capacity, k->nwilds - 1)) k->is_short = true;
}
