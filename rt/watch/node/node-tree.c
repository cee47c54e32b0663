// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common part of both sides of the tree: connections, and the loop that answers. node-root.c and node-leader.c are
// the two sides.
#include "watch/node/node-tree-state.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SAID_MAX = 4 }; // at most so many lines about failed connections: strangers must not fill the user's screen

int64_t mck_tree_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool mck_tree_is_stopped(const struct mck_tree *t) {
  struct pollfd p = {.fd = t->stop, .events = POLLIN};
  return poll(&p, 1, 0) > 0;
}

void mck_tree_drop(struct mck_tree *t, struct mck_link *link) {
  const char *why = link->wire ? mck_wire_why(link->wire) : NULL;
  if (why && t->nsaid++ < SAID_MAX) {
    if (t->is_root && link->node)
      mck_base_warn("deadlock watch: the connection of node %u was closed: %s", link->node, why);
    else if (t->is_root) mck_base_warn("deadlock watch: a connection was refused: %s", why);
    else mck_base_warn("deadlock watch: the connection to rank 0's node was closed: %s", why);
  }
  mck_wire_free(link->wire);
  *link = (struct mck_link){.node = t->is_root ? 0 : link->node};
}

static bool take(void *context, const uint8_t *message, size_t size) {
  struct mck_link *link = context;
  struct mck_tree *t = link->tree;
  struct mck_message m;
  if (size && message[0] >= 'A')
    return t->is_root && link->node && mck_copy_take(&t->copies, message, size, mck_root_is_of_node, link);
  if (size < sizeof m) return false;
  memcpy(&m, message, sizeof m);
  return t->is_root ? mck_root_take(t, link, &m, message + sizeof m, size - sizeof m)
                    : mck_leader_take(t, &m, size - sizeof m);
}

bool mck_tree_send(struct mck_link *link, struct mck_message m, const void *body, size_t size) {
  uint8_t *bytes = malloc(sizeof m + size);
  if (!bytes) return false;
  memcpy(bytes, &m, sizeof m);
  if (size) memcpy(bytes + sizeof m, body, size);
  bool is_sent = mck_wire_send(link->wire, bytes, sizeof m + size);
  free(bytes);
  return is_sent;
}

// One round of poll over stop, listener and links.
bool mck_tree_step(struct mck_tree *t, int64_t until_ns) {
  nfds_t n = 0;
  for (uint32_t i = 0; i < t->nlinks; i++)
    if (t->links[i].wire && mck_wire_is_closed(t->links[i].wire)) mck_tree_drop(t, &t->links[i]);
  t->polls[n++] = (struct pollfd){.fd = t->stop, .events = POLLIN};
  t->polls[n++] = (struct pollfd){.fd = t->is_root ? mck_root_listener(t) : -1, .events = POLLIN};
  for (uint32_t i = 0; i < t->nlinks; i++) {
    struct mck_link *link = &t->links[i];
    short events = POLLIN | (link->wire && mck_wire_has_output(link->wire) ? POLLOUT : 0);
    t->polls[n++] = (struct pollfd){.fd = link->wire ? mck_wire_fd(link->wire) : -1, .events = events};
  }
  int64_t left = until_ns - mck_tree_now();
  int rc = poll(t->polls, n, left > 0 ? (int)(left / 1000000 + 1) : 0);
  if (rc <= 0) return false;
  if (t->polls[0].revents) return true;
  for (uint32_t i = 0; i < t->nlinks; i++) {
    struct mck_link *link = &t->links[i];
    if (link->wire && t->polls[i + 2].revents & POLLOUT) mck_wire_flush(link->wire);
    if (link->wire && t->polls[i + 2].revents & (POLLIN | POLLHUP | POLLERR) && !mck_wire_read(link->wire, take, link))
      mck_tree_drop(t, link);
  }
  if (t->polls[1].revents) mck_root_accept(t);
  return false;
}

bool mck_tree_wait(struct mck_tree *t, int64_t until_ns) {
  t->is_changed = false;
  if (!t->is_root) mck_leader_connect(t);
  do {
    if (mck_tree_step(t, until_ns)) return true;
    if (t->is_root) mck_root_expire(t);
    else mck_leader_greet(t);
  } while (mck_tree_now() < until_ns && !t->is_changed && !t->is_ended);
  return mck_tree_is_stopped(t);
}

struct mck_tree *mck_tree_open(const struct mck_nodes *nodes, const struct mck_tree_host *host, uint32_t size,
                               uint64_t job, size_t copies_limit, int stop) {
  if (!nodes->call.port) return NULL;
  struct mck_tree *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->nodes = nodes;
  t->host = *host;
  t->size = size;
  t->stop = stop;
  t->is_root = nodes->mine == 0;
  t->nlinks = t->is_root ? nodes->nnodes + MCK_TREE_STRANGERS : 1;
  t->links = calloc(t->nlinks, sizeof *t->links);
  t->polls = calloc((size_t)t->nlinks + 2, sizeof *t->polls);
  bool is_good = t->links && t->polls && (t->is_root ? mck_root_open(t, job, copies_limit) : mck_leader_open(t));
  if (is_good) return t;
  mck_tree_close(t);
  return NULL;
}

void mck_tree_close(struct mck_tree *t) {
  if (!t) return;
  for (uint32_t i = 0; t->links && i < t->nlinks; i++) mck_wire_free(t->links[i].wire);
  for (uint32_t i = 0; t->sources && i < t->nlocal; i++) mck_copy_source_free(&t->sources[i]);
  mck_copies_free(&t->copies);
  free(t->links);
  free(t->polls);
  free(t->sources);
  free(t->standing);
  free(t->again);
  free(t->pictures);
  free(t->hangs);
  free(t->confirmed);
  mck_table_free(&t->confirmed_table);
  free(t);
}
