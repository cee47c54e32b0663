// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A project whose files are only checked: the commands of compile_commands.json (clang's JSON compilation database),
// and the jobs that run them.
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include "word-list.h"

struct mck_job {
  const char *file, *directory; // directory NULL: this one
  struct mck_words words;       // the command; the first word is mpicc-check or mpicxx-check
  FILE *output;
  pid_t pid; // 0: not started, or over
  int status;
};
struct mck_project {
  struct mck_job *jobs;
  size_t count, capacity;
  size_t nforeign; // files of other languages, which are not looked at
};
// Adds what a command compiles, in the form in which it is checked: nothing is written, and only our warnings are
// printed. words[0] is the compiler. extra: options that come last.
void mck_project_add(struct mck_project *project, const char *directory, const char *file,
                     const struct mck_words *words, const struct mck_words *extra);
// Adds the commands of DIR/compile_commands.json; files: only those that end in one of these names, if there are any.
// false: error says why not.
bool mck_project_load(struct mck_project *project, const char *dir, const struct mck_words *files,
                      const struct mck_words *extra, const char **error);

struct mck_project_counts {
  size_t warnings, errors, failed; // failed: files that could not be compiled
};
// Runs all jobs, so many at a time. What they print comes in the order of the files, and a warning of a header once.
struct mck_project_counts mck_project_run(struct mck_project *project, const char *program, size_t njobs);
