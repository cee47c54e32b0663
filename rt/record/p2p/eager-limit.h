// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size up to which this MPI library sends without waiting for the receiver, if its control variables (MPI-3.1
// 14.3) say so: a line for findings of deadlock.buffering. It is read at report time only.
#pragma once
#include "report/finding.h"

void mck_eager_explain(struct mck_findings *findings); // on rank 0, before MPI is finalized
