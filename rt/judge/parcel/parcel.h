// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parcel: what the index of one rank tells one other rank, as bytes. Every number is LEB128 (7 bits a byte, low first),
// so a parcel is compact and portable.
//
// A forged or cut parcel sets in.is_bad and reads as zeroes. The reader never leaves its bytes.
//
//   parcel    magic flags types shapes channels calls sequences windows
//   types     n { nparts {count type}*nparts size extent' nblocks+1 {offset' length}*nblocks fn site nname byte*nname
//   }*n
//             type: < 256 basic, 256+i the i-th of this list, i smaller than the own place; nblocks+1 = 0: too many to
//             list; fn, site: where it was made; then its name
//   shapes    n { type count site fn }*n                           type 0xffffffff: unknown
//   channels  n { key tag [open] nruns {n shape}*nruns }*n         sends from this rank to the reader; open, if several
//             threads have called MPI: their order is not known
//   calls     n { site fn op flags root' list list }*n             what it sends, what it receives. list: 0 none; the
//             number of lists so far + 1: a new one, and nruns {n type count}*nruns follow (n 0: all ranks that are
//             left)
//   sequences n { key [open] nsources ndestinations rank'* site+1 nruns {n call}*nruns }*n   collectives; neighbours
//             of the topology; the site is of those that each rank gave by itself, 0: they are not of that kind
//   windows   n { key fences flags nops {epoch disp count type kind op flags site fn event}*nops }*n
//   '         zigzag: signed
#pragma once
#include "judge/judge.h"

enum { MCK_PARCEL_MAGIC = 0x4b2 };
enum { MCK_PARCEL_IS_MULTIPLE = 1, MCK_PARCEL_IS_PARTIAL = 2, MCK_PARCEL_MAY_BE_OPEN = 4 };

// Appends a number. When out of memory, it frees the parcel and makes it (NULL, 0, SIZE_MAX). Later numbers are
// dropped.
void mck_parcel_put(struct mck_parcel *parcel, uint64_t value);
static inline void mck_parcel_put_signed(struct mck_parcel *parcel, int64_t value) {
  mck_parcel_put(parcel, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

// NULL: there is none of this rank.
const struct mck_parcel *mck_parcels_find(const struct mck_parcels *parcels, int rank);
// That of this rank, or a new one in its place. Ranks that come in ascending order cost nothing. NULL: out of memory.
struct mck_parcel *mck_parcels_add(struct mck_parcels *parcels, int rank);
void mck_parcels_free(struct mck_parcels *parcels);

struct mck_parcel_in {
  const uint8_t *at, *end;
  bool is_bad;
};
uint64_t mck_parcel_get_slow(struct mck_parcel_in *in);
static inline uint64_t mck_parcel_get(struct mck_parcel_in *in) {
  if (in->at < in->end && *in->at < 128) return *in->at++;
  return mck_parcel_get_slow(in);
}
static inline uint32_t mck_parcel_get32(struct mck_parcel_in *in) {
  uint64_t v = mck_parcel_get(in);
  if (v > UINT32_MAX) in->is_bad = true, v = 0;
  return (uint32_t)v;
}
static inline int64_t mck_parcel_get_signed(struct mck_parcel_in *in) {
  uint64_t v = mck_parcel_get(in);
  return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}
// How many things follow, of at least size bytes each. A number that is larger than the bytes allow is malformed.
uint32_t mck_parcel_get_count(struct mck_parcel_in *in, size_t size);
