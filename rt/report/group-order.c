// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of a report (mck_groups_sort of merge.h).
#include <stdlib.h>
#include <string.h>
#include "report/merge.h"

// What may have led to the end of the run, the end, then everything else.
static int turn_of(const struct mck_group *group) {
  const struct mck_finding *f = group->finding;
  if (group->role == MCK_ROLE_CAUSE) return 0;
  bool is_end = group->role == MCK_ROLE_END || f->check == MCK_CHECK_RUN_DIED || f->check == MCK_CHECK_DEADLOCK ||
                f->check == MCK_CHECK_DEADLOCK_POLLING || f->check == MCK_CHECK_COLLECTIVE_COMM_ORDER;
  return is_end ? 1 : 2;
}

static int compare_texts(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : ""); }

static int compare_groups(const void *left, const void *right) {
  const struct mck_group *a = left, *b = right;
  const struct mck_finding *f = a->finding, *g = b->finding;
  int order = turn_of(a) - turn_of(b);
  if (order == 0) order = (int)g->severity - (int)f->severity;
  if (order == 0) order = (f->rank > g->rank) - (f->rank < g->rank);
  if (order == 0 && a->stacks[0].count && b->stacks[0].count) {
    const struct mck_source_frame *x = a->stacks[0].frames, *y = b->stacks[0].frames;
    order = compare_texts(x->file, y->file);
    if (order == 0) order = (x->line > y->line) - (x->line < y->line);
    if (order == 0) order = compare_texts(x->module, y->module);
    if (order == 0) order = (x->offset > y->offset) - (x->offset < y->offset);
  }
  if (order == 0) order = (int)f->check - (int)g->check;
  return order ? order : compare_texts(f->text, g->text);
}

void mck_groups_sort(struct mck_groups *groups) {
  if (groups->count > 1) qsort(groups->items, groups->count, sizeof *groups->items, compare_groups);
}
