// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attachments: when which memory was attached to a dynamic window, from MPI_Win_attach to MPI_Win_detach (MPI-3.1
// 11.2.4), in events of its owner's log.
#pragma once
#include "log/log.h"
#include "report/byte-range-text.h"

struct mck_attachment {
  uint64_t low, high;
  uint32_t from, to; // events; to MCK_NONE: never detached
  uint32_t site;     // of the attach
  uint32_t next;     // where this is the first with its bytes: the first one with other bytes
};
// By bytes and then by time: the same memory may be attached again and again.
struct mck_attachments {
  struct mck_attachment *items;
  size_t count, capacity;
  uint64_t *reach; // the last byte + 1 of all items up to here
};
enum mck_attached { MCK_ATTACHED_THEN, MCK_ATTACHED_ANOTHER_TIME, MCK_ATTACHED_NEVER };

// false: out of memory.
bool mck_attachments_make(struct mck_attachments *attachments, const struct mck_reader *log, uint32_t win);
void mck_attachments_free(struct mck_attachments *attachments);
// Was each byte of [low, high) attached at some moment behind event after and before event before?
enum mck_attached mck_attachments_ask(const struct mck_attachments *attachments, uint64_t low, uint64_t high,
                                      uint32_t after, uint32_t before);
// The one that a byte lies in at such a moment, or NULL.
const struct mck_attachment *mck_attachments_find(const struct mck_attachments *attachments, uint64_t byte,
                                                  uint32_t after, uint32_t before);
// Bytes of a dynamic window are counted from where the memory was attached. Returns text.
const char *mck_attachment_say(char text[MCK_RANGE_SIZE], const struct mck_attachment *attachment, uint64_t low,
                               uint64_t high);
