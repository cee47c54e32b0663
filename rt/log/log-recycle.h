// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recycling: a log starts again with the events that its writer still needs. The new content is a file beside the log,
// rank-N.next, which takes the log's name when all ranks have theirs. So after a crash at any moment the directory
// holds one generation of all ranks (judge/whole/log-files.c), and a process that has mapped the old file keeps a whole
// one.
#pragma once
#include "log/log.h"

struct mck_next {
  int fd;
  char path[4096], log_path[4096];
  uint64_t units, bytes;
};
// Writes the file of the next generation. Returns 0 or an errno; after a failure no file is left.
int mck_log_prepare(struct mck_log *log, struct mck_next *next, const char *dir, const struct mck_event *events,
                    uint64_t units);
void mck_log_discard(struct mck_next *next); // removes it: there will be no next generation
// Call this when all ranks have prepared: from here on the log is the next generation. On failure (no memory for the
// mapping) recording stops, as at the limit.
void mck_log_switch(struct mck_log *log, struct mck_next *next);
