// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From merged groups to all forms of the report that the options ask for. A run (report.c) and mpicc-check-report,
// which reads reports, have this in common.
#pragma once
#include "report/coverage.h"
#include "report/known.h"
#include "report/static-warning.h"

// The number of findings, after merging.
struct mck_counts {
  size_t of[MCK_ERROR + 1]; // by severity, without those that are suppressed
  size_t suppressed, known; // known: in the baseline
  size_t failing;           // that make the run fail (option fail_on)
};
struct mck_report {
  struct mck_groups groups; // sorted and joined
  struct mck_static_warnings warnings;
  bool says_unexecuted;      // the groups get a last one: the warnings whose places were not executed
  struct mck_findings added; // that one
  size_t nunfit;             // findings that a filter of mpicc-check-report has left out
  const struct mck_report_run *run;
  const struct mck_report_options *options;
  struct mck_counts counts;
  struct mck_coverage coverage;
  struct mck_known known;
  struct mck_sources sources;
};
// Applies suppressions and the baseline, counts, and writes all forms. Returns the number of findings that make the run
// fail, or -1 when a form could not be written.
int mck_report_make(struct mck_report *report);
void mck_report_free(struct mck_report *report);
