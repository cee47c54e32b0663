// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses that touch the same bytes: a sweep over the pieces of each file, in ascending order. First between accesses
// of one collective open and one epoch, since others are in order; then between different opens of one file.
#include <stdlib.h>
#include "io/io-run.h"

enum { TESTS_MAX = 1 << 26, FINDINGS_MAX = 1000 };

struct place { // an access at this place was reported; is_write: with another write; is_told: mck_io_is_told
  uint32_t log, site;
  uint16_t fn;
  bool is_write, is_told;
};
struct sweep {
  struct mck_io_run *run;
  bool is_apart;    // between different opens
  uint32_t *active; // pieces that may reach beyond the current one
  size_t nactive, capacity;
  struct mck_table place_table;
  struct place *places;
  size_t nplaces, places_capacity;
  uint64_t tests;
};

static int compare_numbers(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int compare_groups(const struct sweep *s, const struct mck_io_access *a, const struct mck_io_access *b) {
  if (s->is_apart) return compare_numbers(a->name, b->name);
  return a->file != b->file ? compare_numbers(a->file, b->file) : compare_numbers(a->epoch, b->epoch);
}

static int compare(const void *x, const void *y, void *context) {
  const struct mck_io_piece *a = x, *b = y;
  const struct sweep *s = context;
  int order = compare_groups(s, &s->run->accesses[a->access], &s->run->accesses[b->access]);
  if (!order) order = compare_numbers(a->low, b->low);
  return order ? order : compare_numbers(a->access, b->access);
}

// An access that conflicts with many is shown with the first of them. The report merges the findings of several ranks.
static bool is_reported(struct sweep *s, const struct mck_io_access *a, const struct mck_io_access *b) {
  const struct mck_event *e = mck_io_event(s->run, b);
  struct place new = {b->log, e->site, e->fn, a->is_write && b->is_write, mck_io_is_told(s->run, a, b)};
  uint32_t at, id;
  uint64_t hash = mck_table_mix((uint64_t)new.log << 32 | new.site,
                                (uint64_t)new.fn << 2 | new.is_told << 1 | new.is_write);
  MCK_TABLE_EACH (&s->place_table, hash, at, id) {
    const struct place *p = &s->places[id];
    bool is_same = p->log == new.log && p->site == new.site && p->fn == new.fn;
    if (is_same && p->is_write == new.is_write && p->is_told == new.is_told) return true;
  }
  if (s->nplaces >= FINDINGS_MAX || !MCK_PUSH(s->places, s->nplaces, s->places_capacity, new) ||
      !mck_table_add(&s->place_table, hash, (uint32_t)s->nplaces - 1)) {
    s->run->is_partial = true;
    return true;
  }
  return false;
}

static void test(struct sweep *s, const struct mck_io_piece *p, const struct mck_io_piece *q) {
  const struct mck_io_access *a = &s->run->accesses[p->access], *b = &s->run->accesses[q->access];
  // The write comes first, else the one that is first in the logs.
  if (a->is_write != b->is_write ? b->is_write : p->access > q->access) {
    const struct mck_io_access *other = a;
    a = b, b = other;
  }
  if (p->access == q->access || (s->is_apart && a->file == b->file) || !mck_io_is_conflict(s->run, a, b) ||
      is_reported(s, a, b))
    return;
  mck_io_report(s->run, a, b, q, p->low > q->low ? p->low : q->low, p->high < q->high ? p->high : q->high);
}

static void sweep_over(struct sweep *s) {
  struct mck_io_run *run = s->run;
  if (run->npieces) qsort_r(run->pieces, run->npieces, sizeof *run->pieces, compare, s);
  s->nactive = 0;
  for (size_t i = 0; i < run->npieces && !run->is_short; i++) {
    const struct mck_io_piece *q = &run->pieces[i];
    const struct mck_io_access *b = &run->accesses[q->access];
    if (s->is_apart && !b->name) continue;
    size_t kept = 0;
    for (size_t k = 0; k < s->nactive; k++) {
      const struct mck_io_piece *p = &run->pieces[s->active[k]];
      if (p->high <= q->low || compare_groups(s, &run->accesses[p->access], b)) continue;
      s->active[kept++] = s->active[k];
      test(s, p, q);
    }
    s->tests += s->nactive;
    s->nactive = kept;
    if (s->tests > TESTS_MAX) {
      run->is_partial = true;
      return;
    }
    if (!MCK_PUSH(s->active, s->nactive, s->capacity, (uint32_t)i)) run->is_short = true;
  }
}

void mck_io_find(struct mck_io_run *run) {
  struct sweep s = {.run = run};
  sweep_over(&s);
  s.is_apart = true, s.tests = 0;
  if (!run->is_short && run->nfiles > 1) sweep_over(&s);
  mck_table_free(&s.place_table);
  free(s.places), free(s.active);
}
