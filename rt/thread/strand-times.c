// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdatomic.h>
#include <string.h>
#include "thread/strand-times.h"
#include "thread/room-memory.h"

struct mck_times_base {
  _Atomic uint32_t refs;
  uint32_t n, capacity;
  uint32_t times[];
};

_Atomic uint32_t mck_times_floor[MCK_COMPONENTS];
_Atomic bool mck_times_are_lost;

void mck_times_lose(void) { atomic_store_explicit(&mck_times_are_lost, true, memory_order_relaxed); }

static struct mck_times_base *keep(struct mck_times_base *base) {
  if (base) atomic_fetch_add_explicit(&base->refs, 1, memory_order_relaxed);
  return base;
}
static void drop(struct mck_times_base *base) {
  if (base && atomic_fetch_sub_explicit(&base->refs, 1, memory_order_acq_rel) == 1) mck_thread_free(base);
}

static inline uint32_t time_in(const struct mck_times_base *base, uint32_t component) {
  return base && component < base->n ? base->times[component] : 0;
}

uint32_t mck_times_of(const struct mck_times *clock, uint32_t component) {
  uint32_t time = time_in(clock->base, component);
  for (uint32_t i = 0; i < clock->nmore; i++)
    if (clock->more[i].component == component && clock->more[i].time > time) time = clock->more[i].time;
  return time;
}

bool mck_times_has(const struct mck_times *clock, struct mck_moment earlier) {
  uint32_t component = mck_moment_component(earlier);
  return earlier.time <= atomic_load_explicit(&mck_times_floor[component], memory_order_relaxed) ||
         earlier.time <= mck_times_of(clock, component) ||
         atomic_load_explicit(&mck_times_are_lost, memory_order_relaxed);
}

// Makes the array of clock its own, with room for n components.
static bool own(struct mck_times *clock, uint32_t n) {
  struct mck_times_base *old = clock->base;
  if (old && atomic_load_explicit(&old->refs, memory_order_acquire) == 1 && n <= old->capacity) {
    if (n > old->n) memset(old->times + old->n, 0, (n - old->n) * sizeof *old->times), old->n = n;
    return true;
  }
  if (old && n < old->n) n = old->n;
  uint32_t capacity = n <= 12 ? 12 : n + n / 4;
  struct mck_times_base *base = mck_thread_alloc(sizeof *base + capacity * sizeof *base->times);
  if (!base) {
    mck_times_lose();
    return false;
  }
  atomic_init(&base->refs, 1);
  base->n = n, base->capacity = capacity;
  uint32_t had = old ? old->n : 0;
  if (had) memcpy(base->times, old->times, had * sizeof *base->times);
  memset(base->times + had, 0, (n - had) * sizeof *base->times);
  drop(old);
  clock->base = base;
  return true;
}

// Moves the few times into the array.
static void flatten(struct mck_times *clock) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < clock->nmore; i++)
    if (clock->more[i].component >= n) n = clock->more[i].component + 1;
  if (!own(clock, n)) return;
  for (uint32_t i = 0; i < clock->nmore; i++) {
    uint32_t *time = &clock->base->times[clock->more[i].component];
    if (clock->more[i].time > *time) *time = clock->more[i].time;
  }
  clock->nmore = 0;
}

void mck_times_add(struct mck_times *clock, uint32_t component, uint32_t time) {
  if (time <= time_in(clock->base, component)) return;
  for (uint32_t i = 0; i < clock->nmore; i++)
    if (clock->more[i].component == component) {
      if (time > clock->more[i].time) clock->more[i].time = time;
      return;
    }
  if (clock->nmore == MCK_TIMES_MORE) {
    flatten(clock);
    if (!clock->base) return;
  }
  clock->more[clock->nmore].component = component;
  clock->more[clock->nmore++].time = time;
}

void mck_times_make_room(struct mck_times *clock) {
  if (clock->nmore == MCK_TIMES_MORE) flatten(clock);
}

static bool is_within(const struct mck_times_base *a, const struct mck_times_base *b) {
  uint32_t common = a->n < b->n ? a->n : b->n, later = 0;
  for (uint32_t i = 0; i < common; i++) later |= a->times[i] > b->times[i];
  for (uint32_t i = common; i < a->n; i++) later |= a->times[i] > 0;
  return !later;
}

void mck_times_join(struct mck_times *clock, const struct mck_times *other) {
  struct mck_times_base *base = other->base;
  if (base && base != clock->base) {
    if (!clock->base || is_within(clock->base, base)) {
      drop(clock->base);
      clock->base = keep(base);
    } else if (!is_within(base, clock->base) && own(clock, base->n))
      for (uint32_t i = 0; i < base->n; i++)
        if (base->times[i] > clock->base->times[i]) clock->base->times[i] = base->times[i];
  }
  for (uint32_t i = 0; i < other->nmore; i++) mck_times_add(clock, other->more[i].component, other->more[i].time);
}

void mck_times_copy(struct mck_times *to, const struct mck_times *from) {
  *to = *from;
  keep(to->base);
}

void mck_times_clear(struct mck_times *clock) {
  drop(clock->base);
  *clock = (struct mck_times){0};
}
