// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strands: their life, and how order passes from one to another. It knows neither OpenMP nor pthreads. Its functions
// are called with the lock of the room held (thread-core.h), on any thread; those marked "own" need no lock, and are
// called on the thread that runs the strand.
#pragma once
#include "thread/strand-times.h"

enum mck_strand_kind { MCK_STRAND_MAIN, MCK_STRAND_THREAD, MCK_STRAND_IMPLICIT, MCK_STRAND_TASK };
struct mck_strand_info { // for reports
  enum mck_strand_kind kind;
  uint32_t number, of; // OpenMP's thread number, and the size of its team
  const void *began;   // a code address, or NULL
  char name[16];       // of a thread
};
struct mck_section_log; // what a section whose accesses are all known has stored (thread-section.c)
struct mck_lock_held {
  const void *lock; // its address
  uint32_t number, section, depth;
};
struct mck_strand {
  uint32_t id;      // its number, and its component in the lowest bits
  uint32_t time;    // of its moments from now on
  uint32_t learned; // how often its clock has changed
  bool is_noted;    // some moment with this time was asked for
  bool is_task;     // an explicit task of OpenMP
  bool is_unsure;   // it holds more locks than fit below
  uint32_t nheld;
  struct mck_lock_held held[MCK_HELD_MAX];
  struct mck_times clock;          // without its own component
  struct mck_times fenced;         // what is published by relaxed stores behind its last release fence
  struct mck_times seen;           // what relaxed loads found: its next acquire fence takes it
  struct mck_clock_set *taken;     // the last one that was asked for, while it is still true
  struct mck_times before;         // the clock as it was before it took its last lock (thread-section.c)
  struct mck_section_log *section; // what it stored in its known section; kept for the next one
  const void *left;                // the lock that it was found to have left before it was told (sync-object.h)
};

// The strands that have not ended, and tasks that will be strands.
extern uint32_t mck_strand_live;
void mck_strand_expect(void);     // a task was made,
void mck_strand_expect_end(void); // and begins, or never will
extern _Atomic uint32_t mck_strand_era;
uint32_t mck_strand_components(void); // that were ever used

// A strand that begins behind what is in clock; NULL: there are too many, or no memory.
struct mck_strand *mck_strand_new(const struct mck_times *clock, const struct mck_strand_info *info);
// Ends it, frees it, and adds all it did to a clock.
void mck_strand_end(struct mck_strand *strand, struct mck_times *to);
// It goes on as another one, for reports. The result is what mck_strand_resume takes to undo it.
uint32_t mck_strand_rename(struct mck_strand *strand, const struct mck_strand_info *info);
void mck_strand_resume(struct mck_strand *strand, uint32_t id);
struct mck_strand *mck_strand_of(uint32_t component); // the one that uses it now, or NULL
bool mck_strand_find(uint32_t id, struct mck_strand_info *info);
void mck_strand_set_name(uint32_t id, const char *name);

void mck_strand_release(struct mck_strand *strand, struct mck_times *to); // what it did until now is added (own)
void mck_strand_acquire(struct mck_strand *strand, const struct mck_times *from);
void mck_strand_go_back(struct mck_strand *strand, struct mck_times *to);        // to its clock earlier; takes it
struct mck_moment mck_strand_now(struct mck_strand *strand);                     // own
bool mck_strand_has(const struct mck_strand *strand, struct mck_moment earlier); // own
struct mck_clock_set *mck_strand_take(struct mck_strand *strand);                // own

// The strand has joined others. If it is the only one left, and knows the ends of all, an era ends.
void mck_strand_joined(struct mck_strand *strand);
// n strands are at a barrier, and clock has all of them: an era ends if there are no others. Then clock is cleared, and
// each of them forgets its own, too, before it goes on.
bool mck_strand_met(uint32_t n, struct mck_times *clock);
void mck_strand_forget(struct mck_strand *strand);
