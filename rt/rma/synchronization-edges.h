// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synchronization edges: how calls of post, start, complete and wait make ranks wait for each other, for walks that ask
// about messages. A start comes after its posts (R3: strong synchronization), a wait after its completes (R4, MPI-3.1
// 11.5.2). Locks give no edge: the logs do not say which holder came first.
#pragma once
#include "order/order.h"

struct mck_rma_edges;
// NULL: no window needs them, nothing is known for sure, or out of memory. doubts: mck_order_doubts.
struct mck_rma_edges *mck_rma_edges_open(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                                         unsigned doubts);
// mck_order_sink.also; edges: what was opened.
bool mck_rma_edges_ask(void *edges, uint32_t log, uint32_t index, uint32_t k, struct mck_pair *of);
// Are some of them unknown, since epochs were open when the logs were cut?
bool mck_rma_edges_are_lacking(const struct mck_rma_edges *edges);
void mck_rma_edges_close(struct mck_rma_edges *edges);
