// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs the bytes that a log touches in files, and compares those of several ranks (file-filter.h). What may be a
// conflict here may still be in order: then the judge says nothing.
#include "io/file-filter.h"
#include <stdlib.h>
#include <string.h>
#include "io/io-run.h"

enum { RECORDS_MAX = 1 << 17 }; // of one rank

struct record { // group: a file and a number of transfers, or the name of a file; then other: its open
  uint64_t group, other, low, high;
  uint32_t is_write, rank, is_in_turn, unused;
};
struct records {
  struct record *items;
  size_t count, capacity;
};

static int compare_numbers(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int compare_kinds(const struct record *a, const struct record *b) {
  if (a->group != b->group) return compare_numbers(a->group, b->group);
  if (a->other != b->other) return compare_numbers(a->other, b->other);
  return compare_numbers(a->is_write << 1 | a->is_in_turn, b->is_write << 1 | b->is_in_turn);
}

static int compare_own(const void *x, const void *y) {
  const struct record *a = x, *b = y;
  int order = compare_kinds(a, b);
  return order ? order : compare_numbers(a->low, b->low);
}

static int compare_all(const void *x, const void *y) {
  const struct record *a = x, *b = y;
  return a->group != b->group ? compare_numbers(a->group, b->group) : compare_numbers(a->low, b->low);
}

static bool put(struct mck_io_bytes *to, const struct record *r) {
  if (to->capacity - to->size < sizeof *r && !mck_base_grow((void **)&to->data, &to->capacity, to->size + sizeof *r, 1))
    return false;
  memcpy(to->data + to->size, r, sizeof *r);
  to->size += sizeof *r;
  return true;
}

// Accesses in atomic mode are in no conflict.
static bool add_records(const struct mck_io_run *run, struct records *all) {
  bool is_good = true;
  for (size_t i = 0; i < run->npieces && is_good; i++) {
    const struct mck_io_piece *p = &run->pieces[i];
    const struct mck_io_access *a = &run->accesses[p->access];
    // Calls that set the size meet only what comes before them.
    uint64_t key = run->keys[a->file],
             sized = mck_table_mix(mck_table_mix(key, a->epoch), (uint64_t)a->sizes + !a->is_size);
    struct record same = {mck_table_mix(key, a->epoch), 0, p->low, p->high, a->is_write, 0, a->is_in_turn, 0},
                  apart = {a->name, key, p->low, p->high, a->is_write, 0, a->is_in_turn, 0};
    struct record size = {sized, 0, p->low, p->high, a->is_write, 0, a->is_size, 0};
    if (a->is_atomic) continue;
    is_good = (a->is_size || MCK_PUSH(all->items, all->count, all->capacity, same)) &&
              (!(a->is_size || a->is_resized) || MCK_PUSH(all->items, all->count, all->capacity, size)) &&
              (!a->name || MCK_PUSH(all->items, all->count, all->capacity, apart));
  }
  return is_good;
}

static bool pack(struct records *all, uint32_t size, struct mck_io_bytes *to) {
  size_t kept = 0;
  if (all->count) qsort(all->items, all->count, sizeof *all->items, compare_own);
  for (size_t i = 0; i < all->count; i++) { // adjacent ones become one
    struct record *last = kept ? &all->items[kept - 1] : NULL, *r = &all->items[i];
    if (!last || compare_kinds(last, r) || r->low > last->high) all->items[kept++] = *r;
    else if (r->high > last->high) last->high = r->high;
  }
  bool is_good = kept <= RECORDS_MAX;
  for (size_t i = 0; i < kept && is_good; i++)
    is_good = put(&to[mck_table_mix(all->items[i].group, 1) % size], &all->items[i]);
  return is_good;
}

bool mck_io_filter_pack(const struct mck_reader *log, uint32_t size, struct mck_io_bytes *to) {
  struct mck_findings none = {0};
  struct mck_io_run run = {.logs = log, .nlogs = 1, .findings = &none, .is_alone = true};
  struct records all = {0};
  mck_io_list(&run);
  if (!run.is_short) mck_io_find(&run);
  bool is_good = !run.is_short && !run.is_partial && !none.count && add_records(&run, &all) && pack(&all, size, to);
  mck_findings_free(&none);
  mck_io_free(&run);
  free(all.items);
  return is_good;
}

// Of one group, in ascending order: does one overlap a write of another rank, or by another open?
static bool has_conflict(const struct record *items, size_t n) {
  size_t nactive = 0, capacity = 0;
  const struct record **active = NULL;
  bool has_write = false, is_found = false;
  for (size_t i = 0; i < n; i++) has_write |= items[i].is_write;
  for (size_t i = 0; has_write && i < n && !is_found; i++) {
    const struct record *b = &items[i];
    size_t kept = 0;
    for (size_t k = 0; k < nactive; k++) {
      const struct record *a = active[k];
      if (a->high <= b->low) continue;
      active[kept++] = a;
      is_found |= (a->is_write || b->is_write) && a->rank != b->rank && (!a->other || a->other != b->other) &&
                  (a->other || !a->is_in_turn || !b->is_in_turn);
    }
    nactive = kept;
    if (nactive > RECORDS_MAX / 64 || !MCK_PUSH(active, nactive, capacity, b)) is_found = true;
  }
  free(active);
  return is_found;
}

bool mck_io_filter_ask(const struct mck_io_bytes *from, uint32_t size) {
  struct records all = {0};
  bool is_needed = false;
  for (uint32_t i = 0; i < size; i++)
    for (size_t at = 0; from[i].size - at >= sizeof(struct record) && !is_needed; at += sizeof(struct record)) {
      struct record r;
      memcpy(&r, from[i].data + at, sizeof r);
      r.rank = i;
      if (!MCK_PUSH(all.items, all.count, all.capacity, r)) is_needed = true;
    }
  if (all.count) qsort(all.items, all.count, sizeof *all.items, compare_all);
  for (size_t i = 0, n; i < all.count && !is_needed; i += n) {
    for (n = 1; i + n < all.count && all.items[i + n].group == all.items[i].group;) n++;
    is_needed = has_conflict(&all.items[i], n);
  }
  free(all.items);
  return is_needed;
}
