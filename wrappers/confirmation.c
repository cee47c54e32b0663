// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads predictions from a report, and tries them one after the other (confirmation.h). The directory has these files
// of the N-th one: take-N.report, take-N.decisions (what its wildcards got), take-N.out, take-N.err.
#include "confirmation.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/base.h"
#include "base/decision-list.h"
#include "program-rerun.h"
#include "shell-words.h"
#include "word-list.h"

enum { POLL_MS = 20, PATIENCE = 20 }; // PATIENCE: seconds for a run that was told to end

// --- predictions ---
static void add(struct mck_predictions *p, const char *check, const char *take) {
  for (size_t i = 0; i < p->count; i++)
    if (strlen(p->items[i].take) == strcspn(take, " ") && !strncmp(p->items[i].take, take, strcspn(take, " "))) return;
  struct mck_prediction new = {mck_words_print("%s", check), mck_words_print("%.*s", (int)strcspn(take, " "), take)};
  if (!MCK_PUSH(p->items, p->count, p->capacity, new)) mck_base_warn("out of memory: not all predictions are tried");
}

void mck_predictions_read(struct mck_predictions *p, const char *report) {
  static const char *const checks[] = {"deadlock.alternative", "message.race"};
  static const char head[] = "==mpicc-check== ", take_option[] = " --take ";
  FILE *file = fopen(report, "r");
  char *line = NULL;
  const char *check = NULL;
  size_t size = 0;
  while (file && getline(&line, &size, file) > 0) {
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, head, sizeof head - 1)) {
      check = NULL;
      for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const char *begin = mck_words_print("%sWARNING [%s] ", head, checks[i]);
        if (!strncmp(line, begin, strlen(begin))) check = checks[i];
      }
    }
    const char *take = check && !strncmp(line, "  help: ", 8) ? strstr(line, "mpirun-check ") : NULL;
    if (take) take = strstr(take, take_option); // behind --replay FILE, if a file of decisions is written
    if (take) add(p, check, take + sizeof take_option - 1);
  }
  free(line);
  if (file) fclose(file);
}

// --- one run ---
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// Returns false when it had to be ended.
static bool wait_for(pid_t pid, long seconds) {
  double begin = now();
  bool is_told = false;
  for (int status; waitpid(pid, &status, WNOHANG) == 0;) {
    double gone = now() - begin;
    if (gone > (double)seconds && !is_told) is_told = true, kill(pid, SIGTERM);
    if (gone > (double)seconds + PATIENCE) kill(pid, SIGKILL);
    usleep(POLL_MS * 1000);
  }
  return !is_told;
}

static bool has_line(const char *text, const char *line, size_t length) {
  for (; *text; text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n'))
    if (strcspn(text, "\n") == length && !strncmp(text, line, length)) return true;
  return false;
}

// The error that the prediction speaks of: a deadlock; of a message that does not fit, an error that the run itself had
// not. NULL: there is none. The text ends at a line's end.
static const char *find_error(const struct mck_confirm *c, const struct mck_prediction *p, const char *errors) {
  bool is_deadlock = !strcmp(p->check, "deadlock.alternative");
  for (; *errors; errors += strcspn(errors, "\n") + (errors[strcspn(errors, "\n")] == '\n')) {
    if (is_deadlock ? !strncmp(errors, "[deadlock", 9) : !has_line(c->errors, errors, strcspn(errors, "\n")))
      return errors;
  }
  return NULL;
}

// Did all decisions come to pass? Returns the first one that did not, as text; NULL: all did.
static const char *find_strayed(const struct mck_choices *choices, const char *take) {
  for (const char *at = take; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
    struct mck_choice wanted;
    const char *end;
    if (!mck_choices_parse(at, &wanted, &end)) continue;
    const struct mck_choice *choice = mck_choices_find(choices, wanted.rank, wanted.number);
    if (!choice)
      return mck_words_print("rank %u had no wildcard %u whose message is known", wanted.rank, wanted.number);
    if (choice->got.source != wanted.got.source)
      return mck_words_print("wildcard %u of rank %u got the message of rank %d", wanted.number, wanted.rank,
                             choice->got.source);
  }
  return NULL;
}

static const char *find_reason(const char *path, const char *take, bool has_ended, const char *errors, long seconds) {
  struct mck_choices choices;
  bool is_known = mck_choices_read(&choices, mck_words_print("%s.decisions", path)) == 0;
  const char *reason = NULL;
  if (is_known && choices.is_impossible) reason = "MPI cannot give it this message there";
  else if (!has_ended) reason = mck_words_print("it did not end in %ld seconds", seconds);
  else if (!errors) reason = mck_words_print("the run has no report; see %s.err", path);
  else if (is_known && (reason = find_strayed(&choices, take)))
    reason = mck_words_print("the program went another way: %s", reason);
  else if (*errors) reason = mck_words_print("the program went another way: %.*s", (int)strcspn(errors, "\n"), errors);
  else reason = "the program went another way, and ended well";
  if (is_known) mck_choices_free(&choices);
  return reason;
}

static bool confirm(const struct mck_confirm *c, const struct mck_prediction *p, size_t number, FILE *out) {
  const char *path = mck_words_print("%s/take-%zu", c->dir, number);
  struct mck_rerun rerun = {
      .path = path, .options = c->options, .arguments = c->arguments, .replay = c->replay, .take = p->take};
  pid_t pid = mck_rerun_start(&rerun);
  if (pid < 0) {
    mck_base_warn("cannot start a run for --confirm: %s", strerror(errno));
    return false;
  }
  bool has_ended = wait_for(pid, c->seconds);
  char *errors = mck_rerun_read_errors(mck_words_print("%s.report", path));
  const char *error = errors ? find_error(c, p, errors) : NULL, *reason = NULL;
  struct mck_choices choices;
  bool is_known = mck_choices_read(&choices, mck_words_print("%s.decisions", path)) == 0;
  if (!error || (is_known && choices.is_impossible)) reason = find_reason(path, p->take, has_ended, errors, c->seconds);
  if (is_known) mck_choices_free(&choices);
  if (reason) fprintf(out, "==mpicc-check== not confirmed [%s]: with --take %s %s\n", p->check, p->take, reason);
  else
    fprintf(out, "==mpicc-check== ERROR [%s] confirmed: the run with --take %s %s\n  then: %.*s\n", p->check, p->take,
            strcmp(p->check, "message.race") ? "deadlocks" : "fails", (int)strcspn(error, "\n"), error);
  if (errors) fprintf(out, "  its report: %s.report\n", path);
  char *replay[] = {(char *)c->replay, NULL};
  fprintf(out, "  again: mpirun-check%s%s --take %s", c->replay ? " --replay" : "", mck_words_quote(replay), p->take);
  mck_rerun_put_arguments(out, c->arguments);
  putc('\n', out);
  free(errors);
  return !reason;
}

bool mck_confirm_run(const struct mck_confirm *c, const struct mck_predictions *p, FILE *out) {
  size_t n = c->max_runs > 0 && (size_t)c->max_runs < p->count ? (size_t)c->max_runs : p->count, confirmed = 0;
  if (n && mkdir(c->dir, 0700) != 0 && errno != EEXIST) {
    mck_base_warn("cannot make %s: %s; name another directory with --state", c->dir, strerror(errno));
    return false;
  }
  for (size_t i = 0; i < n; i++) confirmed += confirm(c, &p->items[i], i + 1, out);
  fprintf(out, "==mpicc-check== %zu of %zu prediction%s confirmed", confirmed, p->count, p->count == 1 ? "" : "s");
  if (n < p->count) fprintf(out, "; %zu not tried (--max-runs %ld)", p->count - n, c->max_runs);
  putc('\n', out);
  return confirmed > 0;
}
