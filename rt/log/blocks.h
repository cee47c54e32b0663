// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks: what one side of a collective moves, per rank: runs of ranks with the same count of the same type. Shared by
// record, which writes them into a COLL_ARGS event, and by those who read logs. Pure.
#pragma once
#include "log/log.h"

// Ranks up to end (exclusive; MCK_NONE: all that are left) have count of type. Runs of a list have ascending ends.
struct mck_blocks_run {
  uint32_t end, type;
  uint64_t count;
};
struct mck_blocks {
  struct mck_blocks_run *runs;
  size_t count, capacity;
};

// Appends n ranks (MCK_NONE: all that are left); like neighbours become one run. False: out of memory.
bool mck_blocks_add(struct mck_blocks *blocks, uint32_t n, uint32_t type, uint64_t count);
// The run that rank i is in, or NULL.
const struct mck_blocks_run *mck_blocks_at(const struct mck_blocks_run *runs, size_t n, uint32_t i);
// Is the event of kind COLL_ARGS consistent with its size? Asked by the reader, once.
bool mck_blocks_is_sound(const struct mck_event *args);
// What the COLL at e[0] sends (receives), from itself or from the COLL_ARGS behind it; left: units from e on. blocks is
// emptied first. False: out of memory. None: there is no such side, or it is not known.
bool mck_blocks_read(struct mck_blocks *blocks, const struct mck_event *e, uint64_t left, bool is_recv);
