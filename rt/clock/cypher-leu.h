// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cypher: exact detection of message races by R. Cypher and E. Leu, "Efficient Race Detection for Message-Passing
// Programs with Nonblocking Sends and Receives" (1995). It works over the same logs and the same walk as the lazy
// clocks, as an independent second opinion. It has type A clocks of events and matches, and type D clocks of matches.
// The matches are read once in a consistent order. It keeps the matches that still overlap others, and of complete
// wildcard receives the last one per tag (theorems 4.3 and 4.4). It answers whether there is a race, and names some;
// with keeps_all it names every conflict of its definition.
//
// The paper has no collectives. Here they order events like messages between their members' calls.
#pragma once
#include "order/order.h"

struct mck_cypher_counts {
  uint64_t matches, conflicts;
  size_t kept; // the most matches that were stored at one time
  uint64_t left_out;
};
struct mck_cypher_sink {
  void *context;
  // The match of receive conflicts with send, which is another message.
  void (*conflict)(void *context, struct mck_pair receive, struct mck_pair send);
};
// Returns false when out of memory.
bool mck_cypher_find(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs, bool keeps_all,
                     const struct mck_cypher_sink *sink, struct mck_cypher_counts *counts);
