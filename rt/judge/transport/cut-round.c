// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cut has two exchanges: parcels go to the ranks that decide, and verdicts come back. All ranks agree on what has
// failed before anything is changed. If one rank recycled its log and another did not, their logs would disagree.
#include "judge/transport/cut-round.h"
#include <stdlib.h>
#include "standard/epoch-call.h"
#include "judge/transport/exchange.h"
#include "judge/transport/fence-agreement.h"
#include "judge/transport/file-agreement.h"
#include "judge/index.h"
#include "judge/transport/parcel-exchange.h"
#include "judge/parcel/parcel.h"
#include "judge/whole/whole.h"

static bool agree(bool is_good, MPI_Comm comm) {
  int all = is_good;
  return PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS && all;
}

// Makes one finding for each window.
static void say_exposed(const struct mck_judge *judge, struct mck_findings *found) {
  const struct mck_event *events = judge->log->events;
  for (size_t i = 0; i < judge->open.count; i++) {
    const struct mck_event *e = &events[judge->open.events[i]];
    if (e->kind != MCK_EV_SYNC || !mck_std_has_group(e->fn)) continue;
    struct mck_finding *f = mck_findings_add(found, MCK_CHECK_UNCHECKED, (int)judge->rank);
    mck_finding_text(f,
                     "races on a window are not looked for from here on: an epoch of %s was open wherever the logs "
                     "could have been cut",
                     mck_judge_fn(e->fn));
    mck_finding_why(f, "raise option log_budget, so that logs are not cut");
    mck_finding_place(f, (int)judge->rank, e->site, "%s on rank %u", mck_judge_fn(e->fn), judge->rank);
  }
}

// One finding, at one place, so that those of several cuts become one.
static void say_left_out(const struct mck_judge *judge, const struct mck_event *e, struct mck_findings *found) {
  struct mck_finding *f = e ? mck_findings_add(found, MCK_CHECK_UNCHECKED, (int)judge->rank) : NULL;
  if (!f) return;
  mck_finding_text(f, "accesses to files were not compared with those of earlier parts of the run: there are too many "
                      "writes since the last MPI_File_sync or close");
  mck_finding_why(f, "raise option log_budget, so that logs are not cut");
  mck_finding_place(f, (int)judge->rank, e->site, "%s on rank %u", mck_judge_fn(e->fn), judge->rank);
}

// What a cut asks of the analyses of all logs together. All events that were over here come before all events behind
// the cut, so an analysis may be made of each part alone. Unsafe sends are looked for in the first events of a run.
static unsigned needs_at_cut(const struct mck_reader *own, const struct mck_judge *judge) {
  unsigned left_out = MCK_WHOLE_FLOW;
  if (atomic_load(&own->header->generation)) left_out |= MCK_WHOLE_SENDS;
  return judge ? mck_whole_wanted(judge->needs) & ~left_out : 0;
}

static bool judge_together(const struct mck_reader *own, const struct mck_judge *judge, unsigned needs, const char *dir,
                           MPI_Comm comm, struct mck_findings *found) {
  const struct mck_judge_run run = {judge->size, false};
  if (needs & MCK_WHOLE_FILES && mck_agree_on_files(own, comm, &needs) != MPI_SUCCESS) return false;
  return !mck_whole_agreed(needs) || mck_judge_together(own, judge->seen, dir, &run, needs, comm, found) == MPI_SUCCESS;
}

enum mck_cut_round mck_judge_cut_round(const struct mck_reader *own, const struct mck_pending *pending, bool is_urgent,
                                       const char *dir, MPI_Comm comm, struct mck_findings *early,
                                       struct mck_remaining_log *remaining) {
  int size;
  PMPI_Comm_size(comm, &size);
  *remaining = (struct mck_remaining_log){0};
  bool is_whole = !atomic_load(&own->header->is_incomplete) && own->damaged == UINT64_MAX;
  struct mck_judge *judge = is_whole ? mck_judge_index_cut(own, (uint32_t)size, pending) : NULL;
  const struct mck_parcels *parcels = judge && !judge->is_partial ? mck_judge_parcels(judge) : NULL, *verdicts = NULL;
  struct mck_parcels from = {0}, received = {0};
  struct mck_findings found = {0};
  bool is_complete = true;
  // What any rank says: it cannot take part; an exposure is open; it is urgent; and what it needs all logs for.
  unsigned any[4] = {!parcels, judge && judge->open.is_exposed, is_urgent, needs_at_cut(own, judge)};
  bool is_good = PMPI_Allreduce(MPI_IN_PLACE, any, 4, MPI_UNSIGNED, MPI_BOR, comm) == MPI_SUCCESS && !any[0];
  bool is_postponed = is_good && any[1] && !any[2];
  is_good = is_good && !is_postponed;
  if (is_good) is_good = mck_judge_move(parcels, &from, comm, &is_complete) == MPI_SUCCESS && is_complete;
  if (is_good) {
    struct mck_judge_run run = {(uint32_t)size, false};
    mck_judge_decide(judge, &from, &run, &found);
    verdicts = mck_judge_verdicts(judge);
    is_complete = verdicts != NULL;
    is_good = mck_judge_move(verdicts, &received, comm, &is_complete) == MPI_SUCCESS && is_complete;
  }
  if (is_good && any[3] & MCK_WHOLE_FENCES) is_good = mck_agree_on_fences(judge, &any[3], comm) == MPI_SUCCESS;
  unsigned needs = mck_whole_agreed(any[3]);
  if (is_good && needs) is_good = agree(judge_together(own, judge, needs | MCK_WHOLE_CUT, dir, comm, &found), comm);
  if (is_good) {
    for (size_t i = 0; is_good && i < received.count; i++)
      is_good = mck_judge_take(judge, received.items[i].rank, &received.items[i].parcel);
    is_good = agree(is_good && mck_judge_make_remaining_log(judge, remaining), comm);
  }
  if (is_good) {
    say_exposed(judge, &found);
    say_left_out(judge, remaining->left_out, &found);
    mck_findings_merge(early, &found);
  } else mck_remaining_log_free(remaining);
  mck_findings_free(&found);
  mck_parcels_free(&from);
  mck_parcels_free(&received);
  mck_judge_free(judge);
  return is_good ? MCK_CUT_ROUND_DONE : is_postponed ? MCK_CUT_ROUND_POSTPONED : MCK_CUT_ROUND_FAILED;
}
