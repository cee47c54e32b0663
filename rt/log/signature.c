// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures (signature.h). Each node keeps the summary of one copy of its type: a type is folded once, when it is
// defined, from the nodes of its parts. It also keeps the running prefixes of its parts, so a descent finds its part by
// binary search.
#include "log/signature.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASICS = MCK_TYPE_USER, BASIC_WORDS = BASICS / 64 };
static const uint64_t PRIME = (UINT64_C(1) << 61) - 1;
static const uint64_t RADIX = UINT64_C(0x1234567d5a0f3c3b) %
                              ((UINT64_C(1) << 61) - 1); // any fixed number; part of the parcels' format

// A sequence: its hash and RADIX^elements, so that concatenation is one multiplication.
struct sequence {
  struct mck_signature sum;
  uint64_t power;
};
struct mck_signature_node {
  struct sequence one;
  struct sequence *before; // nparts entries: the sequence before each part; NULL with fewer than two parts
  const struct mck_type_part *parts;
  uint32_t nparts;
  uint64_t basics[BASIC_WORDS]; // the basic types that occur, as bits
};

static const struct basic {
  const char *name;
  uint32_t bytes;
} basics[BASICS] = {
#define MCK_BASIC(id, name, text, bytes) [id] = {text, bytes},
#include "log/basic.inc"
#undef MCK_BASIC
};
const char *mck_basic_name(uint32_t id) {
  return id < BASICS && basics[id].name ? basics[id].name : "an unknown datatype";
}
const char *mck_op_name(uint32_t op) {
  static const char *const names[] = {[MCK_OP_NONE] = "no operation",
                                      [MCK_OP_MAX] = "MPI_MAX",
                                      [MCK_OP_MIN] = "MPI_MIN",
                                      [MCK_OP_SUM] = "MPI_SUM",
                                      [MCK_OP_PROD] = "MPI_PROD",
                                      [MCK_OP_LAND] = "MPI_LAND",
                                      [MCK_OP_BAND] = "MPI_BAND",
                                      [MCK_OP_LOR] = "MPI_LOR",
                                      [MCK_OP_BOR] = "MPI_BOR",
                                      [MCK_OP_LXOR] = "MPI_LXOR",
                                      [MCK_OP_BXOR] = "MPI_BXOR",
                                      [MCK_OP_MINLOC] = "MPI_MINLOC",
                                      [MCK_OP_MAXLOC] = "MPI_MAXLOC",
                                      [MCK_OP_REPLACE] = "MPI_REPLACE",
                                      [MCK_OP_NO_OP] = "MPI_NO_OP",
                                      [MCK_OP_CAS] = "compare-and-swap",
                                      [MCK_OP_USER] = "a commutative operation of the program",
                                      [MCK_OP_USER_ORDERED] = "an operation of the program that is not commutative"};
  return op < sizeof names / sizeof *names ? names[op] : "an unknown operation";
}
uint32_t mck_basic_bytes(uint32_t id) { return id < BASICS ? basics[id].bytes : 0; }

// MPI-3.1 5.9.4: a pair is defined as if by MPI_Type_create_struct or MPI_Type_contiguous(2, ...).
static const struct {
  uint32_t id;
  struct mck_type_part parts[2];
} pairs[] = {
    {MCK_BASIC_FLOAT_INT, {{1, MCK_BASIC_FLOAT, 0}, {1, MCK_BASIC_INT, 0}}},
    {MCK_BASIC_DOUBLE_INT, {{1, MCK_BASIC_DOUBLE, 0}, {1, MCK_BASIC_INT, 0}}},
    {MCK_BASIC_LONG_INT, {{1, MCK_BASIC_LONG, 0}, {1, MCK_BASIC_INT, 0}}},
    {MCK_BASIC_SHORT_INT, {{1, MCK_BASIC_SHORT, 0}, {1, MCK_BASIC_INT, 0}}},
    {MCK_BASIC_LONG_DOUBLE_INT, {{1, MCK_BASIC_LONG_DOUBLE, 0}, {1, MCK_BASIC_INT, 0}}},
    {MCK_BASIC_2INT, {{2, MCK_BASIC_INT, 0}, {0, MCK_BASIC_INT, 0}}},
    {MCK_BASIC_2INTEGER, {{2, MCK_BASIC_INTEGER, 0}, {0, MCK_BASIC_INTEGER, 0}}},
    {MCK_BASIC_2REAL, {{2, MCK_BASIC_REAL, 0}, {0, MCK_BASIC_REAL, 0}}},
    {MCK_BASIC_2DOUBLE_PRECISION, {{2, MCK_BASIC_DOUBLE_PRECISION, 0}, {0, MCK_BASIC_DOUBLE_PRECISION, 0}}},
    {MCK_BASIC_2COMPLEX, {{2, MCK_BASIC_COMPLEX, 0}, {0, MCK_BASIC_COMPLEX, 0}}},
    {MCK_BASIC_2DOUBLE_COMPLEX, {{2, MCK_BASIC_DOUBLE_COMPLEX, 0}, {0, MCK_BASIC_DOUBLE_COMPLEX, 0}}},
};

static uint64_t multiply(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  uint64_t sum = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);
  return sum >= PRIME ? sum - PRIME : sum;
}
static uint64_t add(uint64_t a, uint64_t b) { return a + b >= PRIME ? a + b - PRIME : a + b; }
static uint64_t add_saturated(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }
static uint64_t multiply_saturated(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static const struct sequence empty = {{0, 0, 0}, 1};
static const struct sequence unknown = {{0, UINT64_MAX, UINT64_MAX}, 1};

static struct sequence concat(struct sequence a, struct sequence b) {
  uint64_t elements = add_saturated(a.sum.elements, b.sum.elements);
  if (elements == UINT64_MAX) return unknown;
  return (struct sequence){
      {add(multiply(a.sum.hash, b.power), b.sum.hash), elements, add_saturated(a.sum.bytes, b.sum.bytes)},
      multiply(a.power, b.power)};
}

// The power is computed by doubling. All factors are copies of one sequence, so their order does not matter.
static struct sequence repeat(struct sequence s, uint64_t count) {
  if (count == 1) return s;
  if (count == 0) return empty;
  uint64_t elements = multiply_saturated(s.sum.elements, count), bytes = multiply_saturated(s.sum.bytes, count);
  if (elements == UINT64_MAX) return unknown;
  uint64_t hash = 0, power = 1, doubled = s.sum.hash, doubled_power = s.power;
  for (;;) {
    if (count & 1) {
      hash = add(multiply(hash, doubled_power), doubled);
      power = multiply(power, doubled_power);
    }
    if (!(count >>= 1)) break;
    doubled = add(multiply(doubled, doubled_power), doubled);
    doubled_power = multiply(doubled_power, doubled_power);
  }
  return (struct sequence){{hash, elements, bytes}, power};
}

struct mck_signature mck_signature_concat(struct mck_signature a, struct mck_signature b) {
  if (!mck_signature_is_known(a) || !mck_signature_is_known(b)) return unknown.sum;
  uint64_t power = 1, doubled = RADIX;
  for (uint64_t n = b.elements; n; n >>= 1, doubled = multiply(doubled, doubled))
    if (n & 1) power = multiply(power, doubled);
  return concat((struct sequence){a, 1}, (struct sequence){b, power}).sum;
}

// The value of a basic type: its id, scattered (splitmix64), never 0.
static uint64_t value_of(uint32_t id) {
  uint64_t x = ((uint64_t)id + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (x ^ (x >> 31)) % (PRIME - 1) + 1;
}

static const struct mck_signature_node *node_of(const struct mck_signatures *types, uint32_t id) {
  static const struct mck_signature_node none = {.one = {{0, UINT64_MAX, UINT64_MAX}, 1}};
  return id < types->count ? &types->nodes[id] : &none;
}

// Folds parts into node, which is zero before. Returns false when out of memory.
static bool fold(const struct mck_signatures *types, struct mck_signature_node *node, const struct mck_type_part *parts,
                 uint32_t nparts) {
  struct sequence sum = empty;
  if (nparts > 1 && !(node->before = malloc(nparts * sizeof *node->before))) return false;
  for (uint32_t i = 0; i < nparts; i++) {
    const struct mck_signature_node *part = node_of(types, parts[i].type);
    if (node->before) node->before[i] = sum;
    sum = concat(sum, repeat(part->one, parts[i].count));
    if (part->one.sum.elements == 0 || parts[i].count == 0) continue;
    for (unsigned w = 0; w < BASIC_WORDS; w++) node->basics[w] |= part->basics[w];
  }
  node->one = sum;
  node->parts = parts;
  node->nparts = nparts;
  return true;
}

bool mck_signatures_init(struct mck_signatures *types) {
  memset(types, 0, sizeof *types);
  if (!mck_base_grow((void **)&types->nodes, &types->capacity, BASICS, sizeof *types->nodes)) return false;
  memset(types->nodes, 0, BASICS * sizeof *types->nodes);
  types->count = BASICS;
  // Ids without a name in this version count, too: a later version may name them, and equal ids are equal types.
  for (uint32_t id = 1; id < BASICS; id++) {
    types->nodes[id].one = (struct sequence){{value_of(id), 1, basics[id].bytes}, RADIX};
    types->nodes[id].basics[id / 64] = UINT64_C(1) << id % 64;
  }
  types->nodes[MCK_BASIC_DATATYPE_NULL].one = empty;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    struct mck_signature_node pair = {0};
    if (!fold(types, &pair, pairs[i].parts, 2)) {
      mck_signatures_free(types);
      return false;
    }
    types->nodes[pairs[i].id] = pair;
  }
  return true;
}

void mck_signatures_free(struct mck_signatures *types) {
  for (uint32_t i = 0; i < types->count; i++) free(types->nodes[i].before);
  free(types->nodes);
  memset(types, 0, sizeof *types);
}

bool mck_signatures_define(struct mck_signatures *types, uint32_t id, uint64_t bytes, const struct mck_type_part *parts,
                           uint32_t nparts) {
  if (id < MCK_TYPE_USER || id == MCK_NONE) return true;
  if (!mck_base_grow((void **)&types->nodes, &types->capacity, (size_t)id + 1, sizeof *types->nodes)) return false;
  for (; types->count <= id; types->count++) types->nodes[types->count] = (struct mck_signature_node){.one = unknown};
  struct mck_signature_node node = {0};
  bool is_folded = fold(types, &node, parts, nparts);
  if (!is_folded) node.one = unknown;
  if (mck_signature_is_known(node.one.sum)) {
    if (nparts == 0 && bytes > 0) node.one = unknown; // the type was not decomposed
    else node.one.sum.bytes = bytes;
  }
  free(types->nodes[id].before);
  types->nodes[id] = node;
  return is_folded;
}

static int compare_places(const void *a, const void *b) {
  const struct mck_type_def *x = *(const struct mck_type_def *const *)a, *y = *(const struct mck_type_def *const *)b;
  return x->body < y->body ? -1 : x->body > y->body;
}

bool mck_signatures_load(struct mck_signatures *types, const struct mck_reader *log) {
  if (!mck_signatures_init(types)) return false;
  // In the log a part stands before the types that are made of it, but its id need not be smaller. So the definitions
  // are taken in the order of their places.
  const struct mck_type_def **order = malloc((log->ntypes + 1) * sizeof *order);
  bool is_done = order != NULL, is_ordered = true;
  size_t n = 0;
  for (uint32_t i = 0; is_done && i < log->ntypes; i++) {
    if (!log->types[i].body) continue;
    if (n > 0 && log->types[i].body < order[n - 1]->body) is_ordered = false;
    order[n++] = &log->types[i];
  }
  if (!is_ordered) qsort(order, n, sizeof *order, compare_places);
  for (size_t i = 0; is_done && i < n; i++)
    is_done = mck_signatures_define(types, order[i]->id, order[i]->body->size, order[i]->parts, order[i]->nparts);
  free(order);
  if (!is_done) mck_signatures_free(types);
  return is_done;
}

struct mck_signature mck_signature_of(const struct mck_signatures *types, uint32_t type, uint64_t count) {
  return repeat(node_of(types, type)->one, count).sum;
}

// The part that holds element k of one copy, k below its total: the last that starts at or before k. (A part without
// elements starts where the next one does, or at the total.)
static uint32_t find_part(const struct mck_signature_node *node, uint64_t k) {
  uint32_t low = 0, high = node->nparts;
  while (node->before && high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (node->before[middle].sum.elements <= k) low = middle;
    else high = middle;
  }
  return low;
}

// Walks down to element position of count copies of type. The sequence before it is added to *sum, if sum is not NULL.
// Returns MCK_NONE when there is no such element.
static uint32_t descend(const struct mck_signatures *types, uint32_t type, uint64_t count, uint64_t position,
                        struct sequence *sum) {
  for (;;) {
    const struct mck_signature_node *node = node_of(types, type);
    uint64_t each = node->one.sum.elements;
    if (each == UINT64_MAX || each == 0 || position / each >= count) return MCK_NONE;
    if (sum) *sum = concat(*sum, repeat(node->one, position / each));
    position %= each;
    if (node->nparts == 0) return type;
    uint32_t i = find_part(node, position);
    if (node->before) {
      if (sum) *sum = concat(*sum, node->before[i]);
      position -= node->before[i].sum.elements;
    }
    type = node->parts[i].type;
    count = node->parts[i].count;
  }
}

struct mck_signature mck_signature_prefix(const struct mck_signatures *types, uint32_t type, uint64_t count,
                                          uint64_t elements) {
  const struct sequence *one = &node_of(types, type)->one;
  if (count == 0 || elements == 0) return empty.sum;
  if (!mck_signature_is_known(one->sum)) return unknown.sum;
  if (multiply_saturated(one->sum.elements, count) <= elements) return repeat(*one, count).sum;
  struct sequence sum = empty;
  // The sequence before the element that follows the prefix.
  return descend(types, type, count, elements, &sum) == MCK_NONE ? unknown.sum : sum.sum;
}

uint32_t mck_signature_element(const struct mck_signatures *types, uint32_t type, uint64_t count, uint64_t position) {
  return descend(types, type, count, position, NULL);
}

bool mck_signature_path(const struct mck_signatures *types, uint32_t type, uint64_t count, uint64_t position,
                        char *text, size_t size) {
  size_t at = 0;
  for (text[0] = 0;;) {
    const struct mck_signature_node *node = node_of(types, type);
    uint64_t each = node->one.sum.elements;
    if (each == UINT64_MAX || each == 0 || position / each >= count) return false;
    const char *comma = at ? ", " : "";
    if (count > 1 && at < size)
      at += (size_t)snprintf(text + at, size - at, "%scopy %llu of %llu", comma,
                             (unsigned long long)position / each + 1, (unsigned long long)count);
    position %= each;
    if (node->nparts == 0) break;
    uint32_t i = find_part(node, position);
    comma = at ? ", " : "";
    if (node->nparts > 1 && at < size)
      at += (size_t)snprintf(text + at, size - at, "%spart %u of %u", comma, i + 1, node->nparts);
    if (node->before) position -= node->before[i].sum.elements;
    type = node->parts[i].type;
    count = node->parts[i].count;
  }
  if (at < size) snprintf(text + at, size - at, "%s%s", at ? ": " : "", mck_basic_name(type));
  return true;
}

bool mck_signature_has(const struct mck_signatures *types, uint32_t type, uint32_t basic) {
  const struct mck_signature_node *node = node_of(types, type);
  return basic < BASICS && mck_signature_is_known(node->one.sum) && (node->basics[basic / 64] >> basic % 64 & 1);
}

bool mck_signature_is_all(const struct mck_signatures *types, uint32_t type, uint32_t basic) {
  const struct mck_signature_node *node = node_of(types, type);
  if (basic >= BASICS || !mck_signature_is_known(node->one.sum)) return false;
  for (uint32_t w = 0; w < BASIC_WORDS; w++)
    if (node->basics[w] & ~(w == basic / 64 ? UINT64_C(1) << basic % 64 : 0)) return false;
  return true;
}

uint64_t mck_signature_first_difference(struct mck_typed a, struct mck_typed b) {
  struct mck_signature all_a = mck_signature_of(a.types, a.type, a.count),
                       all_b = mck_signature_of(b.types, b.type, b.count);
  if (!mck_signature_is_known(all_a) || !mck_signature_is_known(all_b)) return UINT64_MAX;
  uint64_t same = 0, differ = all_a.elements < all_b.elements ? all_a.elements : all_b.elements;
  if (mck_signature_prefix(a.types, a.type, a.count, differ).hash ==
      mck_signature_prefix(b.types, b.type, b.count, differ).hash)
    return UINT64_MAX;
  // The prefixes of same elements are equal, those of differ elements are not.
  while (differ - same > 1) {
    uint64_t middle = same + (differ - same) / 2;
    bool is_equal = mck_signature_prefix(a.types, a.type, a.count, middle).hash ==
                    mck_signature_prefix(b.types, b.type, b.count, middle).hash;
    if (is_equal) same = middle;
    else differ = middle;
  }
  return same;
}
