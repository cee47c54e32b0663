// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the plain logs of a plain run (order/plain-run.h). All ranks read their own logs at the same time, and rank 0
// gets the plain logs, which have a sixteenth of the size of the logs. Then it reads only the first events and the
// definitions of the logs (log-gather.h).
#pragma once
#include <mpi.h>
#include "order/plain-run.h"

// Collective. has_plain_run: on rank 0, the plain logs of all ranks are there, neither checked nor joined; false on the
// other ranks. Returns the first MPI error. Free the plain run in any case.
int mck_gather_plain_run(const struct mck_reader *own, MPI_Comm comm, struct mck_plain_run *plain_run,
                         bool *has_plain_run);
