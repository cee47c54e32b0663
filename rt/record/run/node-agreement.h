// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranks share a node, and so a log directory; and what the watches of several nodes need to find each other
// (watch/nodes.h). Agreed in MPI_Init, by two collectives of ours and only when there is more than one node.
#pragma once
#include "record/runtime.h"

void mck_nodes_agree(void); // collective over our communicator, after the logs were made
bool mck_nodes_are_several(void);
bool mck_nodes_is_first(void);    // is this process on rank 0's node?
bool mck_nodes_is_leader(void);   // has it the lowest rank of its node? Only where there are several
bool mck_nodes_is_here(int rank); // is that rank on this process's node?
void mck_nodes_start_watch(void); // before mck_watch_start
// Option simulated_nodes: the number of the node that this rank is said to be on; 0: rank 0's.
unsigned mck_nodes_simulated(void);
