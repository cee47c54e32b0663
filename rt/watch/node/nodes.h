// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes: which rank is on which node, and how the leaders' watches find that of rank 0. Agreed at MPI_Init
// (record/run/node-agreement.c), only when the job has more than one node.
#pragma once
#include "watch/node/wire.h"

enum { MCK_NODES_ADDRESSES = 16 };
struct mck_node_address {
  uint8_t is_ipv6, unused[3];
  uint32_t scope;
  uint8_t bytes[16];
};
// What rank 0 tells all others.
struct mck_nodes_call {
  uint8_t secret[MCK_WIRE_SECRET];
  uint32_t port, naddresses; // port 0: it cannot listen
  struct mck_node_address addresses[MCK_NODES_ADDRESSES];
};
struct mck_nodes {
  uint32_t nnodes, mine; // rank 0's is 0
  uint32_t *node_of;     // [rank]
  int listener;          // of rank 0's process; -1 elsewhere
  struct mck_nodes_call call;
};

// listen-address.c. A listening socket on all interfaces, and what to tell the others; 0, or an errno.
int mck_nodes_listen(struct mck_nodes *nodes);
// A stream socket to rank 0's watch, by its i-th address, or -1: none such, or not reachable within some seconds,
// or stop became readable.
int mck_nodes_connect(const struct mck_nodes_call *call, uint32_t i, int stop);
