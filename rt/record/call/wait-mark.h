// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wait mark: the log's header says in which event the process is blocked, so that the watch can prove deadlocks
// (wait-mark.c).
#pragma once
#include "record/call/call-args.h"
#include "record/call/call.h"
#include "record/runtime.h"

void mck_waits_log(struct mck_call *call, uint32_t about); // a CALL; under the lock
void mck_waits_create_group(struct mck_call *call, const struct mck_args *a);
void mck_waits_leaders(const struct mck_call *call, const struct mck_args *a); // MPI_Intercomm_create, after its event

// Under MPI_THREAD_MULTIPLE, for all threads but the one that called MPI_Init: where its mark is. NULL: in the header.
extern __thread _Atomic uint64_t *mck_wait_own __attribute__((tls_model("initial-exec")));
static inline _Atomic uint64_t *mck_wait_mark(struct mck_log_header *h) {
  return MCK_UNLIKELY(mck_wait_own != NULL) ? mck_wait_own : &h->wait;
}

#ifdef MCK_UNMARKED // bench/marks.sh: what the marks cost
static inline void mck_wait_begin(uint32_t event) { (void)event; }
static inline void mck_wait_end(void) {}
static inline void mck_wait_begin_plain(uint32_t event) { (void)event; }
static inline void mck_wait_end_plain(void) {}
#else
void mck_wait_begin_unnamed(struct mck_log_header *h);
static inline void mck_wait_begin(uint32_t event) {
  struct mck_log_header *h = mck_rt.log.header;
  if (MCK_UNLIKELY(!h || event == MCK_NONE)) {
    if (h) mck_wait_begin_unnamed(h); // it blocks in something that the log does not know (of another world)
    return;
  }
  atomic_store_explicit(mck_wait_mark(h), (uint64_t)event + 1, memory_order_release);
}
static inline void mck_wait_end(void) {
  struct mck_log_header *h = mck_rt.log.header;
  if (MCK_UNLIKELY(!h || mck_depth > 1)) return; // within another call the mark is that call's
  atomic_store_explicit(mck_wait_mark(h), 0, memory_order_release);
}
// Of a call that took the short way (call-begin.h): its mark is the header's, and it is in no other call.
static inline void mck_wait_begin_plain(uint32_t event) {
  if (MCK_UNLIKELY(event == MCK_NONE)) mck_wait_begin(event);
  else atomic_store_explicit(&mck_rt.log.header->wait, (uint64_t)event + 1, memory_order_release);
}
static inline void mck_wait_end_plain(void) {
  struct mck_log_header *h = mck_rt.log.header;
  if (MCK_LIKELY(h != NULL)) atomic_store_explicit(&h->wait, 0, memory_order_release);
}
#endif
