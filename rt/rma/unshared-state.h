// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What unshared.c, unshared-exchange.c and reduced-log.c have in common.
#pragma once
#include <string.h>
#include "base/hash-table.h"
#include "rma/access.h"
#include "rma/unshared.h"
#include "rma/rma-run.h"

enum { LONE_PAGE = 4096, LONE_PART = LONE_PAGE / 64, LONE_CACHE = 256, LONE_RANGES_MAX = 1 << 16 };
#define LONE_MIXED UINT64_MAX

struct lone_page {
  uint64_t number;                 // address / LONE_PAGE, at the owner
  uint32_t win, target, stamp;     // stamp: of the operations below
  uint64_t touched, written, kept; // by part; kept: they must be looked at
  uint64_t get[8], put[8], acc[8]; // by 8 bytes: what is not complete
  uint64_t code;                   // of the accumulates: operation and type, LONE_MIXED: several
};
struct lone_range {
  uint64_t owner, low, high;
}; // what is kept in any case: large, beyond its window, in a dynamic one
struct lone_win {
  const struct mck_lone_window **targets; // by rank in the group
  uint32_t *completed, all_completed;     // how often operations were completed: by target, to all
  uint32_t size, own, flags;
};
struct lone_step { // the event at hand
  const struct mck_lone_window *window;
  uint32_t win, target, stamp;
  uint8_t kind;               // enum mck_rma_kind
  bool is_writing, is_judged; // is_judged: by rma.h
  uint64_t code;
};
// Most operations are like the one before, elsewhere: what need not be found again. Off behind whatever completes
// something.
struct lone_like {
  uint64_t head, where, what, base, unit, limit, length;
  bool is_on;
};
struct mck_lone {
  const struct mck_reader *log;
  const struct mck_lone_window *windows;
  size_t nwindows;
  uint32_t nranks;
  struct lone_win *wins; // by the log's id
  struct lone_page *pages;
  size_t npages, pages_capacity;
  struct mck_table page_table;
  struct lone_range *ranges;
  size_t nranges, ranges_capacity;
  uint32_t cache[LONE_CACHE]; // pages + 1
  uint64_t at;
  struct lone_step step;
  struct lone_like like;
  uint32_t last_page;   // touched last; number + 1
  uint64_t *is_dropped; // by unit: may be left out, or (reduced-log.c) is
  uint32_t *others;
  size_t nothers, others_capacity; // events about which that is not all: synchronizations, loads and stores
  uint32_t *dropped_before;        // by 64 units
  bool is_lost, is_short;          // is_lost: nobody knows what it touches
};

// On the wire, to the owner: a head, pages, ranges; back: as many words as pages, those parts that are shared; or
// nothing.
struct lone_head {
  uint64_t npages, nranges, is_lost;
};
struct lone_told {
  uint64_t number, touched, written;
};
struct lone_reach {
  uint64_t low, high;
};

// One like the last: its first byte, UINT64_MAX: it is not, or leaves the window.
static inline uint64_t lone_low(const struct mck_lone *l, const struct mck_event *e) {
  uint64_t word[4];
  memcpy(word, e, sizeof word);
  const struct lone_like *k = &l->like;
  if (!k->is_on || word[0] != k->head || word[1] != k->where || word[3] != k->what || word[2] > k->limit)
    return UINT64_MAX;
  return k->base + word[2] * k->unit;
}
// Bits first to last.
static inline uint64_t lone_mask(unsigned first, unsigned last) {
  return (~(uint64_t)0 >> (63 - last)) & (~(uint64_t)0 << first);
}
// Of a range within one page.
static inline uint64_t lone_parts(uint64_t low, uint64_t high) {
  return lone_mask((unsigned)(low % LONE_PAGE / LONE_PART), (unsigned)((high - 1) % LONE_PAGE / LONE_PART));
}
void lone_keep_lender(struct mck_lone *l, uint64_t at);
void lone_remember(struct mck_lone *l, const struct mck_event *e); // the step is e's
struct lone_page *lone_find_page(struct mck_lone *l, uint32_t win, uint32_t target, uint64_t number);
static inline void lone_keep(struct mck_lone *l, uint64_t at) { l->is_dropped[at / 64] &= ~((uint64_t)1 << at % 64); }
static inline bool lone_is_dropped(const struct mck_lone *l, uint64_t at) {
  return l->is_dropped[at / 64] >> at % 64 & 1;
}
bool lone_step(struct mck_lone *l, const struct mck_event *e); // false: of no window or target that we know
bool lone_footprint(struct mck_lone *l, const struct mck_event *e, mck_rma_visit_piece *visit);
