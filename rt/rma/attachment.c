// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rma/attachment.h"
#include <stdlib.h>
#include "api/fns.h"
#include "rma/rma-run.h"

static int compare(const void *a, const void *b) {
  const struct mck_spell *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

static bool is_same(const struct mck_spell *a, const struct mck_spell *b) {
  return a->low == b->low && a->high == b->high;
}

static bool collect(struct mck_spells *s, const struct mck_reader *log, uint32_t win, struct mck_table *open) {
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    uint32_t slot, id;
    if (e->kind != MCK_EV_ATTACH || e->attach.win != win) continue;
    uint64_t low = e->attach.address, hash = mck_table_mix(low, 0);
    if (e->flags & MCK_ATTACH_DETACHED) {
      MCK_TABLE_EACH (open, hash, slot, id)
        if (s->items[id].low == low && s->items[id].to == MCK_NONE) s->items[id].to = (uint32_t)i;
      continue;
    }
    struct mck_spell new = {low, low + e->attach.size, (uint32_t)i, MCK_NONE, e->site, 0};
    if (new.high <= low) continue;
    // Attached again, the entry of that address is taken over.
    bool is_known = false;
    MCK_TABLE_EACH (open, hash, slot, id)
      if (s->items[id].low == low && s->items[id].to != MCK_NONE) {
        open->slots[slot].next = (uint32_t)s->count + 1;
        is_known = true;
        break;
      }
    if (!MCK_PUSH(s->items, s->count, s->capacity, new)) return false;
    if (!is_known && !mck_table_add(open, hash, (uint32_t)s->count - 1)) return false;
  }
  return true;
}

bool mck_spells_make(struct mck_spells *s, const struct mck_reader *log, uint32_t win) {
  struct mck_table open = {0};
  bool is_good = collect(s, log, win, &open);
  mck_table_free(&open);
  if (!is_good || !s->count) return is_good;
  s->reach = malloc(s->count * sizeof *s->reach);
  if (!s->reach) return false;
  qsort(s->items, s->count, sizeof *s->items, compare);
  for (size_t i = 0; i < s->count; i++)
    s->reach[i] = i && s->reach[i - 1] > s->items[i].high ? s->reach[i - 1] : s->items[i].high;
  for (size_t i = s->count, next = i; i-- > 0;) {
    if (i + 1 < s->count && !is_same(&s->items[i], &s->items[i + 1])) next = i + 1;
    s->items[i].next = (uint32_t)next;
  }
  return true;
}

void mck_spells_free(struct mck_spells *s) {
  free(s->items);
  free(s->reach);
  *s = (struct mck_spells){0};
}

// Of the spells with the bytes of the first one, which follow each other in time: one that has a moment between the two
// events.
static const struct mck_spell *find_alive(const struct mck_spells *s, size_t first, uint32_t after, uint32_t before) {
  size_t low = first, high = s->items[first].next;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->items[middle].to > after) high = middle;
    else low = middle + 1;
  }
  return low < s->items[first].next && s->items[low].from < before ? &s->items[low] : NULL;
}

// The first with these bytes or later ones that reaches behind a byte.
static size_t find_first(const struct mck_spells *s, uint64_t byte) {
  size_t low = 0, high = s->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->reach[middle] > byte) high = middle;
    else low = middle + 1;
  }
  while (low && low < s->count && is_same(&s->items[low], &s->items[low - 1])) low--;
  return low;
}

static bool is_covered(const struct mck_spells *s, uint64_t low, uint64_t high, uint32_t after, uint32_t before) {
  for (size_t i = find_first(s, low); i < s->count && s->items[i].low <= low && low < high; i = s->items[i].next)
    if (s->items[i].high > low && find_alive(s, i, after, before)) low = s->items[i].high;
  return low >= high;
}

enum mck_spell_verdict mck_spells_ask(const struct mck_spells *s, uint64_t low, uint64_t high, uint32_t after,
                                      uint32_t before) {
  if (is_covered(s, low, high, after, before)) return MCK_SPELL_THERE;
  return is_covered(s, low, high, 0, MCK_NONE) ? MCK_SPELL_ELSEWHEN : MCK_SPELL_NEVER;
}

const struct mck_spell *mck_spells_find(const struct mck_spells *s, uint64_t byte, uint32_t after, uint32_t before) {
  for (size_t i = find_first(s, byte); i < s->count && s->items[i].low <= byte; i = s->items[i].next) {
    const struct mck_spell *spell = s->items[i].high > byte ? find_alive(s, i, after, before) : NULL;
    if (spell) return spell;
  }
  return NULL;
}

void mck_spells_say_stray(struct mck_finding *f, const struct mck_spells *s, const char *name, int owner, uint64_t low,
                          uint64_t high, uint32_t after, uint32_t before) {
  bool is_elsewhen = mck_spells_ask(s, low, high, after, before) == MCK_SPELL_ELSEWHEN;
  mck_finding_text(f,
                   is_elsewhen ? "%s touches memory of rank %d that is not attached to the window then"
                               : "%s touches memory of rank %d that was never attached to the window",
                   name, owner);
  const struct mck_spell *spell = is_elsewhen ? mck_spells_find(s, low, 0, MCK_NONE) : NULL;
  char range[MCK_RANGE_SIZE];
  if (spell && spell->high >= high)
    mck_finding_why(f, "%s, which are not attached any more, or not yet", mck_spell_say(range, spell, low, high));
  else mck_finding_why(f, "addresses 0x%llx to 0x%llx", (unsigned long long)low, (unsigned long long)high - 1);
}

const char *mck_spell_say(char text[MCK_RANGE_SIZE], const struct mck_spell *spell, uint64_t low, uint64_t high) {
  snprintf(text, MCK_RANGE_SIZE, "bytes %lld..%lld of the %llu that it attached", (long long)(low - spell->low),
           (long long)(high - 1 - spell->low), (unsigned long long)(spell->high - spell->low));
  return text;
}

const struct mck_spells *mck_rma_spells(struct mck_rma_run *run, uint32_t log, uint32_t win) {
  static const struct mck_spells none;
  struct mck_rma_log *l = &run->logs[log];
  uint32_t nwins = run->readers[log].nwins;
  if (!l->spells) {
    l->spells = calloc((size_t)nwins + 1, sizeof *l->spells);
    for (uint32_t i = 0; l->spells && i < nwins && !run->is_short; i++)
      if (!mck_spells_make(&l->spells[i], &run->readers[log], i)) run->is_short = true;
  }
  if (!l->spells) run->is_short = true;
  return l->spells && win < nwins ? &l->spells[win] : &none;
}

void mck_window_place(struct mck_finding *f, int owner, const struct mck_win_def *win) {
  if (!win || win->variable_length || !win->body->size) return;
  unsigned long long size = win->body->size;
  const char *fn = win->fn < MCK_FN_COUNT ? mck_fn_names[win->fn] : "a call";
  if (win->memory_site != MCK_NONE)
    mck_finding_place(f, owner, win->memory_site, "the window begins in memory of MPI_Alloc_mem");
  else
    mck_finding_place(f, owner, win->site,
                      win->fn == MCK_FN_MPI_Win_create ? "the window of %llu bytes was made by %s"
                                                       : "the %llu bytes were allocated by %s",
                      size, fn);
}
