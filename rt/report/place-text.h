// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places within texts. Who makes a finding knows sites, not lines: it writes "\x1a at 3:17\x1a" for " at file.c:95",
// rank and site behind the words, and the report puts the line in; a place that is not known leaves nothing, the words
// before it neither.
#pragma once
#include "report/report.h"
#include "report/symbol.h"

void mck_where_expand(struct mck_findings *findings, struct mck_symbols *symbols,
                      const struct mck_stack_source *stacks);
