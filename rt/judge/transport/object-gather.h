// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs and own libraries of all ranks on rank 0. Mostly all ranks have the same, and only that is asked.
#pragma once
#include <mpi.h>
#include "judge/own-objects.h"
#include "report/report.h"

// Collective over comm. On rank 0 objects is filled, and run gets it. Returns an MPI error code.
int mck_objects_gather(struct mck_objects *objects, const struct mck_reader *own, MPI_Comm comm,
                       struct mck_report_run *run);
