// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings of rma.race-local (local-race.c). All calls are made under the lock.
#pragma once
#include "object/object.h"

extern unsigned mck_nlocal_races; // findings whose operation is not complete yet
struct mck_pieces;
struct mck_bytes;
// site: of the access.
void mck_local_race_add(const struct mck_buffer *b, uint32_t site, const struct mck_pieces *pieces);
// A second operation of this process uses bytes of the buffer before the first one is complete.
struct mck_local_use {
  uint32_t site;
  uint16_t fn;
  bool is_written; // the second one writes them
  bool is_rma;     // it is an RMA operation; or the first one is
  bool is_target;  // it uses them at its target, which is this process itself
  const struct mck_bytes *bytes;
};
void mck_local_race_between(struct mck_local_use use, const struct mck_buffer *b);
// The function whose local variable this is has returned; the call at site is the first one after that.
void mck_local_race_left(const struct mck_buffer *b, uint32_t site, uint16_t fn);
// The block of the local variable has ended at site.
void mck_local_race_block(const struct mck_buffer *b, uint32_t site, bool is_jump);
// The operation is complete at its origin. fn 0: by a completion of requests.
void mck_local_race_end(const struct mck_buffer *b, uint32_t site, uint16_t fn);
