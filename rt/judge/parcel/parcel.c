// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the numbers and bytes of a parcel, and reads them with checks (parcel.h).
#include "judge/parcel/parcel.h"
#include <stdlib.h>

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

uint8_t mck_parcel_nothing[1];

void mck_parcels_free(struct mck_parcel *parcels, size_t n) {
  for (size_t i = 0; parcels && i < n; i++)
    if (parcels[i].capacity) free(parcels[i].data);
  free(parcels);
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
