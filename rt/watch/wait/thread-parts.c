// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes of which several threads call MPI: the log's order of two calls says nothing where their threads are not
// ordered (order/strands.h). So the place of an operation in its channel is only known in parts: which ones come before
// it in every order. That is enough to prove that it cannot complete (docs/design/watch.md).
#include <stdlib.h>
#include "order/strands.h"
#include "watch/proof/proof.h"

enum { STEPS_MAX = 1 << 28 }; // through logs, for sends; beyond that none is known to come before

struct mck_proof_order {
  bool is_logged; // by the log: one thread has made all calls
  struct mck_strands strands;
  struct pending { // receives of known channels that are not over: each has or will have a message of its channel
    uint32_t event, channel;
  } *pending;
  size_t npending, pending_capacity;
  struct open {
    uint64_t key;
    enum mck_sequence sequence;
  } *open; // sequences whose order is not known
  size_t nopen, open_capacity;
};

// Certainly, in every order of the threads' calls.
static bool is_before(const struct mck_proof_order *o, uint64_t a, uint64_t b) {
  if (o->is_logged) return a < b;
  return o->strands.npieces && mck_strands_is_before(&o->strands, a, b);
}

// --- receives --------------------------------------------------------------------------------------------------------
static void find_over(const struct mck_proof *proof, uint32_t r, uint8_t *is_over) {
  const struct mck_reader *log = &proof->logs[r];
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    if (e->kind == MCK_EV_RECV) is_over[i] = !(e->flags & MCK_FLAG_NONBLOCKING) && !mck_proof_stands_in(proof, r, i);
    if (e->kind == MCK_EV_MPROBE) is_over[i] = !mck_proof_stands_in(proof, r, i);
    bool is_done = e->kind == MCK_EV_DONE ||
                   (e->kind == MCK_EV_WAIT && !mck_proof_stands_in(proof, r, i) && e->flags == MCK_WAIT_ALL);
    for (uint32_t k = 0; is_done && k < e->wait.count; k++) {
      uint32_t request = mck_wait_request(e, k);
      if (request < i) is_over[request] = true;
    }
  }
  // A Sendrecv stands in its send.
  const struct mck_proof_rank *rank = &proof->ranks[r];
  for (size_t k = rank->part; k < rank->part + rank->nparts; k++) {
    const struct mck_proof_part *part = &proof->parts[k];
    if (part->event < log->units && part->verdict != MCK_PROOF_IS_COMPLETE) is_over[part->event] = false;
  }
}

static void find_pending(struct mck_proof *proof, uint32_t r, struct mck_proof_order *o) {
  const struct mck_reader *log = &proof->logs[r];
  uint8_t *is_over = calloc((size_t)log->units + 1, 1);
  if (is_over) find_over(proof, r, is_over);
  else proof->is_out_of_memory = true;
  for (uint64_t i = 0; i < log->units && !proof->is_out_of_memory; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    uint64_t key;
    int64_t source;
    if ((e->kind != MCK_EV_RECV && e->kind != MCK_EV_MPROBE) || is_over[i]) continue;
    if (mck_proof_place(e) != MCK_STD_TAKES || !mck_proof_get_peer(proof, r, e, &key, &source)) continue;
    struct mck_channel *c = mck_proof_get_channel(proof, key, (uint32_t)source, r, e->msg.tag);
    struct pending pending = {(uint32_t)i, c ? (uint32_t)(c - proof->channels) : 0};
    if (!c || !MCK_PUSH(o->pending, o->npending, o->pending_capacity, pending)) proof->is_out_of_memory = true;
  }
  free(is_over);
}

// Those that are over have their messages; those that are pending and come before it take theirs first (MPI-3.1 3.5).
uint64_t mck_proof_count_ahead(const struct mck_proof *proof, uint32_t rank, uint32_t event, uint32_t channel) {
  const struct mck_proof_order *o = &proof->orders[rank];
  const struct mck_channel *c = &proof->channels[channel];
  uint64_t n = c->dest == rank ? c->receives : 0;
  for (size_t i = 0; i < o->npending && n; i++)
    n -= o->pending[i].channel == channel && !is_before(o, o->pending[i].event, event);
  return n;
}

// --- sends -----------------------------------------------------------------------------------------------------------
// Sends before it on its channel are matched before it.
static uint64_t count_sends(struct mck_proof *proof, const struct mck_proof_order *o, const struct mck_proof_part *part,
                            uint64_t *steps) {
  const struct mck_reader *log = &proof->logs[part->rank];
  uint64_t n = 0;
  if (*steps < part->event) return 0;
  *steps -= part->event;
  for (uint64_t i = 0; i < part->event; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    uint64_t key;
    int64_t dest;
    if (e->kind != MCK_EV_SEND || !mck_event_is_sent(e) || !mck_proof_get_peer(proof, part->rank, e, &key, &dest))
      continue;
    const struct mck_channel *c = mck_proof_get_channel(proof, key, part->rank, (uint32_t)dest, e->msg.tag);
    n += c == &proof->channels[part->channel] && is_before(o, i, part->event);
  }
  return n;
}

// --- collectives -----------------------------------------------------------------------------------------------------
static uint64_t key_of(const struct mck_reader *log, enum mck_sequence sequence, uint32_t slot) {
  return sequence == MCK_SEQUENCE_WINDOW ? log->wins[slot].body->key : log->comms[slot].body->key;
}

// The log's order is one order of the threads' calls, so it is enough to look at neighbours.
static void find_open_sequences(struct mck_proof *proof, uint32_t r, struct mck_proof_order *o) {
  const struct mck_reader *log = &proof->logs[r];
  size_t nslots = (size_t)(log->ncomms > log->nwins ? log->ncomms : log->nwins) + 1;
  uint64_t *last = calloc(nslots * MCK_SEQUENCES, sizeof *last); // + 1
  if (!last) proof->is_out_of_memory = true;
  for (uint64_t i = 0; i < log->units && !proof->is_out_of_memory; i += mck_event_units(&log->events[i])) {
    uint32_t slot;
    enum mck_sequence sequence = mck_proof_sequence(log, &log->events[i], &slot);
    if (sequence == MCK_SEQUENCE_NONE) continue;
    uint64_t *before = &last[sequence * nslots + slot];
    struct open open = {key_of(log, sequence, slot), sequence};
    if (*before && !is_before(o, *before - 1, i) && !mck_proof_is_open_order(proof, sequence, open.key) &&
        !MCK_PUSH(o->open, o->nopen, o->open_capacity, open))
      proof->is_out_of_memory = true;
    *before = i + 1;
  }
  free(last);
}

bool mck_proof_is_open_order(const struct mck_proof *proof, enum mck_sequence sequence, uint64_t key) {
  for (uint32_t r = 0; proof->orders && r < proof->size; r++) {
    const struct mck_proof_order *o = &proof->orders[r];
    for (size_t i = 0; i < o->nopen; i++)
      if (o->open[i].key == key && o->open[i].sequence == sequence) return true;
  }
  return false;
}

// --- all -------------------------------------------------------------------------------------------------------------
static void place_parts(struct mck_proof *proof, uint32_t r, struct mck_proof_order *o, uint64_t *steps) {
  const struct mck_proof_rank *rank = &proof->ranks[r];
  find_pending(proof, r, o);
  for (size_t i = rank->part; i < rank->part + rank->nparts && !proof->is_out_of_memory; i++) {
    struct mck_proof_part *part = &proof->parts[i];
    if (part->channel == MCK_NONE) continue;
    bool is_send = proof->logs[r].events[part->event].kind == MCK_EV_SEND;
    part->before = is_send ? count_sends(proof, o, part, steps)
                           : mck_proof_count_ahead(proof, r, part->event, part->channel);
  }
}

void mck_proof_order_threads(struct mck_proof *proof) {
  uint64_t steps = STEPS_MAX;
  for (uint32_t r = 0; r < proof->size && !proof->is_out_of_memory; r++) {
    const struct mck_reader *log = &proof->logs[r];
    if (!log->header || log->damaged != UINT64_MAX) continue;
    if (!mck_proof_has_threads(log) && !proof->ranks[r].nthreads) continue;
    if (!proof->orders) proof->orders = calloc(proof->size, sizeof *proof->orders);
    bool is_lost;
    struct mck_proof_order *o = proof->orders ? &proof->orders[r] : NULL;
    if (!o || !mck_strands_read(&o->strands, log, &is_lost)) {
      proof->is_out_of_memory = true;
      return;
    }
    o->is_logged = !mck_proof_has_threads(log);
    find_open_sequences(proof, r, o);
    if (proof->ranks[r].nthreads) place_parts(proof, r, o, &steps);
  }
}

struct mck_thread_label mck_proof_label_thread(const struct mck_proof *proof, const struct mck_proof_thread *thread) {
  struct mck_thread_label label = {.site = MCK_NONE};
  const struct mck_strands *s = proof->orders ? &proof->orders[thread->rank].strands : NULL;
  if (!s || !s->npieces || thread->event == MCK_NONE) return label;
  const struct mck_strand_piece *piece = &s->pieces[mck_strands_piece(s, thread->event)];
  return (struct mck_thread_label){piece->name, piece->name ? piece->name_length : 0, piece->site};
}

void mck_proof_free_order(struct mck_proof *proof) {
  for (uint32_t r = 0; proof->orders && r < proof->size; r++) {
    mck_strands_free(&proof->orders[r].strands);
    free(proof->orders[r].pending);
    free(proof->orders[r].open);
  }
  free(proof->orders);
}
