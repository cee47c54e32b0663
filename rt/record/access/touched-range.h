// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page filter that instrumented code tests (page-filter.c), and the accesses to window memory (touched-range.c).
// All calls are made under the lock.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes that are about to be loaded or stored: count pieces of size bytes, stride apart, from low up to high. There
// is either one piece, or there are gaps between the pieces (stride > size). MCK_PIECES_FREED stands beside
// MCK_SIGNAL_*: this is not a store, the memory is freed. MCK_PIECES_UNMAPPED, MCK_PIECES_LEFT beside it say how; both:
// the block of a local variable has ended. MCK_PIECES_JUMPED beside MCK_PIECES_LEFT: its function was left by longjmp
// or an exception.
enum {
  MCK_PIECES_FREED = 1 << 16,
  MCK_PIECES_UNMAPPED = 1 << 17,
  MCK_PIECES_LEFT = 1 << 18,
  MCK_PIECES_JUMPED = 1 << 19
};
struct mck_pieces {
  const char *low, *high;
  uint64_t size, stride, count;
  uint32_t flags; // MCK_SIGNAL_*
  const void *pc, *frame;
  const struct mck_map **map; // abi.h; NULL: the place has none
};

// A finding for an access to a buffer in use (signal.c).
struct mck_buffer;
void mck_signal_report(struct mck_buffer *b, uint32_t site, const struct mck_pieces *pieces);

// Marks (by 1) or unmarks (by -1) the pages of [low, high). Marks are counted. is_loaded: the pages are watched for
// loads, too.
void mck_filter_mark_pages(uintptr_t low, uintptr_t high, int by, bool is_loaded);
void mck_filter_mark_page(uintptr_t page, int by, bool is_loaded);
static inline void mck_filter_mark(uintptr_t low, uintptr_t high, int by, bool is_loaded) {
  if ((low ^ (high - 1)) >> 12) mck_filter_mark_pages(low, high, by, is_loaded);
  else mck_filter_mark_page(low >> 12, by, is_loaded); // most buffers lie in one page
}

// All pages are watched, beside what is marked, or no longer.
void mck_filter_watch_all(bool is_wanted);
bool mck_filter_is_marked(uintptr_t low, uintptr_t high); // some page of [low, high) is; without the lock: perhaps
// What of a page is recorded is about to be kept (known-access.h), until it is closed. false: it is marked more than
// once. Closed: the page is watched again.
bool mck_filter_open(uintptr_t page);
void mck_filter_close(uintptr_t page);
// All memory of the open page is recorded: it is not watched for these MCK_WATCH_ bits any more.
void mck_filter_unwatch(uintptr_t page, uint8_t bits);
extern uint64_t mck_filter_version; // another one: the filter, or what it stands for, may have changed

struct mck_window;
// Windows with memory of this process, and the memory of others in shared windows.
extern struct mck_window *mck_windows;
extern _Atomic unsigned mck_nwindows; // calls ask without the lock whether there is one
extern unsigned mck_windows_version;  // another one: windows came or went
// A buffer in windows is in use from now on (1), or no longer (-1): meanwhile all accesses there are signalled.
void mck_touched_guard(const char *low, const char *high, int by);
bool mck_touched_is_guarded(const char *low, const char *high); // it would have an effect
// Memory becomes part of another window (1), or is no longer (-1). A signalled access there is noted for both
// windows, so instrumented code must signal all of them. Returns of how many windows the memory is.
int mck_touched_share(const char *low, const char *high, int by);
// Writes n pieces of size bytes, stride apart, as an event; they count for the budget.
struct mck_window;
void mck_touched_write(struct mck_window *w, uint32_t site, uint8_t flags, uint64_t offset, uint64_t size, uint32_t n,
                       uint64_t stride);
// Notes a run that a place with a map has accessed and not signalled.
void mck_touched_add_run(struct mck_window *w, const void *pc, const void *frame, uint32_t site, uint8_t flags,
                         uint64_t offset, uint64_t size);
void mck_touched_add(const struct mck_pieces *pieces); // notes what of the pieces is in windows
// Notes a single access of a place that has no map, in the commonest case: it is new, and its place goes on as before.
// false: this is another case, and nothing was noted.
enum { MCK_TOUCHED_SINGLE = 16 };
bool mck_touched_add_single(const char *low, uint64_t size, uint32_t flags, const void *pc);
// Notes what of the pieces is in [low, high) of a dynamic window.
void mck_touched_add_part(struct mck_window *w, const struct mck_pieces *pieces, const char *low, const char *high);
