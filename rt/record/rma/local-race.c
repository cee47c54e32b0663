// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rma.race-local: a load or store of the buffer that a pending RMA operation reads (origin) or writes (result) on
// this process. Before the operation is complete at its origin the local buffer must not be updated, and not be
// accessed at all if it is written (MPI-3.1 11.3, 11.7). The finding is made at the access. The place where the
// operation would have been complete is added when the program comes there.
#include "record/buffer/buffer-lifetime.h"
#include "record/error/local-finding.h"
#include "record/rma/local-race.h"
#include "record/runtime.h"

enum { ACCUSED_MAX = 64 }; // if there are more at a time, these have no third place
static struct {
  const struct mck_buffer *buffer;
  uint32_t site;
  size_t finding;
} accused[ACCUSED_MAX];
unsigned mck_nlocal_races;

void mck_local_race_add(const struct mck_buffer *b, uint32_t site, uint32_t flags) {
  const char *fn = mck_fn_names[b->fn];
  size_t finding = mck_rt.findings.count;
  struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_RACE_LOCAL, site, b->site);
  mck_finding_text(f, "%s the %s of %s before that is complete", mck_access_verb(flags),
                   b->is_written ? "result buffer" : "origin buffer", fn);
  mck_finding_place(f, mck_rt.rank, site, "%s by rank %d", mck_access_noun(flags), mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, b->site, "in use since %s", fn);
  mck_finding_why(f, b->is_pooled ? "only a synchronization of the window completes it at its origin: flush, "
                                    "flush_local, unlock, fence, complete (MPI-3.1 11.3, 11.5)"
                                  : "only MPI_Wait or MPI_Test completes it at its origin, or a synchronization of the "
                                    "window (MPI-3.1 11.3.5)");
  mck_local_done(f);
  if (!f || mck_rt.findings.count == finding || mck_nlocal_races == ACCUSED_MAX) return;
  accused[mck_nlocal_races].buffer = b, accused[mck_nlocal_races].site = b->site,
  accused[mck_nlocal_races++].finding = finding;
}

void mck_local_race_end(const struct mck_buffer *b, uint32_t site, uint16_t fn) {
  for (unsigned i = 0; i < mck_nlocal_races; i++) {
    if (accused[i].buffer != b || accused[i].site != b->site) continue;
    size_t at = accused[i].finding;
    accused[i--] = accused[--mck_nlocal_races];
    if (at >= mck_rt.findings.count) continue;
    mck_finding_place(&mck_rt.findings.items[at], mck_rt.rank, site, "complete at its origin with %s",
                      fn ? mck_fn_names[fn] : "this");
  }
}
