// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report as SARIF 2.1.0 (OASIS), for GitHub, GitLab and editors.
#pragma once
#include "report/forms.h"

// Returns the document, which the caller frees; NULL: out of memory.
char *mck_sarif_make(struct mck_report *report, size_t *size);
