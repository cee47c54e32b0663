// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash of a chunk of content. 8 lanes of 16 bytes take the bytes in turn: one round of AES (FIPS 197), and the
// next 16 bytes are added to the lane. A round is a permutation, so a difference in one place of a lane never goes
// away, and one in several places goes away by chance only. The lanes are folded by rounds, too, and give 64 bits. With
// the instructions for AES it is as fast as the bytes can be loaded, twice as fast as XXH3. It is no hash for
// adversaries. The result is the same on all processors, because ranks compare theirs. Private to the sub-room content.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { MCK_CONTENT_LANES = 8, MCK_CONTENT_LANE = 16, MCK_CONTENT_STEP = MCK_CONTENT_LANES * MCK_CONTENT_LANE };
extern const uint64_t mck_content_keys[2 * MCK_CONTENT_LANES]; // what the lanes begin with
struct mck_content_state {                                     // of a hash that is made in pieces
  _Alignas(32) unsigned char lanes[MCK_CONTENT_STEP];
  _Alignas(32) unsigned char rest[MCK_CONTENT_STEP]; // bytes that are no whole step yet
  size_t used, length;                               // of rest; of all
};
struct mck_content_hash {
  uint64_t (*whole)(const void *bytes, size_t n);
  void (*begin)(struct mck_content_state *state);
  void (*add)(struct mck_content_state *state, const void *bytes, size_t n);
  uint64_t (*end)(struct mck_content_state *state);
};
// For each processor; for those with AES; for those with AES in vectors of 256 bits.
extern const struct mck_content_hash mck_content_hash_any, mck_content_hash_aes, mck_content_hash_wide;
const struct mck_content_hash *mck_content_hash_find(void);
