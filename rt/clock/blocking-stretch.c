// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clocks along a stretch of sends and blocking receives with nothing else pending. This one loop does what clock.c
// does event by event.
#include "clock/clock-stamp.h"

// Does what mck_clock_post does, for the events of a stretch.
static inline void post(struct mck_clock_log *log, const struct mck_event *e, uint32_t index) {
  if (!mck_event_is_wild(e) || log->nwildcards == log->wildcards_capacity) return;
  if (!log->first) log->first = e;
  log->is_mixed |= !mck_event_any_source(e) || !mck_clock_is_alike(log, e);
  log->wildcards[log->nwildcards++] = (struct mck_clock_wildcard){index, UINT32_MAX};
}

// The receive has its match: it gets its value, and takes over the clock of its message.
static inline void complete(struct mck_clock *c, struct mck_clock_log *log, uint32_t index, struct mck_pair with) {
  if (log->nwildcards && log->wildcards[log->nwildcards - 1].index == index) { // R4
    log->wildcards[log->nwildcards - 1].value = log->clock[log->component]++;
    log->latest = MCK_NONE;
  }
  mck_clock_merge_from(c, log, with);
}

void mck_clock_stretch(void *context, struct mck_order_stretch *s) {
  struct mck_clock *c = context;
  struct mck_clock_log *log = &c->by_log[s->log];
  const struct mck_event *events = c->logs[s->log].events;
  const struct mck_pair *pairs = c->pairs->of[s->log];
  bool takes = !log->has_any_tag && !log->values, keeps = c->keeps_receives, is_owner = log->is_owner;
  uint64_t i = s->at;
  for (; i < s->end; i++) {
    const struct mck_event *e = &events[i];
    __builtin_prefetch(e + MCK_LOG_AHEAD);
    if (!mck_order_is_simple(e)) {
      if (mck_order_is_call(e)) break;
      i += mck_event_units(e) - 1;
    } else if (e->kind == MCK_EV_SEND) log->stamps[i] = mck_clock_stamp_now(c, log);
    else {
      struct mck_pair with = pairs[i];
      if (with.log == MCK_NONE || !takes) break;
      if (!s->is_entered) {
        if (keeps) log->stamps[i] = mck_clock_stamp_now(c, log);
        if (is_owner) post(log, e, (uint32_t)i);
        s->reached[s->log] = i + 1;
      }
      s->is_entered = with.index >= s->reached[with.log];
      if (s->is_entered) {
        s->with = with;
        s->at = i;
        return;
      }
      complete(c, log, (uint32_t)i, with);
    }
  }
  s->reached[s->log] = s->at = i;
}
