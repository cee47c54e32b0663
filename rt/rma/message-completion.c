// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends, receives and collectives with a buffer in window memory that no call of their own log completes: the request
// was freed or lost, or the log ends before (MPI-3.1 3.7.3), as where it is cut. Nothing is known to be in use that
// another rank may rightly take for over.
//
//   send        it is over when its message has been received: a rank that has heard of that may use the buffer (3.7.3,
//               example 3.13). Without a receive only its begin counts; at a cut nobody can know that it is over.
//   receive     another rank cannot know that it is over. At a cut it is open if a message was sent for it. One that
//               may still be cancelled (3.8.4) counts as begun only, as it does at the end of a run.
//   collective  its request cannot be freed (5.12): at a cut it is open
//   file        likewise (13.4.1, 13.4.5)
#include "rma/rma-run.h"

enum { LOOKS_MAX = 1 << 24 }; // events that are looked at, of all logs

// The event that completes a receive; MCK_NONE: none does. false: it is not looked for any more.
static bool find_end(const struct mck_reader *r, uint32_t receive, uint64_t *looks, uint32_t *end) {
  *end = receive;
  if (!(r->events[receive].flags & MCK_FLAG_NONBLOCKING)) return true;
  *end = MCK_NONE;
  for (uint64_t i = receive; i < r->units && *looks < LOOKS_MAX; i += mck_event_units(&r->events[i]), ++*looks) {
    const struct mck_event *e = &r->events[i];
    bool is_end = e->kind == MCK_EV_DONE || (e->kind == MCK_EV_WAIT && e->flags == MCK_WAIT_ALL);
    for (uint32_t k = 0; is_end && k < e->wait.count; k++)
      if (mck_wait_request(e, k) == receive) return *end = (uint32_t)i, true;
  }
  return *looks < LOOKS_MAX;
}

static void end_send(struct mck_rma_run *run, struct mck_rma_op *op, struct mck_pair receive, uint64_t *looks) {
  uint32_t end = MCK_NONE;
  bool is_known = receive.log == MCK_NONE || find_end(&run->readers[receive.log], receive.index, looks, &end);
  if (!is_known) return;
  if (end == MCK_NONE) {
    if (run->is_cut) op->done = MCK_NONE;
    return;
  }
  op->done_log = receive.log, op->done = end;
  run->logs[receive.log].ends_others = true;
}

static void end_message(struct mck_rma_run *run, uint32_t log, struct mck_rma_op *op, uint64_t *looks) {
  const struct mck_event *e = &run->readers[log].events[op->event];
  struct mck_pair other = run->pairs->of[log][op->event];
  switch (e->kind) {
  case MCK_EV_SEND:
    // Its data may be in the buffer of MPI_Buffer_attach: then the send is over before anybody receives it (3.6).
    if ((e->flags & MCK_MODE_MASK) != MCK_FLAG_BUFFERED) end_send(run, op, other, looks);
    return;
  case MCK_EV_RECV:
    if (run->is_cut && other.log != MCK_NONE) op->done = MCK_NONE;
    return;
  case MCK_EV_COLL:
    if (run->is_cut) op->done = MCK_NONE;
    return;
  default: // an operation of a file; or it stayed at an earlier cut, settled with the other ranks, and not completed
    if (run->is_cut && (mck_std_is_file(e->fn) || mck_std(e->fn)->collective != MCK_STD_COLLECTIVE_NONE))
      op->done = MCK_NONE;
  }
}

void mck_rma_end_messages(struct mck_rma_run *run) {
  uint64_t looks = 0;
  for (uint32_t log = 0; run->pairs && log < run->nlogs; log++)
    for (size_t i = 0; i < run->logs[log].nops; i++) {
      struct mck_rma_op *op = &run->logs[log].ops[i];
      if (op->is_message && op->over == op->event) end_message(run, log, op, &looks);
    }
}
