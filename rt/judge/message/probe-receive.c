// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the receive behind a probe whose source it has (probe-receive.h).
#include "judge/message/probe-receive.h"

// The innermost frames are the two calls. All others are equal, and so is the function's number, which inlining keeps.
static bool is_same_function(const struct mck_reader *log, uint32_t one, uint32_t two) {
  const struct mck_stack_def *a = &log->stacks[one], *b = &log->stacks[two];
  if (a->status >> MCK_TOLD_FUNCTION_SHIFT != b->status >> MCK_TOLD_FUNCTION_SHIFT || a->depth != b->depth)
    return false;
  for (uint32_t i = 1; i < a->depth; i++)
    if (a->frames[i] != b->frames[i]) return false;
  return true;
}

static bool is_receive_of(const struct mck_reader *log, const struct mck_event *probe, const struct mck_event *e) {
  uint32_t told = mck_told_at(log, e->site);
  if (e->kind != MCK_EV_RECV || !(told & MCK_TOLD_NAMES) || e->flags & (MCK_FLAG_NONBLOCKING | MCK_FLAG_CANCELLED) ||
      mck_event_any_source(e) || mck_event_is_forced(probe) || e->msg.comm != probe->msg.comm ||
      e->msg.peer != probe->msg.peer || e->msg.tag != probe->msg.tag || !is_same_function(log, probe->site, e->site))
    return false;
  // With another message it would ask for that one's tag, too.
  return mck_event_any_tag(probe) ? mck_event_any_tag(e) || told & MCK_TOLD_NAMES_TAG : !mck_event_any_tag(e);
}

uint32_t mck_told_receive(const struct mck_reader *log, uint32_t probe) {
  const struct mck_event *p = &log->events[probe];
  if (!mck_told_is_passed(log, p) || !(p->flags & MCK_FLAG_MATCHED)) return MCK_NONE;
  for (uint64_t i = probe + (uint64_t)mck_event_units(p); i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    if (e->kind == MCK_EV_PAD || e->kind == MCK_EV_ACCESS || e->kind >= MCK_EV_DEF_MODULE) continue;
    return is_receive_of(log, p, e) ? (uint32_t)i : MCK_NONE;
  }
  return MCK_NONE;
}
