// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks: the data that one side of a collective moves for each rank, as runs of ranks with the same count of the same
// type. The room record writes them into a COLL_ARGS event; the readers of logs read them. Pure.
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

// Appends n ranks (MCK_NONE: all that are left); equal neighbours become one run. Returns false when out of memory.
bool mck_blocks_add(struct mck_blocks *blocks, uint32_t n, uint32_t type, uint64_t count);
// The run of rank i, or NULL.
const struct mck_blocks_run *mck_blocks_at(const struct mck_blocks_run *runs, size_t n, uint32_t i);
// Does the content of a COLL_ARGS event fit its size? The reader asks once.
bool mck_blocks_is_sound(const struct mck_event *args);
// Reads what the COLL at e[0] sends (receives), from that event or from the COLL_ARGS behind it. left: units from e on.
// blocks is emptied first. Returns false when out of memory. No blocks: the side does not exist, or is unknown.
bool mck_blocks_read(struct mck_blocks *blocks, const struct mck_event *e, uint64_t left, bool is_recv);
