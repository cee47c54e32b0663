// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known already: findings that a suppression names, or that an earlier report (the baseline) has, and which
// findings make the run fail (docs/suppressions.md).
#pragma once
#include "base/suppression.h"
#include "report/report-read.h"
#include "report/source-file.h"

struct mck_known {
  struct mck_rules rules;
  struct mck_document baseline;
  bool has_baseline;
  bool is_partial; // what is not among the groups may be in the run
};
// Reads the files that the options name. On false, error holds one line.
bool mck_known_open(struct mck_known *known, const struct mck_report_options *options, char *error, size_t size);
void mck_known_close(struct mck_known *known);
// Sets suppression and baseline of each group, which must have its fingerprint.
void mck_known_apply(struct mck_known *known, struct mck_groups *groups, struct mck_sources *sources);
// Does this group make the run fail, by option fail_on ("" is error)?
bool mck_known_fails(const struct mck_known *known, const struct mck_group *group, const char *fail_on);
// The next finding of the baseline, from *at on, that groups do not have; NULL: no more.
const struct mck_group *mck_known_next_fixed(const struct mck_known *known, const struct mck_groups *groups,
                                             size_t *at);
// A block for a file of suppressions that fits this group and little else. Its reason is to be filled in.
void mck_known_print_rule(FILE *out, const struct mck_group *group);
bool mck_known_is_fail_on(const char *word); // a value of option fail_on?
// Is this a pattern that fits a kind of finding?
bool mck_known_is_kind(const char *pattern);
