// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds a run that stands still in a collective whose arguments do not agree. No rank is missing, so the wait-for graph
// proves nothing. But the ranks are in the call, and the call can have no meaning.
#include <stdio.h>
#include <string.h>
#include "standard/function.h"
#include "judge/whole/log-files.h"
#include "judge/index.h"
#include "report/why.h"

static bool can_hang(enum mck_check check) {
  return check == MCK_CHECK_COLLECTIVE_COUNT || check == MCK_CHECK_COLLECTIVE_TYPE ||
         check == MCK_CHECK_COLLECTIVE_IN_PLACE || check == MCK_CHECK_COLLECTIVE_ROOT;
}

// The number of the collective at index among those of its communicator, from 1.
static uint64_t number_of(const struct mck_reader *log, uint32_t index) {
  uint64_t n = 0;
  for (uint64_t i = 0; i <= index && i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    n += e->kind == MCK_EV_COLL && e->coll.comm == log->events[index].coll.comm &&
         mck_std(e->fn)->collective != MCK_STD_COLLECTIVE_GROUP;
  }
  return n;
}

// The number of the collective at this site that the rank is in, or that it waits for; 0: none.
static uint64_t number_at(const struct mck_reader *log, uint32_t site) {
  uint32_t index = mck_wait_event(atomic_load(&log->header->wait));
  if (index >= log->units) return 0;
  const struct mck_event *e = &log->events[index];
  if (e->kind == MCK_EV_COLL) return e->site == site ? number_of(log, index) : 0;
  for (uint32_t i = 0; e->kind == MCK_EV_WAIT && i < e->wait.count; i++) {
    uint32_t request = mck_wait_request(e, i);
    if (request >= log->units || log->events[request].kind != MCK_EV_COLL || log->events[request].site != site)
      continue;
    return number_of(log, request);
  }
  return 0;
}

static void report(const struct mck_files *files, const struct mck_finding *cause, struct mck_findings *findings) {
  struct mck_finding *f = mck_findings_add(findings, MCK_CHECK_DEADLOCK, cause->rank);
  if (!f) return;
  mck_why(MCK_CHECK_DEADLOCK, "the run stands still in a collective whose arguments do not agree (%s)",
          mck_check_infos[cause->check].id);
  mck_finding_text(f, "no rank moves any more");
  for (size_t i = 0; i < files->count && i < 8; i++) {
    const struct mck_reader *log = &files->logs[i];
    uint32_t index = mck_wait_event(atomic_load(&log->header->wait));
    if (index >= log->units) continue;
    mck_finding_why(f, "rank %u is in %s", log->header->rank, mck_judge_fn(log->events[index].fn));
  }
  for (uint32_t i = 0; i < cause->nplaces; i++)
    mck_finding_place(f, cause->places[i].rank, cause->places[i].site, "%s", cause->places[i].label);
}

bool mck_files_find_stuck(const struct mck_files *files, struct mck_findings *findings) {
  struct mck_findings all = {0};
  struct mck_judge_run run = {files->size, false};
  bool is_found = false;
  mck_judge_logs(files->logs, files->count, &run, &all);
  for (size_t i = 0; i < all.count && !is_found; i++) {
    const struct mck_finding *f = &all.items[i];
    const char *number = f->why ? strstr(f->why, "collective number ") : NULL;
    unsigned long long n = 0;
    if (!can_hang(f->check) || !number || sscanf(number, "collective number %llu", &n) != 1) continue;
    for (uint32_t k = 0; k < f->nplaces && !is_found; k++)
      for (size_t r = 0; r < files->count && !is_found; r++)
        is_found = (int)files->logs[r].header->rank == f->places[k].rank &&
                   number_at(&files->logs[r], f->places[k].site) == n;
    if (is_found) report(files, f, findings);
  }
  mck_findings_free(&all);
  return is_found;
}
