// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups the ranks of an interrupted run by where they were (run-interruption.h).
#define _GNU_SOURCE 1
#include "judge/whole/run-interruption.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "judge/index.h"
#include "judge/whole/last-call.h"

enum { GROUPS_SAID = 16, DEPTH = 32 };

struct stand {
  const struct mck_event *event; // NULL: the rank has made no call
  bool is_blocked;               // it was in that call, not behind it
  uint32_t log;
  uint16_t wrong; // 1 + function: it was in this call, which was found wrong and is no event
  bool is_done;
};

static bool is_over(const struct mck_log_header *h) { return atomic_load(&h->state) == MCK_LOG_FINALIZED; }

static struct stand find_stand(const struct mck_reader *log, uint32_t i) {
  const struct mck_event *blocked = mck_judge_blocked_in(log);
  return (struct stand){.event = blocked ? blocked : mck_judge_last_call(log),
                        .is_blocked = blocked != NULL,
                        .log = i,
                        .wrong = (uint16_t)(atomic_load(&log->header->refused) & (MCK_LOG_ENDED - 1)),
                        .is_done = is_over(log->header)};
}

// Do two ranks stand at the same place, by their whole stacks?
static bool is_same(const struct mck_files *files, const struct stand *a, const struct stand *b) {
  if (a->wrong || b->wrong) return a->wrong == b->wrong;
  if (a->is_done != b->is_done || a->is_blocked != b->is_blocked || !a->event != !b->event) return false;
  if (!a->event || a->is_done) return true;
  if (a->event->fn != b->event->fn) return false;
  struct mck_stack_source stacks = mck_files_stacks(files);
  struct mck_frame x[DEPTH], y[DEPTH];
  unsigned n = stacks.frames(stacks.context, (int)files->logs[a->log].header->rank, a->event->site, x, DEPTH);
  unsigned m = stacks.frames(stacks.context, (int)files->logs[b->log].header->rank, b->event->site, y, DEPTH);
  for (unsigned i = 0; i < n && n == m; i++)
    if (x[i].offset != y[i].offset || strcmp(x[i].module ? x[i].module : "", y[i].module ? y[i].module : "") != 0)
      return false;
  return n == m;
}

// "rank 1" or "ranks 0-3,7": those that are marked.
static char *write_ranks(const struct mck_files *files, const bool *marked) {
  char *text = NULL;
  size_t size = 0, n = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (size_t i = 0; i < files->count; i++) n += marked[i];
  fputs(n == 1 ? "rank" : "ranks", out);
  const char *gap = " ";
  for (size_t i = 0, last; i < files->count; i = last + 1) {
    last = i;
    if (!marked[i]) continue;
    while (last + 1 < files->count && marked[last + 1] &&
           files->logs[last + 1].header->rank == files->logs[last].header->rank + 1)
      last++;
    fprintf(out, "%s%u", gap, files->logs[i].header->rank);
    if (last > i) fprintf(out, "-%u", files->logs[last].header->rank);
    gap = ",";
  }
  return fclose(out) == 0 ? text : NULL;
}

static void say_stand(const struct mck_files *files, const struct stand *s, const char *ranks, bool is_one,
                      struct mck_finding *f) {
  int rank = (int)files->logs[s->log].header->rank;
  const char *was = is_one ? "was" : "were";
  if (s->is_done) mck_finding_why(f, "%s had left MPI_Finalize", ranks);
  else if (s->wrong)
    mck_finding_why(f, "%s %s in %s, which was called wrongly", ranks, was, mck_judge_fn((uint16_t)(s->wrong - 1)));
  else if (!s->event) mck_finding_why(f, "%s %s in no MPI call, and had made none since MPI_Init", ranks, was);
  else {
    const char *fn = mck_judge_fn(s->event->fn);
    const struct mck_reader *log = &files->logs[s->log];
    // The exit of a rank that has lost its mpirun is in MPI's library.
    uint32_t death = atomic_load(&log->header->state) == MCK_LOG_SIGNALLED ? log->death : MCK_NONE;
    if (!s->is_blocked && death != MCK_NONE && f->nplaces < MCK_PLACES_MAX) {
      mck_finding_place(f, rank, death, "%s %s here, after %s\x1a of %d:%u\x1a", ranks, was, fn, rank, s->event->site);
      return;
    }
    const char *how = s->is_blocked ? "in" : "in no MPI call, after";
    if (f->nplaces < MCK_PLACES_MAX) mck_finding_place(f, rank, s->event->site, "%s %s %s %s", ranks, was, how, fn);
    else mck_finding_why(f, "%s %s %s %s\x1a at %d:%u\x1a", ranks, was, how, fn, rank, s->event->site);
  }
}

void mck_judge_say_interruption(const struct mck_files *files, struct mck_findings *findings) {
  struct mck_finding *f = mck_findings_add(findings, MCK_CHECK_RUN_ENDED, -1);
  struct stand *all = calloc(files->count, sizeof *all);
  bool *is_said = calloc(files->count, sizeof *is_said), *is_here = calloc(files->count, sizeof *is_here);
  bool is_partial = files->count && files->count < files->logs[0].header->size; // the cause may be on another node
  mck_finding_text(f, "the run was ended from outside%s, before the program had ended",
                   is_partial          ? ", or by a rank whose log is missing"
                   : files->is_damaged ? ", or for a reason that the damaged log had"
                                       : "");
  for (uint32_t i = 0; f && all && i < files->count; i++) all[i] = find_stand(&files->logs[i], i);
  unsigned nsaid = 0;
  for (size_t i = 0; f && all && is_said && is_here && i < files->count; i++) {
    if (is_said[i]) continue;
    if (++nsaid > GROUPS_SAID) {
      mck_finding_why(f, "other ranks were at other places");
      break;
    }
    size_t n = 0;
    for (size_t k = 0; k < files->count; k++) {
      is_here[k] = k >= i && !is_said[k] && is_same(files, &all[i], &all[k]);
      is_said[k] |= is_here[k], n += is_here[k];
    }
    char *ranks = write_ranks(files, is_here);
    if (ranks) say_stand(files, &all[i], ranks, n == 1, f);
    free(ranks);
  }
  free(all);
  free(is_said);
  free(is_here);
}
