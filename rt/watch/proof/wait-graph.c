// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the wait-for graph from verdicts and solves it. In doubt a rank counts as moving, so the deadlocked rest is a
// proof.
#include <stdlib.h>
#include <string.h>
#include "watch/thread/hang-note.h"
#include "watch/proof/probing.h"
#include "watch/proof/deadlock-roll-call.h"
#include "report/why.h"

static bool add_arc(struct mck_proof *proof, uint32_t from, uint32_t to) {
  if (from != UINT32_MAX && to != UINT32_MAX && mck_waitfor_add_arc(&proof->graph, from, to)) return true;
  proof->is_out_of_memory = true;
  return false;
}

static uint32_t add_node(struct mck_proof *proof, enum mck_waitfor_kind kind) {
  uint32_t node = mck_waitfor_add_node(&proof->graph, kind);
  if (node == UINT32_MAX) proof->is_out_of_memory = true;
  return node;
}

// The node that all wildcard receives on one communicator share. Members of another MPI_COMM_WORLD may always send.
struct wildcards {
  struct wildcard {
    uint64_t key;
    int first;
    uint32_t node;
  } *items;
  size_t count, capacity;
};

static uint32_t get_wildcard_node(struct mck_proof *proof, struct wildcards *known, const struct mck_proof_part *part) {
  const struct mck_reader *log = &proof->logs[part->rank];
  const struct mck_comm_def *comm = mck_proof_comm(log, log->events[part->event].msg.comm);
  if (!comm) return add_node(proof, MCK_WAITFOR_MOVES);
  bool is_remote = comm->remote_size > 0;
  int first = mck_comm_world_rank(comm, 0, is_remote);
  for (size_t i = known->count; i-- > 0;) // the latest first: most ranks wait on the same one
    if (known->items[i].key == comm->body->key && known->items[i].first == first) return known->items[i].node;
  uint32_t node = add_node(proof, MCK_WAITFOR_ANY), n = is_remote ? comm->remote_size : comm->size;
  for (uint32_t i = 0; i < n && !proof->is_out_of_memory; i++) {
    int world = mck_comm_world_rank(comm, (int)i, is_remote);
    if (world < 0 || (uint32_t)world >= proof->size) proof->graph.kinds[node] = MCK_WAITFOR_MOVES;
    else add_arc(proof, node, (uint32_t)world);
  }
  struct wildcard entry = {comm->body->key, first, node};
  if (!MCK_PUSH(known->items, known->count, known->capacity, entry)) proof->is_out_of_memory = true;
  return node;
}

// The node that all ranks in one collective share: it needs all members that have not arrived, or any of them.
static uint32_t get_instance_node(struct mck_proof *proof, struct mck_instance *in, bool is_all) {
  uint32_t *node = is_all ? &in->all_node : &in->some_node;
  if (*node != MCK_NONE) return *node;
  *node = add_node(proof, is_all ? MCK_WAITFOR_ALL : MCK_WAITFOR_ANY);
  for (uint32_t i = 0; i < in->nmembers && !proof->is_out_of_memory; i++) {
    const struct mck_member *m = &in->members[i];
    if (m->has_arrived) continue;
    if (m->rank >= 0) add_arc(proof, *node, (uint32_t)m->rank);
    else if (!is_all) proof->graph.kinds[*node] = MCK_WAITFOR_MOVES;
  }
  return *node;
}

static void add_part_arc(struct mck_proof *proof, struct wildcards *known, uint32_t from,
                         const struct mck_proof_part *part) {
  switch ((enum mck_proof_verdict)part->verdict) {
  case MCK_PROOF_MAY_COMPLETE:
  case MCK_PROOF_IS_COMPLETE: break;
  case MCK_PROOF_NEEDS_RANK: add_arc(proof, from, part->target); break;
  case MCK_PROOF_NEEDS_ANY: add_arc(proof, from, get_wildcard_node(proof, known, part)); break;
  case MCK_PROOF_NEEDS_ALL:
    add_arc(proof, from, get_instance_node(proof, &proof->instances[part->instance], true));
    break;
  case MCK_PROOF_NEEDS_SOME:
    add_arc(proof, from, get_instance_node(proof, &proof->instances[part->instance], false));
    break;
  case MCK_PROOF_NEEDS_SET: {
    uint32_t node = part->nset == 1 ? proof->sets[part->set]
                                    : add_node(proof, part->is_all ? MCK_WAITFOR_ALL : MCK_WAITFOR_ANY);
    add_arc(proof, from, node);
    for (uint32_t i = 0; part->nset > 1 && i < part->nset; i++) add_arc(proof, node, proof->sets[part->set + i]);
    break;
  }
  }
}

static bool is_thread_finalizing(const struct mck_proof *proof, uint32_t r) {
  const struct mck_proof_rank *rank = &proof->ranks[r];
  for (size_t i = rank->thread; i < rank->thread + rank->nthreads; i++)
    if (proof->threads[i].state == MCK_PROOF_FINALIZING) return true;
  return false;
}

// A call that needs all of its parts waits for the solid ones. Without solid parts, and when nothing else can hold it
// up, it stands still because of at least one of the others. It is unknown which one, so any of them may set it free. A
// call that needs any part waits for all of them in the OR sense.
static void add_call(struct mck_proof *proof, struct wildcards *known, uint32_t r, uint32_t thread) {
  const struct mck_proof_rank *rank = &proof->ranks[r];
  const struct mck_proof_thread *of = thread ? &proof->threads[thread - 1] : NULL;
  const struct mck_proof_part *part = proof->parts + rank->part, *end = part + rank->nparts;
  uint32_t node = of ? of->node : r;
  size_t nsolid = 0, nothers = 0, nopen = 0, ncomplete = 0;
  enum mck_patience least = MCK_PATIENCE_SHORT;
  for (const struct mck_proof_part *p = part; p < end; p++) {
    if (p->thread != thread) continue;
    if (p->verdict == MCK_PROOF_MAY_COMPLETE) nopen++;
    else if (p->verdict == MCK_PROOF_IS_COMPLETE) ncomplete++;
    else if (p->is_solid) nsolid++;
    else {
      nothers++;
      if (p->is_slow) least = MCK_PATIENCE_LONG;
    }
  }
  bool is_all = (of ? of->mode : rank->mode) == MCK_WAIT_ALL;
  if (is_all && nsolid) nothers = 0;
  else if (nopen || (!is_all && ncomplete)) return;
  if (!nsolid && !nothers) return;
  if (nothers && !mck_proof_is_patient(proof, r, least)) return;
  proof->graph.kinds[node] = is_all && nsolid ? MCK_WAITFOR_ALL : MCK_WAITFOR_ANY;
  for (const struct mck_proof_part *p = part; p < end; p++)
    if (p->thread == thread && (p->is_solid || nothers)) add_part_arc(proof, known, node, p);
}

// MPI_Finalize of a rank needs that all ranks call it.
static uint32_t get_finalize_node(struct mck_proof *proof, uint32_t *finalize) {
  if (*finalize != MCK_NONE) return *finalize;
  *finalize = add_node(proof, MCK_WAITFOR_ALL);
  for (uint32_t q = 0; q < proof->size && !proof->is_out_of_memory; q++)
    if (proof->ranks[q].state != MCK_PROOF_FINALIZING && proof->ranks[q].state != MCK_PROOF_FINISHED &&
        !is_thread_finalizing(proof, q))
      add_arc(proof, *finalize, q);
  return *finalize;
}

// A thread that waits for another one of its process. Which one will unlock, signal or come to a barrier nobody knows:
// each one that goes on may. One that joins waits for its rank, too, and not just for the other thread: what matters is
// whether the rank goes on, and threads that join each other are no knot without their rank.
static void add_inner_wait(struct mck_proof *proof, const struct mck_proof_thread *thread) {
  proof->graph.kinds[thread->node] = MCK_WAITFOR_ANY;
  add_arc(proof, thread->node, thread->rank);
}

// The rank may act as soon as one of its threads goes on.
static void add_threads(struct mck_proof *proof, struct wildcards *known, uint32_t r, uint32_t *finalize) {
  const struct mck_proof_rank *rank = &proof->ranks[r];
  struct mck_proof_thread *threads = proof->threads + rank->thread;
  proof->graph.kinds[r] = MCK_WAITFOR_ANY;
  for (size_t i = 0; i < rank->nthreads && !proof->is_out_of_memory; i++) {
    threads[i].node = add_node(proof, MCK_WAITFOR_MOVES);
    add_arc(proof, r, threads[i].node);
  }
  for (size_t i = 0; i < rank->nthreads && !proof->is_out_of_memory; i++) {
    if (threads[i].wait->what) add_inner_wait(proof, &threads[i]);
    else if (threads[i].state == MCK_PROOF_BLOCKED) add_call(proof, known, r, (uint32_t)(rank->thread + i) + 1);
    else if (threads[i].state == MCK_PROOF_FINALIZING) {
      uint32_t node = get_finalize_node(proof, finalize);
      if (proof->is_out_of_memory) return;
      proof->graph.kinds[threads[i].node] = MCK_WAITFOR_ALL;
      add_arc(proof, threads[i].node, node);
    }
  }
}

static void build_graph(struct mck_proof *proof) {
  struct wildcards known = {0};
  uint32_t finalize = MCK_NONE;
  if (!mck_waitfor_init(&proof->graph, proof->size)) proof->is_out_of_memory = true;
  for (uint32_t r = 0; r < proof->size && !proof->is_out_of_memory; r++) {
    switch ((enum mck_proof_state)proof->ranks[r].state) {
    case MCK_PROOF_MOVES: break;
    case MCK_PROOF_BLOCKED: add_call(proof, &known, r, 0); break;
    case MCK_PROOF_THREADS: add_threads(proof, &known, r, &finalize); break;
    case MCK_PROOF_FINALIZING: {
      uint32_t node = get_finalize_node(proof, &finalize);
      if (proof->is_out_of_memory) break;
      proof->graph.kinds[r] = MCK_WAITFOR_ALL;
      add_arc(proof, r, node);
      break;
    }
    case MCK_PROOF_FINISHED: proof->graph.kinds[r] = MCK_WAITFOR_NEVER; break;
    }
  }
  free(known.items);
}

static bool has_waiting_rank(const struct mck_proof *proof) {
  for (uint32_t r = 0; r < proof->size; r++)
    if (proof->graph.is_deadlocked[r] && proof->graph.kinds[r] != MCK_WAITFOR_NEVER) return true;
  return false;
}

// The steps that depend on messages: their verdicts, the graph, its solution. They are done for each match that is
// tried.
static bool solve(struct mck_proof *proof) {
  if (proof->is_out_of_memory) return false;
  mck_waitfor_free(&proof->graph);
  if (proof->nparts) memcpy(proof->parts, proof->before, proof->nparts * sizeof *proof->parts);
  for (size_t i = 0; i < proof->ninstances; i++)
    proof->instances[i].all_node = proof->instances[i].some_node = MCK_NONE;
  mck_proof_judge_messages(proof);
  if (!proof->is_out_of_memory) build_graph(proof);
  return !proof->is_out_of_memory && mck_waitfor_solve(&proof->graph) && has_waiting_rank(proof);
}

static char *graph_text;
char *mck_watch_take_graph(void) {
  char *text = graph_text;
  graph_text = NULL;
  return text;
}

static void tell(struct mck_proof *proof, struct mck_findings *findings) {
  struct mck_words words = {0};
  mck_proof_describe(proof, findings);
  mck_story_draw(proof, false, &words);
  free(graph_text);
  graph_text = words.text;
}

static void prepare(struct mck_proof *proof) {
  proof->ranks = calloc((size_t)proof->size + 1, sizeof *proof->ranks);
  if (!proof->ranks) {
    proof->is_out_of_memory = true;
    return;
  }
  mck_proof_find_waits(proof);
  if (!proof->is_out_of_memory) mck_proof_count_events(proof);
  if (!proof->is_out_of_memory) mck_proof_judge_collectives(proof);
  if (!proof->is_out_of_memory) mck_proof_judge_syncs(proof);
  if (!proof->is_out_of_memory) mck_proof_judge_locks(proof);
  if (!proof->is_out_of_memory) mck_proof_judge_groups(proof);
  proof->before = malloc((proof->nparts + 1) * sizeof *proof->before);
  if (!proof->before) proof->is_out_of_memory = true;
  else if (proof->nparts) memcpy(proof->before, proof->parts, proof->nparts * sizeof *proof->before);
}

static void discard(struct mck_proof *proof) {
  mck_waitfor_free(&proof->graph);
  for (size_t i = 0; i < proof->ninstances; i++) free(proof->instances[i].members);
  free(proof->instances);
  free(proof->opens);
  free(proof->sets);
  free(proof->polled);
  free(proof->threads);
  mck_proof_free_order(proof);
  free(proof->slots);
  free(proof->channels);
  free(proof->before);
  free(proof->parts);
  free(proof->ranks);
}

// Option why: the first rank that keeps the others from being deadlocked. An attempt that is like the one before it is
// not printed again.
static void print_why(const struct mck_proof *proof, bool is_proved) {
  static uint32_t latest_rank = MCK_NONE, latest_waiting = MCK_NONE; // of the watch thread, which is the only one
  uint32_t nwaiting = 0, first = MCK_NONE;
  if (proof->is_out_of_memory || !proof->graph.is_deadlocked) return;
  for (uint32_t r = 0; r < proof->size; r++) {
    enum mck_proof_state state = (enum mck_proof_state)proof->ranks[r].state;
    nwaiting += state == MCK_PROOF_BLOCKED || state == MCK_PROOF_FINALIZING || state == MCK_PROOF_THREADS;
    if (first == MCK_NONE && state != MCK_PROOF_FINISHED && !proof->graph.is_deadlocked[r]) first = r;
  }
  if (is_proved) {
    mck_why(MCK_CHECK_DEADLOCK, "%u of %u ranks wait; the wait-for graph has %u knot(s), and no rank outside can help",
            nwaiting, proof->size, proof->graph.nknots);
    return;
  }
  if (first == latest_rank && nwaiting == latest_waiting) return;
  latest_rank = first, latest_waiting = nwaiting;
  if (first != MCK_NONE)
    mck_why_not(MCK_CHECK_DEADLOCK, "%u of %u ranks wait, but rank %u %s", nwaiting, proof->size, first,
                proof->ranks[first].state == MCK_PROOF_MOVES ? "moves" : "may go on: what it waits for can still come");
}

static bool prove(struct mck_proof *proof, struct mck_findings *findings) {
  // A rank that was killed or has aborted is the cause of a hang, and mpirun is about to end the others: run.died says
  // so.
  for (uint32_t r = 0; r < proof->size; r++) {
    const struct mck_log_header *h = proof->logs[r].header;
    uint32_t state = h ? atomic_load_explicit(&h->state, memory_order_relaxed) : MCK_LOG_RUNNING;
    if (state == MCK_LOG_ABORTED || state == MCK_LOG_SIGNALLED) return false;
  }
  size_t before = findings->count;
  struct mck_probing probing = {0};
  prepare(proof);
  // Without memory there may be no ranks to look at.
  bool is_proved = !proof->is_out_of_memory && (solve(proof) || mck_probing_search(proof, &probing, solve));
  if (MCK_UNLIKELY(mck_options.why[0]) && !proof->has_open) print_why(proof, is_proved);
  if (is_proved) tell(proof, findings);
  mck_probing_free(&probing);
  discard(proof);
  return findings->count > before;
}

bool mck_watch_prove_patiently(const struct mck_reader *logs, const struct mck_snapshot *marks, const uint8_t *patience,
                               uint32_t size, struct mck_findings *findings) {
  struct mck_proof proof = {.logs = logs, .marks = marks, .patience = patience, .size = size};
  return prove(&proof, findings);
}

bool mck_watch_note_polling(const struct mck_reader *logs, const struct mck_snapshot *marks, const uint8_t *patience,
                            uint32_t size, struct mck_findings *findings) {
  struct mck_proof proof = {.logs = logs, .marks = marks, .patience = patience, .size = size, .has_open = true};
  return prove(&proof, findings);
}

void mck_watch_survey(const struct mck_reader *logs, const struct mck_snapshot *marks, const uint8_t *patience,
                      uint32_t size, enum mck_check check, int rank, struct mck_findings *findings) {
  struct mck_proof proof = {.logs = logs, .marks = marks, .patience = patience, .size = size, .has_open = true};
  struct mck_words words = {0};
  prepare(&proof);
  solve(&proof);
  if (!proof.is_out_of_memory) {
    mck_proof_survey(&proof, check, rank, findings);
    mck_story_draw(&proof, true, &words);
    free(graph_text);
    graph_text = words.text;
  }
  discard(&proof);
}

bool mck_watch_prove(const struct mck_reader *logs, const struct mck_snapshot *marks, uint32_t size,
                     struct mck_findings *findings) {
  return mck_watch_prove_patiently(logs, marks, NULL, size, findings);
}
