// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs send and wait in loops, so most events repeat those of the turn before: the same function, place, peer, tag,
// type and count, and of a completion the same requests, as far back. Such events are not written. The log goes on
// behind the place where they would be: an event's index is what it would be, and no unit ever moves. The pages of that
// place need not exist, and a new page costs a hundred times what a page costs that is there (docs/formats/log.md).
//
// A loop within a loop must not be left out where that hides the turn of the outer one. So a run begins only after
// MCK_REPEAT_AFTER events that were as expected, and what comes again after longer is not found.
//
// The first unit that is left out is a REPEAT (event.h). The turn that is repeated is right before it: distance units
// without a REPEAT among them. While more is left out, the REPEAT is open: it reaches to the log's end (header.units).
// At the end of a run its last MCK_REPEAT_TAIL units are written as they are, so what looks at the last events finds
// them; a shorter run leaves nothing out. Readers get all units (log-expand.c).
//
// Found as in LZ77 (Ziv and Lempel, 1977): a hash names the last event that was equal, and the next one must equal the
// one behind that. All functions are called under the caller's lock, like the others of the writer.
#pragma once
#include <string.h>
#include "log/log.h"

enum { MCK_REPEAT_AFTER = 4096 }; // events: what a writer sets log.repeat.after to
enum { MCK_REPEAT_TAIL = 512, MCK_REPEAT_LONGEST = 1 << 16, MCK_REPEAT_LONGEST_WIDE = 1 << 12 }; // units

// A unit in four words: it is compared without being written first.
struct mck_unit {
  uint64_t word[4];
};
static inline uint64_t mck_unit_pair(uint32_t first, uint32_t second) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return first | (uint64_t)second << 32;
#else
  return second | (uint64_t)first << 32;
#endif
}
static inline uint64_t mck_unit_begin(uint8_t kind, uint8_t flags, uint16_t fn, uint32_t site) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return mck_unit_pair(kind | (uint32_t)flags << 8 | (uint32_t)fn << 16, site);
#else
  return mck_unit_pair((uint32_t)kind << 24 | (uint32_t)flags << 16 | fn, site);
#endif
}

// Looks for an event equal to this one, which is at the log's next place and will be published there.
void mck_log_repeat_seek(struct mck_log *log, const struct mck_event *e, uint32_t units);
static inline void mck_log_repeat_look(struct mck_log *log, const struct mck_event *e, uint32_t units) {
  if (log->repeat.after && (uint32_t)(e - log->first) >= log->repeat.quiet) mck_log_repeat_seek(log, e, units);
}
// The event that is to come, of so many units, is as expected. Where nothing is left out yet: writes the copy that it
// is, or begins a run. Returns its index, or MCK_NONE: recording has stopped.
uint32_t mck_log_repeat_match(struct mck_log *log, uint32_t units);
void mck_log_repeat_off(struct mck_log *log); // from here on nothing is left out
static inline uint32_t mck_log_repeat_take(struct mck_log *log, uint32_t units) {
  struct mck_log_repeat *r = &log->repeat;
  if (__builtin_expect(!r->run, 0)) return mck_log_repeat_match(log, units);
  uint32_t index = (uint32_t)(log->next - log->first);
  log->next += units;
  r->cursor += units;
  atomic_store_explicit(&log->header->units, (uint64_t)index + units, memory_order_release);
  if (r->cursor == r->end) {
    r->cursor = r->begin;
    if (__builtin_expect(log->next > r->stop, 0)) mck_log_repeat_off(log); // the log's limit is near
  }
  return index;
}

static inline __attribute__((always_inline)) bool mck_unit_is(struct mck_unit unit, const struct mck_event *e) {
  struct mck_unit earlier;
  memcpy(&earlier, e, sizeof earlier);
  return !((unit.word[0] ^ earlier.word[0]) | (unit.word[1] ^ earlier.word[1]) | (unit.word[2] ^ earlier.word[2]) |
           (unit.word[3] ^ earlier.word[3]));
}

// Publishes an event of one unit, or leaves it out. A completion of one request is given without its word 2.
// Returns its index, or MCK_NONE: recording has stopped.
static inline __attribute__((always_inline)) uint32_t mck_log_put_unit(struct mck_log *log, struct mck_unit unit,
                                                                       bool is_completion, uint32_t request) {
  const struct mck_event *cursor = log->repeat.cursor;
  if (__builtin_expect(cursor != NULL, 1)) {
    uint32_t behind = (uint32_t)(log->next - cursor);
    if (is_completion) unit.word[2] = mck_unit_pair(request - behind, MCK_NONE);
    if ((!is_completion || request >= behind) && mck_unit_is(unit, cursor)) return mck_log_repeat_take(log, 1);
  }
  struct mck_event *e = mck_log_reserve(log, 1);
  if (!e) return MCK_NONE;
  if (is_completion) unit.word[2] = mck_unit_pair(request, MCK_NONE);
  memcpy(e, &unit, sizeof unit);
  mck_log_repeat_look(log, e, 1);
  return mck_log_commit(log, 1);
}
static inline __attribute__((always_inline)) uint32_t mck_log_put(struct mck_log *log, struct mck_unit unit) {
  return mck_log_put_unit(log, unit, false, MCK_NONE);
}
static inline __attribute__((always_inline)) uint32_t mck_log_put_wait(struct mck_log *log, uint8_t kind, uint8_t flags,
                                                                       uint16_t fn, uint32_t site, uint32_t request) {
  struct mck_unit unit = {
      {mck_unit_begin(kind, flags, fn, site), mck_unit_pair(0, 1), 0, mck_unit_pair(MCK_NONE, MCK_NONE)}};
  return mck_log_put_unit(log, unit, true, request);
}
// The same for a completion of n requests; head is its event but for them.
uint32_t mck_log_put_completion(struct mck_log *log, const struct mck_event *head, const uint32_t *requests,
                                uint32_t n);

// The event of this index, to be changed. It is written if it was left out, and so is what repeats it. NULL: there is
// no room for that, and recording has stopped.
struct mck_event *mck_log_repeat_write(struct mck_log *log, uint32_t index);
static inline struct mck_event *mck_log_event(struct mck_log *log, uint32_t index) {
  if (__builtin_expect(!log->repeat.cursor && index >= log->repeat.literal, 1)) return &log->first[index];
  return mck_log_repeat_write(log, index);
}
void mck_log_repeat_restart(struct mck_log *log); // the log begins again: indices are others
void mck_log_repeat_close(struct mck_log *log);   // no event follows

// Copies an event of so many units: its requests are shift units further on.
void mck_log_repeat_copy(const struct mck_event *e, uint64_t units, uint32_t shift, struct mck_event *to);
// Writes n units of what was left out, from the given one on: first is the first unit that was, and the turn before it
// is whole.
void mck_log_repeat_fill(const struct mck_event *first, uint32_t distance, uint64_t from, uint64_t n,
                         struct mck_event *to);
