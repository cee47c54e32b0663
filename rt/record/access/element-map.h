// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that jump about in a window and set a byte per element themselves (struct mck_map in abi.h). All under the
// lock.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "abi.h"

struct mck_pieces;
struct mck_window;
// What a place's pointer points to; the map comes first.
struct mck_place_map {
  struct mck_map map;
  struct mck_marked_place *place;
};
struct mck_marked_place {
  struct mck_place_map whole;    // elements: 0 while accesses are to be told
  const struct mck_map **owner;  // the place's pointer
  struct mck_window *window;     // NULL: it was freed
  struct mck_marked_place *next; // of the window, or of those whose windows were freed
  uint8_t *memory;               // a byte per element, from the window's first page on
  uint64_t elements, bytes;
  uint32_t site;
  uint8_t flags, shift;         // MCK_ACCESS_*; log2 of an element's bytes
  bool is_used, is_busy;        // since the last flush; it was worth it in the last interval that it was used in
  struct mck_front {            // page-sweep.c
    struct mck_place_map *maps; // of each page, never unmapped; elements: 0 but for the page that the place is at
    uint64_t nmaps, page, lowest,
        highest;            // page: MCK_NO_PAGE, or it may have bytes set; where it has been since the window was made
    const void *pc, *frame; // whose stack the site is
  } front;
};
#define MCK_NO_PAGE UINT64_MAX
// Looking for the bytes that are set must not cost more than being told of each access.
static inline uint64_t mck_marked_worth(uint64_t elements) { return elements / 256 + 16; }
struct mck_marked {
  struct mck_marked_place *places;
  uint64_t size;
}; // of one window; bytes of addresses

// Notes a single access; from then on its place does so itself, until the next flush. false: it has no map. has_jumped:
// so often that it is worth one.
bool mck_marked_add(struct mck_window *w, struct mck_marked *set, const struct mck_pieces *a, uint8_t flags,
                    bool has_jumped);
// What was set is written; places tell their first access again.
void mck_marked_flush(struct mck_window *w, struct mck_marked *set);
// They tell every access from here on: a buffer is in use.
void mck_marked_rest(struct mck_marked *set);
void mck_marked_end(struct mck_marked *set); // the window is gone
// The place that an access is of, if it has memory in this window. NULL, and is_elsewhere: in another one in this
// interval, or its pointer stands where that of another place did, whose library was closed.
struct mck_marked_place *mck_marked_find(const struct mck_window *w, const struct mck_marked *set,
                                         const struct mck_pieces *a, uint8_t flags, bool *is_elsewhere);
struct mck_marked_place *mck_marked_start(struct mck_window *w, struct mck_marked *set, const struct mck_pieces *a,
                                          uint8_t flags); // NULL: no room
// Of touched-range.c.
void *mck_touched_reserve(uint64_t size);
void mck_touched_release(void *memory, uint64_t size);
