// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A packed slot is a byte of tags, two bits for each word, and the differences of the words that were not predicted,
// seven bits a byte. The word caller comes first: it says which slot before this one is the pattern (last).
#include "flow/trace-pack.h"

// What was said of a word.
enum {
  SAME_STEP = 0,  // it grew as the last time (caller: what followed the slot before the last time)
  SAME = 1,       // as in the pattern
  NEAR = 2,       // a difference to the pattern follows (time: to the slot before)
  NEAR_SECOND = 3 // time: a difference to the slot before the slot before
};
enum { DIFFERENCE = 10 }; // bytes of the longest one

static void begin(struct mck_trace_packer *p) {
  __builtin_memset(p, 0, sizeof *p); // (a copy would be a movement)
  p->last = &p->patterns[0];
}
static struct mck_trace_pattern *find(struct mck_trace_packer *p, uint64_t caller) {
  return &p->patterns[caller * UINT64_C(0x9e3779b97f4a7c15) >> 57];
}
_Static_assert(MCK_TRACE_PATTERNS == 1 << (64 - 57), "a hash names each pattern");

static uint64_t zigzag(uint64_t d) { return d << 1 ^ (uint64_t)((int64_t)d >> 63); }
static uint64_t unzigzag(uint64_t z) { return z >> 1 ^ -(z & 1); }

// The slot is known now.
static void learn(struct mck_trace_packer *p, const uint64_t word[4], struct mck_trace_pattern *q) {
  p->last->follower = word[3];
  for (unsigned i = 0; i < 3; i++) q->step[i] = word[i] - q->word[i], q->word[i] = word[i];
  p->last = q, p->caller = word[3];
  p->times[1] = p->times[0], p->times[0] = word[0];
}

// --- packing ---
static unsigned char *put(unsigned char *at, uint64_t difference) {
  uint64_t z = zigzag(difference);
  for (; z >= 128; z >>= 7) *at++ = (unsigned char)(z | 128);
  *at++ = (unsigned char)z;
  return at;
}

static unsigned pack_time(const struct mck_trace_packer *p, const struct mck_trace_pattern *q, uint64_t time,
                          unsigned char **at) {
  if (time == q->word[0]) return SAME;
  uint64_t near = time - p->times[0], second = time - p->times[1];
  bool is_second = zigzag(second) < zigzag(near);
  *at = put(*at, is_second ? second : near);
  return is_second ? NEAR_SECOND : NEAR;
}

size_t mck_trace_pack_slots(struct mck_trace_packer *p, const struct mck_trace_slot *slots, unsigned n,
                            unsigned char *out, size_t room) {
  begin(p);
  unsigned char *at = out, *end = out + room;
  for (unsigned k = 0; k < n; k++) {
    const uint64_t word[4] = {slots[k].time, slots[k].from, slots[k].to, slots[k].caller};
    if (end - at < 1 + 4 * DIFFERENCE) return 0;
    unsigned char *tags = at++;
    unsigned said = SAME_STEP;
    if (word[3] == p->caller) said = SAME;
    else if (word[3] != p->last->follower) at = put(at, word[3] - p->caller), said = NEAR;
    // (a follower may be the same caller: SAME says the same then)
    unsigned all = said << 6;
    struct mck_trace_pattern *q = find(p, word[3]);
    for (unsigned i = 1; i < 3; i++) {
      said = SAME_STEP;
      if (word[i] == q->word[i] && word[i] != q->word[i] + q->step[i]) said = SAME;
      else if (word[i] != q->word[i] + q->step[i]) at = put(at, word[i] - q->word[i]), said = NEAR;
      all |= said << 2 * i;
    }
    *tags = (unsigned char)(all | pack_time(p, q, word[0], &at));
    learn(p, word, q);
  }
  return (size_t)(at - out);
}

// --- unpacking ---
struct input {
  const unsigned char *at, *end;
  bool is_bad;
};
static uint64_t get(struct input *in) {
  uint64_t z = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (in->at == in->end) break;
    unsigned char byte = *in->at++;
    z |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return unzigzag(z);
  }
  in->is_bad = true;
  return 0;
}

bool mck_trace_unpack_slots(struct mck_trace_packer *p, const unsigned char *bytes, size_t size,
                            struct mck_trace_slot *slots, unsigned n) {
  begin(p);
  struct input in = {bytes, bytes + size, false};
  for (unsigned k = 0; k < n; k++) {
    if (in.at == in.end) return false;
    unsigned tags = *in.at++;
    uint64_t word[4];
    unsigned said = tags >> 6;
    word[3] = said == SAME ? p->caller : said == SAME_STEP ? p->last->follower : p->caller + get(&in);
    struct mck_trace_pattern *q = find(p, word[3]);
    for (unsigned i = 1; i < 3; i++) {
      said = tags >> 2 * i & 3;
      word[i] = q->word[i] + (said == SAME ? 0 : said == SAME_STEP ? q->step[i] : get(&in));
    }
    said = tags & 3;
    word[0] = said == SAME ? q->word[0] : p->times[said == NEAR_SECOND] + get(&in);
    if (in.is_bad) return false;
    learn(p, word, q);
    slots[k] = (struct mck_trace_slot){word[0], word[1], word[2], word[3]};
  }
  return in.at == in.end;
}
