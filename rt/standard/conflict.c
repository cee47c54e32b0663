// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix of MPI-3.1 11.7: whether two accesses that nothing orders conflict (conflict.h).
#include "standard/conflict.h"

static const char *const texts[] = {
    [MCK_CONFLICT_NONE] = "no conflict",
    [MCK_CONFLICT_RACE] = "race",
    [MCK_CONFLICT_ATOMICITY] = "accesses that are not atomic to each other",
    [MCK_CONFLICT_OVERLAP] = "race through two windows",
    [MCK_CONFLICT_MODEL] = "a store and an update of one window in the separate memory model",
};

const char *mck_conflict_text(enum mck_conflict conflict) { return texts[conflict]; }

// Accumulates of one origin take effect in order, unless the window's info gives that up (11.7.2).
static bool is_ordered_at_origin(const struct mck_conflict_access *first, const struct mck_conflict_access *second,
                                 unsigned properties) {
  bool is_first_writing = mck_conflict_is_writing(first), is_second_writing = mck_conflict_is_writing(second);
  if (first->process != second->process || first->window != second->window) return false;
  if (is_first_writing && is_second_writing && properties & MCK_CONFLICT_NO_WAW) return false;
  if (is_first_writing && second->is_fetching && properties & MCK_CONFLICT_NO_RAW) return false;
  return !(first->is_fetching && is_second_writing && properties & MCK_CONFLICT_NO_WAR);
}

// Accumulates with one operation, or MPI_NO_OP beside it, and one basic type are atomic to each other, element by
// element (11.7.1). What compare-and-swap may be concurrent with the standard does not say plainly: nothing is said of
// it. User-defined operations are not allowed at all. Basic types that differ, and elements that overlap in part, have
// no defined outcome: the order at an origin is one "on a per-datatype granularity" (11.7.2), so it does not help.
static enum mck_conflict of_accumulates(const struct mck_conflict_access *first,
                                        const struct mck_conflict_access *second, bool is_misaligned,
                                        unsigned properties) {
  bool is_known = first->type != MCK_CONFLICT_UNKNOWN_TYPE && second->type != MCK_CONFLICT_UNKNOWN_TYPE;
  if (is_known && (first->type != second->type || is_misaligned)) return MCK_CONFLICT_ATOMICITY;
  if (is_ordered_at_origin(first, second, properties)) return MCK_CONFLICT_NONE;
  uint8_t one = first->op, other = second->op;
  if (one == other || one == MCK_CONFLICT_CAS || other == MCK_CONFLICT_CAS || one == MCK_CONFLICT_UNKNOWN_OP ||
      other == MCK_CONFLICT_UNKNOWN_OP)
    return MCK_CONFLICT_NONE;
  bool is_beside_no_op = one == MCK_CONFLICT_NO_OP || other == MCK_CONFLICT_NO_OP;
  return is_beside_no_op && !(properties & MCK_CONFLICT_SAME_OP) ? MCK_CONFLICT_NONE : MCK_CONFLICT_ATOMICITY;
}

// Both hold a lock of this memory, and one of the locks keeps all others out (11.5.3).
static bool is_excluded(const struct mck_conflict_access *first, const struct mck_conflict_access *second) {
  return first->window == second->window && first->process != second->process && first->lock && second->lock &&
         (first->lock == MCK_CONFLICT_EXCLUSIVE || second->lock == MCK_CONFLICT_EXCLUSIVE);
}

static bool is_polling_load(const struct mck_conflict_access *a) {
  return a->kind == MCK_CONFLICT_LOAD && a->is_polling;
}

enum mck_conflict mck_conflict_of(const struct mck_conflict_access *first, const struct mck_conflict_access *second,
                                  bool is_misaligned, unsigned properties) {
  bool is_first_local = mck_conflict_is_local(first), is_second_local = mck_conflict_is_local(second),
       is_own = first->process == second->process;
  if (!mck_conflict_is_writing(first) && !mck_conflict_is_writing(second)) return MCK_CONFLICT_NONE;
  if (is_excluded(first, second)) return MCK_CONFLICT_NONE;
  // Loops that put a process's own part to everybody, itself included, read what they write.
  if (is_own && (first->is_buffer || second->is_buffer)) return MCK_CONFLICT_NONE;
  if (is_first_local && is_second_local)
    return is_own || (first->is_polling && second->is_polling) ? MCK_CONFLICT_NONE : MCK_CONFLICT_RACE;
  // A load of memory in two windows is noted for both.
  if ((is_first_local || is_second_local) && first->window != second->window) return MCK_CONFLICT_NONE;
  // Polling on a location that others update is not erroneous (the rules of the unified model).
  if (!(properties & MCK_CONFLICT_SEPARATE) && (is_polling_load(first) || is_polling_load(second)))
    return MCK_CONFLICT_NONE;
  if (first->window != second->window) return MCK_CONFLICT_OVERLAP; // "distinct, overlapping windows"
  bool is_first_accumulate = first->kind == MCK_CONFLICT_ACCUMULATE,
       is_second_accumulate = second->kind == MCK_CONFLICT_ACCUMULATE;
  if (is_first_accumulate && is_second_accumulate) return of_accumulates(first, second, is_misaligned, properties);
  if (!is_first_local && !is_second_local && (is_first_accumulate || is_second_accumulate))
    return MCK_CONFLICT_ATOMICITY;
  return MCK_CONFLICT_RACE;
}

// 11.7, the separate model, rule 3: a store to a window must not start once a put or accumulate update to it has
// started, until that is visible in process memory, and conversely, "even if they access disjoint locations in the
// window".
enum mck_conflict mck_conflict_of_disjoint(const struct mck_conflict_access *first,
                                           const struct mck_conflict_access *second) {
  bool is_first_update = !mck_conflict_is_local(first) && mck_conflict_is_writing(first),
       is_second_update = !mck_conflict_is_local(second) && mck_conflict_is_writing(second);
  if (first->window != second->window || is_excluded(first, second)) return MCK_CONFLICT_NONE;
  return (is_first_update && second->kind == MCK_CONFLICT_STORE) ||
                 (is_second_update && first->kind == MCK_CONFLICT_STORE)
             ? MCK_CONFLICT_MODEL
             : MCK_CONFLICT_NONE;
}

bool mck_conflict_covers(const struct mck_conflict_access *b, const struct mck_conflict_access *a) {
  if (a->window != b->window || (b->is_polling && !a->is_polling) || (b->lock && a->lock != b->lock)) return false;
  switch ((enum mck_conflict_kind)b->kind) {
  case MCK_CONFLICT_PUT: return true;
  case MCK_CONFLICT_STORE: return mck_conflict_is_local(a) && a->process == b->process;
  case MCK_CONFLICT_GET: return a->kind == MCK_CONFLICT_GET || a->kind == MCK_CONFLICT_LOAD;
  case MCK_CONFLICT_ACCUMULATE:
    return a->kind == MCK_CONFLICT_ACCUMULATE && a->op == b->op && a->type == b->type &&
           a->is_fetching == b->is_fetching && a->process == b->process;
  case MCK_CONFLICT_LOAD: return a->kind == MCK_CONFLICT_LOAD && a->process == b->process;
  }
  return false;
}
