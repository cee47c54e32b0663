// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The root of the tree: rank 0's watch. It accepts the leaders, keeps copies of the logs of ranks that stand still, and
// asks in two phases.
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "watch/node/node-tree-state.h"

static const int64_t STRANGER_NS = 5000000000, ANSWER_NS = 10000000000;

bool mck_root_open(struct mck_tree *t, uint64_t job, size_t copies_limit) {
  t->pictures = calloc(t->nodes->nnodes, sizeof *t->pictures);
  t->hangs = calloc(t->nodes->nnodes, sizeof *t->hangs);
  for (uint32_t i = 0; t->hangs && i < t->nodes->nnodes; i++) t->hangs[i].computing = MCK_NONE;
  t->copies = (struct mck_copies){.size = t->size, .job = job, .limit = copies_limit};
  return t->pictures && t->hangs;
}

static uint32_t count_strangers(const struct mck_tree *t, struct mck_link **free_link) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->nlinks; i++) {
    if (t->links[i].wire) n += !t->links[i].node;
    else *free_link = &t->links[i];
  }
  return n;
}

// No more connections are accepted while the limit of unknown ones is reached.
int mck_root_listener(const struct mck_tree *t) {
  struct mck_link *link = NULL;
  return count_strangers(t, &link) < MCK_TREE_STRANGERS && link ? t->nodes->listener : -1;
}

void mck_root_accept(struct mck_tree *t) {
  struct mck_link *link = NULL;
  if (count_strangers(t, &link) >= MCK_TREE_STRANGERS || !link) return;
  int fd = accept4(t->nodes->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return;
  *link = (struct mck_link){.wire = mck_wire_accept(fd, t->nodes->call.secret), .tree = t, .since_ns = mck_tree_now()};
}

void mck_root_expire(struct mck_tree *t) {
  for (uint32_t i = 0; i < t->nlinks; i++) {
    struct mck_link *link = &t->links[i];
    if (link->wire && !link->node && mck_tree_now() - link->since_ns > STRANGER_NS) mck_tree_drop(t, link);
  }
}

bool mck_root_is_of_node(const void *context, uint32_t rank) {
  const struct mck_link *link = context;
  return mck_node_ranks_place(&link->tree->nodes->of[link->node], rank) != MCK_NONE;
}

static bool greet(struct mck_tree *t, struct mck_link *link, uint64_t node) {
  if (link->node || !node || node >= t->nodes->nnodes) return false;
  for (uint32_t i = 0; i < t->nlinks; i++)
    if (t->links[i].wire && t->links[i].node == node) return false;
  link->node = (uint32_t)node;
  link->answered = UINT32_MAX; // it takes part from the next round on
  return true;
}

static struct mck_standing *find_confirmed(const struct mck_tree *t, uint32_t rank) {
  uint32_t slot, id;
  MCK_TABLE_EACH (&t->confirmed_table, mck_table_mix(rank, 0), slot, id)
    if (t->confirmed[id].rank == rank) return &t->confirmed[id];
  return NULL;
}

// A rank that finds no room counts as moving.
static void confirm(struct mck_tree *t, const struct mck_standing *s) {
  struct mck_standing *known = find_confirmed(t, s->rank);
  if (known) *known = *s;
  else if (MCK_PUSH(t->confirmed, t->nconfirmed, t->confirmed_capacity, *s) &&
           !mck_table_add(&t->confirmed_table, mck_table_mix(s->rank, 0), (uint32_t)t->nconfirmed - 1))
    t->nconfirmed--;
}

static bool take_confirmed(struct mck_tree *t, const struct mck_link *link, const struct mck_message *m,
                           const uint8_t *body, size_t size) {
  if (m->value > MCK_TREE_MESSAGE_ENTRIES || size != m->value * sizeof(struct mck_standing)) return false;
  for (uint64_t i = 0; i < m->value; i++) {
    struct mck_standing s;
    memcpy(&s, body + i * sizeof s, sizeof s);
    if (s.rank >= t->size || !mck_root_is_of_node(link, s.rank) || !s.state) return false;
    if (m->round == t->round && t->wanted == MCK_CONFIRMED) confirm(t, &s);
  }
  return true;
}

static bool take_hangs(struct mck_tree *t, const struct mck_link *link, const struct mck_message *m) {
  struct mck_hangs hangs = {(uint32_t)m->value, (uint32_t)(m->value >> 32), m->is_last != 0};
  if (hangs.computing != MCK_NONE && (hangs.computing >= t->size || !mck_root_is_of_node(link, hangs.computing)))
    return false;
  t->hangs[link->node] = hangs;
  return true;
}

bool mck_root_take(struct mck_tree *t, struct mck_link *link, const struct mck_message *m, const uint8_t *body,
                   size_t size) {
  if (m->code == MCK_HELLO) return !size && greet(t, link, m->value);
  if (!link->node) return false;
  switch (m->code) {
  case MCK_STILL:
    t->is_changed |= t->pictures[link->node] != m->value;
    t->pictures[link->node] = m->value;
    return !size;
  case MCK_HANGS: return !size && take_hangs(t, link, m);
  case MCK_SNAPPED:
    if (m->round == t->round && t->wanted == m->code) link->answered = m->round;
    return !size;
  case MCK_PLACE:
    if (size >= MCK_TREE_TEXT) return false;
    if (m->round != t->round || t->wanted != m->code || link->answered) return true; // too late
    memcpy(t->text, body, size);
    t->text[size] = 0;
    link->answered = m->round;
    return true;
  case MCK_CONFIRMED:
    if (!take_confirmed(t, link, m, body, size)) return false;
    if (m->round == t->round && t->wanted == m->code && m->is_last) link->answered = m->round;
    return true;
  }
  return false;
}

uint64_t mck_tree_fingerprint(const struct mck_tree *t) {
  uint64_t any = 0;
  for (uint32_t i = 1; i < t->nodes->nnodes; i++) any |= t->pictures[i];
  return any ? mck_base_hash(t->pictures, t->nodes->nnodes * sizeof *t->pictures, 0) : 0;
}

// Waits for the answers of this round.
static bool hear_all(struct mck_tree *t) {
  for (int64_t until = mck_tree_now() + ANSWER_NS; mck_tree_now() < until;) {
    bool is_complete = true;
    for (uint32_t i = 0; i < t->nlinks; i++)
      is_complete &= !t->links[i].wire || !t->links[i].node || t->links[i].answered;
    if (is_complete) break;
    if (mck_tree_step(t, until)) return false;
  }
  for (uint32_t i = 0; i < t->nlinks; i++)
    if (!t->links[i].answered) t->links[i].answered = UINT32_MAX; // too late
  t->wanted = 0;
  return true;
}

// Asks the leaders that answered in the phase before, or all.
static bool ask_all(struct mck_tree *t, uint8_t question, uint8_t answer, uint32_t before) {
  t->round++;
  t->wanted = answer;
  for (uint32_t i = 0; i < t->nlinks; i++) {
    struct mck_link *link = &t->links[i];
    if (!link->wire || !link->node) continue;
    bool is_asked = !before || link->answered == before;
    if (is_asked && mck_tree_send(link, (struct mck_message){.code = question, .round = t->round}, NULL, 0))
      link->answered = 0;
  }
  return hear_all(t);
}

bool mck_tree_ask_where(struct mck_tree *t, uint32_t rank, char *text) {
  t->round++;
  t->wanted = MCK_PLACE;
  t->text = text;
  text[0] = 0;
  for (uint32_t i = 0; i < t->nlinks; i++)
    if (t->links[i].wire && t->links[i].node && mck_root_is_of_node(&t->links[i], rank) &&
        mck_tree_send(&t->links[i], (struct mck_message){.code = MCK_WHERE, .round = t->round, .value = rank}, NULL, 0))
      t->links[i].answered = 0;
  return hear_all(t);
}

bool mck_tree_snap(struct mck_tree *t) {
  t->nconfirmed = 0;
  mck_table_free(&t->confirmed_table);
  return ask_all(t, MCK_SNAP, MCK_SNAPPED, 0);
}
bool mck_tree_snap_all(struct mck_tree *t) { return ask_all(t, MCK_SNAP_ALL, MCK_SNAPPED, 0); }
bool mck_tree_confirm(struct mck_tree *t) { return ask_all(t, MCK_CONFIRM, MCK_CONFIRMED, t->round); }

const struct mck_standing *mck_tree_get_standing(const struct mck_tree *t, uint32_t rank) {
  return find_confirmed(t, rank);
}
const void *mck_tree_get_log(const struct mck_tree *t, uint32_t rank, size_t *size) {
  const struct mck_copy *copy = mck_copies_find(&t->copies, rank);
  *size = copy ? copy->size : 0;
  return *size ? copy->bytes : NULL;
}
struct mck_hangs mck_tree_get_hangs(const struct mck_tree *t, uint32_t node) { return t->hangs[node]; }
bool mck_tree_is_full(const struct mck_tree *t) { return t->copies.is_full; }

void mck_tree_end(struct mck_tree *t) {
  for (uint32_t i = 0; i < t->nlinks; i++)
    if (t->links[i].wire && t->links[i].node)
      mck_tree_send(&t->links[i], (struct mck_message){.code = MCK_END}, NULL, 0);
}
