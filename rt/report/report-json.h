// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON report (docs/formats/report.md, report.schema.json).
#pragma once
#include <jansson.h>
#include "report/forms.h"

enum { MCK_JSON_VERSION = 1 };
extern const char *const mck_severity_names[MCK_ERROR + 1]; // "note", "warning", "error"
json_t *mck_json_build(const struct mck_report *report);    // the document as a value; NULL: out of memory
// Returns the document, which the caller frees; NULL: out of memory.
char *mck_json_make(struct mck_report *report, size_t *size);
