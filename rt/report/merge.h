// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merge: findings of one cause become one group of several ranks. One cause means: the same check, the same text and
// the same labels but for the ranks that they name, and places that read alike in the frames that the report shows:
// first those with equal stacks, then, when lines are known, those of one line (two loads in one statement), so groups
// differ exactly when they would read differently.
#pragma once
#include <stdbool.h>
#include "report/report.h"
#include "report/symbol.h"

enum {
  MCK_SITE_UNKNOWN = 0xffffffffu, // MCK_NONE of log/event.h; report knows nothing of the log
  MCK_CALLERS_SHOWN = 3           // frames of a place in the text, behind the first
};

struct mck_group {
  const struct mck_finding *finding; // the one of the lowest rank speaks for all
  int32_t *ranks;                    // sorted, each once; none when the finding is of no rank
  size_t nranks, capacity;
  uint64_t count;                                 // occurrences on all ranks
  bool is_varied;                                 // the others name other ranks in their texts
  struct mck_source_stack stacks[MCK_PLACES_MAX]; // filled in by mck_groups_resolve; frames owned
};
struct mck_groups {
  struct mck_group *items;
  size_t count, capacity;
};

bool mck_groups_merge(struct mck_groups *groups, const struct mck_findings *findings,
                      const struct mck_stack_source *stacks); // false: out of memory
// Looks up the places' stacks.
void mck_groups_resolve(struct mck_groups *groups, struct mck_symbols *symbols, const struct mck_stack_source *stacks);
// Of a resolved stack: indices of the frames that the text shows. The innermost one, then the user's; what the library
// has between is left out.
unsigned mck_stack_shown(const struct mck_source_stack *stack, unsigned shown[1 + MCK_CALLERS_SHOWN]);
void mck_groups_join(struct mck_groups *groups); // sorted ones: who reads like one before
// Errors first, a death before what it may have caused, then by rank and place.
void mck_groups_sort(struct mck_groups *groups);
void mck_groups_free(struct mck_groups *groups);
// Frames of a place, innermost first; 0 when unknown. frames holds MCK_FRAMES_MAX.
unsigned mck_place_frames(const struct mck_stack_source *stacks, const struct mck_place *place,
                          struct mck_frame *frames);
