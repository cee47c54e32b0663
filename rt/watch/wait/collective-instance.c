// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives that ranks are blocked in: the n-th one of a communicator (MPI-3.1 5.1: all members call them in the same
// order), or the n-th fence of a window. Who has arrived is counted in the logs; what a rank that has arrived needs of
// the others depends on the function.
#include <stdlib.h>
#include "standard/collective.h"
#include "watch/proof/proof.h"

// Creation of a communicator in a part of the parent only is no collective of the parent; that of an intercommunicator
// is one of the local communicator, in an order of its own since the judge does not count it either.
enum mck_sequence mck_proof_sequence(const struct mck_reader *log, const struct mck_event *e, uint32_t *slot) {
  *slot = e->word[0];
  switch (e->kind) {
  case MCK_EV_COLL:
    if (mck_std(e->fn)->collective == MCK_STD_COLLECTIVE_GROUP || !mck_proof_comm(log, *slot)) return MCK_SEQUENCE_NONE;
    return mck_std(e->fn)->collective == MCK_STD_COLLECTIVE_GROUPS ? MCK_SEQUENCE_INTER : MCK_SEQUENCE_COMM;
  case MCK_EV_CALL:
    if (!mck_std_frees_window(e->fn)) return MCK_SEQUENCE_NONE;
    break;
  case MCK_EV_FENCE: break;
  default: return MCK_SEQUENCE_NONE;
  }
  return *slot < log->nwins && log->wins[*slot].body ? MCK_SEQUENCE_WINDOW : MCK_SEQUENCE_NONE;
}

// Whose entry it certainly waits for. Counts per rank are not looked at.
static enum mck_std_needs find_needs(const struct mck_event *e, const struct mck_comm_def *comm) {
  struct mck_std_member member = {
      .rank = comm->rank, .size = comm->size, .remote_size = comm->remote_size, .root = MCK_ANY_SOURCE};
  if (e->kind == MCK_EV_FENCE) member.may_skip_sync = mck_std_fence_may_skip(e->sync.assertion);
  if (e->kind == MCK_EV_CALL) member.may_skip_sync = e->flags & MCK_CALL_NO_BARRIER;
  if (e->kind == MCK_EV_COLL) member.root = e->coll.root, member.has_data = e->coll.count > 0;
  return mck_std_needs(e->fn, &member, MCK_STD_SURELY);
}

// The sequence of an event: its key and communicator.
struct place {
  enum mck_sequence sequence;
  uint32_t slot;
  uint64_t key;
  const struct mck_comm_def *comm;
};

static bool get_place(const struct mck_reader *log, const struct mck_event *e, struct place *place) {
  place->sequence = mck_proof_sequence(log, e, &place->slot);
  if (place->sequence == MCK_SEQUENCE_NONE) return false;
  bool is_window = place->sequence == MCK_SEQUENCE_WINDOW;
  place->comm = mck_proof_comm(log, is_window ? log->wins[place->slot].comm : place->slot);
  if (!place->comm) return false;
  place->key = is_window ? log->wins[place->slot].body->key : place->comm->body->key;
  return true;
}

struct table {
  uint32_t *slots;
  size_t n;
}; // the index of the instance, + 1

static size_t find_slot(const struct mck_proof *proof, const struct table *t, const struct place *place,
                        uint64_t ordinal) {
  uint64_t words[3] = {place->key, ordinal, place->sequence};
  size_t slot = mck_base_hash(words, sizeof words, 1) & (t->n - 1);
  for (; t->slots[slot]; slot = (slot + 1) & (t->n - 1)) {
    const struct mck_instance *in = &proof->instances[t->slots[slot] - 1];
    if (in->key == place->key && in->ordinal == ordinal && in->sequence == place->sequence) break;
  }
  return slot;
}

static bool add_instance(struct mck_proof *proof, const struct place *place, uint64_t ordinal) {
  const struct mck_comm_def *comm = place->comm;
  uint64_t n = (uint64_t)comm->size + comm->remote_size;
  if (n > 2 * (uint64_t)proof->size) return false;
  struct mck_instance in = {.key = place->key,
                            .ordinal = ordinal,
                            .sequence = (uint8_t)place->sequence,
                            .is_intercomm = comm->remote_size > 0,
                            .nmembers = (uint32_t)n,
                            .all_node = MCK_NONE,
                            .some_node = MCK_NONE};
  in.members = calloc(n ? n : 1, sizeof *in.members);
  if (!in.members || !MCK_PUSH(proof->instances, proof->ninstances, proof->instances_capacity, in)) {
    free(in.members);
    proof->is_out_of_memory = true;
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    int world = mck_comm_world_rank(comm, (int)(i < comm->size ? i : i - comm->size), i >= comm->size);
    in.members[i].rank = world >= 0 && (uint32_t)world < proof->size ? world : -1;
  }
  return true;
}

static uint32_t find_member(const struct mck_instance *in, uint32_t rank, const struct mck_comm_def *comm) {
  uint32_t i = comm->rank;
  if (!in->is_intercomm && i < in->nmembers && in->members[i].rank == rank) return i;
  for (i = 0; i < in->nmembers && in->members[i].rank != rank; i++) {}
  return i;
}

static void note_arrival(struct mck_instance *in, uint32_t rank, const struct mck_comm_def *comm,
                         const struct mck_event *e) {
  uint32_t i = find_member(in, rank, comm);
  if (i >= in->nmembers) return;
  in->members[i].has_arrived = true;
  in->members[i].fn = e->fn;
  in->members[i].root = e->kind == MCK_EV_COLL && !in->is_intercomm ? e->coll.root : -1;
  in->members[i].site = e->site;
}

// Second pass: which ranks have arrived at which instance.
static void note_arrivals(struct mck_proof *proof, const struct table *t) {
  for (uint32_t r = 0; r < proof->size; r++) {
    const struct mck_reader *log = &proof->logs[r];
    if (!log->header || log->damaged != UINT64_MAX) continue;
    size_t nslots = (size_t)(log->ncomms > log->nwins ? log->ncomms : log->nwins) + 1;
    uint32_t *seen = calloc(nslots * MCK_SEQUENCES, sizeof *seen);
    if (!seen) proof->is_out_of_memory = true;
    for (uint64_t i = 0; i < log->units && !proof->is_out_of_memory; i += mck_event_units(&log->events[i])) {
      const struct mck_event *e = &log->events[i];
      struct place place;
      if (!get_place(log, e, &place)) continue;
      // Collectives that were removed from a recycled log count, too.
      uint32_t *count = &seen[place.sequence * nslots + place.slot];
      if (e->kind == MCK_EV_FENCE) *count += (uint32_t)e->sync.before;
      uint64_t before = place.sequence == MCK_SEQUENCE_COMM ? place.comm->body->before : 0;
      uint32_t instance = t->slots[find_slot(proof, t, &place, before + (*count)++)];
      if (instance) note_arrival(&proof->instances[instance - 1], r, place.comm, e);
    }
    free(seen);
  }
}

static void sum_up(struct mck_instance *in) {
  uint32_t first = UINT32_MAX;
  for (uint32_t i = 0; i < in->nmembers; i++) {
    const struct mck_member *m = &in->members[i];
    if (!m->has_arrived) {
      in->nmissing++;
      continue;
    }
    if (in->is_mismatch) continue;
    if (first == UINT32_MAX) first = i;
    else if (m->fn != in->members[first].fn || m->root != in->members[first].root) {
      in->is_mismatch = true;
      in->odd[0] = first;
      in->odd[1] = i;
    }
  }
}

// A neighbourhood collective moves data between neighbours only (MPI-3.1 7.6): a neighbour that has not arrived is the
// reason.
static void need_neighbors(struct mck_proof *proof, struct mck_proof_part *part, const struct mck_instance *in,
                           const struct mck_comm_def *comm) {
  part->set = proof->nsets;
  for (uint64_t i = 0; comm->neighbors && i < (uint64_t)comm->nsources + comm->ndestinations; i++) {
    int32_t n = comm->neighbors[i];
    if (n < 0 || (uint32_t)n >= in->nmembers || in->members[n].has_arrived || in->members[n].rank < 0) continue;
    mck_proof_add_member(proof, part, (uint32_t)in->members[n].rank);
  }
  if (part->nset) part->verdict = MCK_PROOF_NEEDS_SET;
}

static uint32_t find_world(const struct mck_instance *in, int world) {
  uint32_t i = 0;
  for (; i < in->nmembers && (world < 0 || in->members[i].rank != world); i++) {}
  return i;
}

// The part cannot complete before that member arrives. false: it has arrived, or is not known.
static bool need_member(struct mck_proof_part *part, const struct mck_instance *in, uint32_t i) {
  if (i >= in->nmembers || in->members[i].has_arrived || in->members[i].rank < 0) return false;
  part->verdict = MCK_PROOF_NEEDS_RANK;
  part->target = (uint32_t)in->members[i].rank;
  part->is_solid = true;
  return true;
}

static void judge_part(struct mck_proof *proof, struct mck_proof_part *part, const struct mck_event *e,
                       const struct mck_comm_def *comm) {
  const struct mck_instance *in = &proof->instances[part->instance];
  if (mck_proof_is_open_order(proof, (enum mck_sequence)in->sequence, in->key)) return;
  uint32_t own = find_member(in, part->rank, comm);
  if (own >= in->nmembers || !in->members[own].has_arrived) return;
  // Libraries let different collectives of a file match (MPI_File_write_all and MPI_File_write_at_all). So these stand
  // still only when all ranks are there.
  part->is_slow = mck_std_is_file(e->fn);
  if (in->is_mismatch && part->is_slow && in->nmissing) {
    part->verdict = MCK_PROOF_NEEDS_SOME;
    return;
  }
  if (in->is_mismatch) {
    const struct mck_member *first = &in->members[in->odd[0]], *other = &in->members[in->odd[1]],
                            *mine = &in->members[own];
    bool is_first_kind = mine->fn == first->fn && mine->root == first->root;
    part->verdict = MCK_PROOF_NEEDS_RANK;
    part->target = (uint32_t)(is_first_kind ? other : first)->rank;
    part->is_solid = !part->is_slow;
    return;
  }
  if (!in->nmissing) return;
  if (mck_std_is_neighborhood(e->fn)) {
    need_neighbors(proof, part, in, comm);
    return;
  }
  part->verdict = MCK_PROOF_NEEDS_SOME; // if it stands still, some member that has not arrived is why
  switch (find_needs(e, comm)) {
  case MCK_STD_NEEDS_OUTSIDE: part->verdict = MCK_PROOF_MAY_COMPLETE; return; // those come when they come
  case MCK_STD_NEEDS_ALL:
    part->verdict = MCK_PROOF_NEEDS_ALL;
    part->is_solid = true;
    return;
  // One missing member is enough for the proof; the lowest is the one that holds up the most.
  case MCK_STD_NEEDS_OTHER_GROUP:
    for (uint32_t i = 0; i < comm->remote_size; i++)
      if (need_member(part, in, find_world(in, mck_comm_world_rank(comm, (int)i, true)))) return;
    return;
  case MCK_STD_NEEDS_LOWER:
    for (uint32_t i = 0; i < own; i++)
      if (need_member(part, in, i)) return;
    return;
  case MCK_STD_NEEDS_ROOT:
    if (!in->is_intercomm && e->coll.root >= 0) need_member(part, in, (uint32_t)e->coll.root);
    return;
  case MCK_STD_NEEDS_UNKNOWN:
  case MCK_STD_NEEDS_NOTHING:
  case MCK_STD_NEEDS_COUNTED:
  case MCK_STD_NEEDS_OWN_COUNTED:
  case MCK_STD_NEEDS_SOURCES: return;
  }
}

void mck_proof_judge_collectives(struct mck_proof *proof) {
  size_t nparts = 0;
  for (size_t i = 0; i < proof->nparts; i++) {
    const struct mck_proof_part *part = &proof->parts[i];
    uint32_t slot;
    if (part->event == MCK_NONE || !part->is_hit || part->polled) continue;
    nparts += mck_proof_sequence(&proof->logs[part->rank], mck_proof_event(proof, part), &slot) != MCK_SEQUENCE_NONE;
  }
  if (!nparts) return;
  struct table t = {.n = 64};
  while (t.n < 4 * nparts) t.n *= 2;
  t.slots = calloc(t.n, sizeof *t.slots);
  if (!t.slots) proof->is_out_of_memory = true;
  for (int pass = 0; pass < 2 && !proof->is_out_of_memory; pass++) {
    for (size_t i = 0; i < proof->nparts; i++) {
      struct mck_proof_part *part = &proof->parts[i];
      if (part->event == MCK_NONE || !part->is_hit || part->polled || part->verdict == MCK_PROOF_IS_COMPLETE) continue;
      const struct mck_event *e = mck_proof_event(proof, part);
      struct place place;
      if (!get_place(&proof->logs[part->rank], e, &place)) continue;
      size_t slot = find_slot(proof, &t, &place, part->before);
      if (pass == 0 && !t.slots[slot] && add_instance(proof, &place, part->before))
        t.slots[slot] = (uint32_t)proof->ninstances;
      if (pass == 1 && t.slots[slot]) {
        part->instance = t.slots[slot] - 1;
        judge_part(proof, part, e, place.comm);
      }
    }
    if (pass == 0 && !proof->is_out_of_memory) {
      note_arrivals(proof, &t);
      for (size_t i = 0; i < proof->ninstances; i++) sum_up(&proof->instances[i]);
    }
  }
  free(t.slots);
}
