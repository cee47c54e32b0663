// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread/barrier.h"

void mck_barrier_arrive(struct mck_barrier *barrier, struct mck_strand *strand, uint32_t phase) {
  struct mck_meeting *m = &barrier->meetings[phase & 1];
  if (m->is_left) { // that of two phases ago, which all have left
    mck_times_clear(&m->clock);
    *m = (struct mck_meeting){0};
  }
  m->narrived++;
  if (strand) mck_strand_release(strand, &m->clock);
}

void mck_barrier_leave(struct mck_barrier *barrier, struct mck_strand *strand, uint32_t phase, struct mck_times *also) {
  struct mck_meeting *m = &barrier->meetings[phase & 1];
  if (!m->is_left) {
    m->is_left = true;
    if (also) mck_times_join(&m->clock, also), mck_times_clear(also);
    m->is_era = m->narrived == barrier->n && mck_strand_met(barrier->n, &m->clock);
  }
  if (!strand) return;
  if (m->is_era) mck_strand_forget(strand);
  else mck_strand_acquire(strand, &m->clock);
}

void mck_barrier_clear(struct mck_barrier *barrier) {
  for (int i = 0; i < 2; i++) mck_times_clear(&barrier->meetings[i].clock);
}
