// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merge: findings of one cause become one group of several ranks. One cause means the same check, the same text and the
// same labels (apart from rank numbers), and places that look equal in the shown frames. Findings with equal stacks are
// merged first; when lines are known, also those of one line (two loads in one statement). So two groups always read
// differently.
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include "report/report.h"
#include "report/symbol.h"

enum {
  MCK_SITE_UNKNOWN = 0xffffffffu, // MCK_NONE of log/event.h
  MCK_CALLERS_SHOWN = 3,          // the frames that the text shows of a place, behind the first
  MCK_FINGERPRINT = 17            // 16 digits and a 0
};
enum mck_baseline { MCK_BASELINE_NONE, MCK_BASELINE_NEW, MCK_BASELINE_KNOWN };

struct mck_static_place; // static-warning.h
struct mck_group {
  const struct mck_finding *finding; // the finding of the lowest rank, which is shown
  int32_t *ranks;                    // sorted, each once; empty when the finding belongs to no rank
  size_t nranks, capacity;
  char fingerprint[MCK_FINGERPRINT];              // set by mck_fingerprints_set
  char *suppression, *suppressed_by;              // the reason, and "FILE:LINE" of the rule or comment; NULL; owned
  bool is_in_source;                              // a comment suppresses it
  enum mck_baseline baseline;                     // is it in an earlier report?
  uint64_t count;                                 // occurrences on all ranks
  enum mck_role role;                             // of any of its findings
  bool is_varied;                                 // the texts of other findings name other ranks
  struct mck_source_stack stacks[MCK_PLACES_MAX]; // set by mck_groups_resolve; frames are owned
  const struct mck_static_place *warning;         // what the compiler warned of there, or NULL
  size_t alike, turn, nalike; // set by mck_groups_compare: the first group like it, which is the how many'th it is
                              // (from 0), and of the first one how many there are
};
struct mck_groups {
  struct mck_group *items;
  size_t count, capacity;
};

bool mck_groups_merge(struct mck_groups *groups, const struct mck_findings *findings,
                      const struct mck_stack_source *stacks); // false: out of memory
// Looks up the stacks of all places.
void mck_groups_resolve(struct mck_groups *groups, struct mck_symbols *symbols, const struct mck_stack_source *stacks);
// The index of the user's line: that of the first frame that is not of a library of others. 0: all are.
unsigned mck_stack_user(const struct mck_source_stack *stack);
// The indices of the frames of a resolved stack that the text shows: the innermost one, and then the user's. Frames of
// libraries between them are left out.
unsigned mck_stack_shown(const struct mck_source_stack *stack, unsigned shown[1 + MCK_CALLERS_SHOWN]);
void mck_groups_join(struct mck_groups *groups); // merges sorted groups that read like an earlier one
// Finds the groups that differ in the callers of the user's lines alone. Suppressed groups are like no other one. When
// out of memory, some like ones count as different.
void mck_groups_compare(struct mck_groups *groups);
// The text without the numbers behind "rank" and "ranks", lists and ranges included ("ranks 0-2,5", "ranks 1 and 2"),
// and a 0.
void mck_normalized_write(FILE *out, const char *text);
// Sorts: what may have led to the end of the run, that end (a death or a deadlock), then errors first, by rank and
// place.
void mck_groups_sort(struct mck_groups *groups);
void mck_groups_drop(struct mck_groups *groups, size_t index);
void mck_groups_free(struct mck_groups *groups);
// The frames of a place, innermost first; 0 when unknown. frames has room for MCK_FRAMES_MAX.
unsigned mck_place_frames(const struct mck_stack_source *stacks, const struct mck_place *place,
                          struct mck_frame *frames);
