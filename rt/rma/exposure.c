// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exposures: which post belongs to a start. Between one origin and one target of a window they match in order: the k-th
// start that has the target in its group and the k-th post that has the origin in its group (MPI-3.1 11.5.2). R3 and R4
// follow from that: the start comes after the post, the wait after the complete.
#include <stdlib.h>
#include "rma/rma-run.h"
#include "standard/constants.h"

struct ticket {                              // one start for one of its targets, or one post for one of its origins
  uint32_t window, origin, target, exposure; // origin, target: in the window's group
};

static int compare_tickets(const void *a, const void *b) {
  const struct ticket *x = a, *y = b;
  if (x->window != y->window) return x->window < y->window ? -1 : 1;
  if (x->origin != y->origin) return x->origin < y->origin ? -1 : 1;
  if (x->target != y->target) return x->target < y->target ? -1 : 1;
  return x->exposure < y->exposure ? -1 : x->exposure > y->exposure;
}

static int compare_links(const void *a, const void *b) {
  const struct mck_rma_link *x = a, *y = b;
  return x->at != y->at ? (x->at < y->at ? -1 : 1) : 0;
}

static bool collect(const struct mck_rma_run *run, const struct mck_rma_exposures *x, bool is_post,
                    struct ticket *tickets, size_t *n) {
  *n = 0;
  for (size_t i = 0; i < x->count; i++) {
    const struct mck_rma_exposure *e = &x->items[i];
    const struct mck_rma_window *w = &run->windows[e->window];
    if (e->is_post != is_post) continue;
    uint32_t own = MCK_NONE;
    for (uint32_t r = 0; r < w->size; r++)
      if (w->members[r].log == e->log) own = r;
    for (uint32_t k = 0; own != MCK_NONE && k < e->n; k++) {
      uint32_t other = (uint32_t)x->ranks[e->first + k];
      if (other < w->size)
        tickets[(*n)++] = (struct ticket){e->window, is_post ? other : own, is_post ? own : other, (uint32_t)i};
    }
  }
  if (*n) qsort(tickets, *n, sizeof *tickets, compare_tickets);
  return true;
}

static bool is_same_pair(const struct ticket *a, const struct ticket *b) {
  return a->window == b->window && a->origin == b->origin && a->target == b->target;
}

static bool add_link(struct mck_rma_run *run, uint32_t log, struct mck_rma_link link) {
  struct mck_rma_log *l = &run->logs[log];
  return link.at == MCK_NONE || link.index == MCK_NONE || MCK_PUSH(l->links, l->nlinks, l->links_capacity, link);
}

// The operations of this start to that target are complete with the target's MPI_Win_wait.
static void move_completion(struct mck_rma_run *run, const struct mck_rma_exposure *start, uint32_t target,
                            const struct mck_rma_exposure *post) {
  struct mck_rma_log *l = &run->logs[start->log];
  bool is_put_free = run->readers[post->log].events[post->open].sync.assertion & MCK_MODE_NOPUT;
  size_t low = 0, high = l->nops;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (l->ops[middle].event < start->open) low = middle + 1;
    else high = middle;
  }
  for (; low < l->nops && l->ops[low].event < start->close; low++) {
    struct mck_rma_op *op = &l->ops[low];
    const struct mck_event *e = &l->reader->events[op->event];
    if (!op->is_exposed || l->window_of[e->rma.win] != start->window || (uint32_t)e->rma.target != target) continue;
    op->done_log = post->log, op->done = post->close;
    if (is_put_free && mck_rma_is_update(e))
      mck_untrue_add(run, MCK_UNTRUE_NOPUT, post->log, post->open, start->log, op->event);
  }
}

bool mck_rma_link(struct mck_rma_run *run, const struct mck_rma_exposures *x) {
  struct ticket *starts = malloc((x->nranks + 1) * sizeof *starts), *posts = malloc((x->nranks + 1) * sizeof *posts);
  size_t nstarts = 0, nposts = 0;
  bool is_good = starts && posts && collect(run, x, false, starts, &nstarts) && collect(run, x, true, posts, &nposts);
  for (size_t s = 0, p = 0; is_good && s < nstarts; s++) {
    // Behind the last start of a pair of processes come posts without a start.
    while (p < nposts && !is_same_pair(&posts[p], &starts[s]) && compare_tickets(&posts[p], &starts[s]) < 0) p++;
    const struct mck_rma_exposure *start = &x->items[starts[s].exposure];
    if (p == nposts || !is_same_pair(&posts[p], &starts[s])) continue;
    const struct mck_rma_exposure *post = &x->items[posts[p++].exposure];
    is_good = add_link(run, start->log, (struct mck_rma_link){start->open, post->log, post->open}) &&
              add_link(run, post->log, (struct mck_rma_link){post->close, start->log, start->close});
    move_completion(run, start, starts[s].target, post);
    if (s + 1 < nstarts && is_same_pair(&starts[s], &starts[s + 1])) continue;
    while (p < nposts && is_same_pair(&posts[p], &starts[s])) p++;
  }
  for (size_t i = 0; is_good && i < run->nlogs; i++)
    if (run->logs[i].nlinks) qsort(run->logs[i].links, run->logs[i].nlinks, sizeof *run->logs[i].links, compare_links);
  free(starts);
  free(posts);
  return is_good;
}
