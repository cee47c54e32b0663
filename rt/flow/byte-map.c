// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of 16 KiB in a hash table. Large movements touch few pages; a page of single bytes is still moved quickly.
#include "flow/byte-map.h"
#include <stdlib.h>
#include <string.h>
#include "uthash.h"

enum { PAGE = 16 << 10 };

struct segment {
  uint32_t low, high; // in the page
  struct mck_label label;
};
struct page {
  struct key {
    uint64_t number;
    uint64_t space;
  } key;
  struct segment *segments;
  size_t count, capacity;
  UT_hash_handle hh;
};
struct mck_byte_map {
  struct page *pages, *last; // last: the page that was found last
};

struct mck_byte_map *mck_byte_map_open(void) { return calloc(1, sizeof(struct mck_byte_map)); }

void mck_byte_map_close(struct mck_byte_map *map) {
  struct page *page, *next;
  if (!map) return;
  HASH_ITER(hh, map->pages, page, next) {
    HASH_DEL(map->pages, page);
    free(page->segments);
    free(page);
  }
  free(map);
}

static struct page *find(struct mck_byte_map *map, uint32_t space, uint64_t number) {
  if (map->last && map->last->key.number == number && map->last->key.space == space) return map->last;
  struct key key = {number, space};
  struct page *page;
  HASH_FIND(hh, map->pages, &key, sizeof key, page);
  if (page) map->last = page;
  return page;
}

static struct page *find_or_add(struct mck_byte_map *map, uint32_t space, uint64_t number) {
  struct page *page = find(map, space, number), *found = NULL;
  if (page) return page;
  page = calloc(1, sizeof *page);
  if (!page) return NULL;
  page->key = (struct key){number, space};
  HASH_ADD(hh, map->pages, key, sizeof page->key, page);
  HASH_FIND(hh, map->pages, &page->key, sizeof page->key, found);
  if (!found) free(page); // the table could not grow
  return map->last = found;
}

// The first segment that ends behind low.
static size_t first_behind(const struct page *page, uint32_t low) {
  size_t a = 0, b = page->count;
  if (b && page->segments[b - 1].high <= low) return b; // memory is mostly written upwards
  while (a < b) {
    size_t middle = (a + b) / 2;
    if (page->segments[middle].high <= low) a = middle + 1;
    else b = middle;
  }
  return a;
}

static struct mck_label shifted(const struct mck_label *label, uint64_t by) {
  struct mck_label l = *label;
  l.address += by;
  return l;
}

static bool continues(const struct segment *a, const struct segment *b) {
  return a->high == b->low && a->label.address + (a->high - a->low) == b->label.address &&
         a->label.time == b->label.time && a->label.move == b->label.move && a->label.rank == b->label.rank &&
         a->label.node == b->label.node && a->label.flags == b->label.flags;
}

// Replaces what is in [low, high) by one segment (label NULL: by nothing).
static bool replace(struct page *page, uint32_t low, uint32_t high, const struct mck_label *label) {
  size_t i = first_behind(page, low), j = i, n = 0;
  struct segment in[3]; // what stays of the first one, the new one, what stays of the last one
  while (j < page->count && page->segments[j].low < high) j++;
  if (i < j && page->segments[i].low < low)
    in[n++] = (struct segment){page->segments[i].low, low, page->segments[i].label};
  if (label) in[n++] = (struct segment){low, high, *label};
  if (i < j && page->segments[j - 1].high > high) {
    const struct segment *last = &page->segments[j - 1];
    in[n++] = (struct segment){high, last->high, shifted(&last->label, high - last->low)};
  }
  if (label && n && i > 0 && in[0].low == low && continues(&page->segments[i - 1], &in[0])) {
    page->segments[i - 1].high = in[0].high;
    memmove(in, in + 1, --n * sizeof *in);
  }
  size_t count = page->count - (j - i) + n;
  if (count > page->capacity &&
      !mck_base_grow((void **)&page->segments, &page->capacity, count, sizeof *page->segments))
    return false;
  if (page->count > j) memmove(page->segments + i + n, page->segments + j, (page->count - j) * sizeof *in);
  if (n) memcpy(page->segments + i, in, n * sizeof *in);
  page->count = count;
  return true;
}

bool mck_byte_map_set(struct mck_byte_map *map, uint32_t space, uint64_t at, uint64_t length,
                      const struct mck_label *label) {
  for (uint64_t done = 0, n; done < length; done += n) {
    uint32_t low = (uint32_t)((at + done) % PAGE);
    n = PAGE - low < length - done ? PAGE - low : length - done;
    struct page *page = find_or_add(map, space, (at + done) / PAGE);
    struct mck_label l = shifted(label, done);
    if (!page || !replace(page, low, low + (uint32_t)n, &l)) return false;
  }
  return true;
}

bool mck_byte_map_erase(struct mck_byte_map *map, uint32_t space, uint64_t at, uint64_t length) {
  for (uint64_t done = 0, n; done < length; done += n) {
    uint32_t low = (uint32_t)((at + done) % PAGE);
    n = PAGE - low < length - done ? PAGE - low : length - done;
    struct page *page = find(map, space, (at + done) / PAGE);
    if (page && page->count && !replace(page, low, low + (uint32_t)n, NULL)) return false;
  }
  return true;
}

// One page: gaps and segments in turn. base: the address of its first byte.
static bool visit_page(const struct page *page, uint64_t base, uint32_t low, uint32_t high,
                       mck_byte_map_visit_fn *visit, void *context) {
  for (size_t i = page ? first_behind(page, low) : 0; page && i < page->count && low < high; i++) {
    const struct segment *s = &page->segments[i];
    if (s->low >= high) break;
    if (s->low > low && !visit(context, base + low, s->low - low, NULL)) return false;
    if (s->low > low) low = s->low;
    uint32_t end = s->high < high ? s->high : high;
    struct mck_label label = shifted(&s->label, low - s->low);
    if (!visit(context, base + low, end - low, &label)) return false;
    low = end;
  }
  return low == high || visit(context, base + low, high - low, NULL);
}

bool mck_byte_map_visit(struct mck_byte_map *map, uint32_t space, uint64_t at, uint64_t length,
                        mck_byte_map_visit_fn *visit, void *context) {
  for (uint64_t done = 0, n; done < length; done += n) {
    uint32_t low = (uint32_t)((at + done) % PAGE);
    n = PAGE - low < length - done ? PAGE - low : length - done;
    struct page *page = find(map, space, (at + done) / PAGE);
    if (!visit_page(page, (at + done) - low, low, low + (uint32_t)n, visit, context)) return false;
  }
  return true;
}

void mck_byte_map_each(struct mck_byte_map *map, mck_byte_map_each_fn *visit, void *context) {
  for (struct page *page = map->pages; page; page = page->hh.next)
    for (size_t i = 0; i < page->count; i++) {
      const struct segment *s = &page->segments[i];
      if (!visit(context, (uint32_t)page->key.space, page->key.number * PAGE + s->low, s->high - s->low, &s->label))
        return;
    }
}
