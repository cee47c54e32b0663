// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader of traces. A trace that is cut, damaged or forged is refused, or ends where it is not sound; nothing
// behind its end is touched.
#pragma once
#include "flow/trace.h"

struct mck_trace {
  const struct mck_trace_header *header; // NULL: there is none
  struct mck_trace_slot *slots;          // of all blocks, unpacked; the first of each one is its struct mck_trace_block
  uint64_t nslots;                       // whole blocks
  uint64_t full_at;                      // movements may be missing from this time on; 0: none
  bool is_damaged;                       // set by a walk
  void *mapped;                          // the file, for its header
  size_t mapped_size, unpacked_size;
};

// 0, or an errno and why. The file is not followed if it is a link.
int mck_trace_load(struct mck_trace *trace, const char *path, const char **why);
int mck_trace_load_memory(struct mck_trace *trace, const void *bytes, size_t size, const char **why);
void mck_trace_unload(struct mck_trace *trace);

// Visits each record that is sound: its first slot, by its number, and the MPI function that the thread was in
// (UINT16_MAX: none). visit returns false to end. A block ends at the first record that is not sound.
typedef bool mck_trace_visit(void *context, uint32_t slot, uint16_t fn);
void mck_trace_walk(struct mck_trace *trace, mck_trace_visit *visit, void *context);
