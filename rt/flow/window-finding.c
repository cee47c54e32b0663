// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of windows that are not what they must be. One operation that was brought to a wrong place is one finding: what
// it has overwritten there is none of its own.
#define _GNU_SOURCE 1
#include "flow/window-flow.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "api/fns.h"
#include "report/why.h"

enum { SUSPECTS_MAX = 10000, FOUND_MIN = 4 };

// Where in the window are the bytes that the operation brought, if not at their place? Only what is there once says so.
static uint64_t find_elsewhere(struct mck_window_flow *f, const struct mck_window_suspect *s) {
  const struct mck_window_part *p = &f->parts[s->part];
  bool is_put = s->read.kind == MCK_WINDOW_LOOK;
  const uint8_t *bytes = is_put ? s->writer.taken : s->read.brought;
  uint64_t shift = is_put ? s->writer.shift : s->read.shift, n = s->high - s->low;
  if (!bytes || n < FOUND_MIN || s->is_value) return 0;
  bytes += s->low + shift;
  if (bytes[0] == bytes[n - 1] && !memcmp(bytes, bytes + 1, n - 1)) return 0; // one byte, repeated
  const uint8_t *at = memmem(p->seen, p->size, bytes, n);
  if (!at) return 0;
  uint64_t behind = (uint64_t)(at - p->seen) + 1;
  return memmem(p->seen + behind, p->size - behind, bytes, n) ? 0 : p->low + behind - 1;
}

void mck_window_suspect(struct mck_window_flow *f, const struct mck_window_suspect *suspect) {
  if (f->nsuspects >= SUSPECTS_MAX) return;
  struct mck_window_suspect s = *suspect;
  // All stores are known: those of the owner, and of others that share its memory or a buffer of an operation.
  for (size_t i = 0; i < f->run->n; i++)
    if (f->run->logs[i].header->has_all_accesses != MCK_SEES_ALL) return;
  for (size_t i = 0; s.read.kind == MCK_WINDOW_ADD && i < f->nsuspects; i++) // what it fetched was wrong already
    if (f->suspects[i].read.log == s.read.log && f->suspects[i].read.at.event == s.read.at.event) return;
  s.found = find_elsewhere(f, &s);
  if (s.found == s.low) s.found = 0;
  if (!MCK_PUSH(f->suspects, f->nsuspects, f->suspects_capacity, s)) mck_walk_fail(f->walk);
}

static bool is_same_read(const struct mck_window_suspect *a, const struct mck_window_suspect *b) {
  return a->part == b->part && a->read.log == b->read.log && a->read.at.event == b->read.at.event;
}

// Are these the bytes that another operation was brought to by mistake?
static bool is_victim(const struct mck_window_flow *f, const struct mck_window_suspect *s) {
  for (size_t i = 0; i < f->nsuspects; i++) {
    const struct mck_window_suspect *o = &f->suspects[i];
    if (o == s || o->is_over || !o->found || !is_same_read(o, s) || s->read.kind != MCK_WINDOW_LOOK) continue;
    if (o->found < s->high && s->low < o->found + (o->high - o->low) && !s->found) return true;
  }
  return false;
}

static struct mck_flow_side side_of(const struct mck_window_flow *f, const struct mck_window_record *r, bool is_read) {
  struct mck_flow_side side = mck_flow_find(f->run, r->log, r->at.event, is_read, 0);
  if (!side.content) side = mck_flow_find(f->run, r->log, r->at.event, !is_read, 0);
  if (!side.content) // a look, which is content of its own
    side = (struct mck_flow_side){r->log, r->at.event, &f->run->logs[r->log].events[r->at.event]};
  return side;
}

static void say(struct mck_window_flow *f, struct mck_window_suspect *s) {
  s->is_said = true;
  const struct mck_window_part *p = &f->parts[s->part];
  struct mck_finding *finding = mck_flow_say(f->run, side_of(f, &s->writer, false), side_of(f, &s->read, true),
                                             MCK_FLOW_BYTES);
  if (!finding) return;
  uint64_t low = s->low - p->low, high = s->high - 1 - p->low;
  uint32_t owner = f->run->logs[p->log].header->rank;
  mck_finding_text(finding,
                   s->read.kind == MCK_WINDOW_LOOK
                       ? "what was brought to a window of rank %u is not there: bytes %" PRIu64 "..%" PRIu64
                       : "other data came than a window of rank %u holds: bytes %" PRIu64 "..%" PRIu64,
                   owner, low, high);
  if (s->is_value) mck_finding_why(finding, "an element is %s; what was done to it makes %s", s->came, s->expected);
  else mck_finding_why(finding, "from the first other byte on: it must be%s, it is%s", s->expected, s->came);
  if (s->found) mck_finding_why(finding, "the data is that of bytes %" PRIu64 " and on instead", s->found - p->low);
}

void mck_window_report(struct mck_window_flow *f) {
  for (size_t i = 0; i < f->nsuspects; i++) {
    struct mck_window_suspect *s = &f->suspects[i];
    bool is_repeated = false; // another piece of the same two
    for (size_t k = 0; k < i && !is_repeated; k++) {
      const struct mck_window_suspect *o = &f->suspects[k];
      is_repeated = o->is_said && is_same_read(o, s) && o->writer.log == s->writer.log &&
                    o->writer.at.event == s->writer.at.event;
    }
    if (!s->is_over && !is_repeated && !is_victim(f, s)) say(f, s);
  }
}
