// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A leaf of the tree: the watch of a node without rank 0. It tells the root that ranks stand still. On request it sends
// their logs, and says afterwards which of them stood still all the time.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "watch/node/node-tree-state.h"

enum { TRIES = 64 }; // one a period; after these the leader gives up
static const int64_t PUSH_NS = 10000000000;

bool mck_leader_open(struct mck_tree *t) {
  t->nlocal = t->nodes->here.count;
  t->sources = calloc((size_t)t->nlocal + 1, sizeof *t->sources);
  t->standing = calloc((size_t)t->nlocal + 1, sizeof *t->standing);
  t->again = calloc((size_t)t->nlocal + 1, sizeof *t->again);
  if (!t->sources || !t->standing || !t->again) return false;
  t->links[0].tree = t;
  return true;
}

static struct mck_link *get_link(struct mck_tree *t) {
  struct mck_link *link = &t->links[0];
  return link->wire && mck_wire_is_open(link->wire) ? link : NULL;
}

// One try a call, since an address without an answer may take long. A connection that ends before it is known to belong
// to our job was made by another program at that address.
void mck_leader_connect(struct mck_tree *t) {
  struct mck_link *link = &t->links[0];
  if (link->wire || t->ntries >= TRIES) return;
  int fd = mck_nodes_connect(&t->nodes->call, t->address, t->stop);
  t->address = (t->address + 1) % (t->nodes->call.naddresses ? t->nodes->call.naddresses : 1);
  if (++t->ntries == TRIES)
    mck_base_warn("deadlocks that reach over this node are not looked for: node %u cannot reach rank 0's node by TCP",
                  t->nodes->mine);
  if (fd < 0) return;
  *link = (struct mck_link){.wire = mck_wire_connect(fd, t->nodes->call.secret), .tree = t};
  t->has_told = false;
  t->told_hangs = (struct mck_hangs){.computing = MCK_NONE};
  for (uint32_t i = 0; i < t->nlocal; i++) t->sources[i].is_begun = false;
}

void mck_leader_greet(struct mck_tree *t) {
  struct mck_link *link = get_link(t);
  if (!link || link->answered) return;
  link->answered = 1; // it has sent its greeting
  mck_tree_send(link, (struct mck_message){.code = MCK_HELLO, .value = t->nodes->mine}, NULL, 0);
}

void mck_tree_tell_still(struct mck_tree *t, uint64_t fingerprint) {
  struct mck_link *link = get_link(t);
  mck_leader_greet(t);
  if (!link || (t->has_told && t->told == fingerprint)) return;
  t->has_told = mck_tree_send(link, (struct mck_message){.code = MCK_STILL, .value = fingerprint | 1}, NULL, 0);
  t->told = fingerprint;
}

void mck_tree_tell_hangs(struct mck_tree *t, const struct mck_hangs *hangs) {
  struct mck_link *link = get_link(t);
  struct mck_hangs *told = &t->told_hangs;
  if (!link ||
      (told->computing == hangs->computing && told->nasked == hangs->nasked && told->is_waiting == hangs->is_waiting))
    return;
  mck_leader_greet(t);
  uint64_t value = (uint64_t)hangs->nasked << 32 | hangs->computing;
  if (mck_tree_send(link, (struct mck_message){.code = MCK_HANGS, .is_last = hangs->is_waiting, .value = value}, NULL,
                    0))
    *told = *hangs;
}

bool mck_tree_has_ended(const struct mck_tree *t) { return t->is_ended; }

// Each piece is sent before the next one is made, so memory stays bounded.
static bool push(void *context, const void *message, size_t size) {
  struct mck_tree *t = context;
  struct mck_wire *wire = t->links[0].wire;
  if (!wire || !mck_wire_send(wire, message, size)) return false;
  for (int64_t until = mck_tree_now() + PUSH_NS; mck_wire_has_output(wire);) {
    struct pollfd p[2] = {{.fd = mck_wire_fd(wire), .events = POLLOUT}, {.fd = t->stop, .events = POLLIN}};
    if (mck_tree_now() >= until || (poll(p, 2, 1000) < 0 && errno != EINTR) || p[1].revents || !mck_wire_flush(wire))
      return false;
  }
  return true;
}

// Phase one: the ranks that stand still, and their logs.
static bool snap(struct mck_tree *t, uint32_t round) {
  uint32_t n = t->host.find_standing(t->host.context, t->standing);
  t->nstanding = 0;
  for (uint32_t i = 0; i < n; i++) {
    struct mck_standing *s = &t->standing[i];
    char path[4200];
    uint64_t units = 0;
    uint32_t place = mck_node_ranks_place(&t->nodes->here, s->rank);
    if (place == MCK_NONE || !t->host.make_path(t->host.context, s->rank, path, sizeof path)) continue;
    int rc = mck_copy_send(&t->sources[place], path, &units, push, t);
    if (rc == EIO) return false;
    if (!rc && units == s->units) t->standing[t->nstanding++] = *s;
  }
  return push(t, &(struct mck_message){.code = MCK_SNAPPED, .round = round}, sizeof(struct mck_message));
}

// The logs of ranks that move are sent, too: the report needs all logs of the run.
static bool snap_all(struct mck_tree *t, uint32_t round) {
  for (uint32_t i = 0; i < t->nlocal; i++) {
    char path[4200];
    uint64_t units;
    if (t->host.make_path(t->host.context, mck_node_ranks_at(&t->nodes->here, i), path, sizeof path) &&
        mck_copy_send(&t->sources[i], path, &units, push, t) == EIO)
      return false;
  }
  return push(t, &(struct mck_message){.code = MCK_SNAPPED, .round = round}, sizeof(struct mck_message));
}

static bool is_same(const struct mck_standing *a, const struct mck_standing *b) {
  return a->rank == b->rank && a->wait == b->wait && a->state == b->state && a->marks == b->marks &&
         a->polls == b->polls && a->units == b->units;
}

// Phase two: the ranks that still stand in the same call. Both lists are sorted by rank.
static bool confirm(struct mck_tree *t, uint32_t round) {
  uint32_t nagain = t->host.find_standing(t->host.context, t->again), n = 0;
  for (uint32_t i = 0, k = 0; i < t->nstanding; i++) {
    while (k < nagain && t->again[k].rank < t->standing[i].rank) k++;
    if (k < nagain && is_same(&t->standing[i], &t->again[k])) t->standing[n++] = t->standing[i];
  }
  t->nstanding = 0; // they are sent once
  uint32_t i = 0;
  do {
    uint32_t count = n - i < MCK_TREE_MESSAGE_ENTRIES ? n - i : MCK_TREE_MESSAGE_ENTRIES;
    struct mck_message m = {.code = MCK_CONFIRMED, .round = round, .value = count, .is_last = i + count == n};
    if (!mck_tree_send(&t->links[0], m, t->standing + i, count * sizeof *t->standing))
      return true; // it is closed already
    i += count;
  } while (i < n);
  return true;
}

static bool tell_where(struct mck_tree *t, uint32_t round, uint64_t rank) {
  if (rank >= t->size || mck_node_ranks_place(&t->nodes->here, (uint32_t)rank) == MCK_NONE) return false;
  char *text = malloc(MCK_TREE_TEXT);
  size_t size = text && t->host.find_where ? t->host.find_where(t->host.context, (uint32_t)rank, text, MCK_TREE_TEXT)
                                           : 0;
  mck_tree_send(&t->links[0], (struct mck_message){.code = MCK_PLACE, .round = round, .value = rank}, text, size);
  free(text);
  return true;
}

bool mck_leader_take(struct mck_tree *t, const struct mck_message *m, size_t size) {
  if (size) return false;
  switch (m->code) {
  case MCK_SNAP: return snap(t, m->round);
  case MCK_SNAP_ALL: return snap_all(t, m->round);
  case MCK_CONFIRM: return confirm(t, m->round);
  case MCK_WHERE: return tell_where(t, m->round, m->value);
  case MCK_END: return t->is_ended = true;
  }
  return false;
}
