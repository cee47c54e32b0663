// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access: what an operation, a load or a store does to window memory, and what makes two of them a race.
#pragma once
#include "rma/rma-run.h"

enum mck_rma_kind { MCK_RMA_PUT, MCK_RMA_GET, MCK_RMA_ACC, MCK_RMA_STORE, MCK_RMA_LOAD };
// What many accesses have in common.
struct mck_rma_like {
  uint8_t kind, op, lock; // lock: enum mck_rma_lock, of the owner's memory
  bool is_fetching;
  bool is_polling; // an atomic or volatile load or store: made to meet others
  bool is_change;  // memory of a dynamic window comes or goes (MPI-3.1 11.2.4), or is freed: a store to all of it
  uint16_t fn;     // of a load or store: of the operation whose buffer it is, of the change (0: free), else 0
  uint32_t log, site, window, basic;
};
struct mck_rma_access {
  uint32_t next; // in the list of an interval
  uint32_t event, done_log, done, like;
  bool is_dark; // its rank had heard more than the logs tell
};
enum mck_rma_verdict { MCK_RMA_FINE, MCK_RMA_RACE, MCK_RMA_ATOMICITY, MCK_RMA_OVERLAP, MCK_RMA_MODEL };

// What they are if nothing orders them, by different events (MPI-3.1 11.7). win: of the first one.
enum mck_rma_verdict mck_rma_conflict(const struct mck_rma_like *a, const struct mck_rma_like *b,
                                      const struct mck_win_def *win);
// The same of two that may not even touch different bytes of one process's window, in the separate model.
enum mck_rma_verdict mck_rma_conflict_of_models(const struct mck_rma_like *a, const struct mck_rma_like *b);
// Whatever conflicts with a conflicts with b, too: once b comes after a, nobody need ask about a.
bool mck_rma_covers(const struct mck_rma_like *b, const struct mck_rma_like *a);
static inline bool mck_rma_is_local(const struct mck_rma_like *l) { return l->kind >= MCK_RMA_STORE; }
static inline bool mck_rma_is_buffer(const struct mck_rma_like *l) {
  return mck_rma_is_local(l) && l->fn && !l->is_change;
}
static inline bool mck_rma_is_writing(const struct mck_rma_like *l) {
  return l->kind == MCK_RMA_PUT || l->kind == MCK_RMA_STORE || (l->kind == MCK_RMA_ACC && l->op != MCK_OP_NO_OP);
}
