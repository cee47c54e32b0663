// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text report (docs/formats/report.md).
#pragma once
#include <stdio.h>
#include "report/merge.h"

// The number of findings by severity, after merging.
struct mck_counts {
  size_t of[MCK_ERROR + 1];
};

void mck_text_print(FILE *out, const struct mck_groups *groups, const struct mck_counts *counts,
                    const struct mck_report_run *run, bool is_coloured, bool is_quiet, bool is_interim);
