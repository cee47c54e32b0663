// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// content-hash.h for the instructions that the including file allows.
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include "record/content/content-hash.h"

_Static_assert(sizeof(XXH3_state_t) <= sizeof(struct mck_content_state), "the state has room");

static uint64_t whole(const void *bytes, size_t n) { return XXH3_64bits(bytes, n); }
static void begin(struct mck_content_state *state) { XXH3_64bits_reset((XXH3_state_t *)(void *)state->bytes); }
static void add(struct mck_content_state *state, const void *bytes, size_t n) {
  XXH3_64bits_update((XXH3_state_t *)(void *)state->bytes, bytes, n);
}
static uint64_t end(const struct mck_content_state *state) {
  return XXH3_64bits_digest((const XXH3_state_t *)(const void *)state->bytes);
}
