// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings of the same lines with other call paths. An error in a function that a library calls at 40 places is 40
// findings, which differ in their callers alone. The text shows three of them whole, and of the others a line with the
// callers. The other forms of the report have all of them.
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include "report/forms.h"

bool mck_callers_hide(const struct mck_report *report, const struct mck_group *group);      // is it one of the others?
bool mck_callers_hide_next(const struct mck_report *report, const struct mck_group *group); // do others follow it?
void mck_callers_print(FILE *out, const struct mck_report *report, size_t shown); // the others, behind the last shown
