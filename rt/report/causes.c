// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/causes.h"

// left: what record saw on its own rank; right: what the judge says of the same call with all ranks in view.
static const struct { enum mck_check consequence, cause; } rules[] = {
    {MCK_CHECK_REQUEST_NOT_COMPLETED, MCK_CHECK_MESSAGE_UNMATCHED},
    {MCK_CHECK_REQUEST_FREE_ACTIVE, MCK_CHECK_MESSAGE_UNMATCHED},
};

static bool is_of_same_call(const struct mck_finding *a, const struct mck_finding *b) {
  if (!b->nplaces || b->places[0].site == UINT32_MAX) return false;
  for (uint32_t i = 0; i < a->nplaces; i++)
    if (a->places[i].rank == b->places[0].rank && a->places[i].site == b->places[0].site) return true;
  return false;
}

bool mck_finding_is_consequence(const struct mck_findings *list, const struct mck_finding *finding) {
  for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
    if (finding->check != rules[r].consequence) continue;
    for (size_t i = 0; i < list->count; i++)
      if (list->items[i].check == rules[r].cause && is_of_same_call(finding, &list->items[i])) return true;
  }
  return false;
}
