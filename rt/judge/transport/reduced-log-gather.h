// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduces the logs before they are gathered for the judge of window memory. Each rank leaves out operations, loads and
// stores on bytes that no other rank touches (rma/unshared.h). So in a run of small puts most work is done by all ranks
// at once.
#pragma once
#include <mpi.h>
#include "log/log.h"

// Collective over comm. units: of all ranks together; seen: mck_unshared_note of each window; has_fenced: windows that
// only fences synchronize are needed, too. If the reduction is worth it, *reduced is in *memory, which the caller frees
// after mck_log_unload. Otherwise *reduced is own. Returns an MPI error code.
int mck_gather_reduced_log(const struct mck_reader *own, const uint8_t *seen, bool has_fenced, uint64_t units,
                           MPI_Comm comm, struct mck_reader *reduced, void **memory);
