// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What processes say to the owner of the memory, and its answer: the parts that two of them touch, or one through two
// windows, and that are written.
#include <stdlib.h>
#include <string.h>
#include "rma/unshared-state.h"

struct shared_page {
  uint64_t number, once, twice, written;
};
struct sharing {
  struct shared_page *pages;
  size_t npages, capacity;
  struct mck_table table;
  struct mck_unshared_reach *ranges;
  size_t nranges, ranges_capacity; // sorted, merged
  bool is_all, is_short;
};

static bool put(struct mck_unshared_bytes *bytes, const void *data, size_t size) {
  if (!mck_base_grow((void **)&bytes->data, &bytes->capacity, bytes->size + size, 1)) return false;
  memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
  return true;
}

static uint32_t owner_of(const struct mck_unshared *l, const struct mck_unshared_page *p) {
  return l->wins[p->win].targets[p->target]->world;
}

bool mck_unshared_pack(const struct mck_unshared *l, uint32_t owner, struct mck_unshared_bytes *bytes) {
  struct mck_unshared_head head = {.is_lost = l->is_lost};
  *bytes = (struct mck_unshared_bytes){0};
  for (size_t i = 0; i < l->npages; i++) head.npages += owner_of(l, &l->pages[i]) == owner;
  for (size_t i = 0; i < l->nranges; i++) head.nranges += l->ranges[i].owner == owner;
  if (!head.npages && !head.nranges && !head.is_lost) return true;
  bool is_good = put(bytes, &head, sizeof head);
  for (size_t i = 0; is_good && i < l->npages; i++) {
    const struct mck_unshared_page *p = &l->pages[i];
    struct mck_unshared_touched page = {p->number, p->touched, p->written};
    if (owner_of(l, p) == owner) is_good = put(bytes, &page, sizeof page);
  }
  for (size_t i = 0; is_good && i < l->nranges; i++) {
    struct mck_unshared_reach reach = {l->ranges[i].low, l->ranges[i].high};
    if (l->ranges[i].owner == owner) is_good = put(bytes, &reach, sizeof reach);
  }
  return is_good;
}

// --- the owner ---
static bool open_pages(const struct mck_unshared_bytes *from, struct mck_unshared_head *head, const uint8_t **pages,
                       const uint8_t **ranges) {
  *head = (struct mck_unshared_head){0};
  if (!from->size) return true;
  if (from->size < sizeof *head) return false;
  memcpy(head, from->data, sizeof *head);
  size_t left = from->size - sizeof *head;
  *pages = from->data + sizeof *head;
  if (head->npages > left / sizeof(struct mck_unshared_touched)) return false;
  left -= head->npages * sizeof(struct mck_unshared_touched);
  *ranges = *pages + head->npages * sizeof(struct mck_unshared_touched);
  return head->nranges == left / sizeof(struct mck_unshared_reach) && left % sizeof(struct mck_unshared_reach) == 0;
}

static struct shared_page *find_page(struct sharing *s, uint64_t number) {
  uint64_t hash = mck_table_mix(number, 0);
  uint32_t slot, id;
  MCK_TABLE_EACH (&s->table, hash, slot, id)
    if (s->pages[id].number == number) return &s->pages[id];
  struct shared_page new = {.number = number};
  if (!MCK_PUSH(s->pages, s->npages, s->capacity, new) || !mck_table_add(&s->table, hash, (uint32_t)s->npages - 1))
    return s->is_short = true, NULL;
  return &s->pages[s->npages - 1];
}

static void collect(struct sharing *s, const struct mck_unshared_bytes *from) {
  struct mck_unshared_head head;
  const uint8_t *pages, *ranges;
  if (!open_pages(from, &head, &pages, &ranges) || head.is_lost) {
    s->is_all = true;
    return;
  }
  for (uint64_t i = 0; i < head.npages; i++) {
    struct mck_unshared_touched page;
    memcpy(&page, pages + i * sizeof page, sizeof page);
    struct shared_page *p = find_page(s, page.number);
    if (!p) return;
    p->twice |= p->once & page.touched, p->once |= page.touched, p->written |= page.written;
  }
  for (uint64_t i = 0; i < head.nranges; i++) {
    struct mck_unshared_reach reach;
    memcpy(&reach, ranges + i * sizeof reach, sizeof reach);
    if (!MCK_PUSH(s->ranges, s->nranges, s->ranges_capacity, reach)) s->is_short = true;
  }
}

static int compare_ranges(const void *a, const void *b) {
  const struct mck_unshared_reach *x = a, *y = b;
  return x->low != y->low ? (x->low < y->low ? -1 : 1) : 0;
}

static void merge_ranges(struct sharing *s) {
  size_t kept = 0;
  if (s->nranges) qsort(s->ranges, s->nranges, sizeof *s->ranges, compare_ranges);
  for (size_t i = 0; i < s->nranges; i++) {
    struct mck_unshared_reach r = s->ranges[i];
    if (kept && r.low <= s->ranges[kept - 1].high) {
      if (r.high > s->ranges[kept - 1].high) s->ranges[kept - 1].high = r.high;
    } else s->ranges[kept++] = r;
  }
  s->nranges = kept;
}

// What overlaps a range is kept, even if both are of one process.
static uint64_t parts_in_ranges(const struct sharing *s, uint64_t number) {
  uint64_t first = number * UNSHARED_PAGE, end = first + UNSHARED_PAGE, parts = 0;
  size_t low = 0, high = s->nranges;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->ranges[middle].high <= first) low = middle + 1;
    else high = middle;
  }
  for (; low < s->nranges && s->ranges[low].low < end; low++) {
    uint64_t from = s->ranges[low].low > first ? s->ranges[low].low : first,
             to = s->ranges[low].high < end ? s->ranges[low].high : end;
    parts |= mck_unshared_parts(from, to);
  }
  return parts;
}

static bool answer(struct sharing *s, const struct mck_unshared_bytes *from, struct mck_unshared_bytes *to) {
  struct mck_unshared_head head;
  const uint8_t *pages, *ranges;
  bool is_good = open_pages(from, &head, &pages, &ranges), is_any = false;
  *to = (struct mck_unshared_bytes){0};
  // A rank whose bytes cannot be read gets an answer that does not fit: then it keeps everything.
  if (!is_good) return put(to, "?", 1);
  for (uint64_t i = 0; i < head.npages; i++) {
    struct mck_unshared_touched page;
    memcpy(&page, pages + i * sizeof page, sizeof page);
    const struct shared_page *p = find_page(s, page.number);
    if (!p) return false;
    uint64_t shared = s->is_all ? page.touched
                                : page.touched & ((p->twice & p->written) | parts_in_ranges(s, page.number));
    is_any |= shared != 0;
    if (!put(to, &shared, sizeof shared)) return false;
  }
  if (!is_any) to->size = 0;
  return true;
}

bool mck_unshared_answer(const struct mck_unshared_bytes *from, uint32_t nranks, struct mck_unshared_bytes *to) {
  struct sharing s = {0};
  for (uint32_t r = 0; r < nranks && !s.is_short; r++) collect(&s, &from[r]);
  merge_ranges(&s);
  for (uint32_t r = 0; r < nranks && !s.is_short; r++)
    if (!answer(&s, &from[r], &to[r])) s.is_short = true;
  mck_table_free(&s.table);
  free(s.pages), free(s.ranges);
  return !s.is_short;
}

void mck_unshared_take_answer(struct mck_unshared *l, uint32_t owner, const uint8_t *data, size_t size) {
  size_t k = 0;
  for (size_t i = 0; size && i < l->npages; i++) {
    struct mck_unshared_page *p = &l->pages[i];
    uint64_t shared;
    if (owner_of(l, p) != owner) continue;
    if (size % sizeof shared || k >= size / sizeof shared) shared = p->touched;
    else memcpy(&shared, data + k * sizeof shared, sizeof shared);
    p->kept |= shared;
    k++;
  }
}
