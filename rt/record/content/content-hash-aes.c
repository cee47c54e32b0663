// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash for processors with instructions for AES. Nothing here may be called on others.
#include <immintrin.h>
#include <stdint.h>
#include "record/content/content-hash.h"

typedef __m128i lane;
static inline lane load(const void *at) { return _mm_loadu_si128(at); }
static inline void store(void *at, lane x) { _mm_storeu_si128(at, x); }
static inline lane mix(lane state, lane data) { return _mm_aesenc_si128(state, data); }
static inline uint64_t fold(lane *s, uint64_t length) {
#pragma GCC unroll 4
  for (unsigned half = MCK_CONTENT_LANES / 2; half; half /= 2)
#pragma GCC unroll 4
    for (unsigned k = 0; k < half; k++) s[k] = mix(s[k], s[k + half]);
  lane x = mix(s[0], _mm_set1_epi64x((long long)length));
  return (uint64_t)_mm_cvtsi128_si64(mix(mix(x, x), x));
}
#include "record/content/content-hash-body.h"

const struct mck_content_hash mck_content_hash_aes = {whole, begin, add, end};
