// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds ranks that keep others waiting for long, without a deadlock that can be proved.
#include "watch/thread/watch-thread.h"

// Has a signal asked for the graph? Does a rank of this node keep others waiting for long?
struct mck_hangs mck_watch_find_hangs(struct mck_watch *w, int64_t now) {
  int64_t limit = (int64_t)mck_options.hang_time * 1000000000;
  struct mck_hangs hangs = {.computing = MCK_NONE};
  for (uint32_t i = 0; i < w->nhere; i++) {
    struct seen *s = &w->seen[i];
    hangs.nasked += atomic_load_explicit(&w->headers[i]->asked, memory_order_relaxed);
    hangs.is_waiting |= s->looks >= LOOKS_STUCK && (int64_t)s->looks * w->period_ms * 1000000 >= limit;
    if (s->wait || s->state != MCK_LOG_RUNNING) mck_hang_forget(&s->hang);
    else if (mck_hang_look(&s->hang, w->headers[i], now, limit) && !s->hang.is_told && hangs.computing == MCK_NONE)
      hangs.computing = mck_watch_rank(w, i);
  }
  return hangs;
}

static bool is_told(const struct mck_watch *w, uint32_t rank) {
  uint32_t place = mck_watch_place(w, rank);
  if (place != MCK_NONE) return w->seen[place].hang.is_told;
  for (size_t i = 0; i < w->ntold; i++)
    if (w->told[i] == rank) return true;
  return false;
}

static bool set_told(struct mck_watch *w, uint32_t rank) {
  uint32_t place = mck_watch_place(w, rank);
  if (place != MCK_NONE) return w->seen[place].hang.is_told = true;
  return MCK_PUSH(w->told, w->ntold, w->told_capacity, rank);
}

void mck_watch_tell_hangs(struct mck_watch *w, int64_t now) {
  struct mck_hangs all = mck_watch_find_hangs(w, now);
  for (uint32_t i = 1; w->tree && i < w->nodes->nnodes; i++) {
    struct mck_hangs h = mck_tree_get_hangs(w->tree, i);
    all.nasked += h.nasked;
    all.is_waiting |= h.is_waiting;
    if (all.computing == MCK_NONE && h.computing != MCK_NONE && !is_told(w, h.computing)) all.computing = h.computing;
  }
  if (all.nasked != w->nasked) mck_watch_attempt(w, MCK_CHECK_HANG_ASKED, -1);
  w->nasked = all.nasked;
  if (!all.is_waiting || all.computing == MCK_NONE) return;
  if (!set_told(w, all.computing)) return; // it would be told again and again
  w->heard[0] = 0;
  if (w->tree && !mck_watch_is_local(w, all.computing) && !mck_tree_ask_where(w->tree, all.computing, w->heard)) return;
  mck_watch_attempt(w, MCK_CHECK_HANG_COMPUTING, (int)all.computing);
}

bool mck_watch_is_hung(struct mck_watch *w, uint64_t fingerprint) {
  bool is_still = true, is_waiting = false;
  for (uint32_t i = 0; i < w->nhere; i++) { // the question to the other nodes covers theirs
    bool is_stuck = w->seen[i].looks >= MCK_LOOKS_SHORT && mck_wait_event(w->seen[i].wait) != MCK_NONE,
         is_out = w->seen[i].state == MCK_LOG_FINALIZED;
    is_still &= is_stuck || is_out;
    is_waiting |= is_stuck;
  }
  if (!is_still || !is_waiting || fingerprint != w->hung) w->looks_hung = 0;
  w->hung = fingerprint;
  return is_still && is_waiting && w->looks_hung <= LOOKS_HUNG && ++w->looks_hung == LOOKS_HUNG;
}
