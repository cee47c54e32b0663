// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps for places of the source that jump about in a window: the instrumented code itself sets a byte per element
// (struct mck_map in abi.h). All calls are made under the lock.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "abi.h"

struct mck_pieces;
struct mck_window;
// What the pointer of a place points to. The map comes first.
struct mck_place_map {
  struct mck_map map;
  struct mck_mapped_place *place;
};
struct mck_mapped_place {
  // its elements are 0 while the place signals its accesses
  struct mck_place_map whole;
  const struct mck_map **owner;  // the pointer of the place
  struct mck_window *window;     // NULL: the window was freed
  struct mck_mapped_place *next; // in the list of the window, or of the places whose window was freed
  uint8_t *memory;               // a byte per element, from the first page of the window on
  uint64_t elements, bytes;
  uint32_t site;
  uint8_t flags, shift; // MCK_ACCESS_*; log2 of an element's bytes
  // is_used: since the last flush. is_busy: the map was worth its cost in the last interval in which it was used.
  bool is_used, is_busy;
  struct mck_page_sweep { // page-sweep.c
    // There is a map for each page, never unmapped. Only the map of the page that the place is at has elements.
    struct mck_place_map *maps;
    uint64_t nmaps;
    uint64_t page;            // the page that may have bytes set, or MCK_NO_PAGE
    uint64_t lowest, highest; // pages where the place has been since the window was made
    const void *pc, *frame;   // the stack from which the site was taken
  } sweep;
};
#define MCK_NO_PAGE UINT64_MAX
// From so many accesses on a map is worth its cost: to look for the bytes that are set must not cost more than to
// signal each access.
static inline uint64_t mck_element_map_worth(uint64_t elements) { return elements / 256 + 16; }
// The maps of one window; size: bytes of address space that they take.
struct mck_element_maps {
  struct mck_mapped_place *places;
  uint64_t size;
};

// Notes a single access. From then on the place notes its accesses itself, until the next flush. false: the place has
// no map. has_jumped: the place has jumped so often that it is worth a map.
bool mck_element_map_add(struct mck_window *w, struct mck_element_maps *set, const struct mck_pieces *a, uint8_t flags,
                         bool has_jumped);
// Writes what was set. Then places signal their next access again.
void mck_element_map_flush(struct mck_window *w, struct mck_element_maps *set);
// Places signal every access from now on: a buffer is in use.
void mck_element_map_suspend(struct mck_element_maps *set);
void mck_element_map_end(struct mck_element_maps *set); // the window is freed
// The place of an access, if it has a map in this window. NULL and is_elsewhere: its map is in another window in this
// interval, or another place of a library that was closed had the same pointer.
struct mck_mapped_place *mck_element_map_find(const struct mck_window *w, const struct mck_element_maps *set,
                                              const struct mck_pieces *a, uint8_t flags, bool *is_elsewhere);
// The same, made new. NULL: there is no memory for it.
struct mck_mapped_place *mck_element_map_start(struct mck_window *w, struct mck_element_maps *set,
                                               const struct mck_pieces *a, uint8_t flags);
