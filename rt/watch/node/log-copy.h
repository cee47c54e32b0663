// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy: a log of another node in the memory of rank 0's watch. The node's leader sends the header and the blocks that
// differ from what it sent before, so that a log costs its length once; old blocks may differ too, since a receive's
// match is written into its event. Functions from bytes to bytes, without sockets.
#pragma once
#include "log/log.h"

enum { MCK_COPY_BLOCK = 64 << 10 };

// The leader's side, one per rank of the node, zeroed at first.
struct mck_copy_source {
  uint32_t generation;
  uint64_t *hashes;
  size_t nhashes, capacity;
  bool is_begun;
};
typedef bool mck_copy_emit(void *context, const void *message, size_t size);
// Sends what is new in the log at path. 0, or an errno (EIO: emit said no). *units: of the copy.
int mck_copy_send(struct mck_copy_source *source, const char *path, uint64_t *units, mck_copy_emit *emit,
                  void *context);
void mck_copy_source_free(struct mck_copy_source *source);

// Rank 0's side. bytes: header and units, as mck_log_load_memory takes them.
struct mck_copy {
  uint8_t *bytes;
  size_t size, capacity;
};
struct mck_copies {
  struct mck_copy *of; // [rank]
  uint32_t size;       // ranks of the world
  uint64_t job;
  size_t total, limit; // bytes of all copies
  bool is_full;        // the limit was reached: some copies are missing
};
// One message of mck_copy_send; is_of_sender says whether the sender may speak for a rank. False: it makes no sense.
bool mck_copy_take(struct mck_copies *copies, const uint8_t *message, size_t size,
                   bool (*is_of_sender)(const void *context, uint32_t rank), const void *context);
void mck_copies_free(struct mck_copies *copies);
