// RUN: %unit/test-content-hash
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash of contents: all forms of it give the same, whole or in pieces (one form is AES by its definition, the
// others by the processor's instructions). What a faulty library does to data changes it: bits, bytes, exchanged and
// doubled fragments, gaps, tails.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "record/content/content-hash.h"

static int nfailed;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (nfailed++, (void)printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

enum { ROOM = 8192 };
static uint64_t state = 1;
static uint32_t draw(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint32_t)((state >> 33) % below);
}

static const struct mck_content_hash *forms[3];
static unsigned nforms;

static void find_forms(void) {
  forms[nforms++] = &mck_content_hash_any;
  bool has_aes = __builtin_cpu_supports("aes") && __builtin_cpu_supports("sse4.1");
  if (has_aes) forms[nforms++] = &mck_content_hash_aes;
  if (has_aes && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("vaes"))
    forms[nforms++] = &mck_content_hash_wide;
  EXPECT(mck_content_hash_find() == forms[nforms - 1]);
  printf("%u forms\n", nforms);
}

static uint64_t in_pieces(const struct mck_content_hash *h, const unsigned char *bytes, size_t n) {
  struct mck_content_state s;
  h->begin(&s);
  for (size_t at = 0, some; at < n; at += some) {
    some = draw(3) ? draw(40) : draw(700);
    if (some > n - at) some = n - at;
    h->add(&s, bytes + at, some);
  }
  return h->end(&s);
}

// Data as programs have it: little entropy, steps, zeros, floating-point numbers.
static void fill(unsigned char *bytes, size_t n, uint32_t kind) {
  memset(bytes, 0, n);
  for (size_t i = 0; i < n; i++) {
    double x = (double)(i / 8) * 0.37;
    if (kind == 1) bytes[i] = (unsigned char)i;
    if (kind == 2) bytes[i] = (unsigned char)(i % 4 ? 0 : i / 4);
    if (kind == 3) memcpy(&bytes[i], (char *)&x + i % 8, 1);
    if (kind == 4) bytes[i] = (unsigned char)draw(256);
  }
}

static void exchange(unsigned char *a, unsigned char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    unsigned char c = a[i];
    a[i] = b[i], b[i] = c;
  }
}

// One thing goes wrong. Returns the new length.
static size_t spoil(unsigned char *bytes, size_t n) {
  size_t part = 1 + draw((uint32_t)n / 2), a = draw((uint32_t)(n / 2 - part + 1)), b = n / 2 + a;
  switch (draw(8)) {
  case 0: bytes[draw((uint32_t)n)] ^= (unsigned char)(1 << draw(8)); break;
  case 1: bytes[draw((uint32_t)n)] = (unsigned char)draw(256); break;
  case 2: exchange(bytes + a, bytes + b, part); break;
  case 3: memmove(bytes + b, bytes + a, part); break;
  case 4: memmove(bytes, bytes + 1, n - 1); break;
  case 5: memset(bytes + a, 0, part); break;
  case 6: // two bits, a lane or a step apart
    a = draw((uint32_t)n), b = a + 16 * (1 + draw(20));
    bytes[a] ^= 1;
    if (b < n) bytes[b] ^= (unsigned char)(1 << draw(8));
    break;
  default: return n - 1 - draw((uint32_t)n / 4);
  }
  return n;
}

int main(int argc, char **argv) {
  static unsigned char bytes[ROOM + 64], bad[ROOM + 64];
  int rounds = argc > 1 ? atoi(argv[1]) : 20000;
  unsigned nspoiled = 0;
  find_forms();
  for (int round = 0; round < rounds; round++) {
    size_t n = 4 + draw(draw(2) ? 600 : ROOM - 4), shift = draw(32);
    fill(bytes + shift, n, draw(5));
    const struct mck_content_hash *h = forms[nforms - 1];
    uint64_t right = h->whole(bytes + shift, n);
    for (unsigned k = round % 20 == 0 ? 0 : nforms > 1; k < nforms; k++) {
      EXPECT(forms[k]->whole(bytes + shift, n) == right);
      EXPECT(in_pieces(forms[k], bytes + shift, n) == right);
    }
    memcpy(bad, bytes + shift, n);
    size_t length = spoil(bad, n);
    if (length == n && !memcmp(bad, bytes + shift, n)) continue;
    nspoiled++;
    EXPECT(h->whole(bad, length) != right);
  }
  EXPECT(nspoiled > (unsigned)rounds / 2);
  static const unsigned char zero[17];
  EXPECT(forms[0]->whole(zero, 16) != forms[0]->whole(zero, 17));
  return nfailed != 0;
}
