// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash for each processor: a round of AES by its definition (FIPS 197, 5.1: SubBytes, ShiftRows, MixColumns).
#include "record/content/content-hash.h"
#include <stdbool.h>
#include <string.h>

// Numbers without a pattern (SplitMix64 of 0).
const uint64_t mck_content_keys[2 * MCK_CONTENT_LANES] = {
    0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec,
    0x1b39896a51a8749b, 0x53cb9f0c747ea2ea, 0x2c829abe1f4532e1, 0xc584133ac916ab3c,
    0x3ee5789041c98ac3, 0xf3b8488c368cb0a6, 0x657eecdd3cb13d09, 0xc2d326e0055bdef6,
    0x8621a03fe0bbdb7b, 0x8e1f7555983aa92f, 0xb54e0f1600cc4d19, 0x84bb3f97971d80ab,
};

typedef struct {
  unsigned char bytes[16];
} lane;

static unsigned char twice(unsigned char x) { return (unsigned char)(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }

// The S-box: p runs through all that is not 0 as powers of 3, q through the inverses.
static const unsigned char *substitutes(void) {
  static unsigned char box[256];
  static _Atomic bool is_made;
  if (is_made) return box;
  unsigned char p = 1, q = 1;
  do {
    p = (unsigned char)(p ^ twice(p));
    q = (unsigned char)(q ^ q << 1), q = (unsigned char)(q ^ q << 2), q = (unsigned char)(q ^ q << 4);
    if (q & 0x80) q ^= 0x09;
    unsigned turned = q;
    for (unsigned k = 1; k < 5; k++) turned ^= (unsigned)(q << k | q >> (8 - k));
    box[p] = (unsigned char)(turned ^ 0x63);
  } while (p != 1);
  box[0] = 0x63;
  is_made = true;
  return box;
}

static inline lane load(const void *at) {
  lane x;
  memcpy(&x, at, sizeof x);
  return x;
}
static inline void store(void *at, lane x) { memcpy(at, &x, sizeof x); }

static lane mix(lane state, lane data) {
  const unsigned char *box = substitutes();
  for (unsigned c = 0; c < 4; c++) {
    unsigned char x[4], all = 0;
    for (unsigned r = 0; r < 4; r++) all ^= x[r] = box[state.bytes[(4 * c + 5 * r) % 16]];
    for (unsigned r = 0; r < 4; r++)
      data.bytes[4 * c + r] ^= (unsigned char)(x[r] ^ all ^ twice((unsigned char)(x[r] ^ x[(r + 1) % 4])));
  }
  return data;
}

static uint64_t fold(lane *s, uint64_t length) {
  for (unsigned half = MCK_CONTENT_LANES / 2; half; half /= 2)
    for (unsigned k = 0; k < half; k++) s[k] = mix(s[k], s[k + half]);
  lane all;
  memcpy(all.bytes, &length, 8), memcpy(all.bytes + 8, &length, 8);
  all = mix(s[0], all), all = mix(mix(all, all), all);
  uint64_t result;
  memcpy(&result, all.bytes, sizeof result);
  return result;
}
#include "record/content/content-hash-body.h"

const struct mck_content_hash mck_content_hash_any = {whole, begin, add, end};

const struct mck_content_hash *mck_content_hash_find(void) {
  static const struct mck_content_hash *_Atomic found;
  if (!found) {
    bool has_aes = __builtin_cpu_supports("aes") && __builtin_cpu_supports("sse4.1");
    bool is_wide = has_aes && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("vaes");
    found = is_wide ? &mck_content_hash_wide : has_aes ? &mck_content_hash_aes : &mck_content_hash_any;
  }
  return found;
}
