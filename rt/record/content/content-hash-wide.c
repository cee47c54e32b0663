// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash for processors with AVX2. Nothing here may be called on others.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("avx2")
#pragma GCC optimize("O3")
#endif
#include "record/content/content-hash-body.h"

const struct mck_content_hash mck_content_hash_wide = {whole, begin, add, end};
