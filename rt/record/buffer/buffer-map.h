// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The byte map of a finding about two uses of the same memory in this process.
#pragma once
#include "record/access/touched-range.h"
#include "record/buffer/byte-overlap.h"
#include "report/byte-map.h"

// What a place of the finding uses: the bytes of a buffer, or those of a load or store.
struct mck_map_side {
  const struct mck_bytes *bytes;
  const struct mck_pieces *pieces; // where bytes is NULL
};
// Offsets count from the begin of buffer b, which one of the two is. Nothing is added where no byte that both use is
// found soon. Under the lock.
void mck_buffer_map_add(struct mck_finding *f, const struct mck_buffer *b, struct mck_map_side first,
                        struct mck_map_side second);
// The same of bytes that were given back, or are no buffer's.
void mck_buffer_map_bytes(struct mck_finding *f, const char *memory, const char *base, struct mck_map_side first,
                          struct mck_map_side second);
