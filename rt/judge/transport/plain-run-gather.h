// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the texts of a plain run (order/plain-run.h). All ranks read their own logs at the same time, and rank 0 gets
// the texts, which have a sixteenth of the size. Then it reads only the first events and the definitions of the logs
// (log-gather.h).
#pragma once
#include <mpi.h>
#include "order/plain-run.h"

// Collective. has_texts: on rank 0, the texts of all ranks are there, neither checked nor joined; false on the other
// ranks. Returns the first MPI error. Free texts in any case.
int mck_gather_texts(const struct mck_reader *own, MPI_Comm comm, struct mck_texts *texts, bool *has_texts);
