// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/memory-loss.h"
#include "base/base.h"

uint32_t mck_memory_loss_say(struct mck_findings *findings, uint32_t nshort) {
  struct mck_finding *f = nshort ? mck_findings_add(findings, MCK_CHECK_INCOMPLETE, -1) : NULL;
  if (f) {
    f->severity = MCK_ERROR;
    mck_finding_text(f, "mpicc-check was short of memory: what it could not keep is not judged");
    mck_finding_why(f, "%u rank%s: nothing is concluded from what was recorded without memory", nshort,
                    nshort == 1 ? "" : "s");
    mck_finding_help(f, "give the job more memory, run fewer steps, or bound the logs (log_limit, log_budget)");
  } else if (nshort) mck_base_warn("short of memory: the run was not judged");
  uint32_t errors = 0;
  for (size_t i = 0; i < findings->count; i++) errors += findings->items[i].severity == MCK_ERROR;
  return nshort && !errors ? 1 : errors;
}
