// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that may block and whose one event, a CALL, says only which function it is. The wait mark says that the rank
// is in such a call; the log says which ranks it needs, as far as that is known.
#include <stdlib.h>
#include <string.h>
#include "record/access/range-flush.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/collective/collective.h"
#include "record/replay/online-run.h"
#include "record/runtime.h"

// A CALL with two words of its own, and room for more units after it. Under the lock.
static struct mck_event *begin(struct mck_call *call, uint32_t a, uint32_t b, size_t extra) {
  uint32_t site = mck_call_site(call);
  mck_windows_before_event();
  struct mck_event *e = mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, 1 + extra) : NULL;
  if (!e) return NULL;
  *e = (struct mck_event){.kind = MCK_EV_CALL, .fn = call->fn, .site = site};
  e->word[0] = a, e->word[1] = b;
  return e;
}

void mck_waits_log(struct mck_call *call, uint32_t about) {
  if (begin(call, about, 0, 0)) call->event = mck_log_commit(&mck_rt.log, 1);
}

static size_t units_for(int nranks) { return ((size_t)nranks * 4 + MCK_UNIT - 1) / MCK_UNIT; }

// Into room for 1 + units_for(n).
static void fill_members(struct mck_event *e, uint16_t fn, const struct mck_comm *comm, int tag, const int *ranks,
                         int n) {
  *e = (struct mck_event){.kind = MCK_EV_MEMBERS, .fn = fn, .site = MCK_NONE};
  e->members.extra = (uint32_t)units_for(n), e->members.comm = comm->object.id, e->members.n = (uint32_t)n,
  e->members.tag = tag;
  memset(&e[1], 0, units_for(n) * MCK_UNIT);
  if (n) memcpy(&e[1], ranks, (size_t)n * 4);
}

// MPI-3.1 6.4.2: collective over the group only; its tag distinguishes it from other such calls.
static bool log_members(struct mck_call *call, const struct mck_comm *comm, MPI_Comm handle, MPI_Group group, int tag) {
  MPI_Group all = MPI_GROUP_NULL;
  int n = 0;
  if (PMPI_Group_size(group, &n) != MPI_SUCCESS || n < 0 || PMPI_Comm_group(handle, &all) != MPI_SUCCESS) return false;
  int *numbers = malloc(2 * sizeof(int) * ((size_t)n + 1)), *ranks = numbers + n;
  for (int i = 0; numbers && i < n; i++) numbers[i] = i;
  bool is_good = numbers && PMPI_Group_translate_ranks(group, n, numbers, all, ranks) == MPI_SUCCESS;
  PMPI_Group_free(&all);
  size_t extra = units_for(n);
  struct mck_event *e = is_good ? begin(call, comm->object.id, (uint32_t)tag, 1 + extra) : NULL;
  if (e) {
    fill_members(e + 1, call->fn, comm, tag, ranks, n);
    call->event = mck_log_commit(&mck_rt.log, 2 + extra);
  }
  free(numbers);
  return e != NULL;
}

void mck_waits_create_group(struct mck_call *call, const struct mck_args *a) {
  mck_lock();
  struct mck_comm *c = call->nfindings ? NULL : mck_comm_find(a->comm);
  bool is_known = c && c->is_logged && !c->object.is_freed && a->group && a->group != MPI_GROUP_NULL;
  if (!is_known || !log_members(call, c, a->comm, a->group, a->tag)) mck_event_plain(call);
  mck_unlock();
  mck_wait_begin(call->event);
}

// MPI-3.1 6.6.2: collective over the local communicator, whose event has just been logged, and the leader waits for the
// other group's leader, with whom it agrees by a tag of the peer communicator: both log the same pair of ranks.
void mck_waits_leaders(const struct mck_call *call, const struct mck_args *a) {
  if (call->event == MCK_NONE) return;
  mck_lock();
  const struct mck_comm *local = mck_comm_find(a->comm),
                        *peer = local && local->rank == a->same ? mck_comm_find(a->comm2) : NULL;
  if (peer && peer->is_logged && !peer->object.is_freed && !peer->remote_size && mck_rt.is_ready) {
    bool is_first = peer->rank < a->rank2;
    int ranks[2] = {is_first ? peer->rank : a->rank2, is_first ? a->rank2 : peer->rank};
    struct mck_event *e = mck_log_reserve(&mck_rt.log, 1 + units_for(2));
    if (e) {
      fill_members(e, call->fn, peer, a->tag, ranks, 2);
      mck_log_commit(&mck_rt.log, 1 + units_for(2));
    }
  }
  mck_unlock();
}

// MPI-3.1 10.3, 10.4: these calls wait for processes of another world. All but MPI_Comm_join are collectives of this
// world, too, with a root.
void mck_outside_before(struct mck_call *call, struct mck_args *a) {
  if (mck_depth > 1) return;
  mck_lock();
  call->event = mck_std_meets_world(call->fn) ? mck_coll_log(call, a) : MCK_NONE;
  if (call->event == MCK_NONE) mck_waits_log(call, MCK_NONE);
  if (mck_rt.is_online) mck_online_begin(call->event);
  mck_unlock();
  mck_wait_begin(call->event);
}
void mck_outside_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)call, (void)a, (void)rc;
  mck_wait_end();
}

__thread _Atomic uint64_t *mck_wait_own __attribute__((tls_model("initial-exec")));

#ifndef MCK_UNMARKED
// The watch distinguishes calls by their marks: a rank that goes from one such call to the next does not keep waiting.
void mck_wait_begin_unnamed(struct mck_log_header *h) {
  static _Atomic uint32_t count;
  if (mck_depth > 1) return;
  uint32_t n = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) + 1;
  atomic_store_explicit(mck_wait_mark(h), (uint64_t)(n ? n : 1) << 32, memory_order_release);
}
#endif
