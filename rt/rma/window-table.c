// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Window table: which windows of different logs are one, whose memory an event is about, and which windows are judged
// in this room.
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "rma/rma-run.h"
#include "standard/epoch-call.h"

enum { POLLED_MAX = 32, POLLED_BYTES = 64 };

int32_t mck_rma_owner(const struct mck_rma_run *run, uint32_t log, const struct mck_event *e) {
  const struct mck_reader *r = &run->readers[log];
  const struct mck_win_def *win = mck_rma_win(r, e->access.win);
  const struct mck_comm_def *comm = win ? mck_order_comm(r, win->comm) : NULL;
  return e->fn ? (int32_t)e->fn - 1 : comm ? (int32_t)comm->rank : -1;
}

bool mck_rma_is_polling(const struct mck_reader *r, uint64_t index) {
  const struct mck_event *e = &r->events[index];
  if (e->flags & (MCK_ACCESS_BUFFER | MCK_ACCESS_MESSAGE)) return false;
  if (e->flags & (MCK_ACCESS_ATOMIC | MCK_ACCESS_VOLATILE)) return true;
  if (e->flags & MCK_ACCESS_STORE) return false;
  // Polling loops touch little: a flag, or a few; only so many accesses are looked at.
  if ((uint64_t)e->access.n * e->access.size > POLLED_BYTES) return false;
  for (int i = 0; i < POLLED_MAX && index < r->units && r->events[index].kind == MCK_EV_ACCESS; i++) index++;
  return index < r->units && r->events[index].kind == MCK_EV_SYNC && r->events[index].fn == MCK_FN_MPI_Win_sync;
}

struct mck_rma_window *mck_rma_window_of(const struct mck_rma_run *run, uint32_t log, uint32_t id) {
  if (id >= run->readers[log].nwins || run->logs[log].window_of[id] == MCK_NONE) return NULL;
  struct mck_rma_window *w = &run->windows[run->logs[log].window_of[id]];
  return w->is_judged && !w->is_doubtful ? w : NULL;
}

const struct mck_win_def *mck_rma_target(const struct mck_rma_run *run, const struct mck_rma_window *w, int32_t rank,
                                         uint32_t *owner) {
  if (rank < 0 || (uint32_t)rank >= w->size || w->members[rank].log == MCK_NONE) return NULL;
  *owner = w->members[rank].log;
  return mck_rma_win(&run->readers[*owner], w->members[rank].win);
}

static uint32_t find_window(struct mck_rma_run *run, uint64_t key, uint32_t size) {
  uint32_t at, id;
  uint64_t hash = mck_table_mix(key, 0);
  MCK_TABLE_EACH (&run->window_table, hash, at, id)
    if (run->windows[id].key == key) return id;
  struct mck_rma_window new = {.key = key, .size = size, .members = malloc(((size_t)size + 1) * sizeof *new.members)};
  if (new.members) memset(new.members, 0xff, ((size_t)size + 1) * sizeof *new.members);
  if (!new.members || !MCK_PUSH(run->windows, run->nwindows, run->windows_capacity, new)) {
    free(new.members);
    return run->is_short = true, MCK_NONE;
  }
  if (!mck_table_add(&run->window_table, hash, (uint32_t)run->nwindows - 1)) run->is_short = true;
  return (uint32_t)run->nwindows - 1;
}

void mck_rma_find_windows(struct mck_rma_run *run, uint32_t number) {
  const struct mck_reader *r = &run->readers[number];
  for (uint32_t i = 0; i < r->nwins && !run->is_short; i++) {
    const struct mck_win_def *win = mck_rma_win(r, i);
    const struct mck_comm_def *comm = win ? mck_order_comm(r, win->comm) : NULL;
    run->logs[number].window_of[i] = MCK_NONE;
    if (!comm) continue;
    uint32_t id = find_window(run, win->body->key, comm->size);
    if (id == MCK_NONE || run->windows[id].size != comm->size || comm->rank >= comm->size) continue;
    run->logs[number].window_of[i] = id;
    run->windows[id].members[comm->rank] = (struct mck_rma_member){number, i};
    // By the rules of the separate model; or because the sweep takes each log for one strand.
    if (win->traits & MCK_WIN_SEPARATE || mck_rma_strands(run, number)) run->windows[id].is_judged = true;
  }
  for (uint64_t i = 0; i < r->units; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    if (e->kind == MCK_EV_ACCESS && !run->has_polling) run->has_polling = mck_rma_is_polling(r, i);
    bool is_walked = e->kind == MCK_EV_ACCESS && mck_access_is_walked(e);
    if ((e->kind != MCK_EV_SYNC && e->kind != MCK_EV_FENCE && !is_walked) || e->word[0] >= r->nwins) continue;
    uint32_t id = run->logs[number].window_of[e->word[0]]; // win is first in sync and access
    if (id == MCK_NONE) continue;
    if (is_walked) {
      run->windows[id].is_judged = true;
      continue;
    }
    if (e->kind == MCK_EV_SYNC) run->windows[id].is_judged = true;
    if (e->kind == MCK_EV_SYNC && mck_std_is_lock(e->fn)) {
      if (mck_std_lock_may_skip(e->sync.assertion)) run->windows[id].has_unchecked = true;
      if (mck_std_is_exclusive(e->fn, (int)e->sync.lock_type)) run->windows[id].has_exclusive = true;
    }
    if (e->flags & MCK_SYNC_DOUBTFUL) run->windows[id].is_doubtful = true;
  }
}

const struct mck_attachments *mck_rma_attachments(struct mck_rma_run *run, uint32_t log, uint32_t win) {
  static const struct mck_attachments none;
  struct mck_rma_log *l = &run->logs[log];
  uint32_t nwins = run->readers[log].nwins;
  if (!l->attachments) {
    l->attachments = calloc((size_t)nwins + 1, sizeof *l->attachments);
    for (uint32_t i = 0; l->attachments && i < nwins && !run->is_short; i++)
      if (!mck_attachments_make(&l->attachments[i], &run->readers[log], i)) run->is_short = true;
  }
  if (!l->attachments) run->is_short = true;
  return l->attachments && win < nwins ? &l->attachments[win] : &none;
}
