// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alternative matches: what could have come to the wildcard receives of each log, summed up by the place in the
// program.
//
// How many messages could have come to one receive is stored as differences at the ends of ranges. A message and its
// alternative are compared once for each class of receives (with what they got) and each shape of alternatives. That
// suffices because the messages of a loop look alike.
#pragma once
#include "base/huge-pages.h"
#include "base/hash-table.h"
#include "clock/clock.h"
#include "judge/message/later-receive.h"
#include "judge/whole/whole.h"
#include "log/signature.h"

// How much another message differs: from a difference that no program can see to one that breaks it.
enum mck_alternative_difference {
  MCK_ALTERNATIVE_LIKE,
  MCK_ALTERNATIVE_OTHER_CALL,
  MCK_ALTERNATIVE_OTHER_TAG,
  MCK_ALTERNATIVE_OTHER_SIZE,
  MCK_ALTERNATIVE_OTHER_TYPE,
  MCK_ALTERNATIVE_LATER,      // what it leaves does not fit a later receive (later-receive.h)
  MCK_ALTERNATIVE_WRONG_TYPE, // from here on the receive itself would be wrong: not the type that it expects
  MCK_ALTERNATIVE_TOO_LARGE   // it would be truncated
};

// A place with wildcard receives: log and site.
struct mck_alternative_place {
  uint32_t log, site;
  uint16_t fn;
  uint64_t receives, open; // receives at this place; open: those that could have got another message
  uint32_t senders;        // the largest number of ranks that could have sent to one of them, with the one that did
  enum mck_alternative_difference difference;
  struct mck_pair receive, got, other; // the alternative that differs most
  struct mck_later later;              // of LATER
  struct mck_pair probe;               // a probe before this receive saw another message; log MCK_NONE: none did
};

// So many classes of a log are compared once with each shape. The others are compared each time.
enum { MCK_ALTERNATIVE_CLASSES = 256 };
// So many calls of a log are looked at behind receives whose alternatives differ: some 0.1 ms.
enum { MCK_ALTERNATIVE_LATER_STEPS = 16384 };
struct mck_alternative_shape {
  uint32_t log, site, type, tag;
  uint64_t count;
};
struct mck_alternative_class {
  uint32_t place, type;
  uint64_t count;
  struct mck_alternative_shape got;
};
// Those of one log, because several threads work on several logs.
struct mck_alternatives {
  const struct mck_whole *whole;
  uint32_t number;
  const struct mck_signatures *types; // [log]
  struct mck_alternative_place *places;
  size_t nplaces, places_capacity;
  struct mck_table place_table;
  struct mck_alternative_class *classes;
  size_t nclasses, classes_capacity;
  struct mck_table class_table;
  struct mck_alternative_shape *shapes; // of the alternatives
  size_t nshapes, shapes_capacity;
  struct mck_table shape_table;
  uint8_t *is_compared; // [shape][class]
  uint32_t latest;      // the place that was asked for last
  // The last answers for sends of each log. look: that of order/pairs.h + 1; 0: the send has none.
  struct {
    uint32_t log, look, class, place, type;
    uint64_t count;
  } recent[16];
  struct {
    uint32_t log, look, shape;
  } recent_shapes[16];
  uint32_t *place_of; // [kind]: in plain runs, whose kinds are the classes of clock/plain-run-clock.h, and which need
                      // nothing of what follows
  size_t nkinds, kinds_capacity;
  bool is_too_large;        // some message does not fit: the probes before its receive would have to be looked for
  uint64_t least;           // the room of the smallest wildcard receive, in bytes
  uint32_t steps;           // those for later receives that are left
  uint64_t left;            // the largest message that one leaves to a later one: may be to be found by the pairs
  bool has_room, has_types; // there is such a receive; types differ, too
  size_t nwilds;            // those with a known match
  uint32_t *class_of;       // [number]
  int32_t *more;            // [number]: how many more messages could have come to it than to its predecessor
  bool is_short;
};

// Those of one log, at first without any alternative. mck_alternatives_size is the room that they take of slices.
size_t mck_alternatives_size(const struct mck_alternatives *log);
bool mck_alternatives_reserve(struct mck_alternatives *log, struct mck_slices *slices);
void mck_alternatives_open(struct mck_alternatives *log);
void mck_alternatives_add(struct mck_alternatives *log, const struct mck_clock_wildcard *wilds, uint32_t first,
                          uint32_t n,
                          struct mck_pair send);         // mck_clock_sink.range
void mck_alternatives_sum(struct mck_alternatives *log); // at the end: computes open and senders
// The same for plain runs, kind by kind: see mck_clock_plain_sink.
void mck_alternatives_add_kind(struct mck_alternatives *log, const struct mck_event *e);
void mck_alternatives_compare_kind(struct mck_alternatives *log, uint32_t kind, struct mck_pair receive,
                                   struct mck_pair got, struct mck_pair send);
void mck_alternatives_count_kind(struct mck_alternatives *log, uint32_t kind, uint64_t n, uint64_t open,
                                 uint32_t others);
// May what a receive leaves not fit a later one (later-receive.h)?
static inline bool mck_alternatives_is_tight(const struct mck_alternatives *log) {
  return log->has_types || (log->has_room && log->left > log->least);
}
void mck_alternatives_close(struct mck_alternatives *log);
// Which receive takes the message of a wildcard: itself; the receive that has the source of a probe, if the program
// asks the probe for nothing else. log MCK_NONE: it is not known.
struct mck_pair mck_alternatives_room(const struct mck_whole *whole, struct mck_pair receive);
struct mck_signature mck_alternatives_signature(const struct mck_whole *whole, const struct mck_signatures *types,
                                                struct mck_pair at);
