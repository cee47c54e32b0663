// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the judge of fence epochs (fence-sweep.c) and its findings (fence-finding.c) share.
#pragma once
#include "api/fns.h"
#include "judge/index.h"
#include "rma/attachment.h"

enum sweep_kind { SWEEP_PUT, SWEEP_GET, SWEEP_ACC, SWEEP_STORE, SWEEP_LOAD };
struct sweep_like { // what makes a group
  uint8_t kind, op;
  bool is_freed;  // a store that is free
  bool is_marked; // operation: its origin heard of others in the epoch; access: we told others after it
  uint16_t fn;
  int32_t rank;
  uint32_t site;
  uint32_t basic; // of an accumulate: the basic type that it consists of, MCK_NONE: several, or not known
};
struct sweep_interval {
  uint64_t low, high;
  uint32_t epoch, event, group;
};
struct sweep_group {
  struct sweep_like like;
  struct sweep_interval far[2];
  uint32_t nfar;
};
struct sweep_pair {
  uint32_t a, b;
  size_t finding;
};
struct sweep {
  struct mck_decide *decide;
  const struct mck_win_def *win;
  const struct mck_rma_window *window;
  struct sweep_interval *items;
  size_t count, capacity;
  struct sweep_group *groups;
  size_t ngroups, groups_capacity;
  struct mck_table group_table;
  struct sweep_pair *pairs;
  size_t npairs, pairs_capacity;
  struct mck_table pair_table;
  uint32_t *active;
  size_t nactive, active_capacity;
  bool is_dynamic;          // displacements are addresses in what was attached (MPI-3.1 11.2.4)
  struct mck_spells spells; // ... and when that was
  uint64_t budget;          // pairs looked at, a bound for what is hopelessly tangled
  uint32_t strays_said;     // findings of operations beyond the window
  bool is_short;
};

// The fence that opened an epoch, or closes it; NULL: not here.
static inline const struct mck_fence *sweep_fence_of(const struct sweep *s, uint32_t epoch, bool is_closing) {
  uint32_t i = epoch - s->window->base - !is_closing;
  return epoch > s->window->base && i < s->window->nfences ? &s->window->fences[i] : NULL;
}

// Events of the target's log that are in an epoch: behind the first, before the second.
static inline uint32_t sweep_begin_of(const struct sweep *s, uint32_t epoch) {
  const struct mck_fence *fence = sweep_fence_of(s, epoch, false);
  return fence ? fence->event : 0;
}
static inline uint32_t sweep_end_of(const struct sweep *s, uint32_t epoch) {
  const struct mck_fence *fence = sweep_fence_of(s, epoch, true);
  return fence ? fence->event : MCK_NONE;
}

static inline bool sweep_is_access(const struct sweep_like *l) {
  return l->kind == SWEEP_STORE || l->kind == SWEEP_LOAD;
}
// Memory that comes or goes: whoever touches it must come after the one and before the other (MPI-3.1 11.2.4).
static inline bool sweep_is_change(const struct sweep_like *l) {
  return l->fn == MCK_FN_MPI_Win_attach || l->fn == MCK_FN_MPI_Win_detach;
}
static inline bool sweep_is_buffer(const struct sweep_like *l) {
  return sweep_is_access(l) && l->fn && !sweep_is_change(l);
} // of an operation
static inline bool sweep_is_writing(const struct sweep_like *l) {
  return l->kind == SWEEP_PUT || l->kind == SWEEP_STORE || (l->kind == SWEEP_ACC && l->op != MCK_OP_NO_OP);
}
// Accumulates are atomic to each other only, and only by one operation (MPI-3.1 11.7.1).
static inline bool sweep_is_atomicity(const struct sweep_like *a, const struct sweep_like *b) {
  return !sweep_is_access(a) && !sweep_is_access(b) && (a->kind == SWEEP_ACC || b->kind == SWEEP_ACC);
}

// fence-finding.c
// Bytes that the target does not have: beyond its window, or not attached to it then.
void sweep_say_stray(struct sweep *s, uint64_t low, uint64_t length, uint32_t epoch, const struct sweep_like *like);
// An assertion of a fence that is not true (MPI-3.1 11.5.5).
void sweep_say_lie(struct sweep *s, const struct mck_fence *fence, const char *mode, const struct sweep_like *l);
void sweep_report(struct sweep *s, const struct sweep_interval *x, const struct sweep_interval *y);
