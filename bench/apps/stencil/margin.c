// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs the outermost own points of one side, and unpacks the margin.
#include "margin.h"

long margin_count(const struct domain *d, enum side side) {
  return RADIUS * (side == RIGHT || side == LEFT ? d->height : d->width);
}

void margin_pack(const struct domain *d, enum side side, double *buffer) {
  long k = 0;
  switch (side) {
  case RIGHT:
    for (long j = d->jstart; j <= d->jend; j++)
      for (long i = d->iend - RADIUS + 1; i <= d->iend; i++) buffer[k++] = IN(d, i, j);
    break;
  case LEFT:
    for (long j = d->jstart; j <= d->jend; j++)
      for (long i = d->istart; i < d->istart + RADIUS; i++) buffer[k++] = IN(d, i, j);
    break;
  case TOP:
    for (long j = d->jend - RADIUS + 1; j <= d->jend; j++)
      for (long i = d->istart; i <= d->iend; i++) buffer[k++] = IN(d, i, j);
    break;
  default:
    for (long j = d->jstart; j < d->jstart + RADIUS; j++)
      for (long i = d->istart; i <= d->iend; i++) buffer[k++] = IN(d, i, j);
  }
}

void margin_unpack(struct domain *d, enum side side, const double *buffer) {
  long k = 0;
  switch (side) {
  case RIGHT:
    for (long j = d->jstart; j <= d->jend; j++)
      for (long i = d->iend + 1; i <= d->iend + RADIUS; i++) IN(d, i, j) = buffer[k++];
    break;
  case LEFT:
    for (long j = d->jstart; j <= d->jend; j++)
      for (long i = d->istart - RADIUS; i < d->istart; i++) IN(d, i, j) = buffer[k++];
    break;
  case TOP:
    for (long j = d->jend + 1; j <= d->jend + RADIUS; j++)
      for (long i = d->istart; i <= d->iend; i++) IN(d, i, j) = buffer[k++];
    break;
  default:
    for (long j = d->jstart - RADIUS; j < d->jstart; j++)
      for (long i = d->istart; i <= d->iend; i++) IN(d, i, j) = buffer[k++];
  }
}
