// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that unshared.c, unshared-exchange.c and reduced-log.c share.
#pragma once
#include <string.h>
#include "base/hash-table.h"
#include "rma/unshared.h"
#include "rma/rma-run.h"

enum { UNSHARED_PAGE = 4096, UNSHARED_PART = UNSHARED_PAGE / 64, UNSHARED_CACHE = 256, UNSHARED_RANGES_MAX = 1 << 16 };
#define UNSHARED_MIXED UINT64_MAX

struct mck_unshared_page {
  uint64_t number;                 // address / UNSHARED_PAGE, at the owner
  uint32_t win, target, stamp;     // stamp: of the operations below
  uint64_t touched, written, kept; // by part; kept: the judge must have what touches them
  uint64_t get[8], put[8], acc[8]; // by 8 bytes: what is not complete
  uint64_t code;                   // of the accumulates: operation and type, UNSHARED_MIXED: several
};
struct mck_unshared_range { // what is kept in any case: large, beyond its window, or in a dynamic one
  uint64_t owner, low, high;
};
struct mck_unshared_win {
  const struct mck_unshared_window **targets; // by rank in the group
  uint32_t *completed, all_completed;         // how often operations were completed: by target, to all
  uint32_t size, own, flags;
};
struct mck_unshared_step { // the event at hand
  const struct mck_unshared_window *window;
  uint32_t win, target, stamp;
  uint8_t kind;               // enum mck_conflict_kind
  bool is_writing, is_judged; // is_judged: by rt/rma
  uint64_t code;              // of an accumulate: operation, type and position of its elements; no two have the same if
  bool is_ordered;            // ... they are not in order at their origin
};
// Most operations differ from the one before only in their displacement: what need not be found again of such a one. It
// is off behind a call that completes something.
struct mck_unshared_repeat {
  uint64_t head, where, what, base, unit, limit, length;
  bool is_on;
};
struct mck_unshared {
  const struct mck_reader *log;
  const struct mck_unshared_window *windows;
  size_t nwindows;
  uint32_t nranks;
  struct mck_unshared_win *wins; // by the log's id
  struct mck_unshared_page *pages;
  size_t npages, pages_capacity;
  struct mck_table page_table;
  struct mck_unshared_range *ranges;
  size_t nranges, ranges_capacity;
  uint32_t cache[UNSHARED_CACHE]; // pages + 1
  uint64_t at;
  struct mck_unshared_step step;
  struct mck_unshared_repeat repeat;
  uint32_t last_page;   // touched last; number + 1
  uint64_t *is_dropped; // by unit: it may be left out, and in reduced-log.c it is
  uint32_t *others;     // events that reduced-log.c looks at again: synchronizations, loads and stores
  size_t nothers, others_capacity;
  uint32_t *dropped_before; // by 64 units
  bool has_read;            // a load of a window that nobody judges stays since the last synchronization
  bool has_lost_read;       // something that may have told this rank of others is left out, of a window nobody judges
  bool is_lost, is_short;   // is_lost: what it touches is not known
};

// The bytes to the owner: a head, pages, ranges. The bytes back: as many words as pages, with the parts that are
// shared; or nothing.
struct mck_unshared_head {
  uint64_t npages, nranges, is_lost;
};
struct mck_unshared_touched {
  uint64_t number, touched, written;
};
struct mck_unshared_reach {
  uint64_t low, high;
};

// The first byte of an operation that repeats the last one. UINT64_MAX: it does not, or it leaves the window.
static inline uint64_t mck_unshared_low(const struct mck_unshared *l, const struct mck_event *e) {
  uint64_t word[4];
  memcpy(word, e, sizeof word);
  const struct mck_unshared_repeat *k = &l->repeat;
  if (!k->is_on || word[0] != k->head || word[1] != k->where || word[3] != k->what || word[2] > k->limit)
    return UINT64_MAX;
  return k->base + word[2] * k->unit;
}
// Bits first to last.
static inline uint64_t mck_unshared_mask(unsigned first, unsigned last) {
  return (~(uint64_t)0 >> (63 - last)) & (~(uint64_t)0 << first);
}
// Of a range within one page.
static inline uint64_t mck_unshared_parts(uint64_t low, uint64_t high) {
  return mck_unshared_mask((unsigned)(low % UNSHARED_PAGE / UNSHARED_PART),
                           (unsigned)((high - 1) % UNSHARED_PAGE / UNSHARED_PART));
}
void mck_unshared_keep_op_of_buffer(struct mck_unshared *l, uint64_t at);
void mck_unshared_remember(struct mck_unshared *l, const struct mck_event *e); // step must be that of e
struct mck_unshared_page *mck_unshared_find_page(struct mck_unshared *l, uint32_t win, uint32_t target,
                                                 uint64_t number);
static inline void mck_unshared_keep(struct mck_unshared *l, uint64_t at) {
  l->is_dropped[at / 64] &= ~((uint64_t)1 << at % 64);
}
static inline bool mck_unshared_is_dropped(const struct mck_unshared *l, uint64_t at) {
  return l->is_dropped[at / 64] >> at % 64 & 1;
}
bool mck_unshared_step(struct mck_unshared *l, const struct mck_event *e); // false: its window or target is not known
bool mck_unshared_footprint(struct mck_unshared *l, const struct mck_event *e, mck_rma_visit_piece *visit);
