// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds findings of one call, or of one cause, into one (call-merge.h). Ranks that run one program have the same frames
// there.
#define _GNU_SOURCE 1
#include "report/call-merge.h"
#include <stdlib.h>
#include <string.h>
#include "report/report-text.h"

static bool is_same_call(const struct mck_stack_source *stacks, const struct mck_place *a, const struct mck_place *b) {
  struct mck_frame x[MCK_FRAMES_MAX], y[MCK_FRAMES_MAX];
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

static bool is_on_same_ranks(const struct mck_group *a, const struct mck_group *b) {
  return a->nranks == b->nranks && (!a->nranks || !memcmp(a->ranks, b->ranks, a->nranks * sizeof *a->ranks));
}

// The first one of the same cause that says it of another buffer of the call, or of another call of such a thread.
static struct mck_group *find_first(struct mck_groups *groups, size_t index, const struct mck_stack_source *stacks) {
  const struct mck_finding *f = groups->items[index].finding;
  bool is_memory = f->check == MCK_CHECK_ARG_MEMORY; // both buffers of MPI_Scan are too short for its count
  for (size_t i = 0; f->cause && f->nplaces && i < index; i++) {
    const struct mck_finding *first = groups->items[i].finding;
    bool is_same = first->check == f->check && first->cause == f->cause && first->nplaces &&
                   is_on_same_ranks(&groups->items[i], &groups->items[index]);
    if (is_same && (!is_memory || is_same_call(stacks, &f->places[0], &first->places[0]))) return &groups->items[i];
  }
  return NULL;
}

static void say_again(struct mck_finding *first, const struct mck_group *group) {
  const struct mck_finding *f = group->finding;
  if (f->check == MCK_CHECK_ARG_MEMORY) mck_finding_why(first, "also %s", f->text);
  else
    mck_finding_why(first, "so is %.*s\x1a at %d:%u\x1a", (int)strcspn(f->text, " "), f->text, f->places[0].rank,
                    f->places[0].site);
}

static void fold_again(struct mck_groups *groups, struct mck_findings *findings,
                       const struct mck_stack_source *stacks) {
  for (size_t i = 1; i < groups->count;) {
    struct mck_group *group = &groups->items[i], *first = find_first(groups, i, stacks);
    if (!first) {
      i++;
      continue;
    }
    say_again(&findings->items[first->finding - findings->items], group);
    if (group->role) first->role = group->role;
    mck_groups_drop(groups, i);
  }
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
  fold_again(groups, findings, stacks);
}
