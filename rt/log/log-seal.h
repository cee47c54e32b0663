// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seal of a log that is kept: checksums behind its last unit (docs/formats/log.md). A changed unit may be as well
// formed as the right one, and then false findings would come of it. The runtime seals a log when it closes it, and
// mpirun-check those of the ranks that died. A running log has none: its writer still changes committed events.
#pragma once
#include "log/log.h"

// Seals the file of which header is the map of the first page, and the number of units is final. Without success (disk
// full) the log has no seal, and says so.
void mck_log_seal(struct mck_log_header *header, int fd);

// Seals the logs of dead processes in a directory of ours. Others are left alone.
void mck_log_seal_all(const char *dir);

// Compares a whole log of so many bytes with its seal. first_bad: the first unit of the first changed block of units,
// UINT64_MAX if all are as they were. Returns NULL, or why nothing of the log can be used.
const char *mck_log_seal_check(const struct mck_log_header *header, size_t size, uint64_t *first_bad);
