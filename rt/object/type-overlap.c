// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do the elements of a buffer share bytes? A receive must not write a byte twice (MPI-3.1 4.1.11). A type whose extent
// is less than the span of its bytes (a column of a matrix, resized to one element) may be used with any count whose
// copies do not overlap.
#include <stddef.h>
#include <wchar.h>
#include "object/object.h"

enum { WORK_MAX = 1 << 20 }; // blocks compared in one call: more would take too long

static int64_t span(const struct mck_type *t) {
  const struct mck_block *last = &t->blocks[t->nblocks - 1];
  return last->offset + (int64_t)last->length - t->blocks[0].offset;
}

void mck_type_look_for_overlap(struct mck_type *t) {
  t->apart = 0;
  bool is_exact = t->nblocks != MCK_NONE && t->nblocks > 0 && !t->is_inexact;
  t->may_overlap = is_exact && (t->is_overlapping || (t->extent < 0 ? -t->extent : t->extent) < span(t));
}

// The blocks are sorted and disjoint, and so are those of the copy.
static bool meets(const struct mck_type *t, int64_t shift) {
  for (uint32_t i = 0, k = 0; i < t->nblocks && k < t->nblocks;) {
    const struct mck_block *a = &t->blocks[i], *b = &t->blocks[k];
    int64_t a_end = a->offset + (int64_t)a->length, b_begin = b->offset + shift, b_end = b_begin + (int64_t)b->length;
    if (a_end <= b_begin) i++;
    else if (b_end <= a->offset) k++;
    else return true;
  }
  return false;
}

bool mck_type_copies_overlap(struct mck_type *t, int64_t count) {
  if (!t->may_overlap) return false;
  int64_t extent = t->extent < 0 ? -t->extent : t->extent, farthest = extent ? (span(t) - 1) / extent : 1, work = 0;
  if (farthest > count - 1) farthest = count - 1;
  while (t->apart < farthest && (work += t->nblocks) <= WORK_MAX) {
    if (meets(t, (t->apart + 1) * extent)) return true;
    t->apart++;
  }
  return false;
}

// Indexed by the ids of log/basic.inc. Fortran's types are left out: SEQUENCE and COMMON may place them anywhere. Pairs
// are left out, too.
uint8_t mck_type_misaligned(uint32_t id) {
  static const uint8_t alignments[] = {
      [6] = _Alignof(wchar_t),    [7] = _Alignof(short),    [8] = _Alignof(short),     [9] = _Alignof(int),
      [10] = _Alignof(int),       [11] = _Alignof(long),    [12] = _Alignof(long),     [13] = _Alignof(long long),
      [14] = _Alignof(long long), [15] = _Alignof(float),   [16] = _Alignof(double),   [17] = _Alignof(long double),
      [20] = _Alignof(int16_t),   [21] = _Alignof(int16_t), [22] = _Alignof(int32_t),  [23] = _Alignof(int32_t),
      [24] = _Alignof(int64_t),   [25] = _Alignof(int64_t), [26] = _Alignof(MPI_Aint), [27] = _Alignof(MPI_Offset),
      [28] = _Alignof(MPI_Count), [30] = _Alignof(float),   [31] = _Alignof(double),   [32] = _Alignof(long double)};
  return id < sizeof alignments && alignments[id] ? (uint8_t)(alignments[id] - 1) : 0;
}
