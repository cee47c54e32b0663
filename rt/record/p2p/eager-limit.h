// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Up to which size this MPI library sends without waiting for the receiver, where its control variables tell (MPI-3.1
// 14.3): a line for findings of deadlock.buffering. Asked for at report time only.
#pragma once
#include "report/finding.h"

void mck_eager_explain(struct mck_findings *findings); // on rank 0, before MPI is finalized
