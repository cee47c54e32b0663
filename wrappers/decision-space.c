// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The space of decisions (decision-space.h): a stack of open runs, and the bounds of DAMPI.
#include "decision-space.h"
#include <stdlib.h>
#include <string.h>

void mck_item_free(struct mck_item *item) {
  free(item->forced);
  *item = (struct mck_item){0};
}

static bool is_same(struct mck_message_name a, struct mck_message_name b) {
  return a.source == b.source && (a.tag == b.tag || a.tag < 0 || b.tag < 0);
}

static bool has_all(const struct mck_choices *run, const struct mck_item *item) {
  for (size_t i = 0; i < item->nforced; i++) {
    const struct mck_choice *c = mck_choices_find(run, item->forced[i].rank, item->forced[i].number);
    if (!c || !is_same(c->got, item->forced[i].name)) return false;
  }
  return true;
}

static uint64_t hash_of(const struct mck_decision *forced, size_t n) {
  uint64_t hash = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t words[2] = {(uint64_t)forced[i].rank << 32 | forced[i].number,
                         (uint64_t)(uint32_t)forced[i].name.source << 32 | (uint32_t)forced[i].name.tag};
    hash = mck_base_hash(words, sizeof words, hash);
  }
  return hash;
}

static bool is_tried(const struct mck_space *s, uint64_t hash) {
  for (size_t i = 0; i < s->ntried; i++)
    if (s->tried[i] == hash) return true;
  return false;
}

void mck_space_note(struct mck_space *s, const struct mck_decision *forced, size_t n) {
  uint64_t hash = hash_of(forced, n);
  if (!is_tried(s, hash)) (void)MCK_PUSH(s->tried, s->ntried, s->tried_capacity, hash);
}

const struct mck_made *mck_space_find(const struct mck_space *s, long number) {
  for (size_t i = 0; i < s->nmade; i++)
    if (s->made[i].number == number) return &s->made[i];
  return NULL;
}

// Bounded mixing: in a run that was made for one wildcard, only the next few wildcards that come after that one get
// other messages.
static bool is_mixed(const struct mck_space *s, const struct mck_made *made, const struct mck_choice *c) {
  if (!s->mixing || made->depth == 0) return true;
  const struct mck_choice *last = mck_choices_find(&made->choices, made->last.rank, made->last.number);
  if (!last || !mck_choices_is_after(last, c)) return false;
  long before = 0;
  for (size_t i = 0; i < made->choices.count; i++) {
    const struct mck_choice *other = &made->choices.items[i];
    before += other != c && mck_choices_is_after(last, other) && mck_choices_is_after(other, c);
  }
  return before < s->mixing;
}

static bool push(struct mck_space *s, const struct mck_made *made, const struct mck_choice *c,
                 struct mck_message_name other) {
  struct mck_item item = {.parent = made->number, .depth = made->depth + 1, .was = c->got};
  item.last = (struct mck_decision){c->rank, c->number, other};
  item.forced = malloc((made->choices.count + 1) * sizeof *item.forced);
  if (!item.forced) return false;
  for (size_t i = 0; i < made->choices.count; i++) {
    const struct mck_choice *p = &made->choices.items[i];
    if (p == c) item.forced[item.nforced++] = item.last;
    else if (!mck_choices_is_after(c, p))
      item.forced[item.nforced++] = (struct mck_decision){p->rank, p->number, p->got};
  }
  return MCK_PUSH(s->open, s->nopen, s->open_capacity, item);
}

bool mck_space_add(struct mck_space *s, const struct mck_made *new) {
  if (!MCK_PUSH(s->made, s->nmade, s->made_capacity, *new)) return false;
  const struct mck_made *made = &s->made[s->nmade - 1];
  for (size_t i = 0; i < made->choices.count; i++) {
    const struct mck_choice *c = &made->choices.items[i];
    if (!c->nothers) continue;
    long nth = 0; // the number of earlier wildcards of this place and rank
    for (size_t k = 0; s->per_site && k < i; k++)
      nth += made->choices.items[k].rank == c->rank && made->choices.items[k].site == c->site;
    bool is_out = (s->max_depth && made->depth >= s->max_depth) || (s->per_site && nth >= s->per_site) ||
                  !is_mixed(s, made, c);
    if (is_out) s->left_out += c->nothers;
    for (size_t k = 0; !is_out && k < c->nothers; k++)
      if (!push(s, made, c, c->others[k])) return false;
  }
  return true;
}

bool mck_space_take(struct mck_space *s, struct mck_item *item) {
  while (s->nopen) {
    *item = s->open[--s->nopen];
    bool is_known = is_tried(s, hash_of(item->forced, item->nforced));
    for (size_t i = 0; i < s->nmade && !is_known; i++) is_known = has_all(&s->made[i].choices, item);
    if (!is_known) {
      mck_space_note(s, item->forced, item->nforced);
      return true;
    }
    mck_item_free(item);
  }
  return false;
}
