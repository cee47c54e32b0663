// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds arg.memory into collective.count and collective.type of the same call (call-merge.h). Ranks that run one
// program have the same frames there.
#define _GNU_SOURCE 1
#include "report/call-merge.h"
#include <stdlib.h>
#include <string.h>
#include "report/report-text.h"

// "MPI_Gatherv on rank 0", "MPI_Bcast with 10 MPI_INT on rank 0": the same function?
static bool is_same_function(const char *a, const char *b) {
  size_t length = a ? strcspn(a, " ") : 0;
  return length && b && strncmp(a, b, length) == 0 && b[length] == ' ';
}

static bool is_same_call(const struct mck_stack_source *stacks, const struct mck_place *a, const struct mck_place *b) {
  struct mck_frame x[MCK_FRAMES_MAX], y[MCK_FRAMES_MAX];
  if (!is_same_function(a->label, b->label)) return false;
  unsigned n = mck_place_frames(stacks, a, x), m = mck_place_frames(stacks, b, y), k = 0;
  while (k < n && n == m && x[k].offset == y[k].offset &&
         strcmp(x[k].module ? x[k].module : "", y[k].module ? y[k].module : "") == 0)
    k++;
  return n && k == n && n == m;
}

static struct mck_group *find_cause(struct mck_groups *groups, const struct mck_group *memory,
                                    const struct mck_stack_source *stacks) {
  const struct mck_finding *f = memory->finding;
  for (size_t i = 0; f->nplaces && i < groups->count; i++) {
    const struct mck_finding *cause = groups->items[i].finding;
    if (cause->check != MCK_CHECK_COLLECTIVE_COUNT && cause->check != MCK_CHECK_COLLECTIVE_TYPE) continue;
    if (cause->severity < f->severity) continue;
    for (uint32_t k = 0; k < cause->nplaces; k++)
      if (is_same_call(stacks, &f->places[0], &cause->places[k])) return &groups->items[i];
  }
  return NULL;
}

static void say(struct mck_finding *cause, const struct mck_group *memory) {
  char *ranks = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&ranks, &size);
  if (out) mck_text_print_ranks(out, memory->ranks, memory->nranks);
  if (out && fclose(out) == 0)
    mck_finding_why(cause, "%s: %s", ranks, memory->finding->text ? memory->finding->text : "");
  free(ranks);
  if (memory->finding->why) mck_finding_why(cause, "%s", memory->finding->why); // "MPI ended rank 0 in this call"
}

void mck_calls_fold(struct mck_groups *groups, struct mck_findings *findings, const struct mck_stack_source *stacks) {
  for (size_t i = 0; i < groups->count;) {
    struct mck_group *group = &groups->items[i];
    struct mck_group *cause = group->finding->check == MCK_CHECK_ARG_MEMORY ? find_cause(groups, group, stacks) : NULL;
    if (!cause) {
      i++;
      continue;
    }
    say(&findings->items[cause->finding - findings->items], group);
    if (group->role) cause->role = group->role;
    mck_groups_drop(groups, i);
  }
}
