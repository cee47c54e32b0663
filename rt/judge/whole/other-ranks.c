// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See other-ranks.h.
#define _GNU_SOURCE 1
#include "judge/whole/other-ranks.h"
#include <stdio.h>
#include <stdlib.h>
#include "judge/index.h"
#include "judge/whole/last-call.h"

struct other {
  uint32_t rank;
  const struct mck_event *call; // it was in this call; NULL: it is named already
  uint64_t place;
};
enum { LINES_MAX = 8 };

// "ranks 0-2,5 were in MPI_Barrier"; false: out of memory. Owned by the caller.
static char *name_all(struct other *others, size_t n, size_t first) {
  struct other one = others[first];
  uint32_t from = 0, last = 0, count = 0;
  char *list = NULL, *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&list, &size);
  if (!out) return NULL;
  for (size_t i = first; i <= n; i++) {
    bool is_same = i < n && others[i].call && others[i].call->fn == one.call->fn && others[i].place == one.place;
    if (i < n && !is_same) continue;
    bool is_next = is_same && count && others[i].rank == last + 1;
    if (count && !is_next) { // the range is over
      fprintf(out, "%s%u", ftell(out) ? "," : "", from);
      if (last > from) fprintf(out, "%c%u", last > from + 1 ? '-' : ',', last);
    }
    if (!is_same) break;
    if (!is_next) from = others[i].rank;
    last = others[i].rank, count++;
    others[i].call = NULL;
  }
  if (fclose(out) == 0 &&
      asprintf(&text, count == 1 ? "rank %s was in %s" : "ranks %s were in %s", list, mck_judge_fn(one.call->fn)) < 0)
    text = NULL;
  free(list);
  return text;
}

void mck_judge_say_others(struct mck_finding *f, const struct mck_files *files, uint32_t rank) {
  struct other *others = calloc(files->count + 1, sizeof *others);
  size_t n = 0;
  unsigned lines = 0;
  for (size_t i = 0; others && i < files->count; i++) {
    const struct mck_reader *log = &files->logs[i];
    const struct mck_event *call = log->header->rank == rank ? NULL : mck_judge_blocked_in(log);
    if (call) others[n++] = (struct other){log->header->rank, call, mck_log_place(log, call->site)};
  }
  for (size_t i = 0; i < n; i++) {
    struct other one = others[i];
    char *text = one.call && lines++ < LINES_MAX ? name_all(others, n, i) : NULL;
    if (!text) continue;
    if (f->nplaces < MCK_PLACES_MAX) mck_finding_place(f, (int)one.rank, one.call->site, "%s", text);
    else if (one.call->site == MCK_NONE) mck_finding_why(f, "%s", text);
    else mck_finding_why(f, "%s\x1a at %u:%u\x1a", text, one.rank, one.call->site);
    free(text);
  }
  if (lines > LINES_MAX) mck_finding_why(f, "...");
  free(others);
}
