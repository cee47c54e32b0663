// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Array temporary: where a Fortran compiler copies an array section for a call, MPI gets the address of the copy, which
// the compiler frees behind the call (MPI-3.1 17.1.12). Findings about that memory say so, and are one.
#pragma once
#include "report/report.h"
#include "report/symbol.h"

void mck_temporaries_explain(struct mck_findings *findings, struct mck_symbols *symbols,
                             const struct mck_stack_source *stacks);
