// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes parts from marks and logs: what each rank waits for, and the place of that in its channel or communicator.
#include <stdlib.h>
#include "api/fns.h"
#include "watch/proof/proof.h"

static void add_part(struct mck_proof *proof, uint32_t rank, uint32_t event) {
  struct mck_proof_part part = {.rank = rank, .event = event, .channel = MCK_NONE};
  if (!MCK_PUSH(proof->parts, proof->nparts, proof->parts_capacity, part)) proof->is_out_of_memory = true;
  else proof->ranks[rank].nparts++;
}

static int compare_parts(const void *a, const void *b) {
  const struct mck_proof_part *x = a, *y = b;
  return (x->event > y->event) - (x->event < y->event);
}

// The receiving half of a Sendrecv whose sending half is at index. A receive from MPI_PROC_NULL has no event.
static uint32_t find_other_half(const struct mck_reader *log, uint32_t index) {
  for (uint64_t i = index + 1; i < log->units; i += mck_event_units(&log->events[i]))
    if (log->events[i].kind == MCK_EV_RECV) return log->events[i].flags & MCK_FLAG_PART ? (uint32_t)i : MCK_NONE;
  return MCK_NONE;
}

static bool is_finalize(const struct mck_event *e) {
  return (e->kind == MCK_EV_COLL || e->kind == MCK_EV_CALL) && e->fn == MCK_FN_MPI_Finalize;
}

void mck_proof_add_member(struct mck_proof *proof, struct mck_proof_part *part, uint32_t rank) {
  if (MCK_PUSH(proof->sets, proof->nsets, proof->sets_capacity, rank)) part->nset++;
  else proof->is_out_of_memory = true;
}

static void sort_parts(struct mck_proof *proof, const struct mck_proof_rank *rank) {
  if (rank->nparts > 1) qsort(proof->parts + rank->part, rank->nparts, sizeof *proof->parts, compare_parts);
}

// What the call at index waits for. Returns the state of the thread that is in it; *mode: which parts must complete.
static enum mck_proof_state find_parts(struct mck_proof *proof, uint32_t r, uint32_t index, uint8_t *mode) {
  const struct mck_reader *log = &proof->logs[r];
  const struct mck_event *e = &log->events[index];
  size_t before = proof->nparts;
  *mode = MCK_WAIT_ALL;
  if (is_finalize(e)) return MCK_PROOF_FINALIZING;
  switch (e->kind) {
  case MCK_EV_SEND:
    add_part(proof, r, index);
    if (e->flags & MCK_FLAG_PART) {
      uint32_t half = find_other_half(log, index);
      if (half != MCK_NONE) add_part(proof, r, half);
    }
    break;
  case MCK_EV_RECV:
  case MCK_EV_PROBE:
  case MCK_EV_MPROBE:
  case MCK_EV_COLL:
  case MCK_EV_FENCE:
  case MCK_EV_SYNC:
  case MCK_EV_PUT:
  case MCK_EV_GET:
  case MCK_EV_ACC:
  case MCK_EV_CALL: add_part(proof, r, index); break;
  case MCK_EV_WAIT:
    *mode = e->flags;
    if (index + mck_event_units(e) > log->units || e->wait.count > 4 + (uint64_t)e->wait.extra * (MCK_UNIT / 4)) break;
    for (uint32_t i = 0; i < e->wait.count; i++) add_part(proof, r, mck_wait_request(e, i));
    break;
  }
  return proof->nparts > before ? MCK_PROOF_BLOCKED : MCK_PROOF_MOVES;
}

static void find_call(struct mck_proof *proof, uint32_t r, uint32_t index) {
  struct mck_proof_rank *rank = &proof->ranks[r];
  rank->event = index;
  rank->part = proof->nparts;
  rank->state = (uint8_t)find_parts(proof, r, index, &rank->mode);
  sort_parts(proof, rank);
}

// All threads of the rank wait. The call of the first one stands for the rank in reports.
static void find_threads(struct mck_proof *proof, uint32_t r) {
  struct mck_proof_rank *rank = &proof->ranks[r];
  const struct mck_snapshot *mark = &proof->marks[r];
  rank->state = MCK_PROOF_THREADS;
  rank->part = proof->nparts;
  rank->thread = proof->nthreads;
  for (uint32_t i = 0; i < mark->nthreads; i++) {
    struct mck_proof_thread thread = {.rank = r, .event = MCK_NONE, .wait = &mark->threads[i]};
    size_t part = proof->nparts;
    uint32_t event = mck_wait_event(mark->threads[i].wait);
    if (mark->threads[i].what) thread.state = MCK_PROOF_BLOCKED;
    else if (event < proof->logs[r].units)
      thread.event = event, thread.state = (uint8_t)find_parts(proof, r, event, &thread.mode);
    if (rank->event == MCK_NONE && thread.state == MCK_PROOF_BLOCKED) rank->event = thread.event;
    if (!MCK_PUSH(proof->threads, proof->nthreads, proof->threads_capacity, thread)) proof->is_out_of_memory = true;
    for (; part < proof->nparts; part++) proof->parts[part].thread = (uint32_t)proof->nthreads;
  }
  rank->nthreads = proof->nthreads - rank->thread;
  sort_parts(proof, rank);
}

bool mck_proof_stands_in(const struct mck_proof *proof, uint32_t r, uint64_t event) {
  const struct mck_proof_rank *rank = &proof->ranks[r];
  for (size_t i = rank->thread; i < rank->thread + rank->nthreads; i++)
    if (proof->threads[i].event == event) return true;
  return rank->event == event;
}

// A rank that polls: its requests, and its probes, which come after everything that it has posted.
static void find_polled(struct mck_proof *proof, uint32_t r) {
  struct mck_proof_rank *rank = &proof->ranks[r];
  const struct mck_reader *log = &proof->logs[r];
  const struct mck_log_header *h = log->header;
  uint32_t n = atomic_load_explicit(&h->npolls, memory_order_acquire);
  rank->part = proof->nparts;
  rank->is_polling = true;
  rank->is_open = proof->marks[r].polls == MCK_POLLS_OPEN;
  rank->mode = atomic_load_explicit(&h->poll_mode, memory_order_relaxed) == MCK_WAIT_ALL ? MCK_WAIT_ALL : MCK_WAIT_ANY;
  for (uint32_t i = 0; i < n && i < MCK_LOG_POLLS; i++) {
    struct mck_log_poll p = h->poll[i];
    if (p.event != MCK_NONE || p.comm == MCK_NONE) {
      add_part(proof, r, p.event < log->units ? p.event : MCK_NONE);
      continue;
    }
    struct mck_event probe = {.kind = MCK_EV_PROBE, .fn = MCK_FN_MPI_Iprobe, .site = MCK_NONE};
    probe.flags = (uint8_t)((p.source < 0 ? MCK_FLAG_ANY_SOURCE : 0) | (p.tag < 0 ? MCK_FLAG_ANY_TAG : 0));
    probe.msg.comm = p.comm, probe.msg.peer = p.source, probe.msg.tag = p.tag, probe.msg.type = MCK_NONE;
    add_part(proof, r, (uint32_t)log->units);
    if (proof->is_out_of_memory) return;
    if (!MCK_PUSH(proof->polled, proof->npolled, proof->polled_capacity, probe)) proof->is_out_of_memory = true;
    else proof->parts[proof->nparts - 1].polled = (uint32_t)proof->npolled;
  }
  if (n > MCK_LOG_POLLS || !rank->nparts || (rank->is_open && !proof->has_open)) return;
  rank->state = MCK_PROOF_BLOCKED;
  sort_parts(proof, rank);
}

void mck_proof_find_waits(struct mck_proof *proof) {
  for (uint32_t r = 0; r < proof->size && !proof->is_out_of_memory; r++) {
    const struct mck_reader *log = &proof->logs[r];
    struct mck_proof_rank *rank = &proof->ranks[r];
    rank->event = MCK_NONE;
    if (!log->header) continue;
    // The state is read before is_whole compares the units. So a rank that went on after its log was loaded, and has
    // finished by now, does not count as finished.
    uint32_t state = atomic_load_explicit(&log->header->state, memory_order_acquire);
    if (!mck_proof_is_whole(log)) continue;
    bool is_going = state == MCK_LOG_RUNNING || state == MCK_LOG_FINALIZING;
    if (is_going && proof->marks[r].nthreads) {
      find_threads(proof, r);
      continue;
    }
    if (is_going && mck_proof_has_threads(log)) continue; // it moves
    switch ((enum mck_log_state)state) {
    case MCK_LOG_RUNNING:
      if (mck_wait_event(proof->marks[r].wait) < log->units) find_call(proof, r, mck_wait_event(proof->marks[r].wait));
      else if (proof->marks[r].polls) find_polled(proof, r);
      break;
    case MCK_LOG_FINALIZING: rank->state = MCK_PROOF_FINALIZING; break;
    case MCK_LOG_FINALIZED:
    case MCK_LOG_EXITED: rank->state = MCK_PROOF_FINISHED; break;
    case MCK_LOG_ABORTED:
    case MCK_LOG_SIGNALLED: break; // mck_watch_prove_patiently has given up already
    }
  }
}

bool mck_proof_get_peer(const struct mck_proof *proof, uint32_t rank, const struct mck_event *e, uint64_t *key,
                        int64_t *peer) {
  const struct mck_comm_def *comm = mck_proof_comm(&proof->logs[rank], e->msg.comm);
  if (!comm) return false;
  *key = comm->body->key;
  *peer = -1;
  uint8_t flags = mck_event_flags(e);
  if (e->kind != MCK_EV_SEND && flags & MCK_FLAG_ANY_SOURCE && !mck_event_flags_are_known(flags)) return true;
  int world = mck_comm_world_rank(comm, e->msg.peer, comm->remote_size > 0);
  *peer = world;
  return world >= 0 && (uint32_t)world < proof->size;
}

static uint64_t hash_channel(uint64_t key, uint32_t source, uint32_t dest, int32_t tag) {
  uint64_t words[3] = {key, (uint64_t)source << 32 | dest, (uint32_t)tag};
  return mck_base_hash(words, sizeof words, 0);
}

static bool grow_slots(struct mck_proof *proof) {
  size_t n = proof->nslots ? proof->nslots * 2 : 1024;
  uint32_t *slots = calloc(n, sizeof *slots);
  if (!slots) return false;
  for (size_t i = 0; i < proof->nchannels; i++) {
    const struct mck_channel *c = &proof->channels[i];
    size_t slot = hash_channel(c->key, c->source, c->dest, c->tag) & (n - 1);
    while (slots[slot]) slot = (slot + 1) & (n - 1);
    slots[slot] = (uint32_t)i + 1;
  }
  free(proof->slots);
  proof->slots = slots;
  proof->nslots = n;
  return true;
}

struct mck_channel *mck_proof_get_channel(struct mck_proof *proof, uint64_t key, uint32_t source, uint32_t dest,
                                          int32_t tag) {
  if (proof->nchannels * 2 >= proof->nslots && (proof->nchannels >= UINT32_MAX - 1 || !grow_slots(proof))) return NULL;
  size_t slot = hash_channel(key, source, dest, tag) & (proof->nslots - 1);
  struct mck_std_envelope message = {key, (int32_t)source, tag};
  for (; proof->slots[slot]; slot = (slot + 1) & (proof->nslots - 1)) {
    struct mck_channel *c = &proof->channels[proof->slots[slot] - 1];
    if (c->dest == dest && mck_std_is_same_envelope(mck_proof_envelope(c), message)) return c;
  }
  struct mck_channel channel = {.key = key, .source = source, .dest = dest, .tag = tag};
  if (!MCK_PUSH(proof->channels, proof->nchannels, proof->channels_capacity, channel)) return NULL;
  proof->slots[slot] = (uint32_t)proof->nchannels;
  return &proof->channels[proof->nchannels - 1];
}

// Counts one send, receive or probe; part, if not NULL, waits for it.
static void count_message(struct mck_proof *proof, uint32_t r, const struct mck_event *e, struct mck_proof_part *part) {
  uint64_t key;
  int64_t peer;
  bool is_send = e->kind == MCK_EV_SEND;
  struct mck_std_message message = mck_event_message(e, mck_event_flags(e));
  enum mck_std_place place = mck_std_place(message);
  if (message.cancel == MCK_STD_CANCELLED) return; // it takes (or is) no message
  if (!mck_proof_get_peer(proof, r, e, &key, &peer)) return;
  // A wait for what is being cancelled ends, whatever others do (MPI-3.1 3.8.4).
  if (part && message.cancel == MCK_STD_NOT_CANCELLED) part->is_hit = true;
  if (place == MCK_STD_UNDECIDED) {
    struct mck_open open = {mck_proof_pattern(e, key, peer), (uint32_t)(e - proof->logs[r].events)};
    if (!MCK_PUSH(proof->opens, proof->nopens, proof->opens_capacity, open)) proof->is_out_of_memory = true;
    return;
  }
  if (place == MCK_STD_NO_PLACE || (place == MCK_STD_FINDS && !part)) return;
  uint32_t source = is_send ? r : (uint32_t)peer, dest = is_send ? (uint32_t)peer : r;
  struct mck_channel *channel = mck_proof_get_channel(proof, key, source, dest, e->msg.tag);
  if (!channel) {
    proof->is_out_of_memory = true;
    return;
  }
  if (part) {
    part->channel = (uint32_t)(channel - proof->channels);
    part->before = is_send ? channel->sends : channel->receives;
    if (message.is_wild) part->verdict = MCK_PROOF_IS_COMPLETE; // its match is known, so the receive has completed
  }
  if (is_send) channel->sends++;
  else if (place == MCK_STD_TAKES) channel->receives++;
}

static void complete_parts(struct mck_proof *proof, const struct mck_proof_rank *rank, const struct mck_event *e) {
  for (uint32_t i = 0; i < e->wait.count; i++) {
    struct mck_proof_part wanted = {.event = mck_wait_request(e, i)};
    if (wanted.event == MCK_NONE) continue;
    struct mck_proof_part *part = bsearch(&wanted, proof->parts + rank->part, rank->nparts, sizeof wanted,
                                          compare_parts);
    if (part) part->verdict = MCK_PROOF_IS_COMPLETE;
  }
}

static void count_rank(struct mck_proof *proof, uint32_t r) {
  const struct mck_reader *log = &proof->logs[r];
  struct mck_proof_rank *rank = &proof->ranks[r];
  struct mck_proof_part *part = proof->parts + rank->part, *end = part + rank->nparts;
  // The number of elements of each sequence so far, by slot.
  size_t nslots = (size_t)(log->ncomms > log->nwins ? log->ncomms : log->nwins) + 1;
  uint32_t *seen = calloc(nslots * MCK_SEQUENCES, sizeof *seen);
  rank->open = proof->nopens;
  if (!seen) proof->is_out_of_memory = true;
  for (uint64_t i = 0; i < log->units && !proof->is_out_of_memory; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    while (part < end && part->event < i) part++;
    if (is_finalize(e) && rank->state == MCK_PROOF_FINALIZING) rank->event = (uint32_t)i;
    struct mck_proof_part *here = part < end && part->event == i ? part : NULL;
    switch (e->kind) {
    case MCK_EV_SEND:
    case MCK_EV_RECV:
    case MCK_EV_PROBE:
    case MCK_EV_MPROBE: count_message(proof, r, e, here); break;
    case MCK_EV_COLL:
    case MCK_EV_FENCE:
    case MCK_EV_CALL:
    case MCK_EV_SYNC: {
      uint32_t slot, *count;
      enum mck_sequence sequence = mck_proof_sequence(log, e, &slot);
      if (here) here->is_hit = true;
      if (sequence == MCK_SEQUENCE_NONE) break;
      count = &seen[sequence * nslots + slot];
      if (e->kind == MCK_EV_FENCE) *count += (uint32_t)e->sync.before; // the first fence of a recycled log has it
      if (here) here->before = *count + (sequence == MCK_SEQUENCE_COMM ? log->comms[slot].body->before : 0);
      ++*count;
      break;
    }
    case MCK_EV_PUT:
    case MCK_EV_GET:
    case MCK_EV_ACC:
      if (here) here->is_hit = true;
      break;
    case MCK_EV_WAIT:
      // Only an earlier call is known to have returned. The requests that an ANY or SOME completed are in a DONE.
      if (rank->nparts && !mck_proof_stands_in(proof, r, i) && e->flags == MCK_WAIT_ALL) complete_parts(proof, rank, e);
      break;
    case MCK_EV_DONE:
      if (rank->nparts) complete_parts(proof, rank, e);
      break;
    }
  }
  // Probes come last, each by itself.
  for (; part < end; part++)
    if (part->polled) count_message(proof, r, mck_proof_event(proof, part), part);
  rank->nopens = proof->nopens - rank->open;
  free(seen);
}

// A rank whose log is not whole is left out. It counts as moving, so nothing follows from missing events.
void mck_proof_count_events(struct mck_proof *proof) {
  for (uint32_t r = 0; r < proof->size && !proof->is_out_of_memory; r++)
    if (proof->logs[r].header && proof->logs[r].damaged == UINT64_MAX) count_rank(proof, r);
  if (!proof->is_out_of_memory) mck_proof_order_threads(proof);
}
