// RUN: %unit/test-signature
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures against written-out sequences, on random DAGs of types; saturation, unknown types, pairs.
#include "sample-log.h"

enum { TYPES = 40, EXPANDED = 1 << 20 };
static struct mck_signatures types;
static uint8_t *sequences[TYPES]; // of type MCK_TYPE_USER + i, one copy
static uint64_t lengths[TYPES];

static uint64_t state;
static uint32_t draw(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint32_t)((state >> 33) % below);
}

// One copy of any type, written out.
static uint64_t expand_one(uint32_t type, const uint8_t **sequence) {
  static const uint8_t pair[] = {MCK_BASIC_DOUBLE, MCK_BASIC_INT};
  static uint8_t single;
  if (type >= MCK_TYPE_USER) {
    *sequence = sequences[type - MCK_TYPE_USER];
    return lengths[type - MCK_TYPE_USER];
  }
  if (type == MCK_BASIC_DATATYPE_NULL) return 0;
  single = (uint8_t)type;
  *sequence = type == MCK_BASIC_DOUBLE_INT ? pair : &single;
  return type == MCK_BASIC_DOUBLE_INT ? 2 : 1;
}

static uint64_t expand(uint32_t type, uint64_t count, uint8_t *to) {
  const uint8_t *one = NULL;
  uint64_t length = expand_one(type, &one), n = 0;
  for (uint64_t c = 0; c < count && n + length <= EXPANDED; c++, n += length)
    if (length) memcpy(to + n, one, length);
  return n;
}

static struct mck_type_part parts[TYPES][8];
static void define_random_types(void) {
  static const uint32_t leaves[] = {MCK_BASIC_INT, MCK_BASIC_DOUBLE, MCK_BASIC_DOUBLE_INT, MCK_BASIC_CHAR,
                                    MCK_BASIC_DATATYPE_NULL};
  static uint8_t written[EXPANDED];
  for (uint32_t t = 0; t < TYPES; t++) {
    uint64_t length = 0, bytes = 0;
    uint32_t nparts = draw(8);
    for (uint32_t p = 0; p < nparts; p++) {
      uint32_t type = t > 0 && draw(3) ? MCK_TYPE_USER + draw(t) : leaves[draw(5)];
      const uint8_t *one;
      uint64_t count = draw(5), each = expand_one(type, &one);
      if (length + count * each > 3000) count = 0;
      parts[t][p] = (struct mck_type_part){count, type, 0};
      length += expand(type, count, written + length);
    }
    for (uint64_t i = 0; i < length; i++) bytes += mck_basic_bytes(written[i]);
    free(sequences[t]);
    sequences[t] = malloc(length + 1);
    memcpy(sequences[t], written, length);
    lengths[t] = length;
    EXPECT(mck_signatures_define(&types, MCK_TYPE_USER + t, bytes, parts[t], nparts));
  }
}

// The signature of a written sequence, element by element.
static struct mck_signature fold_slowly(const uint8_t *sequence, uint64_t n) {
  struct mck_signature sum = {0, 0, 0};
  for (uint64_t i = 0; i < n; i++) sum = mck_signature_concat(sum, mck_signature_of(&types, sequence[i], 1));
  return sum;
}
static bool is_same(struct mck_signature a, struct mck_signature b) {
  return a.hash == b.hash && a.elements == b.elements && a.bytes == b.bytes;
}

static void test_random(uint64_t seed) {
  static uint8_t a[EXPANDED], b[EXPANDED];
  int before = failures;
  state = seed;
  draw(1);
  EXPECT(mck_signatures_init(&types));
  define_random_types();
  for (int round = 0; round < 60; round++) {
    uint32_t type_a = MCK_TYPE_USER + draw(TYPES), type_b = MCK_TYPE_USER + draw(TYPES);
    uint64_t count_a = draw(6), count_b = draw(6), na = expand(type_a, count_a, a), nb = expand(type_b, count_b, b);
    EXPECT(is_same(mck_signature_of(&types, type_a, count_a), fold_slowly(a, na)));
    for (int i = 0; i < 6; i++) {
      uint64_t k = draw((uint32_t)na + 3);
      EXPECT(is_same(mck_signature_prefix(&types, type_a, count_a, k), fold_slowly(a, k < na ? k : na)));
      EXPECT(mck_signature_element(&types, type_a, count_a, k) == (k < na ? a[k] : MCK_NONE));
    }
    uint64_t shorter = na < nb ? na : nb, differ = 0;
    while (differ < shorter && a[differ] == b[differ]) differ++;
    EXPECT(mck_signature_first_difference((struct mck_typed){&types, type_a, count_a},
                                          (struct mck_typed){&types, type_b, count_b}) ==
           (differ < shorter ? differ : UINT64_MAX));
    EXPECT(mck_signature_is_equal(mck_signature_of(&types, type_a, count_a),
                                  mck_signature_of(&types, type_b, count_b)) == (na == nb && differ == na));
    for (uint32_t basic = 0; basic < 32; basic++) {
      bool has = lengths[type_a - MCK_TYPE_USER] &&
                 memchr(sequences[type_a - MCK_TYPE_USER], (int)basic, lengths[type_a - MCK_TYPE_USER]);
      bool is_all = true;
      for (uint64_t i = 0; i < lengths[type_a - MCK_TYPE_USER]; i++)
        is_all &= sequences[type_a - MCK_TYPE_USER][i] == basic;
      EXPECT(mck_signature_has(&types, type_a, basic) == has && mck_signature_is_all(&types, type_a, basic) == is_all);
    }
  }
  mck_signatures_free(&types);
  if (failures > before) printf("seed %llu\n", (unsigned long long)seed);
}

static void test_large(void) {
  EXPECT(mck_signatures_init(&types));
  // The same 2^40 ints in three ways, and one that differs in a single place.
  struct mck_type_part row = {1 << 20, MCK_BASIC_INT, 0},
                       halves[2] = {{1 << 10, 256, 0}, {(1 << 20) - (1 << 10), 256, 0}};
  struct mck_type_part odd[3] = {
      {UINT64_C(77777777777), MCK_BASIC_INT, 0}, {1, MCK_BASIC_FLOAT, 0}, {5, MCK_BASIC_INT, 0}};
  EXPECT(mck_signatures_define(&types, 256, 4 << 20, &row, 1) &&
         mck_signatures_define(&types, 257, UINT64_C(4) << 40, halves, 2));
  EXPECT(mck_signatures_define(&types, 258, UINT64_C(77777777783) * 4, odd, 3));
  struct mck_signature flat = mck_signature_of(&types, MCK_BASIC_INT, UINT64_C(1) << 40);
  EXPECT(is_same(flat, mck_signature_of(&types, 256, 1 << 20)) && is_same(flat, mck_signature_of(&types, 257, 1)));
  EXPECT(is_same(mck_signature_prefix(&types, 257, 3, UINT64_C(1) << 40), flat));
  struct mck_typed ints = {&types, MCK_BASIC_INT, UINT64_C(1) << 40};
  EXPECT(mck_signature_first_difference(ints, (struct mck_typed){&types, 258, 10}) == UINT64_C(77777777777));
  EXPECT(mck_signature_first_difference(ints, (struct mck_typed){&types, 257, 2}) == UINT64_MAX);
  EXPECT(mck_signature_element(&types, 258, 10, UINT64_C(77777777777)) == MCK_BASIC_FLOAT);
  // A DAG of 60 levels that doubles each time: depth is no problem, and 2^64 elements are not known.
  static struct mck_type_part doubled[70];
  for (uint32_t i = 0; i < 70; i++) {
    doubled[i] = (struct mck_type_part){2, i ? 300 + i - 1 : MCK_BASIC_CHAR, 0};
    EXPECT(mck_signatures_define(&types, 300 + i, i < 62 ? UINT64_C(2) << i : UINT64_MAX, &doubled[i], 1));
  }
  EXPECT(mck_signature_of(&types, 362, 1).elements == UINT64_C(1) << 63 &&
         !mck_signature_is_known(mck_signature_of(&types, 363, 1)));
  EXPECT(!mck_signature_is_known(mck_signature_of(&types, 362, 2)) &&
         !mck_signature_is_known(mck_signature_of(&types, 369, 1)));
  EXPECT(mck_signature_element(&types, 362, 1, (UINT64_C(1) << 63) - 1) == MCK_BASIC_CHAR);
  EXPECT(mck_signature_of(&types, 369, 0).elements == 0);
  // Unknown in every way.
  EXPECT(mck_signatures_define(&types, 400, 16, NULL, 0) && !mck_signature_is_known(mck_signature_of(&types, 400, 1)));
  EXPECT(mck_signatures_define(&types, 401, 0, NULL, 0) && mck_signature_of(&types, 401, 9).elements == 0);
  const uint32_t strange[] = {400, 390, 5000, MCK_NONE, MCK_NONE - 1};
  for (int i = 0; i < 5; i++) {
    EXPECT(!mck_signature_is_known(mck_signature_of(&types, strange[i], 1)) &&
           !mck_signature_has(&types, strange[i], MCK_BASIC_INT));
    EXPECT(!mck_signature_is_known(mck_signature_prefix(&types, strange[i], 2, 1)) &&
           !mck_signature_is_all(&types, strange[i], 9));
    EXPECT(mck_signature_element(&types, strange[i], 1, 0) == MCK_NONE);
    EXPECT(mck_signature_first_difference(ints, (struct mck_typed){&types, strange[i], 1}) == UINT64_MAX);
  }
  EXPECT(!mck_signature_is_equal(mck_signature_of(&types, 400, 1), mck_signature_of(&types, 400, 1)));
  mck_signatures_free(&types);
}

static void test_basics(void) {
  EXPECT(mck_signatures_init(&types));
  EXPECT(strcmp(mck_basic_name(MCK_BASIC_INT), "MPI_INT") == 0 &&
         strcmp(mck_basic_name(MCK_BASIC_2INT), "MPI_2INT") == 0);
  EXPECT(strcmp(mck_basic_name(255), "an unknown datatype") == 0 &&
         strcmp(mck_basic_name(MCK_NONE), "an unknown datatype") == 0);
  EXPECT(is_same(mck_signature_of(&types, MCK_BASIC_2INT, 3), mck_signature_of(&types, MCK_BASIC_INT, 6)));
  EXPECT(mck_signature_of(&types, MCK_BASIC_DOUBLE_INT, 2).bytes == 24);
#define MCK_BASIC(id, name, text, each)                                                                                \
  EXPECT(mck_signature_of(&types, id, 5).bytes == 5 * (each) && strcmp(text, "MPI_" #name) == 0);
#include "log/basic.inc"
  for (uint32_t i = 1; i < 256; i++) // no two basic types look alike, alone or in pairs
    for (uint32_t k = 1; k < i; k++) EXPECT(mck_signature_of(&types, i, 1).hash != mck_signature_of(&types, k, 1).hash);
  mck_signatures_free(&types);
}

int main(int argc, char **argv) {
  test_basics();
  test_large();
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  for (uint64_t seed = first; seed < first + 40; seed++) test_random(seed);
  printf("seeds %llu to %llu\n", (unsigned long long)first, (unsigned long long)first + 39);
  for (int i = 0; i < TYPES; i++) free(sequences[i]);
  return verdict();
}
