// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the content of calls, and the places that findings name.
#include <stdlib.h>
#include <string.h>
#include "flow/flow-run.h"
#include "report/why.h"

static int compare_keys(const void *a, const void *b) {
  const struct mck_flow_key *x = a, *y = b;
  if (x->event != y->event) return x->event < y->event ? -1 : 1;
  if (x->is_received != y->is_received) return x->is_received ? 1 : -1;
  return x->peer != y->peer ? (x->peer < y->peer ? -1 : 1) : 0;
}
static int compare_sites(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

// Such errors of the program may make other bytes come.
static bool is_explanation(const struct mck_finding *f) {
  static const char *const kinds[] = {
      "arg.",     "buffer.", "call.failed", "collective.", "datatype.", "handle.", "message.truncated",
      "request.", "rma.",    "thread.",     "type.",       "io."};
  const char *id = mck_check_infos[f->check].id;
  bool is_one = false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) is_one |= !strncmp(id, kinds[i], strlen(kinds[i]));
  return is_one && f->severity != MCK_NOTE;
}

static bool note_places(struct mck_flow_run *run, const struct mck_finding *f) {
  for (uint32_t k = 0; is_explanation(f) && k < f->nplaces; k++)
    for (size_t i = 0; i < run->n; i++)
      if ((int32_t)run->logs[i].header->rank == f->places[k].rank &&
          !MCK_PUSH(run->of[i].sites, run->of[i].nsites, run->of[i].sites_capacity, f->places[k].site))
        return false;
  return true;
}

static bool read_log(struct mck_flow_run *run, size_t i) {
  const struct mck_reader *r = &run->logs[i];
  struct mck_flow_log *log = &run->of[i];
  bool is_good = mck_signatures_load(&log->types, r);
  for (uint64_t k = 0; is_good && k < r->units; k += mck_event_units(&r->events[k])) {
    const struct mck_event *e = &r->events[k];
    if (e->kind == MCK_EV_CONTENT) {
      const struct mck_event *of = &r->events[e->content.event];
      // A message that a matched probe took was matched there.
      uint32_t event = of->kind == MCK_EV_MRECV ? of->mrecv.mprobe : e->content.event;
      struct mck_flow_key key = {event, e->content.peer, e->flags & MCK_CONTENT_RECEIVED, (uint32_t)k};
      is_good = MCK_PUSH(log->keys, log->nkeys, log->capacity, key);
    } else if (e->kind == MCK_EV_FINDING && e->def.a <= (uint64_t)e->def.extra * MCK_UNIT) {
      struct mck_findings list = {0};
      mck_finding_unpack(&list, e + 1, e->def.a);
      for (size_t f = 0; is_good && f < list.count; f++) is_good = note_places(run, &list.items[f]);
      mck_findings_free(&list);
    }
  }
  if (is_good && log->nkeys) qsort(log->keys, log->nkeys, sizeof *log->keys, compare_keys);
  return is_good;
}

bool mck_flow_open(struct mck_flow_run *run) {
  run->of = calloc(run->n + 1, sizeof *run->of);
  bool is_good = run->of != NULL;
  for (size_t i = 0; is_good && i < run->n; i++) is_good = read_log(run, i);
  for (size_t i = 0; is_good && i < run->findings->count; i++) is_good = note_places(run, &run->findings->items[i]);
  for (size_t i = 0; is_good && i < run->n; i++)
    if (run->of[i].nsites) qsort(run->of[i].sites, run->of[i].nsites, sizeof(uint32_t), compare_sites);
  return is_good;
}

void mck_flow_close(struct mck_flow_run *run) {
  for (size_t i = 0; run->of && i < run->n; i++) {
    free(run->of[i].keys), free(run->of[i].sites);
    mck_signatures_free(&run->of[i].types);
  }
  free(run->of);
  free(run->said);
  free(run->asked);
  free(run->moved);
}

struct mck_flow_side mck_flow_find(const struct mck_flow_run *run, uint32_t log, uint32_t event, bool is_received,
                                   int32_t peer) {
  struct mck_flow_key wanted = {event, peer, is_received, 0};
  const struct mck_flow_log *of = &run->of[log];
  const struct mck_flow_key *key = of->nkeys ? bsearch(&wanted, of->keys, of->nkeys, sizeof *of->keys, compare_keys)
                                             : NULL;
  return (struct mck_flow_side){log, event, key ? &run->logs[log].events[key->at] : NULL};
}

bool mck_flow_is_explained(const struct mck_flow_run *run, uint32_t log, uint32_t event) {
  const struct mck_flow_log *of = &run->of[log];
  uint32_t site = run->logs[log].events[event].site;
  return of->nsites && bsearch(&site, of->sites, of->nsites, sizeof site, compare_sites);
}

static const char *traces;

void mck_flow_set_traces(const char *dir) { traces = dir; }

void mck_flow_judge(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                    struct mck_findings *findings) {
  struct mck_flow_run run = {.logs = logs, .n = n, .pairs = pairs, .findings = findings};
  if (mck_flow_open(&run)) {
    mck_flow_wildcards(&run);
    mck_flow_messages(&run);
    mck_flow_collectives(&run);
    mck_flow_windows(&run);
    mck_flow_files(&run);
    mck_flow_ask_routes(&run, traces);
    if (run.nopen)
      mck_why_not(MCK_CHECK_FLOW_CONTENT,
                  "%llu reductions were not computed again: large ones, or operations and types of the program",
                  (unsigned long long)run.nopen);
  } else mck_base_warn("out of memory: the content of messages is not compared");
  mck_flow_close(&run);
}

size_t mck_flow_faults(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                       struct mck_flow_fault *faults, size_t max) {
  struct mck_findings findings = {0};
  struct mck_flow_run run = {.logs = logs, .n = n, .pairs = pairs, .findings = &findings};
  size_t found = 0;
  if (mck_flow_open(&run)) {
    mck_flow_wildcards(&run);
    mck_flow_messages(&run);
    mck_flow_collectives(&run);
    mck_flow_windows(&run);
    mck_flow_files(&run);
    for (; found < run.nsaid && found < max; found++) faults[found] = run.said[found].fault;
  }
  mck_flow_close(&run);
  mck_findings_free(&findings);
  return found;
}
