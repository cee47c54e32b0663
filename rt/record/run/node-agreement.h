// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranks share a node, and so a log directory; and what the watches of several nodes need to find each other
// (watch/node/nodes.h). The ranks agree in MPI_Init, by two collectives of ours, and only when there is more than one
// node.
#pragma once
#include <stdbool.h>

void mck_nodes_agree(void); // collective over our communicator, after the logs were made
bool mck_nodes_are_several(void);
bool mck_nodes_is_first(void);    // whether this process is on the node of rank 0
bool mck_nodes_is_leader(void);   // whether it has the lowest rank of its node; only where there are several nodes
bool mck_nodes_is_here(int rank); // whether that rank is on the node of this process
void mck_nodes_start_watch(void); // called before mck_watch_start
// Option simulated_nodes: the number of the node that this rank is treated as being on; 0: the node of rank 0.
unsigned mck_nodes_simulated(void);
