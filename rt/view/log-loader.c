// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads logs and sorts them by rank.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "view/view.h"

static size_t complain(const char *path, const char *why, const char *advice) {
  // "mpicc-check explain", where that was typed
  fprintf(stderr, "%s: %s: %s; %s\n", program_invocation_short_name, path, why, advice);
  return 1;
}

// Without memory for a table, nothing counts as defined.
static void prepare(struct mck_view_log *log) {
  struct mck_reader *r = &log->reader;
  if (!(log->places = calloc((size_t)r->nstacks + 1, sizeof *log->places))) r->nstacks = 0;
  if (!(log->comms = calloc((size_t)r->ncomms + 1, sizeof *log->comms))) r->ncomms = 0;
  if (!(log->types = calloc((size_t)r->ntypes + 1, sizeof *log->types))) r->ntypes = 0;
  if (!(log->wins = calloc((size_t)r->nwins + 1, sizeof *log->wins))) r->nwins = 0;
  if (!(log->modules = calloc((size_t)r->nmodules + 1, sizeof *log->modules))) r->nmodules = 0;
}

bool mck_view_add(struct mck_view *view, const char *path, const struct mck_reader *reader, size_t size) {
  struct mck_view_log log = {.path = strdup(path), .reader = *reader, .claimed = atomic_load(&reader->header->units)};
  log.present = reader->whole ? reader->units : (size - MCK_LOG_HEADER) / MCK_UNIT;
  if (!log.path || !MCK_PUSH(view->logs, view->count, view->capacity, log)) {
    free(log.path);
    return false;
  }
  prepare(&view->logs[view->count - 1]);
  if (reader->header->size > view->size) view->size = reader->header->size;
  return true;
}

static int compare_logs(const void *a, const void *b) {
  uint32_t x = ((const struct mck_view_log *)a)->reader.header->rank;
  uint32_t y = ((const struct mck_view_log *)b)->reader.header->rank;
  return x < y ? -1 : x > y;
}

void mck_view_sort(struct mck_view *view) {
  if (view->count) qsort(view->logs, view->count, sizeof *view->logs, compare_logs);
}

struct mck_view_log *mck_view_log_of(const struct mck_view *view, int64_t rank) {
  size_t low = 0, high = view->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int64_t here = view->logs[middle].reader.header->rank;
    if (here == rank) return &view->logs[middle];
    if (here < rank) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

static size_t load_file(struct mck_view *view, const char *path) {
  struct mck_reader reader;
  const char *why = NULL;
  if (mck_log_load(&reader, path, &why) != 0)
    return complain(path, why,
                    strstr(why, "version") || strstr(why, "features")
                        ? "use the mpicc-check-log of the version that wrote it"
                        : "give rank-N.log files, or their directory, of a run with MPICC_CHECK_OPTIONS=keep_logs=1");
  const struct mck_log_header *h = reader.header;
  for (size_t i = 0; i < view->count; i++) {
    const struct mck_log_header *other = view->logs[i].reader.header;
    const char *clash = other->job != h->job || other->size != h->size ? "it is of another run than the logs before it"
                        : other->rank == h->rank                       ? "a log of this rank was given already"
                                                                       : NULL;
    if (!clash) continue;
    mck_log_unload(&reader);
    return complain(path, clash, "give the logs of one run, each once");
  }
  if (!mck_view_add(view, path, &reader, reader.map_size)) {
    mck_log_unload(&reader);
    return complain(path, "out of memory", "look at fewer logs at a time");
  }
  if (reader.damaged == UINT64_MAX) return 0;
  char text[128];
  uint64_t claimed = view->logs[view->count - 1].claimed;
  bool is_cut = view->logs[view->count - 1].present < claimed;
  snprintf(text, sizeof text, "%s at unit %llu of %llu", is_cut ? "cut short" : "damaged",
           (unsigned long long)reader.damaged, (unsigned long long)claimed);
  return complain(path, text, "only what is before that is used, for more run the program again");
}

static int compare_names(const struct dirent **a, const struct dirent **b) {
  long x = strtol((*a)->d_name + 5, NULL, 10), y = strtol((*b)->d_name + 5, NULL, 10);
  return x < y ? -1 : x > y;
}

static int is_log_name(const struct dirent *entry) {
  if (strncmp(entry->d_name, "rank-", 5) != 0 || entry->d_name[5] < '0' || entry->d_name[5] > '9') return 0;
  char *end;
  strtol(entry->d_name + 5, &end, 10);
  return strcmp(end, ".log") == 0;
}

static size_t load_directory(struct mck_view *view, const char *path) {
  struct dirent **names;
  int n = scandir(path, &names, is_log_name, compare_names);
  if (n < 0) return complain(path, strerror(errno), "give a directory that can be read");
  size_t problems = 0;
  if (n == 0)
    problems = complain(path, "no log in it",
                        "run the program with MPICC_CHECK_OPTIONS=keep_logs=1, it says where they are");
  for (int i = 0; i < n; i++) {
    char *file = NULL;
    if (asprintf(&file, "%s/%s", path, names[i]->d_name) >= 0) problems += load_file(view, file), free(file);
    free(names[i]);
  }
  free(names);
  return problems;
}

size_t mck_view_load(struct mck_view *view, char *const *paths, size_t n) {
  size_t problems = 0;
  for (size_t i = 0; i < n; i++) {
    struct stat status;
    bool is_directory = stat(paths[i], &status) == 0 && S_ISDIR(status.st_mode);
    problems += is_directory ? load_directory(view, paths[i]) : load_file(view, paths[i]);
  }
  mck_view_sort(view);
  return problems;
}

void mck_view_unload(struct mck_view *view) {
  for (size_t i = 0; i < view->count; i++) {
    struct mck_view_log *log = &view->logs[i];
    for (uint32_t k = 0; k < log->reader.nstacks; k++) {
      mck_view_name_free(&log->places[k].name);
      free(log->places[k].stack.frames);
    }
    for (uint32_t k = 0; k < log->reader.ncomms; k++) mck_view_name_free(&log->comms[k]);
    for (uint32_t k = 0; k < log->reader.ntypes; k++) mck_view_name_free(&log->types[k]);
    for (uint32_t k = 0; k < log->reader.nwins; k++) mck_view_name_free(&log->wins[k]);
    for (uint32_t k = 0; k < log->reader.nmodules; k++) free(log->modules[k]);
    free(log->places);
    free(log->comms);
    free(log->types);
    free(log->wins);
    free(log->modules);
    mck_log_unload(&log->reader);
    free(log->path);
  }
  free(view->logs);
  mck_symbols_close(view->symbols);
  *view = (struct mck_view){0};
}
