// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All steps over logs in this process, by one thread or several. Each rank is indexed and decided by itself, so the
// threads share only the number of the next rank. The findings come in the order of the ranks.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "judge/index.h"
#include "judge/whole/whole.h"

struct work {
  const struct mck_reader *logs;
  const struct mck_judge_run *run;
  struct mck_judge **by_rank;       // [run->size]
  const struct mck_reader **log_of; // [run->size]
  struct mck_findings *findings;    // [run->size]
  void (*step)(struct work *work, uint32_t rank);
  _Atomic uint32_t next;
};

static void index_one(struct work *w, uint32_t rank) {
  if (!w->log_of[rank]) return;
  struct mck_judge *judge = mck_judge_index(w->log_of[rank], w->run->size);
  if (judge && !mck_judge_parcels(judge)) mck_judge_free(judge), judge = NULL;
  w->by_rank[rank] = judge;
}

static void decide_one(struct work *w, uint32_t rank) {
  uint32_t size = w->run->size;
  if (!w->by_rank[rank]) return;
  struct mck_parcels from = {0}; // the parcels belong to those that made them
  bool is_short = false;
  for (uint32_t s = 0; s < size && !is_short; s++) {
    const struct mck_parcel *sent = w->by_rank[s] ? mck_parcels_find(&w->by_rank[s]->parcels, (int)rank) : NULL;
    if (w->by_rank[s] && !sent) continue;
    struct mck_parcel *parcel = mck_parcels_add(&from, (int)s);
    if (parcel) *parcel = sent ? *sent : (struct mck_parcel){0};
    is_short = !parcel;
  }
  if (!is_short) mck_judge_decide(w->by_rank[rank], &from, w->run, &w->findings[rank]);
  else mck_base_warn("out of memory: the messages to rank %u are not judged", rank);
  free(from.items);
}

static void *work_on(void *context) {
  struct work *w = context;
  for (uint32_t rank; (rank = atomic_fetch_add(&w->next, 1)) < w->run->size;) w->step(w, rank);
  return NULL;
}

// When a thread cannot be started, the others do its work.
static void do_all(struct work *w, void (*step)(struct work *, uint32_t), unsigned nthreads) {
  enum { THREADS_MAX = 64 };
  pthread_t threads[THREADS_MAX];
  unsigned n = 0;
  w->step = step;
  atomic_store(&w->next, 0);
  while (n + 1 < nthreads && n < THREADS_MAX && !pthread_create(&threads[n], NULL, work_on, w)) n++;
  work_on(w);
  while (n) pthread_join(threads[--n], NULL);
}

static void move(struct mck_findings *to, struct mck_findings *from) {
  for (size_t i = 0; i < from->count; i++) {
    struct mck_finding *new = mck_findings_add(to, from->items[i].check, from->items[i].rank);
    if (!new) continue;
    *new = from->items[i];
    memset(&from->items[i], 0, sizeof from->items[i]);
  }
  mck_findings_free(from);
}

unsigned mck_judge_logs_with(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run,
                             unsigned nthreads, struct mck_findings *findings) {
  struct mck_judge_run whole = *run;
  bool has_open_pairs = false;
  struct work w = {.logs = logs, .run = &whole};
  w.by_rank = calloc((size_t)run->size + 1, sizeof *w.by_rank);
  w.log_of = calloc((size_t)run->size + 1, sizeof *w.log_of);
  w.findings = calloc((size_t)run->size + 1, sizeof *w.findings);
  if (w.by_rank && w.log_of && w.findings) {
    for (size_t i = 0; i < n; i++) {
      uint32_t rank = logs[i].header->rank;
      if (rank < run->size && !w.log_of[rank]) w.log_of[rank] = &logs[i];
    }
    do_all(&w, index_one, nthreads);
    for (uint32_t r = 0; r < run->size; r++)
      if (!w.by_rank[r] || w.by_rank[r]->is_partial) whole.is_complete = false;
    do_all(&w, decide_one, nthreads);
    for (uint32_t r = 0; r < run->size; r++) {
      move(findings, &w.findings[r]);
      has_open_pairs |= w.by_rank[r] && w.by_rank[r]->has_open_pairs;
      mck_judge_free(w.by_rank[r]);
    }
  } else mck_base_warn("out of memory: the messages are not judged");
  free(w.by_rank);
  free(w.log_of);
  free(w.findings);
  return has_open_pairs ? MCK_WHOLE_FENCES : 0;
}

void mck_judge_logs(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run,
                    struct mck_findings *findings) {
  mck_judge_logs_with(logs, n, run, 1, findings);
}
