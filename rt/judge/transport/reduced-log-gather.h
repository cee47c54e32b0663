// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before the logs are gathered for the judge of window memory, each rank leaves out of its own what needs no judge:
// operations, loads and stores on bytes that nobody else touches (rma/unshared.h). What a run of small puts has is then
// mostly found where it was made, by all ranks at once.
#pragma once
#include <mpi.h>
#include "log/log.h"

// Collective over comm; units: of all ranks together; seen: by window (mck_unshared_note). *thin is own again if that
// was not worth it; else of *memory, which is the caller's to free (after mck_log_unload). An MPI error code.
int mck_gather_thin(const struct mck_reader *own, const uint8_t *seen, uint64_t units, MPI_Comm comm,
                    struct mck_reader *thin, void **memory);
