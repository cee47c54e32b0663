// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that jump about in a window and set a byte per element themselves (struct mck_map in abi.h). All under the lock.
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct mck_pieces;
struct mck_window;
// Looking for the bytes that are set must not cost more than being told of each access.
static inline uint64_t mck_marked_worth(uint64_t elements) { return elements / 256 + 16; }
struct mck_marked { struct mck_marked_place *places; uint64_t size; };   // of one window; bytes of addresses

// Notes a single access; from then on its place does so itself, until the next flush. false: it has no map. has_jumped: so often that it is worth one.
bool mck_marked_add(struct mck_window *w, struct mck_marked *set, const struct mck_pieces *a, uint8_t flags, bool has_jumped);
// What was set is written; places tell their first access again.
void mck_marked_flush(struct mck_window *w, struct mck_marked *set);
// They tell every access from here on: a buffer is in use.
void mck_marked_rest(struct mck_marked *set);
void mck_marked_end(struct mck_marked *set);   // the window is gone
// Of touched.c.
void *mck_touched_reserve(uint64_t size);
void mck_touched_release(void *memory, uint64_t size);
