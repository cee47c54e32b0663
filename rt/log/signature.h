// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures of datatypes (MPI-3.1 4.1): the sequence of basic types, which is never written out. A type is a list of
// parts, and each part is count copies of another type. A question about count copies of a type descends this DAG and
// takes about O(depth * log count). Equal sequences have equal hashes on all ranks, however they were built: the hash
// of t0 t1 ... tn-1 is the polynomial sum of v(ti) * B^(n-1-i) modulo the prime 2^61-1, with fixed B and v. Two
// different sequences of n elements collide with probability n / 2^61. Pure; record uses it for its own types, judge
// for the types of a log. Not thread-safe while types are defined.
#pragma once
#include "log/log.h"

#define MCK_BASIC(id, name, text, bytes) MCK_BASIC_##name = id,
enum mck_basic {
#include "log/basic.inc"
};
#undef MCK_BASIC
const char *mck_basic_name(uint32_t id); // "MPI_INT"; "an unknown datatype" for an id that we do not know
const char *mck_op_name(uint32_t op);    // of enum mck_op: "MPI_SUM"
uint32_t mck_basic_bytes(uint32_t id);   // on LP64, for messages; 0 when unknown

// elements: the number of basic types; a pair (MPI_DOUBLE_INT) counts as two. Both saturate at UINT64_MAX; then nothing
// is known (mck_signature_is_known).
struct mck_signature {
  uint64_t hash, elements, bytes;
};
// False for a type that is not defined, not decomposed (a size but no parts), or has 2^64 elements or more. Nothing may
// be concluded from such a type.
static inline bool mck_signature_is_known(struct mck_signature s) { return s.elements != UINT64_MAX; }
static inline bool mck_signature_is_equal(struct mck_signature a, struct mck_signature b) {
  return mck_signature_is_known(a) && a.elements == b.elements && a.hash == b.hash;
}
struct mck_signature mck_signature_concat(struct mck_signature a, struct mck_signature b);

// The types of one process, by id. Basic types always exist.
struct mck_signature_node;
struct mck_signatures {
  struct mck_signature_node *nodes;
  size_t capacity;
  uint32_t count;
};
bool mck_signatures_init(struct mck_signatures *types); // false: out of memory
void mck_signatures_free(struct mck_signatures *types);
// Defines type id (>= MCK_TYPE_USER) once. Its parts must be defined and must stay where they are (in the log). bytes:
// MPI_Type_size. Returns false when out of memory; then the type is unknown, and the caller may go on.
bool mck_signatures_define(struct mck_signatures *types, uint32_t id, uint64_t bytes, const struct mck_type_part *parts,
                           uint32_t nparts);
// Initializes with all types of a log. Returns false when out of memory.
bool mck_signatures_load(struct mck_signatures *types, const struct mck_reader *log);

// All questions are about count copies of type. For an unknown type the answer is unknown; nothing is accessed out of
// bounds.
struct mck_signature mck_signature_of(const struct mck_signatures *types, uint32_t type, uint64_t count);
// The sequence of its first elements (of all elements if there are fewer). Where a copy is cut, bytes is the sum of
// mck_basic_bytes of the elements.
struct mck_signature mck_signature_prefix(const struct mck_signatures *types, uint32_t type, uint64_t count,
                                          uint64_t elements);
// The basic type at a position, or MCK_NONE when there is none or it is unknown.
uint32_t mck_signature_element(const struct mck_signatures *types, uint32_t type, uint64_t count, uint64_t position);
// The place of element position, from the outside in: "copy 3 of 10, part 2 of 2, copy 5 of 8: MPI_INT" (counted from
// 1; a level with a single copy or part is left out). Returns false where there is no such element.
bool mck_signature_path(const struct mck_signatures *types, uint32_t type, uint64_t count, uint64_t position,
                        char *text, size_t size);
// Is each element this basic type (true for no elements) / is there one? The judge decides what MPI_BYTE and MPI_PACKED
// mean. For an unknown type both are false.
bool mck_signature_is_all(const struct mck_signatures *types, uint32_t type, uint32_t basic);
bool mck_signature_has(const struct mck_signatures *types, uint32_t type, uint32_t basic);

// The first position where both have an element and these differ. UINT64_MAX where the shorter one is a prefix of the
// other, or one is unknown.
struct mck_typed {
  const struct mck_signatures *types;
  uint32_t type;
  uint64_t count;
};
uint64_t mck_signature_first_difference(struct mck_typed a, struct mck_typed b);
