// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each call of a program with several strands comes by here: once before it, when its arguments are known, and once
// after it.
#include <stdlib.h>
#include <string.h>
#include "record/call/stack.h"
#include "record/access/access-sample.h"
#include "record/call/thread-level.h"
#include "record/strand/strand-buffer.h"
#include "record/strand/strand-checks.h"
#include "record/strand/strand-traffic.h"

bool mck_strand_era_is_over(uint32_t *era) {
  uint32_t now = mck_thread_era();
  if (*era == now) return false;
  *era = now;
  return true;
}

struct mck_strand_call mck_strand_call_of(struct mck_call *call) {
  struct mck_strand_call now = {.moment = mck_thread_now(),
                                .begin = mck_traffic_tick(),
                                .pc = call->pc,
                                .site = mck_call_site(call),
                                .thread = mck_strand_thread(),
                                .fn = call->fn};
  mck_thread_held(&now.held);
  return now;
}

enum mck_strand_order mck_strand_order(const struct mck_strand_call *earlier, const struct mck_strand_call *now) {
  if (earlier->moment.strand == now->moment.strand || mck_thread_has(earlier->moment)) return MCK_STRAND_ORDERED;
  if (mck_traffic_may_order(earlier, now)) return MCK_STRAND_ORDERED;
  if ((earlier->what || now->what) && earlier->thread == now->thread && mck_thread_is_task_aware())
    return MCK_STRAND_ORDERED; // two tasks, and memory that may be their thread's
  return mck_held_excludes(&earlier->held, &now->held) ? MCK_STRAND_EXCLUDED : MCK_STRAND_UNORDERED;
}

struct mck_held mck_held_common(const struct mck_held *a, const struct mck_held *b) {
  struct mck_held both = {0};
  for (uint32_t i = 0; i < a->n && i < MCK_HELD_MAX; i++)
    for (uint32_t k = 0; k < b->n && k < MCK_HELD_MAX; k++)
      if (a->held[i].lock == b->held[k].lock && a->held[i].section == b->held[k].section)
        both.held[both.n++] = a->held[i];
  return both;
}

void mck_strand_calls_add(struct mck_strand_calls *calls, const struct mck_strand_call *now) {
  size_t n = 0;
  for (size_t i = 0; i < calls->n; i++) {
    const struct mck_strand_call *c = &calls->items[i];
    bool is_own = c->moment.strand == now->moment.strand;
    bool is_kept = is_own ? c->held.n < now->held.n : !mck_thread_has(c->moment); // fewer locks exclude fewer calls
    if (is_kept) calls->items[n++] = *c;
  }
  calls->n = n;
  if (n == MCK_STRAND_CALLS_MAX) memmove(calls->items, calls->items + 1, --calls->n * sizeof *calls->items);
  (void)!MCK_PUSH(calls->items, calls->n, calls->capacity, *now);
}

void mck_strand_calls_free(struct mck_strand_calls *calls) {
  free(calls->items);
  *calls = (struct mck_strand_calls){0};
}

void mck_strands_before(struct mck_call *call, const struct mck_args *a) {
  static uint32_t era;
  if (mck_depth != 1) return;
  mck_access_sample_begin();
  mck_lock();
  if (mck_strand_era_is_over(&era)) mck_traffic_forget();
  mck_strand_section(call, a);
  struct mck_strand_call now = mck_strand_call_of(call);
  if (mck_rt.is_multiple) mck_strand_level_note(&now);
  if (!mck_level_has_one_caller()) {
    mck_strand_collective(call, a, &now);
    mck_strand_requests(call, a, &now);
    mck_strand_uses(call, a, &now);
    mck_strand_message_before(call, a, &now);
  }
  if (mck_traffic_is_out(call->fn)) mck_traffic_out(&now);
  if (call->nuses) mck_strand_call_uses(call, &now);
  mck_strand_section_read(call, false);
  mck_unlock();
  call->is_of_strands = true;
}

void mck_strands_after(struct mck_call *call, const struct mck_args *a, int rc) {
  bool is_in = mck_traffic_is_in(call->fn, a); // a probe that has found something is
  if (call->is_using || call->is_reading) {
    mck_lock();
    if (call->is_using) mck_strand_call_used(call);
    mck_strand_section_read(call, true);
    mck_unlock();
  }
  if (!is_in || !mck_strands_are_several()) return;
  mck_lock();
  if (rc == MPI_SUCCESS && !mck_level_has_one_caller()) mck_strand_message_after(call, a);
  mck_traffic_in(mck_thread_now());
  mck_unlock();
}
