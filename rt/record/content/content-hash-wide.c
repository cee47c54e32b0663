// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash for processors with AES in vectors of 256 bits. Nothing here may be called on others.
#include <immintrin.h>
#include <stdint.h>
#include "record/content/content-hash.h"

typedef __m256i lane;
static inline lane load(const void *at) { return _mm256_loadu_si256(at); }
static inline void store(void *at, lane x) { _mm256_storeu_si256(at, x); }
static inline lane mix(lane state, lane data) { return _mm256_aesenc_epi128(state, data); }
static inline uint64_t fold(lane *s, uint64_t length) {
#pragma GCC unroll 4
  for (unsigned half = MCK_CONTENT_LANES / 4; half; half /= 2)
#pragma GCC unroll 4
    for (unsigned k = 0; k < half; k++) s[k] = mix(s[k], s[k + half]);
  __m128i x = _mm_aesenc_si128(_mm256_castsi256_si128(s[0]), _mm256_extracti128_si256(s[0], 1));
  x = _mm_aesenc_si128(x, _mm_set1_epi64x((long long)length));
  return (uint64_t)_mm_cvtsi128_si64(_mm_aesenc_si128(_mm_aesenc_si128(x, x), x));
}
#include "record/content/content-hash-body.h"

const struct mck_content_hash mck_content_hash_wide = {whole, begin, add, end};
