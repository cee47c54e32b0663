// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes movements into the block of the thread. Tens of nanoseconds: no lock, no allocation, and a system call only
// for a new block.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include "flow/recorder/recorder.h"
#include "flow/recorder/trace-writer.h"

_Thread_local struct mck_flow_thread mck_flow_thread;

// Copies that follow each other within so many ticks (1 to 2 us) may become one run: a message that another process
// answers in between takes longer, mostly. Where it does not, the reader sees that the time is not exact. Loops that
// poll repeat one and the same small copy for as long as they like.
enum { RUN_GAP = 4096, SMALL = 64 };

bool mck_flow_enter_recorder(struct mck_flow_thread *t) {
  if (!mck_flow_is_open()) return false;
  if (MCK_UNLIKELY(t->is_busy)) { // a signal handler
    if (!t->lost_since) t->lost_since = mck_flow_now();
    return false;
  }
  t->is_busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  return true;
}

struct mck_trace_slot *mck_flow_reserve(struct mck_flow_thread *t, unsigned n) {
  if (MCK_UNLIKELY((size_t)(t->end - t->next) < n) && !mck_flow_new_block(t)) return NULL;
  return t->next;
}

void mck_flow_commit(struct mck_flow_thread *t, unsigned n) {
  t->next += n;
  uint64_t used = (uint64_t)(t->next - (struct mck_trace_slot *)(t->block + 1));
  atomic_store_explicit(&t->block->state, t->turn | used, memory_order_release);
}

static void write_lost(struct mck_flow_thread *t) {
  struct mck_trace_slot *s = mck_flow_reserve(t, 2);
  uint64_t since = t->lost_since;
  if (!s) return;
  s[0] = mck_trace_pack(MCK_TRACE_LOST, 2, mck_flow_now(), 0, 0, 0, 0);
  s[1] = (struct mck_trace_slot){.time = since};
  mck_flow_commit(t, 2);
  t->lost_since = 0, t->growing = NULL;
}

void mck_flow_leave_recorder(struct mck_flow_thread *t) {
  if (MCK_UNLIKELY(t->lost_since)) write_lost(t);
  atomic_signal_fence(memory_order_seq_cst);
  t->is_busy = false;
}

void mck_flow_lose(void) {
  struct mck_flow_thread *t = &mck_flow_thread;
  if (!mck_flow_enter_recorder(t)) return;
  t->lost_since = mck_flow_now();
  mck_flow_leave_recorder(t);
}

// --- who moves ---
// Return addresses that have a CALLER record. Two threads may both write one. Where the table is full, the library of
// further ones stays unknown.
enum { CALLERS = 4096, PROBES = 8 };
static _Atomic uint64_t callers[CALLERS];

static bool is_known_caller(uint64_t caller) {
  uint64_t at = caller * UINT64_C(0x9e3779b97f4a7c15) >> 52;
  for (unsigned i = 0; i < PROBES; i++) {
    _Atomic uint64_t *place = &callers[(at + i) % CALLERS];
    uint64_t there = atomic_load_explicit(place, memory_order_relaxed);
    if (there == caller) return true;
    if (there == 0) return atomic_store_explicit(place, caller, memory_order_relaxed), false;
  }
  return true;
}

// _dl_find_object takes no lock, and may be called in a signal handler.
static void write_caller(struct mck_flow_thread *t, uint64_t caller) {
  struct dl_find_object found;
  if (_dl_find_object((void *)(uintptr_t)caller, &found) != 0) return;
  const struct link_map *map = found.dlfo_link_map;
  const char *path = map->l_name && *map->l_name ? map->l_name : mck_flow_program;
  size_t size = strnlen(path, 4096);
  unsigned slots = 1 + (unsigned)((sizeof(uint64_t) + size + MCK_TRACE_SLOT) / MCK_TRACE_SLOT);
  struct mck_trace_slot *s = mck_flow_reserve(t, slots);
  if (!s) return;
  s[0] = mck_trace_pack(MCK_TRACE_CALLER, slots, mck_flow_now(), caller, 0, 0, 0);
  for (unsigned i = 1; i < slots; i++) s[i] = (struct mck_trace_slot){0}; // a zero byte ends the path
  s[1].time = map->l_addr;
  mck_flow_plain_copy(&s[1].from, path, size);
  mck_flow_commit(t, slots);
}

static void write_call(struct mck_flow_thread *t, uint64_t now) {
  struct mck_trace_slot *s = mck_flow_reserve(t, 1);
  if (!s) return;
  s[0] = mck_trace_pack(MCK_TRACE_CALL, 1, now, 0, 0, 0, t->fn);
  mck_flow_commit(t, 1);
  t->is_call_written = true;
}

// What stands before a movement.
static void name_caller(struct mck_flow_thread *t, uint64_t caller) {
  uint64_t *last = &t->last_callers[caller >> 4 & 1]; // the two or three places of a loop
  if (MCK_LIKELY(*last == caller)) return;
  if (!is_known_caller(caller)) write_caller(t, caller);
  *last = caller;
}
static void prepare(struct mck_flow_thread *t, uint64_t now, uint64_t caller) {
  if (MCK_UNLIKELY(!t->is_call_written)) write_call(t, now);
  name_caller(t, caller);
}

// --- copies ---
static bool grow(struct mck_flow_thread *t, uint64_t from, uint64_t to, uint64_t size, uint64_t caller, uint64_t now) {
  struct mck_trace_slot *s = t->growing;
  if (!s || mck_trace_length(s) != size || (s->caller & MCK_TRACE_ADDRESS) != caller) return false;
  int64_t from_step = (int64_t)(from - t->from), to_step = (int64_t)(to - t->to);
  bool is_same = from_step == 0 && to_step == 0;
  if (!is_same && size > MCK_TRACE_LENGTH_MAX / 2) return false;
  if (now - t->time > RUN_GAP && (!is_same || size > SMALL)) return false;
  if (!is_same && ((uint64_t)(to_step < 0 ? -to_step : to_step) < size)) return false;
  struct mck_trace_run *run = (struct mck_trace_run *)(s + 1);
  if (mck_trace_kind(s) == MCK_TRACE_COPY) {
    if (t->next == t->end) return false;
    *run = (struct mck_trace_run){now, 2, from_step, to_step};
    atomic_signal_fence(memory_order_release);
    s->from = (s->from & (MCK_TRACE_ADDRESS | MCK_TRACE_IN)) | (uint64_t)MCK_TRACE_RUN << 48 | UINT64_C(2) << 56;
    mck_flow_commit(t, 1);
  } else {
    if (run->from_step != from_step || run->to_step != to_step || run->count == MCK_TRACE_COUNT_MAX) return false;
    if (!is_same && (run->count + 1) * size > MCK_TRACE_LENGTH_MAX) return false;
    run->time = now, run->count++;
  }
  t->from = from, t->to = to, t->time = now;
  return true;
}

static void write_copy(struct mck_flow_thread *t, uint64_t from, uint64_t to, uint64_t size, uint64_t caller,
                       uint64_t now) {
  if (size > UINT16_MAX) prepare(t, now, caller);
  else name_caller(t, caller);
  for (uint64_t part; size; size -= part, from += part, to += part) {
    part = size < MCK_TRACE_LENGTH_MAX ? size : MCK_TRACE_LENGTH_MAX;
    struct mck_trace_slot *s = mck_flow_reserve(t, 1);
    if (!s) return;
    bool is_in = !t->is_call_written && part <= UINT16_MAX; // (a new block has no CALL yet)
    s[0] = is_in ? mck_trace_pack_in(now, from, to, part, caller, t->fn)
                 : mck_trace_pack(MCK_TRACE_COPY, 1, now, from, to, part, caller);
    t->is_call_written |= is_in;
    mck_flow_commit(t, 1);
    t->growing = s, t->from = from, t->to = to, t->time = now;
  }
}

MCK_HOT void mck_flow_copy(const void *from, const void *to, size_t size, const void *caller) {
  struct mck_flow_thread *t = &mck_flow_thread;
  if (from == to || !mck_flow_enter_recorder(t)) return;
  uint64_t now = mck_flow_now(), a = (uintptr_t)from, b = (uintptr_t)to, place = (uintptr_t)caller;
  if (!grow(t, a, b, size, place, now)) write_copy(t, a, b, size, place, now);
  mck_flow_leave_recorder(t);
}

// --- all others ---
static void advance(struct mck_flow_move *m, struct mck_trace_slot *more, uint64_t part) {
  if (m->from) m->from = (const char *)m->from + part;
  if (m->to) m->to = (const char *)m->to + part;
  m->size -= part;
  if (m->kind == MCK_TRACE_SEND || m->kind == MCK_TRACE_RECEIVE) ((struct mck_trace_stream *)more)->position += part;
  if (m->kind == MCK_TRACE_READ || m->kind == MCK_TRACE_WRITE) ((struct mck_trace_object *)more)->offset += part;
}

void mck_flow_move(const struct mck_flow_move *move) {
  struct mck_flow_thread *t = &mck_flow_thread;
  if (!mck_flow_enter_recorder(t)) return;
  struct mck_flow_move m = *move;
  struct mck_trace_slot more;
  more = *(const struct mck_trace_slot *)m.more;
  prepare(t, m.time, (uintptr_t)m.caller);
  if (m.kind == MCK_TRACE_MISCOPY && !is_known_caller(more.time)) write_caller(t, more.time);
  t->growing = NULL;
  while (m.size) {
    uint64_t part = m.size < MCK_TRACE_LENGTH_MAX ? m.size : MCK_TRACE_LENGTH_MAX;
    struct mck_trace_slot *s = mck_flow_reserve(t, 2);
    if (!s) break;
    s[0] = mck_trace_pack(m.kind, 2, m.time, (uintptr_t)m.from, (uintptr_t)m.to, part, (uintptr_t)m.caller);
    s[1] = more;
    mck_flow_commit(t, 2);
    advance(&m, &more, part);
  }
  mck_flow_leave_recorder(t);
}
