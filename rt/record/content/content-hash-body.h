// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// content-hash.h for the instructions that the including file allows. It defines
//   lane                    16 bytes, or 32 bytes of two lanes
//   lane load(at), void store(at, lane), lane mix(lane state, lane data): one round, and data added
//   uint64_t fold(lanes, length): the 64 bits
#include <string.h>
#include "record/content/content-hash.h"

enum { N = MCK_CONTENT_STEP / sizeof(lane) };

// The lanes must stay in registers from here to end_lanes(): vectors that are stored in halves and loaded as a whole
// take as long as the hash of 2 KiB. So all loops over them are unrolled.
static inline __attribute__((always_inline)) void begin_lanes(lane *s) {
#pragma GCC unroll 16
  for (unsigned k = 0; k < N; k++) s[k] = load((const unsigned char *)mck_content_keys + k * sizeof(lane));
}

// Three rounds, so that each bit of a lane concerns all of it, before lanes are added to each other. A difference of
// one bit at each of two places could go away otherwise.
static inline __attribute__((always_inline)) uint64_t end_lanes(lane *s, uint64_t length) {
#pragma GCC unroll 16
  for (unsigned k = 0; k < N; k++) {
    lane key = load((const unsigned char *)mck_content_keys + k * sizeof(lane));
    s[k] = mix(mix(mix(s[k], key), key), key);
  }
  return fold(s, length);
}

static inline __attribute__((always_inline)) const unsigned char *absorb(lane *s, const unsigned char *at, size_t n) {
  for (; n >= MCK_CONTENT_STEP; n -= MCK_CONTENT_STEP, at += MCK_CONTENT_STEP) {
#pragma GCC unroll 16
    for (unsigned k = 0; k < N; k++) s[k] = mix(s[k], load(at + k * sizeof(lane)));
  }
  return at;
}

// What is no whole step: the last 32 bytes, which are one lane here and two there, are filled up with 0.
static inline __attribute__((always_inline)) void absorb_rest(lane *s, const unsigned char *at, size_t n) {
  enum { PAIR = 2 * MCK_CONTENT_LANE };
  size_t whole = n / PAIR * PAIR;
  unsigned char last[PAIR] = {0};
  if (n > whole) memcpy(last, at + whole, n - whole);
#pragma GCC unroll 16
  for (unsigned k = 0; k < N; k++) {
    size_t place = k * sizeof(lane);
    if (place < whole) s[k] = mix(s[k], load(at + place));
    else if (place - whole < PAIR && n > whole) s[k] = mix(s[k], load(last + (place - whole)));
  }
}

static uint64_t whole(const void *bytes, size_t n) {
  lane s[N];
  begin_lanes(s);
  const unsigned char *rest = absorb(s, bytes, n);
  if (n % MCK_CONTENT_STEP) absorb_rest(s, rest, n % MCK_CONTENT_STEP);
  return end_lanes(s, n);
}

static void begin(struct mck_content_state *state) {
  lane s[N];
  begin_lanes(s);
  for (unsigned k = 0; k < N; k++) store(state->lanes + k * sizeof(lane), s[k]);
  state->used = state->length = 0;
}

static void take(struct mck_content_state *state, const unsigned char *at, size_t n) {
  lane s[N];
  for (unsigned k = 0; k < N; k++) s[k] = load(state->lanes + k * sizeof(lane));
  absorb(s, at, n);
  for (unsigned k = 0; k < N; k++) store(state->lanes + k * sizeof(lane), s[k]);
}

static void add(struct mck_content_state *state, const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  state->length += n;
  if (state->used) {
    size_t some = MCK_CONTENT_STEP - state->used < n ? MCK_CONTENT_STEP - state->used : n;
    memcpy(state->rest + state->used, at, some);
    state->used += some, at += some, n -= some;
    if (state->used < MCK_CONTENT_STEP) return;
    take(state, state->rest, MCK_CONTENT_STEP);
  }
  take(state, at, n);
  state->used = n % MCK_CONTENT_STEP;
  memcpy(state->rest, at + (n - state->used), state->used);
}

static uint64_t end(struct mck_content_state *state) {
  lane s[N];
  for (unsigned k = 0; k < N; k++) s[k] = load(state->lanes + k * sizeof(lane));
  absorb_rest(s, state->rest, state->used);
  return end_lanes(s, state->length);
}
