// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader's part of what repeats (log-repeat.h): all units, in memory of the reader's own.
#pragma once
#include "log/log.h"

// reader: its header and events are those of the log as it is written, of which present units are there; units is the
// number of all. Sets reader.whole, events, units and, if some are missing, damaged. Returns 0, or -1 and sets *why.
int mck_log_expand(struct mck_reader *reader, uint64_t present, const char **why);
// Writes what was left out to the file of a log that grows no more. Returns false when there is no room or memory.
bool mck_log_expand_file(struct mck_log_header *header, int fd);
