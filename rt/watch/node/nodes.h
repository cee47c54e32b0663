// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes: which rank is on which node, and how the leaders find rank 0's watch. The ranks agree on it in MPI_Init
// (record/run/node-agreement.c), only when the job has more than one node.
#pragma once
#include "watch/node/node-ranks.h"
#include "watch/node/wire.h"

enum { MCK_NODES_ADDRESSES = 16 };
struct mck_node_address {
  uint8_t is_ipv6, unused[3];
  uint32_t scope;
  uint8_t bytes[16];
};
// What rank 0 sends to all other ranks.
struct mck_nodes_call {
  uint8_t secret[MCK_WIRE_SECRET];
  uint32_t port, naddresses; // port 0: it cannot listen
  struct mck_node_address addresses[MCK_NODES_ADDRESSES];
};
struct mck_nodes {
  uint32_t nnodes, mine;      // the node of rank 0 has number 0
  struct mck_node_ranks here; // the ranks of this node
  struct mck_node_ranks *of;  // [node]; in rank 0's process only
  int listener;               // in rank 0's process; -1 elsewhere
  struct mck_nodes_call call;
};

// listen-address.c. Opens a listening socket on all interfaces, and fills in its addresses. Returns 0 or an errno.
int mck_nodes_listen(struct mck_nodes *nodes);
// Connects to rank 0's watch by its i-th address. Returns a stream socket, or -1: no such address, not reachable within
// some seconds, or stop has become readable.
int mck_nodes_connect(const struct mck_nodes_call *call, uint32_t i, int stop);
