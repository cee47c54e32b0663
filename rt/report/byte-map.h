// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Byte map: which bytes of one memory the first two places of a finding use, for the picture of it. Only what is known
// is in it: of an access whose pieces are not all at hand, those that are.
#pragma once
#include "report/finding.h"

enum { MCK_MAP_PIECES = 32 }; // of each of the two: those nearest to the bytes that they share
struct mck_map_piece {
  int64_t low, high; // bytes [low, high) behind the begin of the memory
};
struct mck_map_use {
  char *what; // "sendbuf"; NULL: what its place says; owned
  uint32_t npieces;
  bool is_cut;                                 // there are more pieces, or may be
  struct mck_map_piece pieces[MCK_MAP_PIECES]; // ascending, with gaps between them
};
struct mck_byte_map {
  char *memory;               // what it is: "window of rank 2", "buffer of MPI_Irecv"; owned
  uint64_t size;              // bytes of it; 0: not known
  int64_t shared;             // a byte that both use
  struct mck_map_use uses[2]; // of places[0] and places[1]
};

// NULL: out of memory, or no finding. The others take that, too.
__attribute__((format(printf, 4, 5))) struct mck_byte_map *mck_map_begin(struct mck_finding *f, uint64_t size,
                                                                         int64_t shared, const char *memory, ...);
void mck_map_add(struct mck_byte_map *map, unsigned use, int64_t low, int64_t high); // in any order
void mck_map_name(struct mck_byte_map *map, unsigned use, const char *what);
void mck_map_free(struct mck_byte_map *map);
bool mck_map_is_whole(const struct mck_byte_map *map); // for one that was read: each use has pieces, in their order
