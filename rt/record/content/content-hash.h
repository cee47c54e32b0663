// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash of a chunk of content: XXH3 with 64 bits, with the widest vectors that the processor has. The result is the
// same with all of them. Private to the sub-room content.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct mck_content_state { // of a hash that is made in pieces
  _Alignas(64) char bytes[640];
};
struct mck_content_hash {
  uint64_t (*whole)(const void *bytes, size_t n);
  void (*begin)(struct mck_content_state *state);
  void (*add)(struct mck_content_state *state, const void *bytes, size_t n);
  uint64_t (*end)(const struct mck_content_state *state);
};
extern const struct mck_content_hash mck_content_hash_any, mck_content_hash_wide; // wide: AVX2
