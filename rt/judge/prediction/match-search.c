// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches through the states of the model (match-search.h), those with the fewest other matches first.
#include "judge/prediction/match-search.h"
#include <stdlib.h>
#include <string.h>

// BYTES_A_STEP: so many bytes of a state are written and hashed while a call is entered.
enum { COSTS = 16, MEMORY_MAX = 64 << 20, BYTES_A_STEP = 128 };

// A state in which only choices are left, and how it came about.
struct node {
  size_t packed;   // its place in words
  uint32_t parent; // MCK_NONE: the first one
  struct mck_search_match match;
};
struct open {
  uint32_t node;
  struct mck_search_match match;
};
struct known {
  uint64_t hash[2], names;
};
struct search {
  const struct mck_search_sink *sink;
  struct mck_search_counts *counts;
  struct mck_state state;
  uint64_t steps, limit;
  struct node *nodes;
  size_t nnodes, nodes_capacity;
  uint32_t *words;
  size_t nwords, words_capacity;
  struct {
    struct open *items;
    size_t count, capacity;
  } open[COSTS];
  struct known *known;
  size_t nknown, known_capacity;
  struct mck_table table;
  struct mck_search_match *chain;
  size_t nchain, chain_capacity;
  bool is_short, is_cut;
};

// --- states that were there before ---
// What can still happen is the same, and no more was known then: nothing new can follow.
static bool is_known(struct search *x, const uint32_t *packed, size_t size) {
  struct known new = {.names = x->state.names};
  size_t body = size - sizeof new.names;
  new.hash[0] = mck_base_hash(packed, body, 1), new.hash[1] = mck_base_hash(packed, body, 2);
  uint32_t at, id;
  MCK_TABLE_EACH (&x->table, new.hash[0], at, id) {
    struct known *old = &x->known[id];
    if (old->hash[0] == new.hash[0] && old->hash[1] == new.hash[1] && !(old->names & ~new.names)) return true;
  }
  if (!MCK_PUSH(x->known, x->nknown, x->known_capacity, new) ||
      !mck_table_add(&x->table, new.hash[0], (uint32_t)x->nknown - 1))
    x->is_short = true;
  return false;
}

// --- nodes ---
static uint32_t add_node(struct search *x, uint32_t parent, struct mck_search_match match) {
  size_t n = mck_state_size(&x->state) / sizeof(uint32_t);
  if ((x->nwords + n) * sizeof *x->words > MEMORY_MAX) return x->is_cut = true, MCK_NONE;
  if (!mck_base_grow((void **)&x->words, &x->words_capacity, x->nwords + n, sizeof *x->words))
    return x->is_short = true, MCK_NONE;
  x->steps += n * sizeof *x->words / BYTES_A_STEP;
  mck_state_pack(&x->state, &x->words[x->nwords]);
  if (is_known(x, &x->words[x->nwords], n * sizeof *x->words)) return MCK_NONE;
  struct node new = {x->nwords, parent, match};
  x->nwords += n;
  if (!MCK_PUSH(x->nodes, x->nnodes, x->nodes_capacity, new)) return x->is_short = true, MCK_NONE;
  return (uint32_t)x->nnodes - 1;
}

static void push(struct search *x, unsigned cost, uint32_t node, struct mck_search_match match) {
  struct open new = {node, match};
  if (cost >= COSTS) cost = COSTS - 1; // the order among these does not matter much
  if (!MCK_PUSH(x->open[cost].items, x->open[cost].count, x->open[cost].capacity, new)) x->is_short = true;
}

// A blocking receive whose status the program looks at: with another message it may go another way, so this does not
// count.
static bool is_allowed(const struct search *x, struct mck_search_match m) {
  const struct mck_model_op *r = mck_state_op(&x->state, m.receive), *s = mck_state_op(&x->state, m.send);
  if (r->bytes != UINT64_MAX && s->bytes != UINT64_MAX && s->bytes > r->bytes) return false;
  if (mck_state_is_expected(&x->state, m.receive, m.send)) return true;
  return mck_model_is_choice(r, x->state.is_single_path) &&
         (r->is_nonblocking || !mck_state_is_told(&x->state, m.receive, m.send)) &&
         (!x->sink->is_wanted || x->sink->is_wanted(x->sink->context, m.receive, m.send));
}

// Notes all choices of the state at hand. The first one that is as in the run costs nothing.
static bool branch(struct search *x, uint32_t parent, struct mck_search_match match, unsigned cost) {
  uint32_t node = MCK_NONE;
  bool has_expected = false, is_first = true;
  struct mck_search_match go_on = {{MCK_NONE, MCK_NONE}, {MCK_NONE, MCK_NONE}};
  for (size_t i = 0; i < x->state.pending.count && !mck_state_is_cut(&x->state); i++) {
    struct mck_search_match m = {.receive = x->state.pending.items[i]};
    for (size_t at = 0; mck_state_candidate(&x->state, m.receive, &at, &m.send);) {
      x->steps++;
      if (!is_allowed(x, m)) continue;
      if (is_first) node = add_node(x, parent, match), is_first = false;
      if (node == MCK_NONE) return true;
      if (!has_expected && mck_state_is_expected(&x->state, m.receive, m.send)) has_expected = true, go_on = m;
      else push(x, cost + 1, node, m);
    }
  }
  if (has_expected) push(x, cost, node, go_on);
  return !is_first;
}

static void say(struct search *x, uint32_t parent, struct mck_search_match last, struct mck_waitfor *graph) {
  x->nchain = 0;
  for (;; last = x->nodes[parent].match, parent = x->nodes[parent].parent) {
    if (last.receive.log != MCK_NONE && !mck_state_is_expected(&x->state, last.receive, last.send) &&
        !MCK_PUSH(x->chain, x->nchain, x->chain_capacity, last))
      x->is_short = true;
    if (parent == MCK_NONE) break;
  }
  for (size_t i = 0; i < x->nchain / 2; i++) {
    struct mck_search_match swap = x->chain[i];
    x->chain[i] = x->chain[x->nchain - 1 - i], x->chain[x->nchain - 1 - i] = swap;
  }
  struct mck_deadlock d = {&x->state, x->chain, x->nchain, graph};
  if (!x->nchain) return; // the run itself got farther
  x->counts->deadlocks++;
  x->sink->deadlock(x->sink->context, &d);
}

// Nothing can happen any more.
static void end(struct search *x, uint32_t parent, struct mck_search_match match) {
  struct mck_waitfor graph = {0};
  bool is_done = true;
  for (uint32_t i = 0; i < x->state.model->n && is_done; i++) is_done = mck_state_is_done(&x->state, i);
  if (is_done) return;
  x->steps += x->state.model->n;
  if (!mck_deadlock_make(&graph, &x->state)) x->is_short = true;
  else {
    bool is_dead = false;
    for (uint32_t i = 0; i < x->state.model->n; i++)
      is_dead |= graph.is_deadlocked[i] && graph.kinds[i] != MCK_WAITFOR_NEVER;
    if (is_dead) say(x, parent, match, &graph);
  }
  mck_waitfor_free(&graph);
}

static void go_on(struct search *x, uint32_t parent, struct mck_search_match match, unsigned cost) {
  bool has_choice;
  do {
    mck_state_advance(&x->state);
    x->is_short |= x->state.is_short;
    has_choice = !x->is_short && !mck_state_is_cut(&x->state) && branch(x, parent, match, cost);
  } while (!has_choice && mck_state_release(&x->state));
  // At the bound, what was not done yet may still happen.
  if (mck_state_is_cut(&x->state)) x->is_cut = true;
  else if (!x->is_short && !has_choice) end(x, parent, match);
}

bool mck_search_run(const struct mck_model *model, bool is_single_path, uint64_t steps,
                    const struct mck_search_sink *sink, struct mck_search_counts *counts) {
  struct search search = {.sink = sink, .counts = counts, .limit = steps}, *x = &search;
  const struct mck_search_match none = {{MCK_NONE, MCK_NONE}, {MCK_NONE, MCK_NONE}};
  *counts = (struct mck_search_counts){0};
  x->is_short = !mck_state_open(&x->state, model, is_single_path, &x->steps, steps);
  if (!x->is_short) go_on(x, MCK_NONE, none, 0);
  for (unsigned cost = 0; cost < COSTS && !x->is_short;) {
    // A long run must leave something for other matches in its first part.
    uint64_t limit = cost ? x->limit : x->limit / 2;
    if (!x->open[cost].count || x->steps >= limit) {
      x->is_cut |= x->open[cost].count > 0;
      cost++;
      continue;
    }
    struct open next = x->open[cost].items[--x->open[cost].count];
    // A finding may have made it uninteresting meanwhile.
    x->steps += mck_state_size(&x->state) / BYTES_A_STEP;
    mck_state_unpack(&x->state, &x->words[x->nodes[next.node].packed]);
    if (x->state.is_short || !is_allowed(x, next.match)) continue;
    mck_state_match(&x->state, next.match.receive, next.match.send);
    go_on(x, next.node, next.match, cost);
  }
  for (uint32_t i = 0; i < model->n; i++) x->is_cut |= model->logs[i].is_cut;
  counts->states = x->nnodes, counts->steps = x->steps, counts->is_whole = !x->is_cut && !x->is_short;
  for (unsigned i = 0; i < COSTS; i++) free(x->open[i].items);
  free(x->nodes), free(x->words), free(x->known), free(x->chain);
  mck_table_free(&x->table);
  mck_state_close(&x->state);
  return !x->is_short;
}
