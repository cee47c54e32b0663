// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Byte map: where the bytes of memory came from. A space is an address range of its own: the memory of a process, a
// shared object, a file, one direction of a connection. The map is cut into pages; a page holds disjoint segments in
// the order of addresses, each with one label.
#pragma once
#include "base/base.h"

enum { MCK_LABEL_UNSURE = 1, MCK_LABEL_MISCOPIED = 2 };
#define MCK_LABEL_UNSEEN UINT32_MAX // as a rank: the bytes came by no movement
struct mck_label {
  uint64_t address, time; // of the origin: of its first byte, there; when a movement read it first
  uint64_t move;          // the last movement that wrote the bytes
  uint32_t rank, node;    // of the origin; the movements so far (route-run.h)
  uint32_t flags;
};
struct mck_byte_map;

struct mck_byte_map *mck_byte_map_open(void); // NULL: out of memory
void mck_byte_map_close(struct mck_byte_map *map);
// The label holds for the first byte; the origin's address grows with the bytes. false: out of memory.
bool mck_byte_map_set(struct mck_byte_map *map, uint32_t space, uint64_t at, uint64_t length,
                      const struct mck_label *label);
bool mck_byte_map_erase(struct mck_byte_map *map, uint32_t space, uint64_t at, uint64_t length);
// Visits [at, at + length) piece by piece, in order; label NULL: nothing is known of the piece. visit returns false to
// stop, and must not change the map.
typedef bool mck_byte_map_visit_fn(void *context, uint64_t at, uint64_t length, const struct mck_label *label);
bool mck_byte_map_visit(struct mck_byte_map *map, uint32_t space, uint64_t at, uint64_t length,
                        mck_byte_map_visit_fn *visit, void *context);
// Visits all segments, in no order.
typedef bool mck_byte_map_each_fn(void *context, uint32_t space, uint64_t at, uint64_t length,
                                  const struct mck_label *label);
void mck_byte_map_each(struct mck_byte_map *map, mck_byte_map_each_fn *visit, void *context);
