// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fence opens an epoch only if operations follow it (MPI-3.1 11.5.1: "it is followed by another fence call and the
// local process issued RMA calls between"): some programs call one fence, and use locks from then on. So the epoch of
// a fence begins with its first operation. Access epochs of one window at one process are disjoint, and so are
// exposure epochs (11.5). After a call that did not fit, it is not known what MPI made of it. From then on the
// window's synchronizations are marked in the log, and the judge leaves the window alone.
#include "record/rma/epoch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "record/call/call-args.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

struct opened {
  uint16_t fn;
  uint32_t site;
};
struct logged {
  uint32_t event, generation;
}; // generation: which of the logs, since a log is cut now and then
struct mck_epochs {
  int size, rank; // size: of the window's group; rank: ours in it
  bool is_fenced, is_started, is_posted, is_locked_all, is_doubtful;
  int nlocks; // targets locked one by one
  struct opened fence, start, post, lock_all;
  struct logged posted;
  struct opened operation; // the first one since the last fence
  bool has_operated;
  struct opened other; // the first one since then that was of an epoch of another kind
  bool has_other;
  uint8_t *locks;             // by target: MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE, 0
  uint8_t *is_target;         // by target: it is in the group of the start
  struct opened *lock_places; // by target
  int *given, *ranks;         // memory for a group, 2 * size
};

static void forget(struct mck_epochs *e) {
  if (!e) return;
  free(e->locks);
  free(e->is_target);
  free(e->lock_places);
  free(e->given);
  free(e);
}

void mck_epochs_end(struct mck_window *w) {
  forget(w->epochs);
  w->epochs = NULL;
}

void mck_epochs_start(struct mck_window *w, int rank) {
  mck_epochs_end(w);
  struct mck_epochs *e = w->group_size > 0 ? calloc(1, sizeof *e) : NULL;
  if (!e) return;
  size_t n = (size_t)w->group_size;
  e->size = w->group_size, e->rank = rank;
  e->locks = calloc(n, 1), e->is_target = calloc(n, 1), e->lock_places = calloc(n, sizeof *e->lock_places);
  e->given = calloc(2 * n, sizeof *e->given);
  if (e->locks && e->is_target && e->lock_places && e->given) {
    e->ranks = e->given + n;
    w->epochs = e;
  } else forget(e);
}

bool mck_epoch_is_doubtful(const struct mck_window *w) { return w->epochs && w->epochs->is_doubtful; }

bool mck_epoch_is_open(const struct mck_window *w, uint16_t *fn, uint32_t *site) {
  const struct mck_epochs *e = w->epochs;
  const struct opened *open = NULL;
  if (!e) return false;
  if (e->is_locked_all) open = &e->lock_all;
  else if (e->is_started) open = &e->start;
  else if (e->is_posted) open = &e->post;
  for (int t = 0; !open && e->nlocks && t < e->size; t++)
    if (e->locks[t]) open = &e->lock_places[t];
  if (open) *fn = open->fn, *site = open->site;
  return open != NULL;
}

int mck_epoch_rank(const struct mck_window *w) { return w->epochs ? w->epochs->rank : -1; }

const int *mck_epoch_ranks(struct mck_window *w, MPI_Win win, MPI_Group group, int *n) {
  struct mck_epochs *e = w->epochs;
  MPI_Group all;
  *n = 0;
  if (!e || group == MPI_GROUP_NULL || !group || PMPI_Group_size(group, n) != MPI_SUCCESS || *n > e->size) return NULL;
  if (*n == 0) return e->ranks;
  for (int i = 0; i < *n; i++) e->given[i] = i;
  if (PMPI_Win_get_group(win, &all) != MPI_SUCCESS) return NULL;
  int rc = PMPI_Group_translate_ranks(group, *n, e->given, all, e->ranks);
  PMPI_Group_free(&all);
  return rc == MPI_SUCCESS ? e->ranks : NULL;
}

// --- findings ---
__attribute__((format(printf, 5, 6), cold)) static void say(struct mck_call *call, struct mck_window *w,
                                                            enum mck_check check, const struct opened *open,
                                                            const char *format, ...) {
  char text[256];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  w->epochs->is_doubtful = true;
  call->is_doubtful = true;
  if (mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 1u + call->fn);
  struct mck_finding *f = mck_local_add(check, mck_call_site(call), mck_base_hash(text, strlen(text), 6));
  mck_finding_text(f, "%s", text);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  if (open) mck_finding_place(f, mck_rt.rank, open->site, "%s", mck_fn_names[open->fn]);
  mck_finding_place(f, mck_rt.rank, w->object.site, "the window was made by %s", mck_fn_names[w->object.fn]);
  mck_local_done(f);
}

static const struct opened *any_lock(const struct mck_epochs *e) {
  if (e->is_locked_all) return &e->lock_all;
  for (int t = 0; e->nlocks && t < e->size; t++)
    if (e->locks[t]) return &e->lock_places[t];
  return NULL;
}

// Reports an epoch of another kind that is open: access epochs must not overlap (MPI-3.1 11.5).
static bool is_mixed(struct mck_call *call, struct mck_window *w, bool is_fence) {
  struct mck_epochs *e = w->epochs;
  const char *name = mck_fn_names[call->fn];
  const struct opened *lock = any_lock(e);
  if (lock) say(call, w, MCK_CHECK_RMA_EPOCH_MIXED, lock, "%s within an epoch of %s", name, mck_fn_names[lock->fn]);
  else if (e->is_started)
    say(call, w, MCK_CHECK_RMA_EPOCH_MIXED, &e->start, "%s within an epoch of %s", name, mck_fn_names[e->start.fn]);
  else if (is_fence && e->is_posted)
    say(call, w, MCK_CHECK_RMA_EPOCH_MIXED, &e->post, "%s within an epoch of %s", name, mck_fn_names[e->post.fn]);
  else if (!is_fence && e->has_operated)
    say(call, w, MCK_CHECK_RMA_EPOCH_MIXED, &e->operation,
        "%s after %s of a fence's epoch, which no fence has closed yet", name, mck_fn_names[e->operation.fn]);
  else return false;
  return true;
}

// Two fences with RMA operations between them are an access epoch, whatever else lets these operations reach their
// targets (11.5.1), and access epochs are disjoint (11.5). What MPI makes of it is known: it is no doubt.
static void check_fence_epoch(struct mck_call *call, const struct mck_args *a, struct mck_window *w) {
  const struct mck_epochs *e = w->epochs;
  if (MCK_LIKELY(!e->has_other) || a->assertion & MPI_MODE_NOPRECEDE) return;
  struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_FENCE_MIXED, mck_call_site(call), e->other.site);
  mck_finding_text(f, "two fences enclose operations in epochs of another kind");
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, e->other.site, "%s before it", mck_fn_names[e->other.fn]);
  mck_finding_place(f, mck_rt.rank, e->fence.site, "%s before that", mck_fn_names[e->fence.fn]);
  mck_finding_why(f, "two fences with operations between them are an epoch of their own (MPI-3.1 11.5.1)");
  mck_local_done(f);
}

static void check_group(struct mck_call *call, struct mck_window *w, const int *ranks, int n) {
  for (int i = 0; ranks && i < n; i++)
    if (ranks[i] == MPI_UNDEFINED) {
      say(call, w, MCK_CHECK_RMA_GROUP, NULL, "the group of %s has processes that are not in the window's group",
          mck_fn_names[call->fn]);
      return;
    }
}

static void check_lock(struct mck_call *call, const struct mck_args *a, struct mck_window *w) {
  struct mck_epochs *e = w->epochs;
  const char *name = mck_fn_names[call->fn];
  bool is_all = mck_std_is_to_all(call->fn);
  if (w->traits & MCK_WIN_NO_LOCKS)
    say(call, w, MCK_CHECK_RMA_EPOCH_MIXED, NULL, "%s on a window that was made with no_locks=true", name);
  else if (e->is_locked_all)
    say(call, w, MCK_CHECK_RMA_LOCK_TWICE, &e->lock_all, "%s while MPI_Win_lock_all holds all targets", name);
  else if (is_all && e->nlocks)
    say(call, w, MCK_CHECK_RMA_LOCK_TWICE, any_lock(e), "%s while MPI_Win_lock holds a target", name);
  else if (!is_all && e->locks[a->target])
    say(call, w, MCK_CHECK_RMA_LOCK_TWICE, &e->lock_places[a->target],
        "%s of target %d, which this process has locked already", name, a->target);
  else if (e->is_started || e->has_operated) is_mixed(call, w, false);
  // MPI-3.1 11.5.3: a window is not locked and exposed at once
  else if (e->is_posted && (is_all || a->target == e->rank))
    say(call, w, MCK_CHECK_RMA_EPOCH_MIXED, &e->post, "%s of a window that this process exposes", name);
}

static void check_flush(struct mck_call *call, const struct mck_args *a, struct mck_window *w) {
  const struct mck_epochs *e = w->epochs;
  bool has_target = mck_std_is_to_one(call->fn);
  if (e->is_locked_all || (has_target ? e->locks[a->target] : e->nlocks)) return;
  const struct opened *open = e->is_started ? &e->start : e->is_fenced ? &e->fence : NULL;
  if (has_target && e->nlocks)
    say(call, w, MCK_CHECK_RMA_FLUSH_ACTIVE_TARGET, any_lock(e), "%s of target %d, which is not locked",
        mck_fn_names[call->fn], a->target);
  else
    say(call, w, MCK_CHECK_RMA_FLUSH_ACTIVE_TARGET, open,
        "%s outside of every epoch of MPI_Win_lock or MPI_Win_lock_all", mck_fn_names[call->fn]);
}

void mck_epoch_check_sync(struct mck_call *call, const struct mck_args *a, struct mck_window *w, const int *ranks,
                          int nranks) {
  struct mck_epochs *e = w->epochs;
  const char *name = mck_fn_names[call->fn];
  if (!e || mck_rt.is_profiler || call->nfindings || e->is_doubtful || mck_depth > 1) return;
  bool is_to_one = mck_std_is_to_one(call->fn);
  if (is_to_one && (a->target < 0 || a->target >= e->size)) return; // MPI_PROC_NULL, or reported already
  switch (mck_std_epoch_call(call->fn)) {
  case MCK_STD_CALL_FENCE:
    if (is_mixed(call, w, true)) break;
    if (a->assertion & MPI_MODE_NOPRECEDE && e->has_operated)
      say(call, w, MCK_CHECK_ARG_ASSERT, &e->operation,
          "MPI_MODE_NOPRECEDE of %s is not true: %s is still to be completed", name, mck_fn_names[e->operation.fn]);
    else check_fence_epoch(call, a, w);
    break;
  case MCK_STD_CALL_START:
    if (e->is_started)
      say(call, w, MCK_CHECK_RMA_EPOCH_UNCLOSED, &e->start,
          "%s before the epoch of an earlier one is closed by MPI_Win_complete", name);
    else if (!is_mixed(call, w, false)) check_group(call, w, ranks, nranks);
    break;
  case MCK_STD_CALL_POST:
    if (e->is_posted)
      say(call, w, MCK_CHECK_RMA_EPOCH_UNCLOSED, &e->post,
          "%s before the epoch of an earlier one is closed by MPI_Win_wait", name);
    else if (e->is_locked_all || e->locks[e->rank])
      say(call, w, MCK_CHECK_RMA_EPOCH_MIXED, any_lock(e), "%s of a window that this process has locked itself", name);
    else check_group(call, w, ranks, nranks);
    break;
  case MCK_STD_CALL_COMPLETE:
    if (!e->is_started) say(call, w, MCK_CHECK_RMA_EPOCH_UNOPENED, NULL, "%s without MPI_Win_start", name);
    break;
  case MCK_STD_CALL_WAIT:
    if (!e->is_posted) say(call, w, MCK_CHECK_RMA_EPOCH_UNOPENED, NULL, "%s without MPI_Win_post", name);
    break;
  case MCK_STD_CALL_LOCK: check_lock(call, a, w); break;
  case MCK_STD_CALL_UNLOCK:
    if (is_to_one && !e->locks[a->target])
      say(call, w, MCK_CHECK_RMA_UNLOCK_UNLOCKED, any_lock(e), "%s of target %d, which this process has not locked%s",
          name, a->target, e->is_locked_all ? " by itself" : "");
    if (!is_to_one && !e->is_locked_all)
      say(call, w, MCK_CHECK_RMA_UNLOCK_UNLOCKED, any_lock(e), "%s without MPI_Win_lock_all", name);
    break;
  case MCK_STD_CALL_FLUSH:
  case MCK_STD_CALL_OTHER: check_flush(call, a, w); break; // MPI_Win_sync, too (11.5.4)
  }
}

static uint32_t get_generation(void) {
  const struct mck_log_header *h = mck_rt.log.header;
  return h ? atomic_load_explicit(&h->generation, memory_order_relaxed) : 0;
}

uint32_t mck_epoch_posted(const struct mck_window *w) {
  const struct mck_epochs *e = w->epochs;
  return e && e->is_posted && e->posted.generation == get_generation() ? e->posted.event : MCK_NONE;
}

void mck_epoch_synced(const struct mck_call *call, const struct mck_args *a, struct mck_window *w, const int *ranks,
                      int nranks) {
  struct mck_epochs *e = w->epochs;
  if (!e) return;
  struct opened here = {call->fn, call->site};
  bool has_target = a->target >= 0 && a->target < e->size;
  switch (mck_std_epoch_call(call->fn)) {
  case MCK_STD_CALL_FENCE:
    e->is_fenced = !(a->assertion & MPI_MODE_NOSUCCEED);
    e->has_operated = e->has_other = false;
    e->fence = here;
    break;
  case MCK_STD_CALL_START:
    e->is_started = true;
    e->start = here;
    memset(e->is_target, ranks ? 0 : 1, (size_t)e->size); // not known: any target
    for (int i = 0; ranks && i < nranks; i++)
      if (ranks[i] >= 0 && ranks[i] < e->size) e->is_target[ranks[i]] = 1;
    break;
  case MCK_STD_CALL_COMPLETE: e->is_started = false; break;
  case MCK_STD_CALL_POST:
    e->is_posted = true, e->post = here;
    e->posted = (struct logged){call->event, get_generation()};
    break;
  case MCK_STD_CALL_WAIT: e->is_posted = false; break;
  case MCK_STD_CALL_LOCK:
    if (mck_std_is_to_all(call->fn)) e->is_locked_all = true, e->lock_all = here;
    else if (has_target)
      e->nlocks += !e->locks[a->target], e->locks[a->target] = (uint8_t)a->lock_type, e->lock_places[a->target] = here;
    break;
  case MCK_STD_CALL_UNLOCK:
    if (mck_std_is_to_all(call->fn)) e->is_locked_all = false;
    else if (has_target) e->nlocks -= e->locks[a->target] != 0, e->locks[a->target] = 0;
    break;
  case MCK_STD_CALL_FLUSH:
  case MCK_STD_CALL_OTHER: break;
  }
}

MCK_HOT bool mck_epoch_is_locked(const struct mck_window *w, int target) {
  const struct mck_epochs *e = w->epochs;
  return e && !e->is_doubtful && (unsigned)target < (unsigned)e->size && (e->is_locked_all || e->locks[target]);
}

// The first operation behind a fence is noted, so it is not among these.
MCK_HOT bool mck_epoch_lets_in(const struct mck_window *w, int target) {
  const struct mck_epochs *e = w->epochs;
  if (!e || e->is_doubtful || (unsigned)target >= (unsigned)e->size) return false;
  if (e->is_locked_all || e->locks[target] || (e->is_started && e->is_target[target]))
    return !e->is_fenced || e->has_other;
  return e->is_fenced && e->has_operated && !e->is_started && !e->nlocks;
}

bool mck_epoch_check_operation(struct mck_call *call, const struct mck_args *a, struct mck_window *w, bool is_request) {
  struct mck_epochs *e = w->epochs;
  if (!e || a->target < 0 || a->target >= e->size) return true;
  bool is_locked = e->is_locked_all || e->locks[a->target], is_started = e->is_started && e->is_target[a->target];
  const char *name = mck_fn_names[call->fn];
  if (is_locked || (is_started && !is_request)) {
    if (e->is_fenced && !e->has_other) e->has_other = true, e->other = (struct opened){call->fn, mck_call_site(call)};
    return true;
  }
  bool is_free = !e->is_started && !e->nlocks;
  if (e->is_fenced && is_free && !is_request) {
    if (!e->has_operated) e->has_operated = true, e->operation = (struct opened){call->fn, mck_call_site(call)};
    return true;
  }
  if (mck_rt.is_profiler || e->is_doubtful) return true; // PMPI_Win_fence is not seen; or it is reported already
  if (is_started || (is_request && is_free && e->is_fenced))
    say(call, w, MCK_CHECK_RMA_OUTSIDE_EPOCH, e->is_started ? &e->start : &e->fence,
        "%s outside of every epoch of MPI_Win_lock or MPI_Win_lock_all", name);
  else if (e->is_started)
    say(call, w, MCK_CHECK_RMA_GROUP, &e->start, "the target of %s is not in the group of MPI_Win_start", name);
  else if (e->nlocks) say(call, w, MCK_CHECK_RMA_OUTSIDE_EPOCH, any_lock(e), "%s to a target that is not locked", name);
  else say(call, w, MCK_CHECK_RMA_OUTSIDE_EPOCH, NULL, "%s outside of every access epoch of the window", name);
  call->nfindings++; // MPI may refuse it: there is no operation
  return false;
}

void mck_epoch_check_free(struct mck_call *call, struct mck_window *w) {
  struct mck_epochs *e = w->epochs;
  struct opened open;
  if (!e || mck_rt.is_profiler || e->is_doubtful || mck_depth > 1) return;
  if (mck_epoch_is_open(w, &open.fn, &open.site))
    say(call, w, MCK_CHECK_RMA_FREE_IN_EPOCH, &open, "%s while an epoch of %s is open", mck_fn_names[call->fn],
        mck_fn_names[open.fn]);
  else if (e->has_operated)
    say(call, w, MCK_CHECK_RMA_FREE_IN_EPOCH, &e->operation, "%s before a fence has completed %s",
        mck_fn_names[call->fn], mck_fn_names[e->operation.fn]);
}
