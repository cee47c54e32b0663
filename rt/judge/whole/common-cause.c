// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins a deadlock with the finding of the collective that caused it (common-cause.h).
#include "judge/whole/common-cause.h"
#include <stdint.h>

// Can a finding of this kind make ranks wait for each other?
static bool is_cause(enum mck_check check) {
  return check == MCK_CHECK_COLLECTIVE_CALL || check == MCK_CHECK_COLLECTIVE_ROOT ||
         check == MCK_CHECK_COLLECTIVE_BLOCKING || check == MCK_CHECK_COLLECTIVE_COUNT ||
         check == MCK_CHECK_COLLECTIVE_TYPE || check == MCK_CHECK_COLLECTIVE_IN_PLACE ||
         check == MCK_CHECK_IO_COLLECTIVE;
}

// Do both findings name the same call of the same rank?
static bool is_shared(const struct mck_finding *a, const struct mck_finding *b) {
  for (uint32_t i = 0; i < a->nplaces; i++)
    for (uint32_t k = 0; k < b->nplaces; k++)
      if (a->places[i].rank >= 0 && a->places[i].rank == b->places[k].rank && a->places[i].site != UINT32_MAX &&
          a->places[i].site == b->places[k].site)
        return true;
  return false;
}

void mck_judge_fold_causes(struct mck_findings *findings) {
  for (size_t i = 0; i < findings->count;) {
    const struct mck_finding *f = &findings->items[i];
    struct mck_finding *cause = NULL;
    if (f->check == MCK_CHECK_DEADLOCK || f->check == MCK_CHECK_DEADLOCK_POLLING ||
        f->check == MCK_CHECK_COLLECTIVE_COMM_ORDER)
      // The last finding is taken: the calls in which ranks stand are at the end of their logs.
      for (size_t k = findings->count; k-- > 0 && !cause;)
        if (is_cause(findings->items[k].check) && is_shared(f, &findings->items[k])) cause = &findings->items[k];
    if (!cause) {
      i++;
      continue;
    }
    mck_finding_why(cause, "%s", f->text);
    if (f->why) mck_finding_why(cause, "%s", f->why);
    cause->role = MCK_ROLE_END;
    mck_findings_remove(findings, i);
  }
}
