// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sweeps. A place of recompiled code in a loop may go on through a window by addresses that are not known before (the
// vector of a sparse product). Such a place gets a map (struct mck_map in abi.h) of the one page that it is at: there
// it sets a byte per element, and it signals the first access elsewhere. Then the bytes are added to what is recorded
// (known-access.h), and the map moves on. So what a sweep accesses for the first time costs a few instructions, not a
// call, and a page is fully recorded when the leading place leaves it. All calls are made under the lock, and only
// while one thread is in the runtime.
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct mck_element_maps;
struct mck_mapped_place;
struct mck_pieces;
struct mck_known_pages;
struct mck_window;

// Notes an access that was signalled: a single plain one within the window. is_settled: the place has signalled so
// many in this page that it gets a map there. true: another place has noted the access already.
bool mck_page_sweep_add(struct mck_window *w, struct mck_element_maps *set, struct mck_known_pages *known,
                        const struct mck_pieces *a, uint8_t flags, bool is_settled);
void mck_page_sweep_suspend(struct mck_mapped_place *m); // the place signals every access from now on
// Called before mck_known_forget.
void mck_page_sweep_flush(struct mck_window *w, struct mck_element_maps *set, struct mck_known_pages *known);
void mck_page_sweep_end(struct mck_mapped_place *m); // the window is freed
