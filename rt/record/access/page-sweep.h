// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fronts: a place of recompiled code in a loop that goes on through a window by addresses nobody knows (the vector of a
// sparse product) gets a map (struct mck_map in abi.h) of the one page that it is at: there it sets a byte per element,
// and tells the first access elsewhere. Then the bytes are folded into what was seen (known-access.h), and the map
// moves on. So what a sweep touches for the first time costs a few instructions, not a call, and a page becomes quiet
// when the place that leads leaves it. All under the lock, and only while one thread is in the runtime.
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct mck_marked;
struct mck_marked_place;
struct mck_pieces;
struct mck_seen_pages;
struct mck_window;

// An access that is told, a single plain one within the window. is_settled: the place has told so many in this page
// that it gets a front there. true: another place has noted it already.
bool mck_front_add(struct mck_window *w, struct mck_marked *set, struct mck_seen_pages *seen,
                   const struct mck_pieces *a, uint8_t flags, bool is_settled);
void mck_front_rest(struct mck_marked_place *m); // it tells every access from here on
void mck_fronts_flush(struct mck_window *w, struct mck_marked *set,
                      struct mck_seen_pages *seen); // before what was seen is forgotten
void mck_front_end(struct mck_marked_place *m);     // the window is gone
