// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the logs of a run from a directory, and judges them. How the ranks ended is decided in run-end.c.
#include "flow/flow.h"
#include "judge/whole/log-files.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory-failure.h"
#include "judge/whole/common-cause.h"
#include "judge/cut/cut.h"
#include "judge/whole/run-end.h"
#include "judge/whole/whole.h"
#include "report/static-place.h"

enum { RANKS_MAX = 1 << 22 }; // a larger world is a forged header

// N of "rank-N.log"; -1: another file.
static long rank_of_name(const char *name) {
  if (strncmp(name, "rank-", 5) != 0 || name[5] < '0' || name[5] > '9') return -1;
  char *end;
  long rank = strtol(name + 5, &end, 10);
  return strcmp(end, ".log") == 0 && rank < RANKS_MAX ? rank : -1;
}

static int compare_logs(const void *a, const void *b) {
  uint32_t x = ((const struct mck_reader *)a)->header->rank, y = ((const struct mck_reader *)b)->header->rank;
  return x < y ? -1 : x > y;
}

// The run is over, and nobody knows what else there was to find: that must not pass for success.
static struct mck_finding *add_loss(struct mck_findings *findings, uint32_t rank) {
  struct mck_finding *f = mck_findings_add(findings, MCK_CHECK_INCOMPLETE, (int)rank);
  if (f) f->severity = MCK_ERROR;
  return f;
}

static void say_damage(struct mck_files *files, const struct mck_reader *log, struct mck_findings *findings) {
  files->is_damaged = true;
  struct mck_finding *f = add_loss(findings, log->header->rank);
  if (!f) return;
  mck_finding_text(f, "a log is damaged; what is behind the damage is not judged");
  mck_finding_why(f, "the log of rank %u is sound up to unit %llu", log->header->rank,
                  (unsigned long long)log->damaged);
  mck_finding_help(f, "run the program again");
}

static void say_unusable(struct mck_files *files, const char *name, uint32_t rank, const char *why,
                         struct mck_findings *findings) {
  files->is_damaged = true;
  struct mck_finding *f = add_loss(findings, rank);
  if (!f) return;
  mck_finding_text(f, "a log could not be used: %s", why);
  mck_finding_why(f, "%s", name);
  mck_finding_help(f, "run the program again");
}

static void load_one(struct mck_files *files, size_t *capacity, const char *dir, const char *name,
                     struct mck_findings *findings) {
  char path[4096];
  struct stat st;
  struct mck_reader log;
  const char *why = NULL;
  if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path) why = "its path is too long";
  else if (lstat(path, &st) != 0) why = strerror(errno);
  else if (!S_ISREG(st.st_mode)) why = "not a regular file";
  else if (st.st_uid != geteuid()) why = "it belongs to another user";
  else if (mck_log_load(&log, path, &why) == 0) {
    const struct mck_log_header *h = log.header;
    why = NULL;
    if (h->rank != (uint32_t)rank_of_name(name) || h->size > RANKS_MAX) why = "its header is damaged (rank)";
    else if (files->count && (h->job != files->logs[0].header->job || h->size != files->size))
      why = "it is of another run than the logs beside it";
    if (!why && !MCK_PUSH(files->logs, files->count, *capacity, log)) why = "out of memory";
    if (!why) {
      files->size = h->size;
      if (log.damaged != UINT64_MAX) say_damage(files, &log, findings);
      return;
    }
    mck_log_unload(&log);
  }
  say_unusable(files, name, (uint32_t)rank_of_name(name), why, findings);
}

// Logs that were recycled together have one generation. If the run died in between, the ranks that had not switched yet
// have a whole next log beside theirs: no rank switches before all have one (log/log-recycle.h).
static void renew(struct mck_files *files, const char *dir, struct mck_findings *findings) {
  uint32_t newest = 0;
  for (size_t i = 0; i < files->count; i++) {
    uint32_t generation = atomic_load(&files->logs[i].header->generation);
    newest = generation > newest ? generation : newest;
  }
  size_t kept = 0;
  for (size_t i = 0; i < files->count; i++) {
    struct mck_reader log = files->logs[i], next;
    const struct mck_log_header *h = log.header;
    uint32_t rank = h->rank;
    if (atomic_load(&h->generation) != newest) {
      char path[4096];
      const char *why = "it is of an earlier part of the run than others", *missing;
      snprintf(path, sizeof path, "%s/rank-%u.next", dir, rank);
      bool is_good = mck_log_load(&next, path, &missing) == 0;
      if (is_good && (next.header->rank != rank || next.header->job != h->job || next.header->size != h->size ||
                      atomic_load(&next.header->generation) != newest || next.damaged != UINT64_MAX)) {
        mck_log_unload(&next);
        is_good = false;
      }
      mck_log_unload(&log);
      if (!is_good) {
        say_unusable(files, strrchr(path, '/') + 1, rank, why, findings);
        continue;
      }
      log = next;
    }
    files->logs[kept++] = log;
  }
  files->count = kept;
}

static char **load_modules(const struct mck_reader *log) {
  char **paths = calloc((size_t)log->nmodules + 1, sizeof *paths);
  for (uint32_t i = 0; paths && i < log->nmodules; i++)
    if (log->modules[i].path) paths[i] = strndup(log->modules[i].path, log->modules[i].path_length);
  return paths;
}

static int compare_names(const void *a, const void *b) {
  long x = rank_of_name(*(char *const *)a), y = rank_of_name(*(char *const *)b);
  return x < y ? -1 : x > y;
}

int mck_files_load(struct mck_files *files, const char *dir, struct mck_findings *findings) {
  *files = (struct mck_files){0};
  mck_flow_set_traces(dir);
  DIR *d = opendir(dir);
  if (!d) {
    fprintf(stderr, "==mpicc-check== cannot read the logs in %s: %s\n", dir, strerror(errno));
    return -1;
  }
  char **names = NULL;
  size_t n = 0, names_capacity = 0, capacity = 0;
  for (struct dirent *entry; (entry = readdir(d));) {
    if (rank_of_name(entry->d_name) < 0) continue;
    char *name = strdup(entry->d_name);
    if (!name || !MCK_PUSH(names, n, names_capacity, name)) free(name);
  }
  closedir(d);
  if (n) qsort(names, n, sizeof *names, compare_names); // the report must not depend on the order of readdir
  for (size_t i = 0; i < n; i++) {
    load_one(files, &capacity, dir, names[i], findings);
    free(names[i]);
  }
  free(names);
  if (!files->count) {
    if (mck_memory_failures()) fprintf(stderr, "==mpicc-check== no memory to read the logs in %s: not judged\n", dir);
    else
      fprintf(
          stderr,
          "==mpicc-check== no usable log in %s; was the program built with mpicc-check, and did it reach MPI_Init?\n",
          dir);
    mck_files_unload(files);
    return -1;
  }
  qsort(files->logs, files->count, sizeof *files->logs, compare_logs);
  renew(files, dir, findings);
  files->modules = calloc(files->count, sizeof *files->modules);
  for (size_t i = 0; files->modules && i < files->count; i++) files->modules[i] = load_modules(&files->logs[i]);
  return 0;
}

uint32_t mck_files_nodes(const struct mck_files *files) {
  uint32_t n = 0;
  for (size_t i = 0; i < files->count; i++)
    if (files->logs[i].header->nnodes > n) n = files->logs[i].header->nnodes;
  return n;
}

// Logs may be on other nodes, or were removed, or a process never reached MPI_Init.
static void say_missing(const struct mck_files *files, struct mck_findings *findings) {
  uint32_t first = MCK_NONE, n = 0;
  size_t i = 0;
  for (uint32_t rank = 0; rank < files->size; rank++) {
    while (i < files->count && files->logs[i].header->rank < rank) i++;
    bool is_there = i < files->count && files->logs[i].header->rank == rank;
    // A log that is there but could not be used has a finding already.
    for (size_t k = 0; k < findings->count && !is_there; k++)
      is_there = findings->items[k].check == MCK_CHECK_INCOMPLETE && findings->items[k].rank == (int)rank;
    if (is_there) continue;
    if (!n++) first = rank;
  }
  struct mck_finding *f = n ? add_loss(findings, first) : NULL;
  if (!f) return;
  if (n == 1) mck_finding_text(f, "the log of rank %u is missing", first);
  else mck_finding_text(f, "the logs of %u ranks are missing, the first is that of rank %u", n, first);
  uint32_t nnodes = mck_files_nodes(files);
  if (nnodes)
    mck_finding_help(f, "the ranks were on %u nodes: judge the logs with mpicc-check-judge, which runs on all of them",
                     nnodes);
  else mck_finding_help(f, "put the logs of all ranks into one directory, or run the program again");
}

static bool is_complete(const struct mck_files *files) {
  if (files->count != files->size) return false;
  for (size_t i = 0; i < files->count; i++) {
    const struct mck_reader *log = &files->logs[i];
    uint32_t state = atomic_load(&log->header->state);
    if ((state != MCK_LOG_FINALIZED && state != MCK_LOG_FINALIZING) || log->damaged != UINT64_MAX ||
        atomic_load(&log->header->is_incomplete))
      return false;
  }
  return true;
}

// Logs of ranks that were short of memory: anything may be missing in them.
static uint32_t count_holes(const struct mck_files *files) {
  uint32_t n = 0;
  for (size_t i = 0; i < files->count; i++) n += atomic_load(&files->logs[i].header->is_incomplete) == MCK_LOG_HOLES;
  return n;
}

void mck_files_judge(const struct mck_files *files, struct mck_findings *findings) {
  if (files->count < files->size) say_missing(files, findings);
  for (size_t i = 0; i < files->count; i++) {
    const struct mck_reader *log = &files->logs[i];
    const struct mck_event *e;
    size_t first = findings->count;
    for (uint64_t k = 0; k < log->units; k += mck_event_units(e)) {
      e = &log->events[k];
      if (e->kind == MCK_EV_FINDING && e->def.a <= (uint64_t)e->def.extra * MCK_UNIT)
        mck_finding_unpack(findings, e + 1, e->def.a);
    }
    mck_static_execute(findings, first, log->header->executed, MCK_LOG_WARNED);
  }
  struct mck_judge_run run = {files->size, is_complete(files)};
  // Findings of a cut are in the logs (record/run/cut-log.c), so judged is merged with them.
  struct mck_findings judged = {0};
  size_t known = findings->count;
  mck_judge_say_deaths(files, findings);
  unsigned needs = mck_judge_logs_with(files->logs, files->count, &run, files->nthreads, &judged);
  for (size_t i = 0; i < files->count; i++) needs |= mck_whole_needs(&files->logs[i]);
  mck_whole_judge(files->logs, files->count, &run, needs, &judged);
  // What was lost for lack of memory looks as if it had not happened.
  if (mck_memory_failures() || count_holes(files)) {
    mck_findings_free(&judged);
    while (findings->count > known) mck_findings_remove(findings, findings->count - 1);
  }
  mck_findings_merge(findings, &judged);
  mck_judge_join_truncations(findings);
  mck_judge_point_at_collectives(files, findings);
  mck_judge_fold_causes(findings);
}

static unsigned frames(void *context, int rank, uint32_t site, struct mck_frame *frames, unsigned max) {
  const struct mck_files *files = context;
  for (size_t i = 0; i < files->count; i++) {
    const struct mck_reader *log = &files->logs[i];
    if ((int)log->header->rank != rank) continue;
    if (site >= log->nstacks || !log->stacks[site].frames || !files->modules || !files->modules[i]) return 0;
    unsigned n = 0;
    for (uint32_t k = 0; k < log->stacks[site].depth && n < max; k++) {
      uint64_t frame = log->stacks[site].frames[k];
      const char *module = frame >> 48 < log->nmodules ? files->modules[i][frame >> 48] : NULL;
      frames[n++] = (struct mck_frame){module ? module : "", frame & 0xffffffffffffu};
    }
    return n;
  }
  return 0;
}

struct mck_stack_source mck_files_stacks(const struct mck_files *files) {
  return (struct mck_stack_source){(void *)files, frames};
}

static struct mck_objects *objects_of(const struct mck_files *files) {
  struct mck_objects *objects = calloc(1, sizeof *objects);
  for (size_t i = 0; objects && i < files->count; i++) mck_objects_add_log(objects, &files->logs[i]);
  return objects;
}

struct mck_report_run mck_files_run(struct mck_files *files) {
  struct mck_report_run run = {.program = "", .size = files->size, .is_incomplete = files->count != files->size};
  if (files->count) run.program = files->logs[0].header->program;
  for (size_t i = 0; i < files->count; i++) {
    run.calls += atomic_load(&files->logs[i].header->calls);
    const struct mck_log_header *h = files->logs[i].header;
    if (files->logs[i].damaged != UINT64_MAX || atomic_load(&h->is_incomplete)) run.is_incomplete = true;
  }
  if (!files->objects) files->objects = objects_of(files);
  if (files->objects) mck_objects_tell(files->objects, &run);
  run.nshort = count_holes(files);
  if (mck_memory_failures()) run.nshort += !run.nshort, run.is_incomplete = true;
  return run;
}

void mck_files_unload(struct mck_files *files) {
  for (size_t i = 0; i < files->count; i++) {
    for (uint32_t k = 0; files->modules && files->modules[i] && k < files->logs[i].nmodules; k++)
      free(files->modules[i][k]);
    if (files->modules) free(files->modules[i]);
    mck_log_unload(&files->logs[i]);
  }
  free(files->modules);
  if (files->objects) mck_objects_free(files->objects), free(files->objects);
  free(files->logs);
  *files = (struct mck_files){0};
}
