// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report as JUnit XML, in the subset that all readers know: testsuites, testsuite, testcase, failure, skipped.
#pragma once
#include "report/forms.h"

// Returns the document, which the caller frees; NULL: out of memory.
char *mck_junit_make(struct mck_report *report, size_t *size);
