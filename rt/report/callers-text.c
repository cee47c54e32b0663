// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the callers of findings that are alike (callers-text.h).
#include "report/callers-text.h"

#include <stdlib.h>
#include <string.h>

#include "report/report-text.h"

enum { SHOWN_WHOLE = 3, LINES_MAX = 10 };

// A suppression is printed for each finding, so each is shown (option gen_suppressions).
bool mck_callers_hide(const struct mck_report *r, const struct mck_group *group) {
  return group->turn >= SHOWN_WHOLE && !r->options->prints_rules;
}

bool mck_callers_hide_next(const struct mck_report *r, const struct mck_group *group) {
  return group->turn + 1 == SHOWN_WHOLE && r->groups.items[group->alike].nalike > SHOWN_WHOLE &&
         !r->options->prints_rules;
}

static bool is_same_frame(const struct mck_source_frame *a, const struct mck_source_frame *b) {
  bool is_same_file = a->file && b->file ? strcmp(a->file, b->file) == 0 && a->line == b->line
                                         : !a->file && !b->file && a->offset == b->offset;
  return is_same_file && strcmp(a->module ? a->module : "", b->module ? b->module : "") == 0;
}

static bool is_same_stack(const struct mck_source_stack *a, const struct mck_source_stack *b) {
  unsigned k = 0;
  while (k < a->count && k < b->count && is_same_frame(&a->frames[k], &b->frames[k])) k++;
  return k == a->count && k == b->count;
}

// The callers of the first place that differs from the group that is shown. NULL: out of memory. Owned by the caller.
static char *write_callers(const struct mck_group *group, const struct mck_group *shown) {
  uint32_t place = 0;
  while (place + 1 < group->finding->nplaces && is_same_stack(&group->stacks[place], &shown->stacks[place])) place++;
  const struct mck_source_stack *stack = &group->stacks[place];
  unsigned frames[1 + MCK_CALLERS_SHOWN], n = mck_stack_shown(stack, frames);
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (unsigned k = 1; k < n; k++) {
    if (k > 1) fputs(", ", out);
    mck_text_print_frame(out, &stack->frames[frames[k]]);
  }
  if (fclose(out) == 0) return text;
  free(text);
  return NULL;
}

static bool is_printed(char *const *lines, size_t n, const char *line) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(lines[i], line) == 0) return true;
  return false;
}

void mck_callers_print(FILE *out, const struct mck_report *r, size_t shown) {
  const struct mck_group *last = &r->groups.items[shown], *first = &r->groups.items[last->alike];
  size_t others = first->nalike - SHOWN_WHOLE, n = 0;
  char *lines[LINES_MAX];
  fprintf(out, "  and the same by %zu other call path%s:\n", others, others == 1 ? "" : "s");
  for (size_t i = shown + 1; i < r->groups.count && n < LINES_MAX; i++) {
    const struct mck_group *group = &r->groups.items[i];
    if (group->alike != last->alike || group->suppression) continue;
    char *line = write_callers(group, first);
    if (!line) break;
    others--;
    // Two call paths may differ in the frames of another place, or in frames that are not shown.
    if (is_printed(lines, n, line)) {
      free(line);
      continue;
    }
    fprintf(out, "      called from %s\n", line);
    lines[n++] = line;
  }
  if (others) fprintf(out, "      and %zu more (option json writes all)\n", others);
  while (n) free(lines[--n]);
}
