// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures of datatypes (MPI-3.1 4.1): the sequence of basic types, never written out. A type is a list of parts,
// each count copies of another type; what is asked of count copies of it is answered in about O(depth * log count) by
// descending this DAG. Equal sequences have equal hashes however they were built, on every rank: the hash of t0 t1 ...
// tn-1 is the polynomial sum of v(ti) * B^(n-1-i) modulo the prime 2^61-1, with fixed B and v. Two different sequences
// of n elements collide with probability n / 2^61. Pure; used by record (its own types) and judge (the types of a log).
// Not thread-safe while types are defined.
#pragma once
#include "log/log.h"

#define MCK_BASIC(id, name, text, bytes) MCK_BASIC_##name = id,
enum mck_basic {
#include "log/basic.inc"
};
#undef MCK_BASIC
const char *mck_basic_name(uint32_t id); // "MPI_INT"; "an unknown datatype" for what is none of ours
const char *mck_op_name(uint32_t op);    // of enum mck_op: "MPI_SUM"
uint32_t mck_basic_bytes(uint32_t id);   // on LP64, for messages; 0 when unknown

// elements: basic types, a pair (MPI_DOUBLE_INT) being two. Both saturate at UINT64_MAX, and then nothing is known: see
// mck_signature_is_known.
struct mck_signature {
  uint64_t hash, elements, bytes;
};
// False for a type that is not defined, not decomposed (a size but no parts), or has 2^64 elements or more: conclude
// nothing from it.
static inline bool mck_signature_is_known(struct mck_signature s) { return s.elements != UINT64_MAX; }
static inline bool mck_signature_is_equal(struct mck_signature a, struct mck_signature b) {
  return mck_signature_is_known(a) && a.elements == b.elements && a.hash == b.hash;
}
struct mck_signature mck_signature_concat(struct mck_signature a, struct mck_signature b);

// The types of one process, by id. Basic types are always there.
struct mck_signature_node;
struct mck_signatures {
  struct mck_signature_node *nodes;
  size_t capacity;
  uint32_t count;
};
bool mck_signatures_init(struct mck_signatures *types); // false: out of memory
void mck_signatures_free(struct mck_signatures *types);
// Defines type id (>= MCK_TYPE_USER, once); its parts must be defined and stay where they are (in the log). bytes:
// MPI_Type_size. False when out of memory; the type is then unknown, which is safe to go on with.
bool mck_signatures_define(struct mck_signatures *types, uint32_t id, uint64_t bytes, const struct mck_type_part *parts,
                           uint32_t nparts);
// init, and all types of a log; false when out of memory.
bool mck_signatures_load(struct mck_signatures *types, const struct mck_reader *log);

// All questions are about count copies of type; a type that is not known gives an unknown answer, never an access out
// of bounds.
struct mck_signature mck_signature_of(const struct mck_signatures *types, uint32_t type, uint64_t count);
// Of its first elements (all of them if there are fewer). bytes is that of the elements by mck_basic_bytes where a copy
// is cut.
struct mck_signature mck_signature_prefix(const struct mck_signatures *types, uint32_t type, uint64_t count,
                                          uint64_t elements);
// The basic type at a position, or MCK_NONE when there is none or it is unknown.
uint32_t mck_signature_element(const struct mck_signatures *types, uint32_t type, uint64_t count, uint64_t position);
// Where element position is, from the outside in: "copy 3 of 10, part 2 of 2, copy 5 of 8: MPI_INT" (counted from 1;
// what there is one of is left out). false: there is none.
bool mck_signature_path(const struct mck_signatures *types, uint32_t type, uint64_t count, uint64_t position,
                        char *text, size_t size);
// Is every element basic (true for none at all) / is there one. Policy about MPI_BYTE and MPI_PACKED is the judge's. A
// type not known: false for both.
bool mck_signature_is_all(const struct mck_signatures *types, uint32_t type, uint32_t basic);
bool mck_signature_has(const struct mck_signatures *types, uint32_t type, uint32_t basic);

// First position where two differ, both having an element there; UINT64_MAX when the shorter one is a prefix of the
// other or one is unknown.
struct mck_typed {
  const struct mck_signatures *types;
  uint32_t type;
  uint64_t count;
};
uint64_t mck_signature_first_difference(struct mck_typed a, struct mck_typed b);
