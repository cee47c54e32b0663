// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coverage: of which source files of the program and its own libraries the loads and stores were checked. A report
// without findings says little about the others.
#pragma once
#include <jansson.h>
#include <stdio.h>
#include "report/report.h"

enum mck_coverage_state {
  MCK_COVERAGE_ABSENT, // nothing is said: an earlier version, or a report of one finding
  MCK_COVERAGE_OFF,    // option access=0, or no room for it
  MCK_COVERAGE_UNKNOWN,
  MCK_COVERAGE_NONE,
  MCK_COVERAGE_SOME,
  MCK_COVERAGE_ALL
};
struct mck_unchecked {
  char *file, *directory, *compiler; // file NULL: the whole object; compiler "": unknown
  char *object;                      // path of the program or library
};
struct mck_coverage {
  enum mck_coverage_state state;
  size_t nfiles, nchecked; // an object that was not recompiled at all counts as one file
  struct mck_unchecked *unchecked;
  size_t count, capacity;
  char *stripped; // an object whose files are not all known; NULL: there is none
};

void mck_coverage_make(struct mck_coverage *coverage, const struct mck_report_run *run);
void mck_coverage_free(struct mck_coverage *coverage);
// "all", "12 of 15 files"
void mck_coverage_print_count(FILE *out, const struct mck_coverage *coverage);
// The part of the summary line, behind the program: " (loads and stores: all)".
void mck_coverage_print_short(FILE *out, const struct mck_coverage *coverage);
// The lines about what was not checked, before the summary.
void mck_coverage_print(FILE *out, const struct mck_coverage *coverage);

json_t *mck_coverage_build(const struct mck_coverage *coverage); // null when nothing is said
bool mck_coverage_read(struct mck_coverage *coverage, const json_t *value);
// Adds that of another report. is_same: of the same program.
bool mck_coverage_add(struct mck_coverage *to, const struct mck_coverage *from, bool is_same);
