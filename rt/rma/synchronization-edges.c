// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The edges of post, start, complete and wait for other walks (synchronization-edges.h).
#include "rma/synchronization-edges.h"
#include <stdlib.h>
#include "rma/rma-run.h"

struct mck_rma_edges {
  struct mck_rma_run run;
};

struct mck_rma_edges *mck_rma_edges_open(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                                         unsigned doubts) {
  bool is_wanted = false;
  for (size_t i = 0; i < n; i++) is_wanted |= logs[i].nwins && mck_rma_is_wanted(&logs[i]);
  // Starts and posts are counted from the first one: none of them may be missing. Those before a cut are missing on
  // both sides, and windows of which one was open at a cut are doubtful.
  if (!is_wanted || doubts & (MCK_DOUBT_INCOMPLETE | MCK_DOUBT_THREADS) || logs[0].header->size != n) return NULL;
  struct mck_rma_edges *edges = calloc(1, sizeof *edges);
  if (!edges) return NULL;
  edges->run = (struct mck_rma_run){.readers = logs, .nlogs = n, .pairs = pairs, .doubts = doubts};
  if (mck_rma_scan(&edges->run)) return edges;
  mck_rma_edges_close(edges);
  return NULL;
}

bool mck_rma_edges_ask(void *context, uint32_t log, uint32_t index, uint32_t k, struct mck_pair *of) {
  const struct mck_rma_run *run = &((struct mck_rma_edges *)context)->run;
  const struct mck_rma_log *l = &run->logs[log];
  size_t low = 0, high = l->nlinks;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (l->links[middle].at < index) low = middle + 1;
    else high = middle;
  }
  if (low + k >= l->nlinks || l->links[low + k].at != index) return false;
  const struct mck_event *e = &l->reader->events[index];
  if (e->kind != MCK_EV_SYNC || !mck_rma_window_of(run, log, e->sync.win)) return false;
  *of = (struct mck_pair){l->links[low + k].log, l->links[low + k].index};
  return true;
}

bool mck_rma_edges_are_lacking(const struct mck_rma_edges *edges) {
  for (size_t i = 0; edges && i < edges->run.nwindows; i++)
    if (edges->run.doubts & MCK_DOUBT_RECYCLED && edges->run.windows[i].is_doubtful) return true;
  return false;
}

void mck_rma_edges_close(struct mck_rma_edges *edges) {
  if (!edges) return;
  mck_rma_run_free(&edges->run);
  free(edges);
}
