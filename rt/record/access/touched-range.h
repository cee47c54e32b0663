// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page filter that instrumented code asks (page-filter.c), and what it touched in window memory (touched-range.c).
// All under the lock.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes that are about to be loaded or stored: count pieces of size bytes, stride apart, from low up to high. Either
// one piece, or pieces with gaps between them (stride > size).
enum { MCK_PIECES_FREED = 1 << 16 }; // beside MCK_SIGNAL_*: it is no store, but free
struct mck_pieces {
  const char *low, *high;
  uint64_t size, stride, count;
  uint32_t flags; // MCK_SIGNAL_*
  const void *pc, *frame;
  const struct mck_map **map; // abi.h; NULL: the place has none
};

// Marks (by 1) or unmarks (by -1) the pages of [low, high). Marks are counted. is_loaded: of interest also when it is
// only loaded.
void mck_filter_mark_pages(uintptr_t low, uintptr_t high, int by, bool is_loaded);
void mck_filter_mark_page(uintptr_t page, int by, bool is_loaded);
static inline void mck_filter_mark(uintptr_t low, uintptr_t high, int by, bool is_loaded) {
  if ((low ^ (high - 1)) >> 12) mck_filter_mark_pages(low, high, by, is_loaded);
  else mck_filter_mark_page(low >> 12, by, is_loaded); // most buffers lie in one page
}

// All of the page's memory that is marked once was signalled: MCK_WATCH_ bits are not asked for any more, until it is
// restored or marked again.
void mck_filter_quiet(uintptr_t page, uint8_t bits);
void mck_filter_restore(uintptr_t page);
extern struct mck_seen mck_seen; // abi.h; written by known-access.c

extern size_t mck_nactive; // buffers in use that are no spans (signal.c)
struct mck_window;
extern struct mck_window *mck_windows; // with memory of ours, and of shared windows others'
extern unsigned mck_nwindows;
void mck_touched_guard(const char *low, const char *high,
                       int by); // buffers in use within windows: nothing there counts as seen
// Memory that another window has from here on (1), or no longer (-1): who is told of an access there tells both, so
// nobody may leave it out. Of how many windows it is.
int mck_touched_share(const char *low, const char *high, int by);
// Writes an event of it; the budget counts. n pieces of size, stride apart.
struct mck_window;
void mck_touched_write(struct mck_window *w, uint32_t site, uint8_t flags, uint64_t offset, uint64_t size, uint32_t n,
                       uint64_t stride);
// What such a place has touched in one run, which nobody was told of yet.
void mck_touched_add_run(struct mck_window *w, const void *pc, const void *frame, uint32_t site, uint8_t flags,
                         uint64_t offset, uint64_t size);
void mck_touched_add(const struct mck_pieces *pieces); // notes what of it is in windows
void mck_touched_add_part(struct mck_window *w, const struct mck_pieces *pieces, const char *low,
                          const char *high); // ... in [low, high) of a dynamic one
