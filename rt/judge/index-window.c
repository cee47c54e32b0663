// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexes the windows of a log: their fences, and the operations and accesses of each epoch.
#include "judge/index-pass.h"
#include "judge/whole/whole.h"
#include "rma/unshared.h"

// Windows that share memory while both are there: the sweep looks at one window only, so the walk has to
// (MPI-3.1 11.7).
static void find_shared_memory(struct mck_judge *j, uint32_t id) {
  const struct mck_win_def *new = mck_judge_win(j, id);
  for (uint32_t i = 0; i < j->log->nwins; i++) {
    const struct mck_win_def *old = i == id ? NULL : mck_judge_win(j, i);
    if (!old || !j->windows[i].is_used || j->windows[i].is_freed || old->flavor == MCK_WIN_FLAVOR_DYNAMIC) continue;
    if (new->body->base < old->body->base + old->body->size && old->body->base < new->body->base + new->body->size)
      j->needs |= MCK_WHOLE_FENCES, j->has_shared_memory = true;
  }
}

static struct mck_rma_window *find_window(struct mck_judge *j, uint32_t id) {
  const struct mck_win_def *win = mck_judge_win(j, id);
  if (win && !j->windows[id].is_used) {
    j->windows[id].is_used = true;
    if (win->flavor != MCK_WIN_FLAVOR_DYNAMIC) find_shared_memory(j, id);
  }
  if (win) return &j->windows[id];
  j->is_partial = true;
  return NULL;
}

void mck_pass_add_rma(struct mck_pass *pass, const struct mck_event *e) {
  struct mck_judge *j = pass->judge;
  struct mck_rma_window *w = find_window(j, e->word[0]); // the window is the first word of rma, sync and access
  if (!w) return;
  uint32_t epoch = mck_rma_epoch(w);
  if (atomic_load(&j->log->header->is_multiple) & MCK_LOG_STRANDS) w->is_locked = true; // the walk judges it
  j->seen[e->word[0]] |= mck_unshared_note(e);
  bool is_ok = true;
  switch (e->kind) {
  case MCK_EV_FENCE: {
    struct mck_fence fence = {e->site, pass->released, e->sync.assertion, pass->index};
    if (!w->nfences && e->sync.before < MCK_NONE / 2) w->base = (uint32_t)e->sync.before; // a larger number is forged
    is_ok = MCK_PUSH(w->fences, w->nfences, w->fences_capacity, fence);
    mck_pass_add_fence(pass, e);
    w->acquired = pass->index;
    break;
  }
  case MCK_EV_SYNC: w->is_locked = true; break;
  case MCK_EV_ACCESS: {
    struct mck_rma_access access = {pass->index, epoch};
    if (mck_access_is_walked(e)) { // rt/rma judges it
      w->is_locked = true;
      break;
    }
    if (epoch) is_ok = MCK_PUSH(w->accesses, w->naccesses, w->accesses_capacity, access);
    break;
  }
  default: {
    struct mck_rma_op op = {pass->index, epoch, pass->acquired > w->acquired};
    if (op.is_acquired) j->needs |= MCK_WHOLE_FENCES; // if the target has told something, too
    if (epoch) is_ok = MCK_PUSH(w->ops, w->nops, w->ops_capacity, op);
  }
  }
  if (!is_ok) j->is_short = true;
}

void mck_pass_free_window(struct mck_pass *pass, const struct mck_event *e) {
  if (mck_judge_win(pass->judge, e->word[0])) pass->judge->windows[e->word[0]].is_freed = true;
}

void mck_pass_add_attach(struct mck_pass *pass, const struct mck_event *e) {
  struct mck_rma_window *w = mck_judge_win(pass->judge, e->attach.win) ? &pass->judge->windows[e->attach.win] : NULL;
  struct mck_rma_access access = {pass->index, w ? mck_rma_epoch(w) : 0};
  if (access.epoch && !MCK_PUSH(w->accesses, w->naccesses, w->accesses_capacity, access)) pass->judge->is_short = true;
}
