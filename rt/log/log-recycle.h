// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recycling: a log starts again with what its writer still needs. The new content is a file of its own beside the log,
// rank-N.next, that takes the log's name when all ranks have theirs: who reads the logs after a crash at any moment
// finds one generation of all ranks (judge/whole/log-files.c), and who has the old file mapped keeps a whole one.
#pragma once
#include "log/log.h"

struct mck_next {
  int fd;
  char path[4096], log_path[4096];
  uint64_t units, bytes;
};
// Writes the next generation's file. 0 or an errno; on failure nothing is left behind.
int mck_log_prepare(struct mck_log *log, struct mck_next *next, const char *dir, const struct mck_event *events,
                    uint64_t units);
void mck_log_discard(struct mck_next *next); // there will be none
// After all ranks have prepared: the log is the next generation from here on. On failure (no memory for the mapping)
// recording stops, as at the limit.
void mck_log_switch(struct mck_log *log, struct mck_next *next);
