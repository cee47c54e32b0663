// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether buffers have bytes in common, by their type maps (byte-overlap.c). Of a map that is not known nothing is
// claimed.
#pragma once
#include "object/object.h"
#include "record/call/call.h"

// count copies of a type map, or plain bytes.
struct mck_bytes {
  const char *low, *high, *address;
  int64_t count;
  const struct mck_type *type; // NULL: all of [low, high)
  bool is_known;
};

static inline struct mck_bytes mck_bytes_of_use(const struct mck_use *u) {
  return (struct mck_bytes){u->low,   u->high, u->address,
                            u->count, u->type, u->is_exact && (!u->type || u->type->generation == u->generation)};
}
static inline struct mck_bytes mck_bytes_of_buffer(const struct mck_buffer *b) {
  return (struct mck_bytes){b->low,   b->high, b->address,
                            b->count, b->type, !b->type || b->type->generation == b->generation};
}
bool mck_bytes_touch_range(const struct mck_bytes *b, const char *low, const char *high);
struct mck_pieces;
bool mck_bytes_touch_pieces(const struct mck_bytes *b, const struct mck_pieces *a); // some piece of an access overlaps
bool mck_bytes_overlap(const struct mck_bytes *a, const struct mck_bytes *b);       // under the lock
