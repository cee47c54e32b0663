// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON report (docs/formats/report.md, report.schema.json).
#pragma once
#include "report/report-text.h"

enum { MCK_JSON_VERSION = 1 };
// Returns the document, which the caller frees; NULL: out of memory.
char *mck_json_make(const struct mck_groups *groups, const struct mck_counts *counts, const struct mck_report_run *run);
