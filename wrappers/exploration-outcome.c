// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run of an exploration found: the errors of its report, its exit status and its output, compared with those of
// the first run. A failure that the first run did not have is printed once, with the changes that led to it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "exploration-state.h"
#include "program-rerun.h"
#include "shell-words.h"
#include "word-list.h"

static uint64_t hash_file(const char *path) {
  FILE *file = fopen(path, "r");
  char buffer[4096];
  uint64_t hash = 0;
  for (size_t n; file && (n = fread(buffer, 1, sizeof buffer, file)) > 0;) hash = mck_base_hash(buffer, n, hash);
  if (file) fclose(file);
  return hash;
}

char *mck_exploration_describe_status(int status) {
  if (status > 128 && status < 160) return mck_words_print("signal %d", status - 128);
  return mck_words_print("exit status %d", status);
}

static char *compare(const struct mck_explorer *x, const struct mck_outcome *o) {
  if (strcmp(o->findings, x->first.findings) != 0 && *o->findings) return mck_words_print("%s", o->findings);
  if (o->status && o->status != x->first.status)
    return mck_exploration_describe_status(o->status); // a run that succeeds is no failure
  if (x->asked->compares_output && o->output != x->first.output) return mck_words_print("other output");
  return NULL;
}

static void put_chain(FILE *out, const struct mck_explorer *x, const struct mck_made *made) {
  if (made->depth > 1) put_chain(out, x, mck_space_find(&x->space, made->parent));
  fprintf(out, "  wildcard %u of rank %u gets the message of rank %d, tag %d, and not that of rank %d, tag %d\n",
          made->last.number, made->last.rank, made->last.name.source, made->last.name.tag, made->was.source,
          made->was.tag);
}

static bool is_new(const struct mck_explorer *x, const char *what) {
  for (size_t i = 0; i < x->nfailures; i++)
    if (strcmp(x->failures[i].what, what) == 0) return false;
  return true;
}

static void say_failure(struct mck_explorer *x, const struct mck_made *made, char *what) {
  struct mck_failure new = {made->number, what};
  if (!is_new(x, what) || !MCK_PUSH(x->failures, x->nfailures, x->capacity, new)) return;
  if (x->is_terminal) fputs("\r\033[K", stderr);
  bool is_deadlock = strstr(what, "[deadlock]") != NULL;
  if (is_deadlock)
    fprintf(stderr, "==mpicc-check== ERROR [deadlock.alternative] the program deadlocks when other messages come to "
                    "its wildcard receives\n");
  else
    fprintf(stderr, "==mpicc-check== ERROR [explore.failure] the program fails when other messages come to its "
                    "wildcard receives\n");
  put_chain(stderr, x, made);
  for (char *line = what; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n'))
    fprintf(stderr, "  then: %.*s\n", (int)strcspn(line, "\n"), line);
  fprintf(stderr, "  its report: %s\n", mck_exploration_path(x, made->number, "report"));
  char *decisions[] = {mck_exploration_path(x, made->number, "decisions"), NULL};
  fprintf(stderr, "  again: mpirun-check --replay%s", mck_words_quote(decisions));
  mck_rerun_put_arguments(stderr, x->asked->arguments);
  putc('\n', stderr);
}

void mck_exploration_judge(struct mck_explorer *x, struct mck_outcome *o, const struct mck_item *item, long run) {
  struct mck_made made = {
      .number = run, .depth = item->depth, .parent = item->parent, .last = item->last, .was = item->was};
  int rc = mck_choices_read(&made.choices, mck_exploration_path(x, run, "decisions"));
  o->is_impossible = rc == 0 && made.choices.is_impossible;
  o->is_unknown = rc != 0 || !made.choices.is_whole;
  o->findings = mck_rerun_read_errors(mck_exploration_path(x, run, "report"));
  bool is_reported = o->findings != NULL;
  if (!is_reported) o->findings = strdup("");
  o->output = hash_file(mck_exploration_path(x, run, "out"));
  if (run == 0) x->first = *o;
  x->has_orders |= rc == 0 && made.choices.has_orders;
  x->impossible += o->is_impossible;
  x->unknown += o->is_unknown && !o->is_impossible;
  x->timed_out += o->is_timed_out && !o->is_impossible;
  if (o->is_impossible) {
    mck_choices_free(&made.choices);
    return;
  }
  const struct mck_choice *last = run ? mck_choices_find(&made.choices, made.last.rank, made.last.number) : NULL;
  if (run && !o->is_unknown) x->strayed += !last || last->got.source != made.last.name.source;
  if (!mck_space_add(&x->space, &made)) fprintf(stderr, "mpirun-check: out of memory\n"), exit(2);
  // Without a report no process has reached MPI_Init, which says nothing about messages.
  char *what = run && is_reported ? compare(x, o) : NULL;
  if (o->is_timed_out && !what) what = mck_words_print("it did not end in time");
  if (what) say_failure(x, mck_space_find(&x->space, run), what);
}
