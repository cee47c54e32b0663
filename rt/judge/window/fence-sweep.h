// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fence sweep: what the files share that look for races in fence epochs: fence-interval.c (which intervals there are),
// fence-sweep.c (which of them meet) and fence-finding.c (one finding for a place, or for two).
#pragma once
#include "judge/index.h"
#include "judge/window/operation-cover.h"
#include "rma/access-class.h"
#include "rma/attachment.h"

struct mck_sweep_class {
  struct mck_access_class access; // process: world rank; window: all of one window
  bool is_marked; // of an operation: its origin may have learned something of others in the epoch before it; of a load
                  // or store: others may have learned of it in the epoch
  uint64_t element; // of an accumulate: bytes of an element, 0: not known
  uint8_t position; // of an accumulate: mck_access_position
};
struct mck_sweep_interval {
  uint64_t low, high;
  uint32_t epoch, event, class;
};
struct mck_sweep_group { // the intervals of one class
  struct mck_sweep_class of;
  struct mck_sweep_interval far[2]; // those that reach farthest, of different events
  uint32_t nfar;
};
struct mck_sweep_pair {
  uint32_t a, b;
  size_t finding;
};
struct mck_sweep_untrue { // a finding about an assertion, and the last epoch that it was counted for
  size_t finding;
  uint32_t epoch;
};
struct mck_sweep {
  struct mck_decide *decide;
  const struct mck_win_def *win;
  const struct mck_rma_window *window;
  struct mck_sweep_interval *items;
  size_t count, capacity;
  struct mck_operation_cover cover;
  struct mck_sweep_group *groups;
  size_t ngroups, groups_capacity;
  struct mck_table group_table;
  struct mck_sweep_pair *pairs;
  size_t npairs, pairs_capacity;
  struct mck_table pair_table;
  struct mck_sweep_untrue *untrue;
  size_t nuntrue, untrue_capacity;
  uint32_t *active;
  size_t nactive, active_capacity;
  bool is_dynamic;                    // displacements are addresses in what was attached (MPI-3.1 11.2.4)
  struct mck_attachments attachments; // ... and when that was
  uint64_t budget;  // pairs that are looked at: a bound, for windows in which nearly everything overlaps
  uint32_t nothers; // findings that are not races
  bool is_short;
};

// The fence that opened an epoch, or closes it; NULL: not here.
static inline const struct mck_fence *mck_sweep_fence_of(const struct mck_sweep *s, uint32_t epoch, bool is_closing) {
  uint32_t i = epoch - s->window->base - !is_closing;
  return epoch > s->window->base && i < s->window->nfences ? &s->window->fences[i] : NULL;
}

// Events of the target's log that are in an epoch: behind the first, before the second.
static inline uint32_t mck_sweep_begin_of(const struct mck_sweep *s, uint32_t epoch) {
  const struct mck_fence *fence = mck_sweep_fence_of(s, epoch, false);
  return fence ? fence->event : 0;
}
static inline uint32_t mck_sweep_end_of(const struct mck_sweep *s, uint32_t epoch) {
  const struct mck_fence *fence = mck_sweep_fence_of(s, epoch, true);
  return fence ? fence->event : MCK_NONE;
}

// The target's last event that may tell others something (a send, a collective), up to the end of an epoch.
static inline uint32_t mck_sweep_told_in(const struct mck_sweep *s, uint32_t epoch) {
  const struct mck_fence *fence = mck_sweep_fence_of(s, epoch, true);
  return fence ? fence->released : s->decide->judge->released;
}

// fence-interval.c
// What one origin does to the window. false: nothing can be said of the window.
bool mck_sweep_add_origin(struct mck_sweep *s, const struct mck_delivery *from);
// What the target itself does to it. Where no operation does anything nothing is added.
void mck_sweep_add_access(struct mck_sweep *s, const struct mck_rma_access *access);

// fence-finding.c
// Bytes that the target does not have: beyond its window, or not attached to it then.
void mck_sweep_say_beyond(struct mck_sweep *s, uint64_t low, uint64_t length, uint32_t epoch,
                          const struct mck_access_class *access);
// MPI_MODE_NOPUT of the fence that opened the epoch is not true (MPI-3.1 11.5.5).
void mck_sweep_say_untrue(struct mck_sweep *s, const struct mck_fence *fence, uint32_t epoch,
                          const struct mck_access_class *access);
void mck_sweep_say_race(struct mck_sweep *s, enum mck_conflict conflict, const struct mck_sweep_interval *x,
                        const struct mck_sweep_interval *y);
