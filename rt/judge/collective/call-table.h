// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Call table: the different collective calls of a rank, each kept once, with the blocks that they send and receive. The
// sequence of a communicator is then runs of call numbers. The index of a rank has such a table, and so has a parcel.
#pragma once
#include "judge/parcel/parcel.h"
#include "base/hash-table.h"
#include "log/blocks.h"

// send, recv: the number of a list + 1; 0: the call has no such side, or it is unknown. flags: MCK_COLL_IN_PLACE,
// MCK_FLAG_NONBLOCKING, and MCK_COLL_HAS_SAME, which says that same is given.
struct mck_collective_call {
  uint32_t site, send, recv;
  int32_t root;
  uint16_t fn;
  uint8_t op, flags;
  int64_t same;
};
struct mck_block_list {
  struct mck_blocks_run *runs;
  uint32_t count;
};
struct mck_call_table {
  struct mck_collective_call *items;
  size_t count, capacity;
  struct mck_table table;
  struct mck_block_list *lists;
  size_t nlists, lists_capacity; // the table owns their runs
  struct mck_table list_table;
  struct mck_blocks scratch;
};

// The number of the collective call at e; left: units from e on. MCK_NONE: out of memory.
uint32_t mck_call_table_add(struct mck_call_table *table, const struct mck_event *e, uint64_t left);
void mck_call_table_free(struct mck_call_table *table);

// calls: n numbers of calls, which become 0, 1, ... in the parcel. map gives the number of a type in the parcel.
struct mck_type_map {
  uint32_t (*number)(void *context, uint32_t type);
  void *context;
};
void mck_call_table_pack(const struct mck_call_table *table, const uint32_t *calls, size_t n, struct mck_type_map map,
                         struct mck_parcel *out);
// Returns false when the bytes are malformed, or out of memory. ntypes: the ids below MCK_TYPE_USER + ntypes are types.
bool mck_call_table_unpack(struct mck_call_table *table, struct mck_parcel_in *in, uint32_t ntypes);
