// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slots of a full block, packed without loss: the recorder packs them, the reader unpacks them. Each word is
// predicted from the last slot of the same place in the code; what was predicted rightly takes no byte. It is the
// method of VPC (Burtscher, Ganusov, Jackson, Ke, Ratanaworabhan, Sam, "The VPC Trace-Compression Algorithms", IEEE
// Transactions on Computers, 2005). Pure: no call of a function, so the recorder may use it inside of memcpy.
#pragma once
#include "flow/trace.h"

enum { MCK_TRACE_PATTERNS = 128 };
struct mck_trace_pattern {
  uint64_t word[3], step[3]; // of the last slot of this place: time, from, to; what they grew by
  uint64_t follower;         // the caller word of the slot that came behind
};
struct mck_trace_packer { // room for the work, too large for a stack
  struct mck_trace_pattern patterns[MCK_TRACE_PATTERNS];
  struct mck_trace_pattern *last; // of the slot before
  uint64_t times[2], caller;      // of the two slots before; of the slot before
};

// Returns the bytes that were written; 0: they do not fit into room.
size_t mck_trace_pack_slots(struct mck_trace_packer *packer, const struct mck_trace_slot *slots, unsigned n,
                            unsigned char *out, size_t room);
// false: these bytes are not n packed slots. Nothing behind the n slots is touched.
bool mck_trace_unpack_slots(struct mck_trace_packer *packer, const unsigned char *bytes, size_t size,
                            struct mck_trace_slot *slots, unsigned n);
