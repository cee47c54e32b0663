// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One CONTENT event (log/event.h). Private to the sub-room content; under the lock.
#pragma once
#include <x86intrin.h>
#include "log/content.h"
#include "object/object.h"

static inline uint64_t mck_content_now(void) { return __rdtsc(); }

// A buffer, or the part of a buffer that is for one rank.
struct mck_content_part {
  uint32_t event; // of the call
  int32_t peer;   // -1: no rank in particular
  uint8_t flags;  // MCK_CONTENT_*
  const void *address;
  int64_t count;
  MPI_Datatype type;
  const struct mck_type *known; // the datatype, where its handle may be another's by now; else NULL
  uint64_t begin;               // time-stamp counter; 0: now
  const MPI_Status *status;     // of a message that was received
  bool is_doubtful;             // the memory may be gone
  uint32_t raw;                 // the values themselves are kept up to so many bytes
};
// Returns its index, or MCK_NONE.
uint32_t mck_content_log(const struct mck_content_part *part);
// The blocking call that sends this CONTENT has returned.
void mck_content_returned(uint32_t content);
// Looks at the buffer of this CONTENT again: has it changed since? Then the event says so, and it returns true.
// The memory may be gone. is_watched: a change would have been seen.
bool mck_content_look_again(uint32_t content, const struct mck_type *type, bool is_watched);
