// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What unshared.c, unshared-exchange.c and reduced-log.c have in common.
#pragma once
#include <string.h>
#include "base/hash-table.h"
#include "rma/unshared.h"
#include "rma/rma-run.h"

enum { UNSHARED_PAGE = 4096, UNSHARED_PART = UNSHARED_PAGE / 64, UNSHARED_CACHE = 256, UNSHARED_RANGES_MAX = 1 << 16 };
#define UNSHARED_MIXED UINT64_MAX

struct unshared_page {
  uint64_t number;                 // address / UNSHARED_PAGE, at the owner
  uint32_t win, target, stamp;     // stamp: of the operations below
  uint64_t touched, written, kept; // by part; kept: they must be looked at
  uint64_t get[8], put[8], acc[8]; // by 8 bytes: what is not complete
  uint64_t code;                   // of the accumulates: operation and type, UNSHARED_MIXED: several
};
struct unshared_range {
  uint64_t owner, low, high;
}; // what is kept in any case: large, beyond its window, in a dynamic one
struct unshared_win {
  const struct mck_unshared_window **targets; // by rank in the group
  uint32_t *completed, all_completed;         // how often operations were completed: by target, to all
  uint32_t size, own, flags;
};
struct unshared_step { // the event at hand
  const struct mck_unshared_window *window;
  uint32_t win, target, stamp;
  uint8_t kind;               // enum mck_conflict_kind
  bool is_writing, is_judged; // is_judged: by rma.h
  uint64_t code;
};
// Most operations are like the one before, elsewhere: what need not be found again. Off behind whatever completes
// something.
struct unshared_repeat {
  uint64_t head, where, what, base, unit, limit, length;
  bool is_on;
};
struct mck_unshared {
  const struct mck_reader *log;
  const struct mck_unshared_window *windows;
  size_t nwindows;
  uint32_t nranks;
  struct unshared_win *wins; // by the log's id
  struct unshared_page *pages;
  size_t npages, pages_capacity;
  struct mck_table page_table;
  struct unshared_range *ranges;
  size_t nranges, ranges_capacity;
  uint32_t cache[UNSHARED_CACHE]; // pages + 1
  uint64_t at;
  struct unshared_step step;
  struct unshared_repeat repeat;
  uint32_t last_page;   // touched last; number + 1
  uint64_t *is_dropped; // by unit: may be left out, or (reduced-log.c) is
  uint32_t *others;
  size_t nothers, others_capacity; // events about which that is not all: synchronizations, loads and stores
  uint32_t *dropped_before;        // by 64 units
  bool is_lost, is_short;          // is_lost: nobody knows what it touches
};

// On the wire, to the owner: a head, pages, ranges; back: as many words as pages, those parts that are shared; or
// nothing.
struct unshared_head {
  uint64_t npages, nranges, is_lost;
};
struct unshared_touched {
  uint64_t number, touched, written;
};
struct unshared_reach {
  uint64_t low, high;
};

// One like the last: its first byte, UINT64_MAX: it is not, or leaves the window.
static inline uint64_t unshared_low(const struct mck_unshared *l, const struct mck_event *e) {
  uint64_t word[4];
  memcpy(word, e, sizeof word);
  const struct unshared_repeat *k = &l->repeat;
  if (!k->is_on || word[0] != k->head || word[1] != k->where || word[3] != k->what || word[2] > k->limit)
    return UINT64_MAX;
  return k->base + word[2] * k->unit;
}
// Bits first to last.
static inline uint64_t unshared_mask(unsigned first, unsigned last) {
  return (~(uint64_t)0 >> (63 - last)) & (~(uint64_t)0 << first);
}
// Of a range within one page.
static inline uint64_t unshared_parts(uint64_t low, uint64_t high) {
  return unshared_mask((unsigned)(low % UNSHARED_PAGE / UNSHARED_PART),
                       (unsigned)((high - 1) % UNSHARED_PAGE / UNSHARED_PART));
}
void unshared_keep_op_of_buffer(struct mck_unshared *l, uint64_t at);
void unshared_remember(struct mck_unshared *l, const struct mck_event *e); // the step is e's
struct unshared_page *unshared_find_page(struct mck_unshared *l, uint32_t win, uint32_t target, uint64_t number);
static inline void unshared_keep(struct mck_unshared *l, uint64_t at) {
  l->is_dropped[at / 64] &= ~((uint64_t)1 << at % 64);
}
static inline bool unshared_is_dropped(const struct mck_unshared *l, uint64_t at) {
  return l->is_dropped[at / 64] >> at % 64 & 1;
}
bool unshared_step(struct mck_unshared *l, const struct mck_event *e); // false: of no window or target that we know
bool unshared_footprint(struct mck_unshared *l, const struct mck_event *e, mck_rma_visit_piece *visit);
