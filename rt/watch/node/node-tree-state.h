// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the tree, private to node-tree.c, node-root.c and node-leader.c.
#pragma once
#include <poll.h>
#include "watch/node/node-tree.h"

enum {
  MCK_TREE_STRANGERS = 8, // connections that may still be of another job
  MCK_TREE_MESSAGE_ENTRIES = (MCK_WIRE_MAX - 64) / sizeof(struct mck_standing),
};
// Codes below 'A'; those above belong to copies (log-copy.c).
enum {
  MCK_HELLO = 1,
  MCK_STILL,
  MCK_SNAPPED,
  MCK_CONFIRMED,
  MCK_SNAP,
  MCK_CONFIRM,
  MCK_SNAP_ALL,
  MCK_END,
  MCK_HANGS,
  MCK_WHERE,
  MCK_PLACE
};
struct mck_message {
  uint8_t code, is_last, unused[2];
  uint32_t round;
  uint64_t value;
}; // value: node, or fingerprint, or number of entries, or rank; of HANGS computing and, above, nasked; is_last is its
   // is_waiting

struct mck_link {
  struct mck_wire *wire;
  struct mck_tree *tree;
  uint32_t node, answered;
  int64_t since_ns;
}; // root: node 0 is an unknown connection

struct mck_tree {
  const struct mck_nodes *nodes;
  struct mck_tree_host host;
  uint32_t size, nlinks, round, nsaid;
  int stop;
  bool is_root, is_changed, is_ended;
  struct mck_link *links; // root: in any order; leader: the connection to the root
  struct pollfd *polls;   // [nlinks + 2]
  // The state of a leader.
  uint32_t address, ntries;
  uint64_t told; // the fingerprint that was sent last; 0: none
  bool has_told;
  struct mck_hangs told_hangs;
  uint32_t nlocal;                       // the ranks of this node
  struct mck_copy_source *sources;       // [nlocal]
  struct mck_standing *standing, *again; // the ranks of this round; scratch memory
  uint32_t nstanding;
  // The state of the root.
  uint64_t *pictures;      // [node] of its last STILL
  struct mck_hangs *hangs; // [node] its last HANGS
  struct mck_copies copies;
  struct mck_standing *confirmed; // in this round, in the order in which they came
  size_t nconfirmed, confirmed_capacity;
  struct mck_table confirmed_table; // by rank
  uint8_t wanted;                   // the code of the answer that the round waits for
  char *text;                       // ... or the text that it waits for
};

int64_t mck_tree_now(void);
bool mck_tree_is_stopped(const struct mck_tree *tree);
bool mck_tree_step(struct mck_tree *tree, int64_t until_ns); // true: stop
void mck_tree_drop(struct mck_tree *tree, struct mck_link *link);
// The next step finds and drops closed connections. No call of the wire does it.
bool mck_tree_send(struct mck_link *link, struct mck_message m, const void *body, size_t size);

bool mck_root_open(struct mck_tree *tree, uint64_t job, size_t copies_limit);
int mck_root_listener(const struct mck_tree *tree);
void mck_root_accept(struct mck_tree *tree);
void mck_root_expire(struct mck_tree *tree);
bool mck_root_is_of_node(const void *link, uint32_t rank);
bool mck_root_take(struct mck_tree *tree, struct mck_link *link, const struct mck_message *m, const uint8_t *body,
                   size_t size);
bool mck_leader_open(struct mck_tree *tree);
void mck_leader_connect(struct mck_tree *tree);
void mck_leader_greet(struct mck_tree *tree);
bool mck_leader_take(struct mck_tree *tree, const struct mck_message *m, size_t size);
