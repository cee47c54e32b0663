// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdatomic.h>
#include <string.h>
#include "thread/strand.h"
#include "thread/room-memory.h"

struct mck_clock_set {
  _Atomic uint32_t refs;
  struct mck_times clock;
};

// The strands that have used a component, by their number; the latest ones are kept.
struct users {
  struct mck_strand_info *infos;
  uint32_t capacity, next; // next: the number of the next strand
  struct mck_strand *now;
};
enum { USERS_MAX = 256, LOOKS = 32, NUMBERS = 1 << (32 - MCK_COMPONENT_BITS) };
static struct users users[MCK_COMPONENTS];
static uint32_t last[MCK_COMPONENTS]; // the last time of a component that no strand has
static uint32_t ncomponents;          // those that were ever used
static uint16_t free_ones[MCK_COMPONENTS], ended[MCK_COMPONENTS];
static uint32_t nfree, nended; // free: all that lives knows their last time; ended: perhaps not all

uint32_t mck_strand_live;
_Atomic uint32_t mck_strand_era;
_Atomic bool mck_thread_is_parallel;
uint8_t *mck_thread_byte;

uint32_t mck_strand_components(void) { return __atomic_load_n(&ncomponents, __ATOMIC_RELAXED); }

static uint32_t add_user(uint32_t component, const struct mck_strand_info *info) {
  struct users *u = &users[component];
  if (u->next >= u->capacity && u->capacity < USERS_MAX) {
    uint32_t capacity = u->capacity ? 2 * u->capacity : 2;
    struct mck_strand_info *infos = mck_thread_alloc(capacity * sizeof *infos);
    if (infos && u->capacity) memcpy(infos, u->infos, u->capacity * sizeof *infos);
    if (infos) mck_thread_free(u->infos), u->infos = infos, u->capacity = capacity;
  }
  if (u->capacity) u->infos[u->next % u->capacity] = *info;
  return (u->next++ % NUMBERS) << MCK_COMPONENT_BITS | component;
}

static struct mck_strand_info *info_of(uint32_t id) {
  struct users *u = &users[id & (MCK_COMPONENTS - 1)];
  uint32_t number = id >> MCK_COMPONENT_BITS, age = (u->next - 1 - number) % NUMBERS;
  return age < u->capacity ? &u->infos[(u->next - 1 - age) % u->capacity] : NULL;
}

struct mck_strand *mck_strand_of(uint32_t component) { return users[component].now; }

bool mck_strand_find(uint32_t id, struct mck_strand_info *info) {
  const struct mck_strand_info *found = info_of(id);
  if (found) *info = *found;
  return found;
}

void mck_strand_set_name(uint32_t id, const char *name) {
  struct mck_strand_info *info = info_of(id);
  if (info) strncpy(info->name, name, sizeof info->name - 1);
}

// A component whose last user ended before what is in clock, or that nobody has used.
static int64_t find_component(const struct mck_times *clock) {
  if (nfree) return free_ones[--nfree];
  for (uint32_t looks = ncomponents < MCK_COMPONENTS ? LOOKS : MCK_COMPONENTS, i = nended; i > 0 && looks; i--, looks--)
    if (last[ended[i - 1]] <= mck_times_of(clock, ended[i - 1])) {
      uint32_t component = ended[i - 1];
      ended[i - 1] = ended[--nended];
      return component;
    }
  return ncomponents < MCK_COMPONENTS ? (int64_t)ncomponents++ : -1;
}

void mck_strand_expect(void) {
  if (++mck_strand_live > 1) {
    atomic_store_explicit(&mck_thread_is_parallel, true, memory_order_relaxed);
    if (mck_thread_byte) __atomic_store_n(mck_thread_byte, 1, __ATOMIC_RELAXED);
  }
}
void mck_strand_expect_end(void) { mck_strand_live--; }

struct mck_strand *mck_strand_new(const struct mck_times *clock, const struct mck_strand_info *info) {
  struct mck_strand *strand = mck_thread_alloc(sizeof *strand);
  if (!strand) mck_times_lose();
  int64_t component = strand ? find_component(clock) : -1;
  if (component < 0) {
    mck_thread_free(strand);
    return NULL;
  }
  strand->id = add_user((uint32_t)component, info);
  users[component].now = strand;
  strand->time = last[component] + 1;
  mck_times_copy(&strand->clock, clock);
  mck_strand_expect();
  return strand;
}

uint32_t mck_strand_rename(struct mck_strand *strand, const struct mck_strand_info *info) {
  uint32_t old = strand->id;
  strand->id = add_user(old & (MCK_COMPONENTS - 1), info);
  return old;
}
void mck_strand_resume(struct mck_strand *strand, uint32_t id) { strand->id = id; }

static void forget_taken(struct mck_strand *strand) {
  mck_clock_set_release(strand->taken);
  strand->taken = NULL;
}

// The time that stands for all moments until now. Later ones get a later time.
static uint32_t publish(struct mck_strand *strand) {
  if (!strand->is_noted) return strand->time - 1;
  forget_taken(strand);
  if (strand->time == UINT32_MAX) return UINT32_MAX; // later moments count as ordered
  strand->is_noted = false;
  return strand->time++;
}

void mck_strand_release(struct mck_strand *strand, struct mck_times *to) {
  uint32_t time = publish(strand);
  mck_times_join(to, &strand->clock);
  mck_times_add(to, strand->id & (MCK_COMPONENTS - 1), time);
}

void mck_strand_go_back(struct mck_strand *strand, struct mck_times *to) {
  if (strand->taken) forget_taken(strand);
  strand->learned++;
  mck_times_clear(&strand->clock);
  strand->clock = *to;
  *to = (struct mck_times){0};
}

void mck_strand_acquire(struct mck_strand *strand, const struct mck_times *from) {
  if (strand->taken) forget_taken(strand);
  strand->learned++;
  mck_times_join(&strand->clock, from);
  mck_times_make_room(&strand->clock); // a release to an empty clock allocates nothing: sem_post in a signal handler
}

void mck_strand_end(struct mck_strand *strand, struct mck_times *to) {
  uint32_t component = strand->id & (MCK_COMPONENTS - 1);
  mck_strand_release(strand, to);
  last[component] = publish(strand);
  users[component].now = NULL;
  ended[nended++] = (uint16_t)component;
  mck_strand_live--;
  mck_strand_forget(strand);
  mck_times_clear(&strand->before);
  mck_thread_free(strand->section);
  mck_thread_free(strand);
}

struct mck_moment mck_strand_now(struct mck_strand *strand) {
  strand->is_noted = true;
  return (struct mck_moment){strand->id, strand->time};
}

bool mck_strand_has(const struct mck_strand *strand, struct mck_moment earlier) {
  if (((earlier.strand ^ strand->id) & (MCK_COMPONENTS - 1)) == 0 && earlier.time <= strand->time) return true;
  return mck_times_has(&strand->clock, earlier);
}

struct mck_clock_set *mck_strand_take(struct mck_strand *strand) {
  if (!strand->taken || strand->is_noted) {
    struct mck_clock_set *set = mck_thread_alloc(sizeof *set);
    if (!set) return NULL;
    atomic_init(&set->refs, 1);
    mck_strand_release(strand, &set->clock);
    strand->taken = set;
  }
  atomic_fetch_add_explicit(&strand->taken->refs, 1, memory_order_relaxed);
  return strand->taken;
}

bool mck_clock_set_has(const struct mck_clock_set *c, struct mck_moment earlier) {
  return !c || mck_times_has(&c->clock, earlier); // NULL: there was no memory, or the strand is not known
}

void mck_clock_set_release(struct mck_clock_set *c) {
  if (!c || atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) != 1) return;
  mck_times_clear(&c->clock);
  mck_thread_free(c);
}

static void raise_floor(uint32_t component, uint32_t time) {
  if (time > atomic_load_explicit(&mck_times_floor[component], memory_order_relaxed))
    atomic_store_explicit(&mck_times_floor[component], time, memory_order_relaxed);
}

// All that lives has what is in clock, and the ends of all strands.
static void end_era(const struct mck_times *clock) {
  for (uint32_t i = 0; i < nended; i++) free_ones[nfree++] = ended[i];
  nended = 0;
  for (uint32_t i = 0; i < ncomponents; i++) raise_floor(i, mck_times_of(clock, i));
  atomic_fetch_add_explicit(&mck_strand_era, 1, memory_order_relaxed);
}

static bool has_ends(const struct mck_times *clock) {
  for (uint32_t i = 0; i < nended; i++)
    if (last[ended[i]] > mck_times_of(clock, ended[i]) &&
        last[ended[i]] > atomic_load_explicit(&mck_times_floor[ended[i]], memory_order_relaxed))
      return false;
  return true;
}

void mck_strand_joined(struct mck_strand *strand) {
  if (mck_strand_live > 1 || !has_ends(&strand->clock)) return;
  struct mck_times all = {0};
  mck_strand_release(strand, &all);
  end_era(&all);
  mck_times_clear(&all);
  mck_strand_forget(strand);
  atomic_store_explicit(&mck_thread_is_parallel, false, memory_order_relaxed);
}

void mck_strand_forget(struct mck_strand *strand) {
  if (strand->taken) forget_taken(strand);
  strand->learned++;
  mck_times_clear(&strand->clock), mck_times_clear(&strand->fenced), mck_times_clear(&strand->seen);
}

bool mck_strand_met(uint32_t n, struct mck_times *clock) {
  if (n != mck_strand_live || !has_ends(clock)) return false;
  end_era(clock);
  mck_times_clear(clock);
  return true;
}
