// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the numbers and bytes of a parcel, and reads them with checks (parcel.h).
#include "judge/parcel/parcel.h"
#include <stdlib.h>
#include <string.h>
#include "base/base.h"

void mck_parcel_put(struct mck_parcel *parcel, uint64_t value) {
  if (parcel->capacity - parcel->size < 10) {
    if (parcel->capacity == SIZE_MAX) return;
    size_t capacity = parcel->capacity ? 2 * parcel->capacity : 64;
    uint8_t *data = realloc(parcel->data, capacity);
    if (!data) {
      free(parcel->data);
      *parcel = (struct mck_parcel){NULL, 0, SIZE_MAX};
      return;
    }
    parcel->data = data;
    parcel->capacity = capacity;
  }
  if (parcel->capacity == SIZE_MAX) return;
  for (; value >= 128; value >>= 7) parcel->data[parcel->size++] = (uint8_t)(value | 128);
  parcel->data[parcel->size++] = (uint8_t)value;
}

static size_t place_of(const struct mck_parcels *p, int rank) {
  if (!p->count || p->items[p->count - 1].rank < rank) return p->count;
  size_t low = 0, high = p->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (p->items[middle].rank < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

const struct mck_parcel *mck_parcels_find(const struct mck_parcels *p, int rank) {
  size_t at = place_of(p, rank);
  return at < p->count && p->items[at].rank == rank ? &p->items[at].parcel : NULL;
}

struct mck_parcel *mck_parcels_add(struct mck_parcels *p, int rank) {
  size_t at = place_of(p, rank);
  if (at < p->count && p->items[at].rank == rank) return &p->items[at].parcel;
  struct mck_parcel_of new = {.rank = rank};
  if (!MCK_PUSH(p->items, p->count, p->capacity, new)) return NULL;
  memmove(&p->items[at + 1], &p->items[at], (p->count - 1 - at) * sizeof *p->items);
  p->items[at] = new;
  return &p->items[at].parcel;
}

void mck_parcels_free(struct mck_parcels *p) {
  for (size_t i = 0; i < p->count; i++)
    if (p->items[i].parcel.capacity != SIZE_MAX) free(p->items[i].parcel.data);
  free(p->items);
  *p = (struct mck_parcels){0};
}

uint64_t mck_parcel_get_slow(struct mck_parcel_in *in) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && in->at < in->end && !in->is_bad; shift += 7) {
    uint8_t byte = *in->at++;
    if (shift == 63 && byte > 1) break;
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return value;
  }
  in->is_bad = true;
  in->at = in->end;
  return 0;
}

uint32_t mck_parcel_get_count(struct mck_parcel_in *in, size_t size) {
  uint64_t n = mck_parcel_get(in);
  if (n > (uint64_t)(in->end - in->at) / size || n >= MCK_NONE) in->is_bad = true, n = 0;
  return (uint32_t)n;
}
