// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexes the collectives of a log: one sequence of calls for each communicator, and one of fences for each window.
#include <stdatomic.h>
#include <string.h>
#include "judge/index-pass.h"
#include "standard/epoch-call.h"

// of: where the number + 1 of the sequence is kept. key: of the communicator or of the window.
static void add_to_sequence(struct mck_pass *pass, uint32_t *of, uint64_t key, const struct mck_comm_def *comm,
                            const struct mck_event *e) {
  struct mck_judge *j = pass->judge;
  if (!*of) {
    struct mck_sequence new = {.key = key, .comm = comm->id};
    if (!MCK_PUSH(j->sequences, j->nsequences, j->sequences_capacity, new)) {
      j->is_short = true;
      return;
    }
    *of = (uint32_t)j->nsequences;
  }
  struct mck_sequence *s = &j->sequences[*of - 1];
  struct mck_runs *runs = &s->runs;
  mck_pass_note_order(pass, &s->previous, &s->is_open);
  if (runs->count && !(e->flags & MCK_COLL_HAS_ARGS) && !memcmp(e, &j->log->events[s->last], sizeof *e)) {
    runs->items[runs->count - 1].n++;
    runs->n++;
    return;
  }
  s->last = pass->index;
  struct mck_event fence = {
      .kind = MCK_EV_COLL, .flags = MCK_COLL_HAS_SAME, .fn = e->fn, .site = e->site, .coll = {.root = -1}};
  fence.coll.count = mck_std_fence_common(e->sync.assertion);
  uint32_t call = e->kind == MCK_EV_FENCE ? mck_call_table_add(&j->calls, &fence, 1)
                                          : mck_call_table_add(&j->calls, e, j->log->units - pass->index);
  if (call == MCK_NONE || !mck_runs_append(runs, 1, call)) j->is_short = true;
}

void mck_pass_add_collective(struct mck_pass *pass, const struct mck_event *e) {
  if (e->flags & MCK_COLL_HAS_ARGS) mck_log_reach(pass->log, pass->index + 1);
  const struct mck_comm_def *comm = mck_judge_comm(pass->judge, e->coll.comm);
  // MPI_Comm_create_group is collective over a group of comm's members only (MPI-3.1 6.4.2).
  if (comm && !mck_judge_is_counted(comm, e->fn)) return;
  if (comm) add_to_sequence(pass, &pass->judge->of_comm[comm->id], comm->body->key, comm, e);
  else pass->judge->is_partial = true;
}

// A fence is collective over the group of the window (MPI-3.1 11.5.1).
void mck_pass_add_fence(struct mck_pass *pass, const struct mck_event *e) {
  // A cut keeps the last fence of each rank, whatever its number. So fences are not compared after a cut.
  if (pass->judge->is_cut || atomic_load(&pass->judge->log->header->generation)) return;
  const struct mck_win_def *win = mck_judge_win(pass->judge, e->sync.win);
  const struct mck_comm_def *comm = win ? mck_judge_comm(pass->judge, win->comm) : NULL;
  if (comm && comm->size + comm->remote_size >= 2)
    add_to_sequence(pass, &pass->judge->of_win[win->id], win->body->key, comm, e);
}
