// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text report (docs/formats/report.md).
#pragma once
#include <stdio.h>
#include "report/forms.h"

void mck_text_print(FILE *out, const struct mck_report *report);
void mck_text_print_ranks(FILE *out, const int32_t *ranks, size_t n); // "rank 3", "ranks 0-2,5": they are sorted
void mck_text_print_group(FILE *out, const struct mck_group *group, const struct mck_report *report);
void mck_text_print_frame(FILE *out, const struct mck_source_frame *frame); // "halo.c:88 in exchange"
