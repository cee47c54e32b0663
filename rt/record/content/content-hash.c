// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash for each x86-64 processor.
#include "record/content/content-hash-body.h"

const struct mck_content_hash mck_content_hash_any = {whole, begin, add, end};
