// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads parcels. Bytes from another process are not trusted: each number is checked before it is a length or an index.
// Memory is allocated only for what the bytes can contain.
#include "judge/index.h"
#include <stdlib.h>

static void *take(struct mck_delivery *d, size_t n, size_t size) {
  void *piece = calloc(n + 1, size);
  if (!piece) return NULL;
  if (MCK_PUSH(d->pieces, d->npieces, d->pieces_capacity, piece)) return piece;
  free(piece);
  return NULL;
}

static bool open_type(struct mck_delivery *d, struct mck_parcel_in *in, struct mck_type_def *type) {
  type->nparts = mck_parcel_get_count(in, 2);
  struct mck_type_part *parts = take(d, type->nparts, sizeof *parts);
  struct mck_type_body *body = take(d, 1, sizeof *body);
  if (!parts || !body) return false;
  for (uint32_t i = 0; i < type->nparts; i++) {
    parts[i].count = mck_parcel_get(in);
    parts[i].type = mck_parcel_get32(in);
    // Only earlier types may be parts, so there are no cycles.
    if (parts[i].type >= type->id && parts[i].type != MCK_NONE) return false;
  }
  body->size = mck_parcel_get(in);
  body->extent = mck_parcel_get_signed(in);
  uint64_t nblocks = mck_parcel_get(in);
  if (nblocks > (uint64_t)(in->end - in->at) / 2 + 1) return false;
  type->nblocks = nblocks ? (uint32_t)nblocks - 1 : MCK_NONE;
  struct mck_block *blocks = take(d, nblocks, sizeof *blocks);
  if (!blocks) return false;
  for (uint64_t i = 0; i + 1 < nblocks; i++) {
    blocks[i].offset = mck_parcel_get_signed(in);
    blocks[i].length = mck_parcel_get(in);
  }
  type->fn = (uint16_t)mck_parcel_get(in);
  type->site = mck_parcel_get32(in);
  type->name_length = mck_parcel_get_count(in, 1);
  char *name = take(d, type->name_length, 1);
  if (!name) return false;
  for (uint32_t i = 0; i < type->name_length; i++) name[i] = (char)mck_parcel_get(in);
  type->name = name;
  type->parts = parts;
  type->body = body;
  type->blocks = blocks;
  return !in->is_bad;
}

static bool skip_runs(struct mck_parcel_in *in, uint32_t nshapes) {
  uint32_t n = mck_parcel_get_count(in, 2);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    sum += mck_parcel_get32(in);
    if (mck_parcel_get(in) >= nshapes) return false;
  }
  return !in->is_bad && sum < MCK_NONE;
}

// Walks over a section to find the next one. It checks that the whole section is well-formed, so that none is used in
// part.
static bool skip_sections(struct mck_delivery *d, struct mck_parcel_in *in) {
  d->channels = *in;
  for (uint32_t n = mck_parcel_get_count(in, 3); n > 0; n--) {
    mck_parcel_get(in);
    int64_t tag = mck_parcel_get_signed(in);
    if (d->may_be_open) mck_parcel_get(in);
    if (tag < INT32_MIN || tag > INT32_MAX || !skip_runs(in, d->nshapes)) return false;
  }
  if (!mck_call_table_unpack(&d->calls, in, d->ntypes)) return false;
  d->sequences = *in;
  for (uint32_t n = mck_parcel_get_count(in, 4); n > 0; n--) {
    mck_parcel_get(in);
    if (d->may_be_open) mck_parcel_get(in);
    uint64_t neighbors = (uint64_t)mck_parcel_get_count(in, 1) + mck_parcel_get_count(in, 1);
    for (; neighbors > 0 && !in->is_bad; neighbors--) {
      int64_t rank = mck_parcel_get_signed(in);
      if (rank < INT32_MIN || rank > INT32_MAX) return false;
    }
    mck_parcel_get(in);
    if (!skip_runs(in, (uint32_t)d->calls.count)) return false;
  }
  d->windows = *in;
  for (uint32_t n = mck_parcel_get_count(in, 4); n > 0; n--) {
    for (int i = 0; i < 3; i++) mck_parcel_get(in);
    for (uint64_t k = 10 * (uint64_t)mck_parcel_get_count(in, 10); k > 0; k--) mck_parcel_get(in);
  }
  return !in->is_bad && in->at == in->end;
}

static bool open_parcel(struct mck_delivery *d, const struct mck_parcel *parcel) {
  struct mck_parcel_in in = {parcel->data, parcel->data + parcel->size, false};
  if (mck_parcel_get(&in) != MCK_PARCEL_MAGIC) return false;
  uint64_t flags = mck_parcel_get(&in);
  d->is_multiple = flags & MCK_PARCEL_IS_MULTIPLE;
  d->is_partial = flags & MCK_PARCEL_IS_PARTIAL;
  d->may_be_open = flags & MCK_PARCEL_MAY_BE_OPEN;
  d->ntypes = mck_parcel_get_count(&in, 4);
  if (!(d->types = take(d, d->ntypes, sizeof *d->types))) return false;
  for (uint32_t i = 0; i < d->ntypes; i++) {
    d->types[i].id = MCK_TYPE_USER + i;
    if (!open_type(d, &in, &d->types[i])) return false;
  }
  d->nshapes = mck_parcel_get_count(&in, 4);
  if (!(d->shapes = take(d, d->nshapes, sizeof *d->shapes))) return false;
  for (uint32_t i = 0; i < d->nshapes; i++) {
    d->shapes[i].type = mck_parcel_get32(&in);
    d->shapes[i].count = mck_parcel_get(&in);
    d->shapes[i].site = mck_parcel_get32(&in);
    d->shapes[i].fn = (uint16_t)mck_parcel_get(&in);
    if (d->shapes[i].type != MCK_NONE && d->shapes[i].type >= MCK_TYPE_USER + d->ntypes) return false;
  }
  return skip_sections(d, &in);
}

bool mck_delivery_open(struct mck_delivery *d, int rank, const struct mck_parcel *parcel) {
  *d = (struct mck_delivery){.rank = rank};
  if ((d->is_there = open_parcel(d, parcel))) return true;
  mck_delivery_close(d);
  *d = (struct mck_delivery){.rank = rank};
  return false;
}

void mck_delivery_close(struct mck_delivery *d) {
  for (size_t i = 0; i < d->npieces; i++) free(d->pieces[i]);
  free(d->pieces);
  mck_call_table_free(&d->calls);
}

bool mck_runs_unpack(struct mck_runs *runs, struct mck_parcel_in *in, uint32_t nshapes) {
  runs->count = 0;
  runs->n = 0;
  for (uint32_t i = mck_parcel_get_count(in, 2); i > 0; i--) {
    uint32_t n = mck_parcel_get32(in), shape = mck_parcel_get32(in);
    if (in->is_bad || shape >= nshapes) return false;
    if (n && !mck_runs_append(runs, n, shape)) return false;
  }
  return true;
}
