// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Log copies: logs of other nodes in the memory of rank 0's watch. A node's leader sends the header and the blocks that
// have changed since it sent them, so each log is sent about once. Old blocks may change, too, since a receive's match
// is written into its event. The functions turn bytes into bytes and use no sockets.
#pragma once
#include "base/hash-table.h"
#include "log/log.h"

enum { MCK_COPY_BLOCK = 64 << 10 };

// The leader's side: one per rank of the node, zero at first.
struct mck_copy_source {
  uint32_t generation;
  uint64_t *hashes;
  size_t nhashes, capacity;
  bool is_begun;
};
typedef bool mck_copy_emit(void *context, const void *message, size_t size);
// Sends the news of the log at path. Returns 0 or an errno (EIO: emit returned false). *units: those of the copy.
int mck_copy_send(struct mck_copy_source *source, const char *path, uint64_t *units, mck_copy_emit *emit,
                  void *context);
void mck_copy_source_free(struct mck_copy_source *source);

// Rank 0's side. bytes: header and units, for mck_log_load_memory.
struct mck_copy {
  uint32_t rank;
  uint8_t *bytes;
  size_t size, capacity;
};
struct mck_copies {
  struct mck_copy *items; // of ranks that a log has come of, in this order
  size_t count, capacity;
  struct mck_table table; // by rank
  uint32_t size;          // ranks of the world
  uint64_t job;
  size_t total, limit; // the bytes of all copies, and their limit
  bool is_full;        // the limit was reached: some copies are missing
};
// Takes one message of mck_copy_send. is_of_sender: may the sender send logs of this rank? Returns false where the
// message is invalid.
bool mck_copy_take(struct mck_copies *copies, const uint8_t *message, size_t size,
                   bool (*is_of_sender)(const void *context, uint32_t rank), const void *context);
const struct mck_copy *mck_copies_find(const struct mck_copies *copies, uint32_t rank); // NULL: none has come
void mck_copies_free(struct mck_copies *copies);
