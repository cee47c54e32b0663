// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of a place that the compiler warned of (static-place.h).
#include "report/static-place.h"

#include <fnmatch.h>

bool mck_static_is_kind(const char *pattern) { return fnmatch(pattern, "collective.divergence", 0) == 0; }

// The finding has the place in why (kind, file, function), line and column in the label of its only place, whose site
// is the number, and which says whether that is of a part. count: was the place executed?
void mck_static_fill(struct mck_finding *f, const struct mck_static_place *place, uint32_t number) {
  if (!f) return;
  mck_finding_text(f, "%s", place->text);
  mck_finding_why(f, "%s", place->kind);
  mck_finding_why(f, "%s", place->file);
  mck_finding_why(f, "%s", place->function);
  mck_finding_place(f, -1, number, "%u:%u%s", place->line, place->column, place->is_part ? ":part" : "");
  f->count = 0;
}

bool mck_static_is(const struct mck_finding *f) {
  return f->check == MCK_CHECK_STATIC_UNEXECUTED && f->nplaces == 1 && f->places[0].rank < 0 && f->places[0].label;
}

uint32_t mck_static_number(const struct mck_finding *f) { return mck_static_is(f) ? f->places[0].site : 0xffffffffu; }

void mck_static_execute(struct mck_findings *list, size_t first, const uint8_t *executed, size_t n) {
  for (size_t i = first; i < list->count; i++) {
    uint32_t number = mck_static_number(&list->items[i]);
    if (number < n) list->items[i].count = executed[number] != 0;
  }
}
