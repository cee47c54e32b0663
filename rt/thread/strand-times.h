// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clocks of strands. A strand has a component, and a clock has a time for each component: up to there everything is
// ordered before. Most clocks differ from another one in few components only: so a clock is an array that it may share
// with others, and few times besides. A strand uses the component of one that ended before it began, where there is one
// (chains of strands: Agarwal and Garg, "Efficient dependency tracking for relevant events", 2005).
//
// A clock belongs to one thread, or to the lock of the room (thread-core.h); arrays are shared, and counted.
#pragma once
#include "base/base.h"
#include "thread/thread-order.h"

enum { MCK_COMPONENT_BITS = 12, MCK_COMPONENTS = 1 << MCK_COMPONENT_BITS, MCK_TIMES_MORE = 4 };

struct mck_times_base; // times by component
struct mck_times {
  struct mck_times_base *base; // may be NULL
  uint32_t nmore;
  struct {
    uint32_t component, time;
  } more[MCK_TIMES_MORE]; // each counts where it is later than in base
};

// Moments up to these times are ordered before all that lives: they need not be in any clock.
extern _Atomic uint32_t mck_times_floor[MCK_COMPONENTS];
// Memory ran out: clocks are not complete, and everything counts as ordered.
extern _Atomic bool mck_times_are_lost;
void mck_times_lose(void);

static inline uint32_t mck_moment_component(struct mck_moment m) { return m.strand & (MCK_COMPONENTS - 1); }
uint32_t mck_times_of(const struct mck_times *clock, uint32_t component); // without the floor
bool mck_times_has(const struct mck_times *clock, struct mck_moment earlier);
void mck_times_add(struct mck_times *clock, uint32_t component, uint32_t time);
void mck_times_make_room(struct mck_times *clock); // the next time that is added needs no memory
void mck_times_join(struct mck_times *clock, const struct mck_times *other);
void mck_times_copy(struct mck_times *to, const struct mck_times *from); // to was not in use
void mck_times_clear(struct mck_times *clock);
