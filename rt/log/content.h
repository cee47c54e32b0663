// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Content: what the buffer of a call held, as the events of kind CONTENT have it (option flow): the packed bytes in
// chunks, each with its place, so that two buffers can be compared and the first difference be told. The room record
// writes them, the room flow reads them. Pure.
#pragma once
#include "log/log.h"

struct mck_content_body {
  uint64_t address, count; // of the first element; elements of content.type
  uint64_t length;         // packed bytes
  uint64_t begin, until;   // time-stamp counter: the buffer was the library's between the two; 0: unknown
  uint64_t status_bytes;   // what the status of a receive tells; UINT64_MAX: it had none
  int32_t status_source, status_tag;
  uint64_t operation; // of a reduction: 1 + the number of the program's operation in the process; 0: not known
};
// RAW: the words are the bytes. LIMIT: of messages that are kept so; CHUNKS: of longer ones there are at most so many.
// For a peer, PROBE: the event is a probe, and only the status is there; FILE_LOST: something was written to a file,
// and it is not known where.
enum { MCK_CONTENT_PROBE = -2, MCK_CONTENT_FILE_LOST = -3 };
enum { MCK_CONTENT_RAW = 8, MCK_CONTENT_LIMIT = 256, MCK_CONTENT_CHUNKS = 32 };

// The bytes of a chunk: 8, or a power of 2 from 64 on.
static inline uint32_t mck_content_chunk(uint64_t length) {
  if (length <= MCK_CONTENT_LIMIT) return MCK_CONTENT_RAW;
  uint32_t chunk = 64;
  while (length / chunk >= MCK_CONTENT_CHUNKS && chunk < 1u << 31) chunk *= 2;
  return chunk;
}
static inline uint64_t mck_content_words(uint64_t length, uint32_t chunk) {
  return length / chunk + (length % chunk != 0);
}
static inline const struct mck_content_body *mck_content_body(const struct mck_event *e) {
  return (const struct mck_content_body *)(e + 1);
}
static inline const uint64_t *mck_content_word(const struct mck_event *e) {
  return (const uint64_t *)(mck_content_body(e) + 1);
}
// Does the event, whose units lie in the log, have room for what it says?
static inline bool mck_content_is_sound(const struct mck_event *e, uint64_t index) {
  uint64_t room = (uint64_t)e->content.extra * MCK_UNIT, size = sizeof(struct mck_content_body);
  if (e->content.event >= index || room < size || e->content.chunk < MCK_CONTENT_RAW) return false;
  if ((room - size) / 8 < e->content.nwords) return false;
  bool is_known = !(e->flags & MCK_CONTENT_UNKNOWN);
  return e->content.nwords == (is_known ? mck_content_words(mck_content_body(e)->length, e->content.chunk) : 0);
}
