// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warnings of the compiler in the report: those of all ranks (static-place.h) are joined, and compared with what the
// run found.
#pragma once
#include "base/suppression.h"
#include "report/merge.h"
#include "report/static-place.h"

enum mck_static_state { MCK_STATIC_UNKNOWN, MCK_STATIC_UNEXECUTED, MCK_STATIC_EXECUTED };
struct mck_static_warning_of_run {
  struct mck_finding finding; // of the first rank that has it, owned; all zero: the place's texts are of a report
  struct mck_static_place place;
  enum mck_static_state state;
  bool is_confirmed; // a finding of the run is about its place
  char fingerprint[MCK_FINGERPRINT];
  char *suppression, *suppressed_by; // as in mck_group; owned
};
struct mck_static_warnings {
  struct mck_static_warning_of_run *items;
  size_t count, capacity;
};
// Moves them out of the list.
void mck_static_take(struct mck_static_warnings *all, struct mck_findings *findings);
// Adds one whose texts live as long as the list, or joins it with one of the same place.
bool mck_static_join(struct mck_static_warnings *all, const struct mck_static_warning_of_run *warning);
const struct mck_static_place *mck_static_find(const struct mck_static_warnings *all,
                                               const struct mck_static_place *place); // NULL: it is not there
// A group of a resolved list that is about the place of a warning gets its index (group->warning).
void mck_static_confirm(struct mck_static_warnings *all, struct mck_groups *groups);
// Sets fingerprints and suppressions. Comments in the source have been read by the compiler already.
void mck_static_apply(struct mck_static_warnings *all, struct mck_rules *rules);
// Adds one finding to the list about what was not executed, if there is any that is not suppressed.
void mck_static_say_unexecuted(const struct mck_static_warnings *all, struct mck_findings *out);
void mck_static_free(struct mck_static_warnings *all);
