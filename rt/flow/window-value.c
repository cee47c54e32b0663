// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value that a base and the accumulates on it make (MPI-3.1 11.3.4, 11.7.1), and what these may have fetched.
#include "flow/window-flow.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct mck_window_record *first_added(const struct mck_window_flow *f, const struct mck_window_state *s) {
  uint32_t r = s->first;
  while (r != MCK_NONE && f->records[r].kind != MCK_WINDOW_ADD) r = f->records[r].next;
  return r == MCK_NONE ? NULL : &f->records[r];
}

static bool is_whole(const struct mck_window_record *added, uint64_t low, uint64_t high) {
  return (low - added->begin) % added->op.size == 0 && (high - low) % added->op.size == 0;
}

static struct mck_flow_sum sum_at(struct mck_window_flow *f, const struct mck_window_state *s,
                                  const struct mck_flow_operation *op, uint64_t at) {
  struct mck_flow_sum sum;
  mck_flow_begin(&sum, op, mck_window_base(f, at));
  for (uint32_t r = s->first; r != MCK_NONE; r = f->records[r].next)
    if (f->records[r].kind == MCK_WINDOW_ADD) mck_flow_add(&sum, op, f->records[r].taken + at + f->records[r].shift);
  return sum;
}

static void say_bytes(struct mck_window_suspect *text, const uint8_t *expected, const uint8_t *came, uint64_t n) {
  uint64_t first = 0;
  while (first < n && expected[first] == came[first]) first++;
  for (uint64_t k = first, at = 0; k < n && k < first + 8; k++, at += 3) {
    snprintf(text->expected + at, sizeof text->expected - at, " %02x", expected[k]);
    snprintf(text->came + at, sizeof text->came - at, " %02x", came[k]);
  }
}

// bytes: those at an address behind the shift of now; for a look those of all of the part.
bool mck_window_holds(struct mck_window_flow *f, const struct mck_window_state *s, uint64_t low, uint64_t high,
                      const uint8_t *bytes, struct mck_window_suspect *text) {
  const struct mck_window_record *added = first_added(f, s);
  const uint8_t *came = f->now.kind == MCK_WINDOW_LOOK ? bytes : bytes + low + f->now.shift;
  if (!added) {
    if (!memcmp(mck_window_base(f, low), came, high - low)) return true;
    say_bytes(text, mck_window_base(f, low), came, high - low);
    return false;
  }
  if (!is_whole(added, low, high)) return true;
  for (uint64_t at = low; at < high; at += added->op.size) {
    struct mck_flow_sum sum = sum_at(f, s, &added->op, at);
    text->is_value = true;
    if (!mck_flow_accepts(&sum, &added->op, came + (at - low), text->expected, text->came, sizeof text->came))
      return false;
  }
  return true;
}

bool mck_window_fold(struct mck_window_flow *f, const struct mck_window_state *s, uint64_t low, uint64_t high) {
  const struct mck_window_record *added = first_added(f, s);
  if (!added) return true;
  bool is_number = added->op.form == MCK_FLOW_INTEGER || added->op.form == MCK_FLOW_UNSIGNED;
  if (!is_number || !is_whole(added, low, high)) return false;
  for (uint64_t at = low; at < high; at += added->op.size) {
    struct mck_flow_sum sum = sum_at(f, s, &added->op, at);
    if (sum.is_open) return false;
    memcpy(mck_window_base(f, at), &sum.integer, added->op.size);
  }
  return true;
}

// --- what was fetched ---
// Sums of positive numbers grow. So the operations come one after another in the order of what they fetched, and each
// fetched at least what the one before it fetched and added; exactly that, if all of them fetch.
struct fetch {
  int64_t fetched, added;
  uint32_t record;
};
enum { FETCHES_MAX = 512 };

static int64_t number(const struct mck_flow_operation *op, const uint8_t *bytes) {
  uint64_t v = 0;
  memcpy(&v, bytes, op->part);
  bool is_signed = op->form == MCK_FLOW_INTEGER;
  if (is_signed && op->part < 8 && v >> (8 * op->part - 1)) v |= UINT64_MAX << (8 * op->part);
  return (int64_t)v;
}

static void sort(struct fetch *items, size_t n) {
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k > 0 && items[k].fetched < items[k - 1].fetched; k--) {
      struct fetch other = items[k];
      items[k] = items[k - 1], items[k - 1] = other;
    }
}

// Without the operation at skipped: is there an order?
static bool is_chain(const struct fetch *items, size_t n, size_t skipped, int64_t base, int64_t end, bool is_exact) {
  int64_t value = base;
  for (size_t i = 0; i < n; i++) {
    if (i == skipped) continue;
    if (is_exact ? items[i].fetched != value : items[i].fetched < value) return false;
    value = items[i].fetched + items[i].added;
  }
  return value <= end;
}

static uint32_t look_at_element(struct mck_window_flow *f, const struct mck_window_state *s,
                                const struct mck_flow_operation *op, uint64_t at, const uint8_t *now,
                                struct mck_window_suspect *text) {
  struct fetch items[FETCHES_MAX];
  size_t n = 0, all = 0;
  for (uint32_t r = s->first; r != MCK_NONE; r = f->records[r].next) {
    const struct mck_window_record *record = &f->records[r];
    if (record->kind != MCK_WINDOW_ADD) continue;
    struct fetch new = {0, number(op, record->taken + at + record->shift), r};
    if (new.added <= 0 || ++all > FETCHES_MAX) return MCK_NONE;
    if (!record->brought) continue;
    new.fetched = number(op, record->brought + at + record->shift), items[n++] = new;
  }
  int64_t base = number(op, mck_window_base(f, at)), end = number(op, now);
  struct mck_flow_sum sum = sum_at(f, s, op, at);
  if (!n || sum.is_open || end < base) return MCK_NONE;
  sort(items, n);
  if (is_chain(items, n, n, base, end, n == all)) return MCK_NONE;
  // The one without which there is an order has fetched something wrong.
  size_t wrong = 0;
  while (wrong < n && !is_chain(items, n, wrong, base, end, false)) wrong++;
  if (wrong == n) wrong = n - 1;
  text->is_value = true;
  snprintf(text->came, sizeof text->came, "%" PRId64, items[wrong].fetched);
  snprintf(text->expected, sizeof text->expected, "a value between %" PRId64 " and %" PRId64, base, end);
  return items[wrong].record;
}

uint32_t mck_window_misfetched(struct mck_window_flow *f, const struct mck_window_state *s, uint64_t low, uint64_t high,
                               const uint8_t *bytes, struct mck_window_suspect *text) {
  const struct mck_window_record *added = first_added(f, s);
  bool is_sum = added && added->op.op == MCK_OP_SUM && is_whole(added, low, high) &&
                (added->op.form == MCK_FLOW_INTEGER || (added->op.form == MCK_FLOW_UNSIGNED && added->op.part < 8));
  for (uint64_t at = low; is_sum && at < high; at += added->op.size) {
    uint32_t wrong = look_at_element(f, s, &added->op, at, bytes + (at - low), text);
    if (wrong != MCK_NONE) return wrong;
  }
  return MCK_NONE;
}
