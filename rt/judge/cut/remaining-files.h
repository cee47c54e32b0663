// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stays at a cut of the accesses to files (rt/io). All pairs of accesses before the cut were compared at the cut,
// which is a barrier. So only what an access behind it may conflict with has to stay:
//
//   writes behind the last settled call that transfers their file, and accesses that are pending
//   the view of each of these, and of each file that is open; the names of open files
//   a call of which the file is not known: nothing is said of what comes behind it (io/access-list.c)
//
// A write that was transferred is no longer compared with accesses through another open of the same file.
#pragma once
#include "judge/index.h"

struct mck_remaining_file_event {
  uint32_t index;
  bool is_done; // a pending access is complete by now
};
struct mck_remaining_files {
  struct mck_remaining_file_event *kept; // ascending
  size_t nkept, capacity;
  const struct mck_event *left_out; // an access of which there were too many to keep any, or NULL
  // While the log is written:
  size_t at;            // the next one of kept
  uint32_t old, number; // of the next FILE_ACCESS, in the old log and in the new one
};

bool mck_remaining_files_make(const struct mck_judge *judge, struct mck_remaining_files *out); // false: out of memory
void mck_remaining_files_free(struct mck_remaining_files *files);
// For all events in their order. Writes what stays of e to out, two units at most, and returns how many.
size_t mck_remaining_files_put(struct mck_remaining_files *files, uint32_t index, const struct mck_event *e,
                               struct mck_event out[2]);
// Behind the last event: says in out which number the next access has. Returns how many units that takes.
size_t mck_remaining_files_end(struct mck_remaining_files *files, struct mck_event out[1]);
