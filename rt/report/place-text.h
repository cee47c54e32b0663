// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places within texts. The code that makes a finding knows sites, not lines. It writes "\x1a at 3:17\x1a" (words, rank,
// site), and the report makes " at file.c:95" of it. An unknown place becomes nothing, with the words before it.
#pragma once
#include "report/report.h"
#include "report/symbol.h"

void mck_where_expand(struct mck_findings *findings, struct mck_symbols *symbols,
                      const struct mck_stack_source *stacks);
