// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report as one HTML page that needs nothing else: no network, no other file.
#pragma once
#include "report/forms.h"

// Returns the document, which the caller frees; NULL: out of memory.
char *mck_html_make(struct mck_report *report, size_t *size);
