// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of what a rank tests or probes for in vain, in the header of its log (poll-list.h).
#include "record/call/call.h"
#include "record/call/poll-list.h"
#include "record/call/stack.h"
#include "record/rma/repeated-events.h"
#include "record/runtime.h"

struct mck_poll mck_poll = {.settled = UINT32_MAX};
struct mck_found mck_found;
uint64_t mck_closed;
static uint64_t last_list; // hash of the array last tested, within this epoch

void mck_found_add(const void *next, const struct mck_comm *c, int64_t source, int tag) {
  if (mck_found.next != next) mck_found.n = 0;
  mck_found.items[mck_found.n++ % MCK_FOUND] = (struct mck_found_item){c, source, tag};
  mck_found.next = mck_rt.log.next;
}

static void restart(struct mck_log_header *h) {
  mck_repeated_end();
  atomic_store_explicit(&h->npolls, 0, memory_order_relaxed);
  atomic_store_explicit(&h->poll_site, MCK_NONE, memory_order_relaxed);
  atomic_store_explicit(&h->poll_mode, MCK_WAIT_ANY, memory_order_relaxed);
  atomic_store_explicit(&h->poll_units, atomic_load_explicit(&h->units, memory_order_relaxed), memory_order_release);
  mck_poll.next = mck_rt.log.next;
  if (!++mck_poll.epoch) mck_poll.epoch = 1;
  mck_poll.comm = NULL;
  mck_poll.event = MCK_NONE;
  mck_poll.site_at = atomic_load_explicit(&h->polls, memory_order_relaxed) + MCK_POLL_SITE_AFTER;
  // Something has come, or the rank has done something else: the loop may go other ways for some iterations.
  mck_poll.iteration = 0;
  mck_poll.settled = UINT32_MAX;
  last_list = 0;
}

MCK_EXPORT void __mck_attach_closed(uint32_t version, uint64_t **where) {
  if (version == MCK_CLOSED_VERSION) *where = &mck_closed;
}

void mck_poll_forget(void) {
  struct mck_log_header *h = mck_rt.log.header;
  if (h) restart(h);
}

static void add(struct mck_log_header *h, struct mck_log_poll entry) {
  uint32_t n = atomic_load_explicit(&h->npolls, memory_order_relaxed);
  for (uint32_t i = 0; i < n && i < MCK_LOG_POLLS; i++) {
    const struct mck_log_poll *p = &h->poll[i];
    if (p->event == entry.event && p->comm == entry.comm && p->source == entry.source && p->tag == entry.tag) return;
  }
  if (n > MCK_LOG_POLLS) return;
  if (n < MCK_LOG_POLLS) h->poll[n] = entry;
  atomic_store_explicit(&h->npolls, n + 1, memory_order_release);
}

void mck_poll_add(const struct mck_request *r, uint32_t comm, int source, int tag) {
  struct mck_log_header *h = mck_rt.log.header;
  if (!h) return;
  if (mck_poll.next != mck_rt.log.next) restart(h);
  atomic_store_explicit(&h->poll_mode, MCK_WAIT_ANY, memory_order_relaxed);
  struct mck_log_poll entry = {.event = r && r->is_active ? r->event : MCK_NONE, .comm = comm};
  if (comm != MCK_NONE) { // its reader has no mpi.h
    entry.source = source == MPI_ANY_SOURCE ? -1 : source;
    entry.tag = tag == MPI_ANY_TAG ? -1 : tag;
  }
  add(h, entry);
}

void mck_poll_add_event(uint32_t event) {
  struct mck_log_header *h = mck_rt.log.header;
  if (!h) return;
  if (mck_poll.next != mck_rt.log.next) restart(h);
  atomic_store_explicit(&h->poll_mode, MCK_WAIT_ANY, memory_order_relaxed);
  add(h, (struct mck_log_poll){.event = event, .comm = MCK_NONE});
}

// Writes where the loop is. A new stack becomes a definition in the log; that is no event, so the lists stay.
void mck_poll_place(uint16_t fn, const void *pc, const void *frame) {
  struct mck_log_header *h = mck_rt.log.header;
  bool is_current = mck_poll.next == mck_rt.log.next, is_found_current = mck_found.next == mck_rt.log.next;
  mck_lock();
  uint32_t site = mck_stack_site(pc, frame);
  if (is_found_current) mck_found.next = mck_rt.log.next;
  if (is_current) {
    mck_poll.next = mck_rt.log.next;
    atomic_store_explicit(&h->poll_fn, fn, memory_order_relaxed);
    atomic_store_explicit(&h->poll_site, site, memory_order_relaxed);
    atomic_store_explicit(&h->poll_units, atomic_load_explicit(&h->units, memory_order_relaxed), memory_order_release);
  }
  mck_unlock();
}

// An array of requests. It is the same array as before if its handles are the same.
void mck_poll_list(const struct mck_call *call, const MPI_Request *handles, const MPI_Request *variables, size_t step,
                   int n, bool is_all) {
  struct mck_log_header *h = mck_rt.log.header;
  if (!h || mck_rt.is_multiple || n <= 0) return;
  uint64_t hash = mck_base_hash(handles, (size_t)n * sizeof *handles, (uint64_t)call->fn + 1) | 1;
  if (mck_poll.next != mck_rt.log.next) restart(h);
  if (hash != last_list) {
    bool is_first = !atomic_load_explicit(&h->npolls, memory_order_relaxed);
    last_list = hash;
    for (int i = 0; i < n; i++, variables = (const MPI_Request *)((const char *)variables + step)) {
      if (handles[i] == MPI_REQUEST_NULL) continue;
      const struct mck_request *r = mck_request_find(handles[i], variables);
      if (!r || r->is_active) mck_poll_add(r, MCK_NONE, 0, 0); // an inactive one is as good as null (MPI-3.1 3.7.5)
    }
    atomic_store_explicit(&h->poll_mode, is_all && is_first ? MCK_WAIT_ALL : MCK_WAIT_ANY, memory_order_relaxed);
  }
  mck_poll_count(call->fn, call->pc, call->frame, false);
}
