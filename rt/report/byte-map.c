// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pieces of a byte map (byte-map.h). It needs base only: it is part of the runtime and of the report library.
#include "report/byte-map.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mck_byte_map *mck_map_begin(struct mck_finding *f, uint64_t size, int64_t shared, const char *memory, ...) {
  struct mck_byte_map *map = f && !f->map ? calloc(1, sizeof *map) : NULL;
  if (!map) return NULL;
  char text[256];
  va_list arguments;
  va_start(arguments, memory);
  vsnprintf(text, sizeof text, memory, arguments);
  va_end(arguments);
  map->memory = strdup(text);
  map->size = size, map->shared = shared;
  if (map->memory) return f->map = map;
  free(map);
  return NULL;
}

static uint64_t distance(const struct mck_byte_map *map, const struct mck_map_piece *p) {
  if (p->high <= map->shared) return (uint64_t)map->shared - (uint64_t)p->high + 1;
  return p->low > map->shared ? (uint64_t)p->low - (uint64_t)map->shared : 0;
}

static void erase(struct mck_map_use *u, uint32_t from, uint32_t to) {
  memmove(&u->pieces[from], &u->pieces[to], (u->npieces - to) * sizeof *u->pieces);
  u->npieces -= to - from;
}

void mck_map_add(struct mck_byte_map *map, unsigned use, int64_t low, int64_t high) {
  if (!map || low >= high) return;
  struct mck_map_use *u = &map->uses[use];
  struct mck_map_piece new = {low, high};
  uint32_t at = u->npieces; // before this one
  while (at && u->pieces[at - 1].low > low) at--;
  if (at && u->pieces[at - 1].high >= low) { // it touches the one before it
    at--;
    new.low = u->pieces[at].low;
    if (u->pieces[at].high > high) new.high = u->pieces[at].high;
  }
  uint32_t end = at;
  for (; end < u->npieces && u->pieces[end].low <= new.high; end++)
    if (u->pieces[end].high > new.high) new.high = u->pieces[end].high;
  if (end > at) erase(u, at + 1, end);
  else {
    if (u->npieces == MCK_MAP_PIECES) { // the farthest of all is left out
      u->is_cut = true;
      bool is_first = distance(map, &u->pieces[0]) >= distance(map, &u->pieces[MCK_MAP_PIECES - 1]);
      const struct mck_map_piece *farthest = &u->pieces[is_first ? 0 : MCK_MAP_PIECES - 1];
      if (distance(map, &new) >= distance(map, farthest)) return;
      erase(u, is_first ? 0 : MCK_MAP_PIECES - 1, is_first ? 1 : MCK_MAP_PIECES);
      if (is_first) at--;
    }
    memmove(&u->pieces[at + 1], &u->pieces[at], (u->npieces - at) * sizeof *u->pieces);
    u->npieces++;
  }
  u->pieces[at] = new;
}

void mck_map_name(struct mck_byte_map *map, unsigned use, const char *what) {
  if (!map) return;
  free(map->uses[use].what);
  map->uses[use].what = strdup(what);
}

void mck_map_free(struct mck_byte_map *map) {
  if (map) free(map->memory), free(map->uses[0].what), free(map->uses[1].what);
  free(map);
}

bool mck_map_is_whole(const struct mck_byte_map *map) {
  for (int k = 0; k < 2; k++) {
    const struct mck_map_use *u = &map->uses[k];
    if (!u->npieces || u->npieces > MCK_MAP_PIECES) return false;
    for (uint32_t i = 0; i < u->npieces; i++)
      if (u->pieces[i].low >= u->pieces[i].high || (i && u->pieces[i - 1].high >= u->pieces[i].low)) return false;
  }
  return map->memory != NULL;
}
