// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conflict matrix of MPI-3.1 11.7: what two accesses to window memory are if nothing orders them. Order is another
// question: accesses in different epochs are mostly ordered, by the synchronization between these (rt/rma). So an epoch
// is not an argument here. A pure function of two plain descriptions; it knows neither logs nor MPI.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum mck_conflict_kind {
  MCK_CONFLICT_PUT,
  MCK_CONFLICT_GET,
  MCK_CONFLICT_ACCUMULATE, // and its fetching relatives
  MCK_CONFLICT_STORE,
  MCK_CONFLICT_LOAD
};
enum mck_conflict_lock { MCK_CONFLICT_UNLOCKED, MCK_CONFLICT_EXCLUSIVE, MCK_CONFLICT_SHARED };
// Operations that the matrix treats in a special way; any other one has a number from MCK_CONFLICT_FIRST_OP on.
enum { MCK_CONFLICT_UNKNOWN_OP, MCK_CONFLICT_NO_OP, MCK_CONFLICT_CAS, MCK_CONFLICT_FIRST_OP };
#define MCK_CONFLICT_UNKNOWN_TYPE UINT32_MAX

struct mck_conflict_access {
  uint8_t kind;     // enum mck_conflict_kind
  uint8_t op;       // of an accumulate
  uint8_t lock;     // enum mck_conflict_lock: the lock that the process holds for this memory
  bool is_fetching; // an accumulate that brings something back
  bool is_polling;  // a load or store that is meant to be concurrent with others: atomic, volatile, in a polling loop
  bool is_buffer;   // a load or store by MPI: window memory that is the origin or result buffer of an operation
  uint32_t type;    // of an accumulate: the one basic type of its elements
  uint32_t process; // the origin, or the process that loads or stores
  uint32_t window;  // equal numbers are the same window
};
// Properties of the window (MPI-3.1 11.2.1, 11.4).
enum mck_conflict_property {
  MCK_CONFLICT_SAME_OP = 2, // accumulate_ops=same_op: MPI_NO_OP beside another operation is not allowed
  MCK_CONFLICT_NO_RAW = 8,  // orders between accumulates of one origin that accumulate_ordering leaves out
  MCK_CONFLICT_NO_WAR = 16,
  MCK_CONFLICT_NO_WAW = 32,
  MCK_CONFLICT_SEPARATE = 64 // the separate memory model
};

enum mck_conflict {
  MCK_CONFLICT_NONE,
  MCK_CONFLICT_RACE,
  MCK_CONFLICT_ATOMICITY, // accumulates beside something that they are not atomic to (11.7.1)
  MCK_CONFLICT_OVERLAP,   // through two windows that overlap
  MCK_CONFLICT_MODEL      // allowed in the unified memory model, but not in the separate one
};

// Two accesses that have bytes in common. first: of two by one process the one that comes first in program order.
// is_misaligned: elements of two accumulates of one basic type overlap in part, so that they are not at one location.
// properties: enum mck_conflict_property, of the window of the first.
enum mck_conflict mck_conflict_of(const struct mck_conflict_access *first, const struct mck_conflict_access *second,
                                  bool is_misaligned, unsigned properties);
// Two accesses to memory of one process, whatever bytes they touch: the rule of the separate model.
enum mck_conflict mck_conflict_of_disjoint(const struct mck_conflict_access *first,
                                           const struct mck_conflict_access *second);
// Whatever conflicts with covered conflicts with covering, too, on the same bytes. (But for a polling load, which
// conflicts with a plain store of a shared window and not with a put.)
bool mck_conflict_covers(const struct mck_conflict_access *covering, const struct mck_conflict_access *covered);
// What a report calls it.
const char *mck_conflict_text(enum mck_conflict conflict);

static inline bool mck_conflict_is_local(const struct mck_conflict_access *a) { return a->kind >= MCK_CONFLICT_STORE; }
static inline bool mck_conflict_is_writing(const struct mck_conflict_access *a) {
  return a->kind == MCK_CONFLICT_PUT || a->kind == MCK_CONFLICT_STORE ||
         (a->kind == MCK_CONFLICT_ACCUMULATE && a->op != MCK_CONFLICT_NO_OP);
}
