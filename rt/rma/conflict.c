// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix of MPI-3.1 11.7 for two accesses that nothing orders, in the unified model, and the rule that the separate
// model has beyond it.
#include "rma/access.h"

// Accumulates of one origin come in order, unless the window's info gives that up (MPI-3.1 11.7.2).
static bool is_ordered_at_origin(const struct mck_rma_like *a, const struct mck_rma_like *b,
                                 const struct mck_win_def *win) {
  uint32_t given_up = win ? win->traits : 0;
  bool reads_a = a->is_fetching, reads_b = b->is_fetching, writes_a = mck_rma_is_writing(a),
       writes_b = mck_rma_is_writing(b);
  if (a->window != b->window) return false;
  if (writes_a && writes_b && given_up & MCK_WIN_NO_WAW) return false;
  if (writes_a && reads_b && given_up & MCK_WIN_NO_RAW) return false;
  return !(reads_a && writes_b && given_up & MCK_WIN_NO_WAR);
}

// 11.7.1: accumulates with one operation, or MPI_NO_OP beside it, and one basic type are atomic to each other. What
// compare-and-swap may meet the standard does not say plainly: left alone; user-defined operations are not allowed at
// all.
static enum mck_rma_verdict of_accumulates(const struct mck_rma_like *a, const struct mck_rma_like *b,
                                           const struct mck_win_def *win) {
  if (a->log == b->log && is_ordered_at_origin(a, b, win)) return MCK_RMA_FINE;
  if (!mck_rma_is_writing(a) && !mck_rma_is_writing(b)) return MCK_RMA_FINE;
  if (a->basic != b->basic && a->basic != MCK_NONE && b->basic != MCK_NONE) return MCK_RMA_ATOMICITY;
  if (a->op == b->op || a->op == MCK_OP_CAS || b->op == MCK_OP_CAS || a->op == MCK_OP_NONE || b->op == MCK_OP_NONE)
    return MCK_RMA_FINE;
  bool is_same_op = win && win->traits & MCK_WIN_SAME_OP;
  return !is_same_op && (a->op == MCK_OP_NO_OP || b->op == MCK_OP_NO_OP) ? MCK_RMA_FINE : MCK_RMA_ATOMICITY;
}

enum mck_rma_verdict mck_rma_conflict(const struct mck_rma_like *a, const struct mck_rma_like *b,
                                      const struct mck_win_def *win) {
  if (!mck_rma_is_writing(a) && !mck_rma_is_writing(b)) return MCK_RMA_FINE;
  bool is_local_a = mck_rma_is_local(a), is_local_b = mck_rma_is_local(b);
  // Loops that put a process's own part to everybody, itself included, read what they write.
  if (a->log == b->log && (mck_rma_is_buffer(a) || mck_rma_is_buffer(b))) return MCK_RMA_FINE;
  if (is_local_a && is_local_b)
    return a->log == b->log || (a->is_polling && b->is_polling) ? MCK_RMA_FINE : MCK_RMA_RACE;
  // A load of memory in two windows is noted for both.
  if ((is_local_a || is_local_b) && a->window != b->window) return MCK_RMA_FINE;
  // Polling on a location that others update is not erroneous (11.7, the rules of the unified model).
  bool is_unified = !win || !(win->traits & MCK_WIN_SEPARATE);
  if (is_unified && ((is_local_a && a->kind == MCK_RMA_LOAD && a->is_polling) ||
                     (is_local_b && b->kind == MCK_RMA_LOAD && b->is_polling)))
    return MCK_RMA_FINE;
  if (a->window != b->window) return MCK_RMA_OVERLAP; // 11.7: "distinct, overlapping windows"
  if (a->kind == MCK_RMA_ACC && b->kind == MCK_RMA_ACC) return of_accumulates(a, b, win);
  if (!is_local_a && !is_local_b && (a->kind == MCK_RMA_ACC || b->kind == MCK_RMA_ACC)) return MCK_RMA_ATOMICITY;
  return MCK_RMA_RACE;
}

// 11.7, the separate model, rule 3: a store to a window must not start once a put or accumulate update to it has
// started, until that is visible in process memory, and conversely, "even if they access disjoint locations in the
// window".
enum mck_rma_verdict mck_rma_conflict_of_models(const struct mck_rma_like *a, const struct mck_rma_like *b) {
  bool is_update_a = !mck_rma_is_local(a) && mck_rma_is_writing(a),
       is_update_b = !mck_rma_is_local(b) && mck_rma_is_writing(b);
  if (a->window != b->window) return MCK_RMA_FINE;
  return (is_update_a && b->kind == MCK_RMA_STORE) || (is_update_b && a->kind == MCK_RMA_STORE) ? MCK_RMA_MODEL
                                                                                                : MCK_RMA_FINE;
}

bool mck_rma_covers(const struct mck_rma_like *b, const struct mck_rma_like *a) {
  if (a->window != b->window || (b->is_polling && !a->is_polling) || (b->lock && a->lock != b->lock)) return false;
  switch ((enum mck_rma_kind)b->kind) {
  case MCK_RMA_PUT: return true;
  case MCK_RMA_STORE: return mck_rma_is_local(a) && a->log == b->log;
  case MCK_RMA_GET: return a->kind == MCK_RMA_GET || a->kind == MCK_RMA_LOAD;
  case MCK_RMA_ACC:
    return a->kind == MCK_RMA_ACC && a->op == b->op && a->basic == b->basic && a->is_fetching == b->is_fetching &&
           a->log == b->log;
  case MCK_RMA_LOAD: return a->kind == MCK_RMA_LOAD && a->log == b->log;
  }
  return false;
}
