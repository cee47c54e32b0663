// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer's part of what repeats (log-repeat.h).
#include "log/log-repeat.h"

static uint32_t index_of(const struct mck_log *log, const struct mck_event *e) { return (uint32_t)(e - log->first); }

enum { MOST_FAILURES = 16384, BROKEN = 4, PAUSE = 16384, MOST_PAUSES = 6 }; // BROKEN: a loop with too few turns

// --- search ---------------------------------------------------------------------------------------------------------
static uint32_t back(uint32_t request, uint32_t index) { return request == MCK_NONE ? MCK_NONE : index - request; }

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9fb21c651e98df25); // an odd number with bits everywhere
  return hash ^ hash >> 29;
}
// A completion by its first and last request: the others are compared.
static uint64_t hash_of(const struct mck_event *e, uint32_t index) {
  struct mck_unit unit;
  memcpy(&unit, e, sizeof unit);
  if (mck_event_is_completion(e) && e->wait.count) {
    unit.word[2] = back(mck_wait_request(e, 0), index);
    unit.word[3] = back(mck_wait_request(e, e->wait.count - 1), index);
  }
  return mix(mix(mix(mix(0, unit.word[0]), unit.word[1]), unit.word[2]), unit.word[3]);
}

static bool is_equal_completion(const struct mck_event *a, uint32_t a_index, const struct mck_event *b,
                                uint32_t b_index) {
  if (memcmp(a, b, offsetof(struct mck_event, wait.request)) != 0) return false;
  for (uint32_t i = 0; i < a->wait.count; i++)
    if (back(mck_wait_request(a, i), a_index) != back(mck_wait_request(b, i), b_index)) return false;
  return true;
}

void mck_log_repeat_seek(struct mck_log *log, const struct mck_event *e, uint32_t units) {
  struct mck_log_repeat *r = &log->repeat;
  uint32_t index = index_of(log, e);
  // What was found is no loop, or one with too few turns: where that goes on, looking is not worth its time.
  if (++r->failures > MOST_FAILURES) {
    r->quiet = index + (PAUSE << (r->pauses < MOST_PAUSES ? r->pauses++ : MOST_PAUSES));
    r->failures = 0;
    return;
  }
  uint64_t hash = hash_of(e, index), *seen = &r->seen[hash % MCK_REPEAT_SEEN];
  uint32_t tag = (uint32_t)(hash >> 32), seen_tag = (uint32_t)(*seen >> 32), earlier = (uint32_t)*seen;
  *seen = (uint64_t)tag << 32 | index;
  if (seen_tag != tag || earlier < r->literal || earlier >= index) return;
  uint32_t distance = index - earlier;
  if (distance > (r->wide > earlier ? MCK_REPEAT_LONGEST_WIDE : MCK_REPEAT_LONGEST)) return;
  const struct mck_event *other = &log->first[earlier];
  if (mck_event_units(other) != units || (mck_event_is_completion(e) ? !is_equal_completion(e, index, other, earlier)
                                                                     : memcmp(e, other, units * sizeof *e) != 0))
    return;
  r->cursor = other + units;
  r->matched = 0;
}

// --- runs -----------------------------------------------------------------------------------------------------------
// The turn is what the log ends with, as far as the cursor is behind.
static struct mck_event *begin_run(struct mck_log *log, const struct mck_event *cursor) {
  struct mck_log_repeat *r = &log->repeat;
  struct mck_event *e = mck_log_reserve(log, 1);
  if (!e) return NULL;
  r->run = e, r->begin = r->cursor = cursor, r->end = e;
  r->failures = r->pauses = 0;
  r->stop = log->first + log->limit_units - (e - cursor) - MCK_REPEAT_TAIL;
  *e = (struct mck_event){.kind = MCK_EV_REPEAT, .site = MCK_NONE};
  e->repeat.extra = MCK_NONE, e->repeat.distance = (uint32_t)(e - cursor);
  atomic_store_explicit(&log->header->has_repeats, 1, memory_order_release);
  return e;
}

uint32_t mck_log_repeat_match(struct mck_log *log, uint32_t units) {
  struct mck_log_repeat *r = &log->repeat;
  const struct mck_event *cursor = r->cursor;
  uint32_t shift = (uint32_t)(log->next - cursor), index = index_of(log, log->next);
  r->cursor = NULL; // nothing is over
  if (++r->matched > r->after && r->after && log->limit_units - index > (uint64_t)shift + MCK_REPEAT_TAIL)
    return begin_run(log, cursor) ? mck_log_repeat_take(log, units) : MCK_NONE;
  struct mck_event *e = mck_log_reserve(log, units);
  if (!e) return MCK_NONE;
  mck_log_repeat_copy(cursor, units, shift, e);
  if (units > 1) r->wide = index + 1;
  r->cursor = cursor + units;
  return mck_log_commit(log, units);
}

// All units of the run are there but the first, which is the REPEAT. Readers see a REPEAT, an event that is taken back,
// or the event.
static void write_first(struct mck_event *run, uint32_t distance) {
  struct mck_event first;
  mck_log_repeat_fill(run, distance, 0, 1, &first);
  uint8_t kind = first.kind;
  mck_event_unmake(run);
  atomic_thread_fence(memory_order_release);
  first.kind = MCK_EV_PAD;
  *run = first;
  __atomic_store_n(&run->kind, kind, __ATOMIC_RELEASE);
}

// Where the event begins that has this unit of the run. Readers pass from event to event.
static uint32_t begin_of_event(const struct mck_event *run, uint32_t distance, uint32_t unit) {
  const struct mck_event *turn = run - distance;
  uint32_t at = unit - unit % distance, units;
  while (at + (units = (uint32_t)mck_event_units(&turn[at % distance])) <= unit) at += units;
  return at;
}

// The run is over: so many units stay left out.
static void keep(struct mck_log *log, struct mck_event *run, uint32_t n) {
  struct mck_log_repeat *r = &log->repeat;
  run->repeat.before = r->last;
  __atomic_store_n(&run->repeat.extra, n - 1, __ATOMIC_RELEASE);
  r->last = index_of(log, run) + 1, r->literal = index_of(log, run) + n;
}

void mck_log_repeat_end(struct mck_log *log) {
  struct mck_log_repeat *r = &log->repeat;
  struct mck_event *run = r->run;
  r->cursor = NULL, r->run = NULL;
  if (!run) {
    r->failures += BROKEN;
    return;
  }
  uint32_t distance = run->repeat.distance, n = (uint32_t)(log->next - run);
  uint32_t left_out = n > MCK_REPEAT_TAIL ? n - MCK_REPEAT_TAIL : 1;
  bool is_wide = r->wide > index_of(log, run) - distance;
  if (left_out > 1 && is_wide) left_out = begin_of_event(run, distance, left_out);
  if (!left_out) left_out = 1;
  if (is_wide) r->wide = index_of(log, log->next);
  uint32_t tail = n - left_out;
  int rc = mck_log_map_units(log, log->next - tail, log->next);
  if (rc) {
    keep(log, run, n);
    mck_log_stop(log, rc);
    return;
  }
  mck_log_repeat_fill(run, distance, left_out, tail, log->next - tail);
  if (left_out > 1) {
    keep(log, run, left_out);
    return;
  }
  write_first(run, distance);
}

// --- changes of what was left out -----------------------------------------------------------------------------------
// Writes all of the run that this REPEAT begins. Returns 0 or an errno.
static int write_run(struct mck_log *log, uint32_t repeat) {
  struct mck_event *run = &log->first[repeat - 1];
  uint32_t n = run->repeat.extra + 1, distance = run->repeat.distance, earlier = run->repeat.before;
  int rc = mck_log_remap_units(log, run, run + n);
  if (rc) return rc;
  mck_log_repeat_fill(run, distance, 1, n - 1, run + 1);
  write_first(run, distance);
  uint32_t *link = &log->repeat.last;
  while (*link != repeat) link = &log->first[*link - 1].repeat.before;
  *link = earlier;
  return 0;
}

struct mck_event *mck_log_repeat_write(struct mck_log *log, uint32_t index) {
  struct mck_log_repeat *r = &log->repeat;
  bool is_concerned = r->run && index >= index_of(log, r->begin);
  int rc = 0;
  if (is_concerned) mck_log_repeat_end(log);
  else if (!r->run) r->cursor = NULL; // it may be what the next events are compared with
  for (uint32_t repeat = r->last, earlier; repeat && !rc; repeat = earlier) {
    const struct mck_event *run = &log->first[repeat - 1];
    earlier = run->repeat.before;
    uint32_t begin = repeat - 1 - run->repeat.distance;
    if (index < begin || index - begin > run->repeat.distance + run->repeat.extra) continue;
    is_concerned = true;
    rc = write_run(log, repeat);
  }
  // It may well happen again: for a while nothing is left out.
  if (is_concerned) r->quiet = index_of(log, log->next) + MCK_REPEAT_LONGEST;
  if (rc) mck_log_stop(log, rc); // the event says what is no longer so
  return rc ? NULL : &log->first[index];
}

void mck_log_repeat_off(struct mck_log *log) {
  mck_log_repeat_end(log);
  log->repeat.after = 0;
}

void mck_log_repeat_restart(struct mck_log *log) {
  uint32_t after = log->repeat.after;
  memset(&log->repeat, 0, sizeof log->repeat);
  log->repeat.after = after;
}

void mck_log_repeat_close(struct mck_log *log) {
  struct mck_log_repeat *r = &log->repeat;
  if (r->run) keep(log, r->run, (uint32_t)(log->next - r->run));
  r->run = NULL, r->cursor = NULL, r->after = 0;
}

// --- completions of several requests --------------------------------------------------------------------------------
static bool is_at_cursor(const struct mck_log *log, const struct mck_event *head, const uint32_t *requests,
                         uint32_t n) {
  const struct mck_event *cursor = log->repeat.cursor;
  if (!cursor || memcmp(cursor, head, offsetof(struct mck_event, wait.request)) != 0) return false;
  uint32_t behind = (uint32_t)(log->next - cursor);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t earlier = mck_wait_request(cursor, i);
    if (earlier == MCK_NONE ? requests[i] != MCK_NONE : earlier + behind != requests[i]) return false;
  }
  return true;
}

uint32_t mck_log_put_completion(struct mck_log *log, const struct mck_event *head, const uint32_t *requests,
                                uint32_t n) {
  uint32_t extra = head->wait.extra;
  if (is_at_cursor(log, head, requests, n)) return mck_log_repeat_take(log, 1 + extra);
  struct mck_event *e = mck_log_reserve(log, 1 + (size_t)extra);
  if (!e) return MCK_NONE;
  *e = *head;
  uint32_t *more = (uint32_t *)(e + 1);
  for (uint32_t i = 0; i < 4; i++) e->wait.request[i] = i < n ? requests[i] : MCK_NONE;
  if (n > 4) memcpy(more, requests + 4, ((size_t)n - 4) * sizeof *more);
  for (uint32_t i = n > 4 ? n - 4 : 0; i < extra * 8; i++) more[i] = MCK_NONE;
  if (extra) log->repeat.wide = index_of(log, e) + 1;
  mck_log_repeat_look(log, e, 1 + extra);
  return mck_log_commit(log, 1 + (size_t)extra);
}
