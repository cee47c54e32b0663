// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Receive classes: for the wildcard receives of one log, what each got, and how many other messages could have matched
// it. The receives all take one tag, or any tag, from any source, and each is complete when the next is posted
// (plain-run-clock.h). Receives with one word that got messages with one word are one class. The messages that could
// have matched a class are reported once for each word of messages: a loop has few classes and few words.
#pragma once
#include "base/huge-pages.h"
#include "clock/plain-run-clock.h"

enum { MCK_CLASSES_MAX = 1024 }; // classes of receives, and of messages: a run that has more is left to clock.h
struct mck_receive_class {
  uint16_t word, got;      // the word of the receive; the word of its message
  uint32_t from;           // the log of the message
  uint32_t index, message; // the event of its last receive; the event of the message that this got
  uint64_t n, open;        // receives; those of them that could have got another message
  uint32_t others;         // the most other messages that could have matched one of them
};
struct mck_class_channel { // the last receive and message of a channel; words are 0: there was none
  uint16_t word, got, class;
  uint16_t look, message_class;
  uint32_t low;     // wildcards before this one cannot have got the next message (as in late-message.c)
  uint32_t *probes; // probes with wildcards that found the first message, ascending: it is the one that they got
  size_t nprobes, probes_capacity;
};
struct mck_message_class { // a class of messages
  uint32_t from, ncompared;
  uint16_t look;
};
struct mck_classes {
  const struct mck_clock_plain_sink *sink;
  uint32_t log;
  uint16_t *class_of; // [number of a wildcard]: its class
  int32_t *more;      // [number]: the difference to the one before in the number of other messages
  uint32_t nwildcards;
  struct mck_receive_class *classes;
  size_t nclasses, capacity;
  struct mck_message_class *message_classes;
  size_t nmessage_classes, message_classes_capacity;
  struct mck_table table, message_class_table;
  uint8_t *is_compared; // [message_class][class]
  const struct mck_plain_log *plain_log;
  bool is_short, is_full;
};
size_t mck_classes_size(const struct mck_plain_log *plain_log);
bool mck_classes_open(struct mck_classes *classes, const struct mck_plain_log *plain_log, struct mck_slices *slices);
void mck_classes_close(struct mck_classes *classes);
void mck_classes_sum(struct mck_classes *classes); // after the last message: computes open and others
// The rare cases of the functions below.
void mck_classes_search(struct mck_classes *classes, struct mck_class_channel *channel, uint16_t word, uint32_t from,
                        uint16_t got);
void mck_classes_search_shape(struct mck_classes *classes, struct mck_class_channel *channel, uint32_t from,
                              uint16_t look);
void mck_classes_compare(struct mck_classes *classes, uint32_t first, uint32_t end, uint32_t message_class,
                         struct mck_pair send);

void mck_classes_look_between(struct mck_classes *classes, struct mck_class_channel *channel, uint32_t low,
                              struct mck_pair send);

static inline void mck_classes_report(struct mck_classes *k, const struct mck_class_channel *channel, uint32_t low,
                                      uint32_t end, struct mck_pair send) {
  if (low >= end) return;
  k->more[low]++, k->more[end]--;
  if (MCK_UNLIKELY(k->message_classes[channel->message_class].ncompared != k->nclasses))
    mck_classes_compare(k, low, end, channel->message_class, send);
  if (MCK_UNLIKELY(k->sink->range != NULL)) k->sink->range(k->sink->context, k->log, low, end - low, send);
}

// The next message of a channel. Its sender knew that the first `known` wildcards had matched. The later ones posted so
// far could have got it, except those that come before the receive of an earlier message of the channel. look: its
// word.
static inline void mck_classes_look(struct mck_classes *k, struct mck_class_channel *channel, uint32_t known,
                                    struct mck_pair send, uint16_t look) {
  uint32_t low = channel->low > known ? channel->low : known;
  if (low >= k->nwildcards && !channel->nprobes) return;
  if (MCK_UNLIKELY(channel->look != look)) mck_classes_search_shape(k, channel, send.log, look);
  if (MCK_UNLIKELY(channel->nprobes)) mck_classes_look_between(k, channel, low, send);
  else mck_classes_report(k, channel, low, k->nwildcards, send);
}

// A wildcard receive takes the message, or a probe finds it. word: that of the receive.
static inline void mck_classes_take(struct mck_classes *k, struct mck_class_channel *channel, uint32_t index,
                                    uint16_t word, struct mck_pair got, uint16_t look) {
  if (MCK_UNLIKELY(channel->word != word || channel->got != look)) mck_classes_search(k, channel, word, got.log, look);
  struct mck_receive_class *class = &k->classes[channel->class];
  class->index = index;
  class->message = got.index;
  k->class_of[k->nwildcards++] = channel->class;
  k->more[k->nwildcards] = 0;
}

// The wildcard that was added last is a probe, which leaves the message.
static inline void mck_classes_add_probe(struct mck_classes *k, struct mck_class_channel *channel) {
  if (!MCK_PUSH(channel->probes, channel->nprobes, channel->probes_capacity, k->nwildcards - 1)) k->is_short = true;
}
