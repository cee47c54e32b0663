// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the wait-for graph as MUST does (Fig. 3 and 6). Processes are boxes. Parts of a call, and conditions that
// several ranks share, are parallelograms. Solid arcs mean all, dashed ones any. The core is gray. An intermediate node
// for which a single node waits is left out (Fig. 6c).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "watch/proof/deadlock-roll-call.h"

enum { RANKS_MAX = 400 };

struct drawing {
  const struct mck_proof *proof;
  struct mck_words *words;
  uint8_t *is_drawn;  // [node]
  uint32_t *nwaiters; // [node] arcs from drawn nodes
  bool is_all;
};

static void add_label(struct mck_words *words, const struct mck_event *e) {
  struct mck_words text = {0};
  mck_words_add_call(&text, e);
  char *open = text.text ? strchr(text.text, '(') : NULL;
  if (open) *open = 0;
  mck_words_add(words, "%s", text.text ? text.text : "");
  if (open) mck_words_add(words, "\\n(%s", open + 1);
  free(text.text);
}

static void draw_rank(const struct drawing *d, uint32_t r) {
  const struct mck_proof *proof = d->proof;
  const struct mck_waitfor *g = &proof->graph;
  const struct mck_event *e = proof->ranks[r].state == MCK_PROOF_FINALIZING ? NULL : mck_story_call(proof, r);
  mck_words_add(d->words, "  r%u [shape=box, label=\"%u: ", r, r);
  if (proof->ranks[r].state == MCK_PROOF_FINISHED) mck_words_add(d->words, "finished");
  else if (e && !proof->ranks[r].is_polling) add_label(d->words, e);
  else if (mck_story_fn(proof, r) < MCK_FN_COUNT) mck_words_add(d->words, "%s", mck_words_name(mck_story_fn(proof, r)));
  else mck_words_add(d->words, "running");
  mck_words_add(d->words, "\"%s];\n", g->knot[r] != UINT32_MAX ? ", style=filled, fillcolor=gray80" : "");
}

static const struct mck_proof_thread *thread_of(const struct drawing *d, uint32_t v) {
  for (size_t i = 0; i < d->proof->nthreads; i++)
    if (d->proof->threads[i].node == v) return &d->proof->threads[i];
  return NULL;
}

static void draw_thread(const struct drawing *d, const struct mck_proof_thread *thread) {
  const struct mck_proof *proof = d->proof;
  mck_words_add(d->words, "  n%u [shape=box, style=\"rounded%s\", label=\"", thread->node,
                proof->graph.knot[thread->node] != UINT32_MAX ? ",filled\", fillcolor=\"gray80" : "");
  mck_story_add_thread(proof, thread, d->words);
  if (thread->event != MCK_NONE) {
    mck_words_add(d->words, ":\\n");
    add_label(d->words, &proof->logs[thread->rank].events[thread->event]);
  }
  mck_words_add(d->words, "\"];\n");
}

// A condition that several ranks share, or a thread.
static void draw_shared(const struct drawing *d, uint32_t v) {
  const struct mck_proof *proof = d->proof;
  const struct mck_proof_thread *thread = thread_of(d, v);
  if (thread) {
    draw_thread(d, thread);
    return;
  }
  const char *label = proof->graph.kinds[v] == MCK_WAITFOR_ANY ? "any sender" : "all others";
  for (size_t i = 0; i < proof->ninstances; i++) {
    const struct mck_instance *in = &proof->instances[i];
    if (in->all_node != v && in->some_node != v) continue;
    for (uint32_t k = 0; k < in->nmembers; k++)
      if (in->members[k].has_arrived) label = mck_words_name(in->members[k].fn);
  }
  mck_words_add(d->words, "  n%u [shape=parallelogram, label=\"%s\"%s];\n", v, label,
                proof->graph.knot[v] != UINT32_MAX ? ", style=filled, fillcolor=gray80" : "");
}

static const char *style_of(const struct drawing *d, uint32_t v) {
  return d->proof->graph.kinds[v] == MCK_WAITFOR_ANY ? " [style=dashed]" : "";
}

static bool is_rank(const struct drawing *d, uint32_t v) { return v < d->proof->size; }
static bool is_folded(const struct drawing *d, uint32_t v) {
  return !is_rank(d, v) && d->nwaiters[v] < 2 && !thread_of(d, v);
}

// Draws arcs from the named node to v. If v is left out, the arcs go to the nodes for which v waits.
static void draw_arcs(const struct drawing *d, const char *from, uint32_t v, const char *style) {
  const struct mck_waitfor *g = &d->proof->graph;
  if (!is_folded(d, v)) {
    if (d->is_drawn[v]) mck_words_add(d->words, "  %s -> %c%u%s;\n", from, is_rank(d, v) ? 'r' : 'n', v, style);
    return;
  }
  for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++)
    if (d->is_drawn[g->targets[i]]) mck_words_add(d->words, "  %s -> r%u%s;\n", from, g->targets[i], style_of(d, v));
}

// The index of the request in the call's array, from the event that started it.
static uint32_t number_of(const struct mck_event *call, uint32_t event) {
  for (uint32_t i = 0; i < call->wait.count; i++)
    if (mck_wait_request(call, i) == event) return i;
  return 0;
}

// Each arc of a rank belongs to one of its parts, in their order (wait-graph.c): the parts with a verdict, or the solid
// ones where there are any.
static void draw_parts(const struct drawing *d, uint32_t r) {
  const struct mck_proof *proof = d->proof;
  const struct mck_waitfor *g = &proof->graph;
  const struct mck_proof_rank *rank = &proof->ranks[r];
  const struct mck_event *call = mck_story_call(proof, r);
  bool is_solid = false;
  uint32_t arc = g->first[r];
  char name[32];
  for (size_t i = rank->part; i < rank->part + rank->nparts; i++)
    is_solid |= rank->mode == MCK_WAIT_ALL && proof->parts[i].is_solid;
  for (size_t i = rank->part; i < rank->part + rank->nparts && arc < g->first[r + 1]; i++) {
    const struct mck_proof_part *part = &proof->parts[i];
    if (part->verdict == MCK_PROOF_MAY_COMPLETE || part->verdict == MCK_PROOF_IS_COMPLETE ||
        (is_solid && !part->is_solid))
      continue;
    snprintf(name, sizeof name, "p%u_%zu", r, i - rank->part);
    mck_words_add(d->words, "  %s [shape=parallelogram, label=\"", name);
    if (call && call->kind == MCK_EV_WAIT) mck_words_add(d->words, "Request[%u]\\n", number_of(call, part->event));
    add_label(d->words, mck_proof_event(proof, part));
    mck_words_add(d->words, "\"%s];\n  r%u -> %s%s;\n",
                  g->knot[r] != UINT32_MAX ? ", style=filled, fillcolor=gray80" : "", r, name, style_of(d, r));
    draw_arcs(d, name, g->targets[arc++], "");
  }
}

static void draw(struct drawing *d) {
  const struct mck_proof *proof = d->proof;
  const struct mck_waitfor *g = &proof->graph;
  uint32_t nranks = 0;
  for (uint32_t v = 0; v < g->nnodes; v++) {
    bool is_waited = is_rank(d, v) && d->is_all && proof->ranks[v].state != MCK_PROOF_MOVES;
    d->is_drawn[v] = g->is_deadlocked[v] || is_waited || (!is_rank(d, v) && d->is_all);
    nranks += is_rank(d, v) && d->is_drawn[v];
  }
  // A large graph shows the core only.
  for (uint32_t v = 0; nranks > RANKS_MAX && v < g->nnodes; v++)
    d->is_drawn[v] = is_rank(d, v) ? g->knot[v] != UINT32_MAX : d->is_drawn[v];
  for (uint32_t v = 0; v < proof->size && d->is_all; v++) // and ranks that move, if other ranks wait for them
    for (uint32_t i = g->first[v]; d->is_drawn[v] && i < g->first[v + 1]; i++) d->is_drawn[g->targets[i]] = true;
  for (uint32_t v = 0; v < g->nnodes; v++)
    for (uint32_t i = g->first[v]; d->is_drawn[v] && i < g->first[v + 1]; i++) d->nwaiters[g->targets[i]]++;
  mck_words_add(d->words, "digraph \"wait-for\" {\n  node [fontname=\"sans-serif\", fontsize=11];\n");
  for (uint32_t r = 0; r < proof->size; r++)
    if (d->is_drawn[r]) draw_rank(d, r);
  for (uint32_t v = proof->size; v < g->nnodes; v++)
    if (d->is_drawn[v] && !is_folded(d, v)) draw_shared(d, v);
  for (uint32_t r = 0; r < proof->size; r++) {
    char name[16];
    if (!d->is_drawn[r]) continue;
    bool has_parts = !proof->ranks[r].nthreads && (g->first[r + 1] - g->first[r] > 1 || proof->ranks[r].nparts > 1);
    if (has_parts && g->first[r + 1] > g->first[r]) {
      draw_parts(d, r);
      continue;
    }
    snprintf(name, sizeof name, "r%u", r);
    for (uint32_t i = g->first[r]; i < g->first[r + 1]; i++) draw_arcs(d, name, g->targets[i], "");
  }
  for (uint32_t v = proof->size; v < g->nnodes; v++) {
    char name[16];
    snprintf(name, sizeof name, "n%u", v);
    if (!d->is_drawn[v] || is_folded(d, v)) continue;
    for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++) draw_arcs(d, name, g->targets[i], style_of(d, v));
  }
  mck_words_add(d->words, "}\n");
}

void mck_story_draw(const struct mck_proof *proof, bool is_all, struct mck_words *words) {
  struct drawing d = {.proof = proof, .words = words, .is_all = is_all};
  d.is_drawn = calloc(proof->graph.nnodes + 1, sizeof *d.is_drawn);
  d.nwaiters = calloc(proof->graph.nnodes + 1, sizeof *d.nwaiters);
  if (d.is_drawn && d.nwaiters) draw(&d);
  free(d.is_drawn);
  free(d.nwaiters);
}
