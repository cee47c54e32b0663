// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places that findings name (finding-places.h).
#include "judge/transport/finding-places.h"
#include <stdlib.h>

static int compare_places(const void *a, const void *b) {
  const struct mck_site_place *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->site < y->site ? -1 : x->site > y->site;
}

// Counts the places that a text names, and writes them to places unless it is NULL.
static size_t places_in(const char *text, int size, struct mck_site_place *places) {
  size_t n = 0;
  struct mck_site_place next;
  for (const char *p = text; (p = mck_finding_next_place(p, &next.rank, &next.site));)
    if (next.rank >= 0 && next.rank < size) {
      if (places) places[n] = next;
      n++;
    }
  return n;
}

struct mck_site_place *mck_places_of_findings(const struct mck_findings *all, int size, size_t *n) {
  size_t count = 0, kept = 0, room = all->count * MCK_PLACES_MAX + 1;
  for (size_t i = 0; i < all->count; i++)
    room += places_in(all->items[i].text, size, NULL) + places_in(all->items[i].why, size, NULL);
  struct mck_site_place *places = malloc(room * sizeof *places);
  for (size_t i = 0; places && i < all->count; i++)
    for (uint32_t k = 0; k < all->items[i].nplaces; k++) {
      const struct mck_place *p = &all->items[i].places[k];
      if (p->rank >= 0 && p->rank < size && p->site != MCK_NONE)
        places[count++] = (struct mck_site_place){p->rank, p->site};
    }
  for (size_t i = 0; places && i < all->count; i++) {
    count += places_in(all->items[i].text, size, places + count);
    count += places_in(all->items[i].why, size, places + count);
  }
  if (count) qsort(places, count, sizeof *places, compare_places);
  for (size_t i = 0; i < count; i++)
    if (!kept || compare_places(&places[i], &places[kept - 1])) places[kept++] = places[i];
  *n = kept;
  return places;
}
