// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An attempt at a proof, and the report when it succeeds.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/memory-failure.h"
#include "watch/thread/watch-thread.h"

static bool load_log(struct mck_watch *w, uint32_t rank, struct mck_reader *log) {
  char path[sizeof w->dir + 32];
  const char *why;
  if (mck_watch_is_local(w, rank))
    return mck_watch_path(w, rank, path, sizeof path) && mck_log_load(log, path, &why) == 0;
  size_t size;
  const void *bytes = mck_tree_get_log(w->tree, rank, &size);
  *log = (struct mck_reader){0};
  // A rank without a copy counts as moving, and so does one with a damaged copy.
  if (bytes && mck_log_load_memory(log, bytes, size, &why)) *log = (struct mck_reader){0};
  return true;
}

// Writes the copies into the directory, from which the report is made. Returns false where the logs of other nodes are
// there already, in a directory that nodes share.
static bool write_copies(struct mck_watch *w, bool is_all) {
  bool is_own = true;
  for (uint32_t r = 0; r < w->size; r++) {
    char path[sizeof w->dir + 32];
    size_t size;
    const char *bytes = mck_watch_is_local(w, r) ? NULL : mck_tree_get_log(w->tree, r, &size);
    if (!bytes || !(is_all || mck_tree_get_standing(w->tree, r)) || !mck_watch_path(w, r, path, sizeof path)) continue;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    is_own &= fd >= 0 || errno != EEXIST;
    for (ssize_t n; fd >= 0 && size && (n = write(fd, bytes, size)) > 0; bytes += n, size -= (size_t)n) {}
    if (fd >= 0) close(fd);
    if (fd >= 0 && size) unlink(path);
  }
  return is_own;
}

static void remove_copies(const struct mck_watch *w) {
  char path[sizeof w->dir + 32];
  for (uint32_t r = 0; r < w->size; r++)
    if (!mck_watch_is_local(w, r) && mck_watch_path(w, r, path, sizeof path)) unlink(path);
}

void mck_watch_remove_logs(struct mck_watch *w) {
  char path[sizeof w->dir + 32];
  for (uint32_t i = 0; i < w->nhere; i++)
    if (!w->headers[i]->is_kept && mck_watch_path(w, mck_watch_rank(w, i), path, sizeof path)) unlink(path);
  rmdir(w->dir);
}

static void tell_note(struct mck_watch *w, enum mck_check check, struct mck_findings *findings) {
  bool is_all = check == MCK_CHECK_HANG_COMPUTING; // the process number is in the log of a rank that moves
  if (w->tree && is_all && !mck_tree_snap_all(w->tree)) return;
  bool has_copies = w->tree && write_copies(w, is_all);
  w->note(w->context, findings);
  if (has_copies) remove_copies(w);
}

// is_proof: all threads have waited for long, and what each of them waits for has been the same.
static void find_threads(const struct mck_watch *w, uint32_t place, bool is_proof, struct mck_snapshot *mark,
                         struct mck_thread_wait **threads) {
  struct mck_thread_wait waits[MCK_THREADS_MAX];
  uint32_t n = is_proof                                     ? mck_watch_find_threads(w, place, waits)
               : mck_threads_are_several(w->headers[place]) ? mck_threads_list(w->headers[place], waits)
                                                            : 0;
  if (n) *threads = malloc(n * sizeof **threads);
  if (!*threads) return;
  memcpy(*threads, waits, n * sizeof *waits);
  mark->threads = *threads, mark->nthreads = n;
}

// How each rank stands, and how long its calls are to be waited for.
static void take_marks(struct mck_watch *w, bool is_proof, struct mck_reader *logs, struct mck_snapshot *marks,
                       struct mck_thread_wait **threads, uint8_t *patience) {
  for (uint32_t r = 0; r < w->size; r++) {
    uint32_t place = mck_watch_place(w, r);
    if (place == MCK_NONE) {
      const struct mck_standing *s = mck_tree_get_standing(w->tree, r);
      if (s)
        marks[r] = (struct mck_snapshot){.wait = s->wait,
                                         .polls = s->polls <= MCK_POLLS_CLOSED ? s->polls : MCK_POLLS_OPEN};
      else mck_log_unload(&logs[r]); // what it has done since then is unknown
      patience[r] = s ? (uint8_t)s->patience : 0;
      continue;
    }
    marks[r] = (struct mck_snapshot){.wait = mck_watch_stands_in(w, place), .polls = mck_watch_polls(w, place)};
    find_threads(w, place, is_proof, &marks[r], &threads[r]);
    patience[r] = w->seen[place].patience;
  }
}

bool mck_watch_attempt(struct mck_watch *w, enum mck_check check, int rank) {
  unsigned failures = mck_memory_failures();
  struct mck_reader *logs = calloc(w->size, sizeof *logs);
  struct mck_snapshot *marks = calloc(w->size, sizeof *marks);
  uint8_t *patience = calloc(w->size, sizeof *patience);
  struct mck_thread_wait **threads = calloc(w->size, sizeof *threads);
  struct mck_findings findings = {0};
  bool is_ok = logs && marks && patience && threads && (!w->tree || mck_tree_snap(w->tree));
  uint32_t nloaded = 0;
  for (; is_ok && nloaded < w->size; nloaded++) {
    is_ok = load_log(w, nloaded, &logs[nloaded]);
    if (!is_ok) break;
  }
  if (is_ok && w->tree) is_ok = mck_tree_confirm(w->tree);
  if (is_ok) take_marks(w, check == MCK_CHECK_DEADLOCK, logs, marks, threads, patience);
  bool is_proved = is_ok && check == MCK_CHECK_DEADLOCK &&
                   mck_watch_prove_patiently(logs, marks, patience, w->size, &findings);
  if (is_ok && check != MCK_CHECK_DEADLOCK) mck_watch_survey(logs, marks, patience, w->size, check, rank, &findings);
  // What is missing for lack of memory proves nothing.
  if (mck_memory_failures() != failures) is_proved = is_ok = false, mck_findings_free(&findings);
  bool has_open = false;
  for (uint32_t r = 0; is_ok && r < w->size; r++) has_open |= marks[r].polls == MCK_POLLS_OPEN;
  if (check == MCK_CHECK_DEADLOCK && !is_proved && has_open && w->note && !w->is_polling_told &&
      mck_watch_note_polling(logs, marks, patience, w->size, &findings))
    w->is_polling_told = true, check = MCK_CHECK_HANG_POLLING;
  for (uint32_t r = 0; r < nloaded; r++) mck_log_unload(&logs[r]);
  for (uint32_t r = 0; threads && r < w->size; r++) free(threads[r]);
  free(threads);
  free(logs);
  free(marks);
  free(patience);
  if (w->tree && mck_tree_is_full(w->tree) && !w->is_full_told) {
    mck_base_warn("the deadlock watch holds %ld MiB of other nodes' logs and takes no more: deadlocks may be missed "
                  "(watch_memory=)",
                  (long)mck_options.watch_memory);
    w->is_full_told = true;
  }
  // Over several nodes the first proof comes before all news. It stays valid, and a report some periods later shows the
  // other ranks that wait.
  if (is_proved && w->tree && w->nproofs++ < LOOKS_AGAIN) is_proved = false;
  if (is_proved && w->tree) {
    if (!mck_tree_snap_all(w->tree)) return false;
    if (write_copies(w, true)) mck_tree_end(w->tree); // otherwise the report removes them
  }
  if (is_proved) w->report(w->context, &findings);
  else if (findings.count && check != MCK_CHECK_DEADLOCK && w->note) tell_note(w, check, &findings);
  mck_findings_free(&findings);
  return is_proved;
}

bool mck_watch_ask_judge(struct mck_watch *w) {
  if (w->tree && (!mck_tree_snap(w->tree) || !mck_tree_confirm(w->tree))) return false;
  for (uint32_t r = 0; r < w->size; r++) {
    uint32_t place = mck_watch_place(w, r);
    if (place == MCK_NONE) {
      const struct mck_standing *s = mck_tree_get_standing(w->tree, r);
      if (!s || !s->patience || s->marks) return false;
    } else if (mck_watch_has_hidden_calls(w->headers[place]) ||
               atomic_load_explicit(&w->headers[place]->is_multiple, memory_order_relaxed) & ~(uint32_t)MCK_LOG_STRANDS)
      return false;
  }
  struct mck_findings findings = {0};
  unsigned failures = mck_memory_failures();
  bool has_copies = w->tree && write_copies(w, false);
  bool is_known = w->suspect(w->context, &findings) && mck_memory_failures() == failures;
  if (has_copies && is_known) mck_tree_end(w->tree);
  if (has_copies && !is_known) remove_copies(w);
  if (is_known) w->report(w->context, &findings);
  mck_findings_free(&findings);
  return is_known;
}
