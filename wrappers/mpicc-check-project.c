// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpicc-check --check-only: warns as the compiler would, and makes nothing. With -p DIR all files of a project, as
// DIR/compile_commands.json has them; without, the files of the command line with its options.
// Exit code: 0, nothing to warn of; 1, there are warnings; 2, a file could not be compiled, or the command is wrong.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/own-program.h"
#include "project.h"

static const char usage[] = "usage: mpicc-check --check-only [-j N] -p DIR [-W[no-]mpicc-check-KIND]... [FILE]...\n"
                            "       mpicc-check --check-only [-j N] [option of the compiler]... FILE...\n";

static _Noreturn void fail(const char *why) {
  fprintf(stderr, "mpicc-check: %s\n%s", why, usage);
  exit(2);
}

struct request {
  const char *dir;
  long njobs;
  struct mck_words options, files;
};

// Does the word name a file that can be compiled? Values of options that look like one (-include x.c) are not foreseen.
static bool is_file(const char *word) {
  const char *dot = strrchr(mck_words_basename(word), '.');
  return word[0] != '-' && dot && (strchr("cCif", dot[1]) || strchr("FC", dot[1])) && strcmp(dot, ".conf") != 0;
}

// The commands run in other directories.
static const char *whole(const char *option) {
  const char *path = strchr(option, '=');
  char *real = path && strncmp(option, "-fcheck-suppressions=", 21) == 0 ? realpath(path + 1, NULL) : NULL;
  return real ? mck_words_print("-fcheck-suppressions=%s", real) : option;
}

static struct request read_request(int argc, char **argv) {
  struct request r = {.njobs = sysconf(_SC_NPROCESSORS_ONLN)};
  for (int i = 1; i < argc; i++) {
    const char *word = argv[i], *value = NULL;
    if (strncmp(word, "-p", 2) == 0 || strncmp(word, "-j", 2) == 0) {
      value = word[2] ? word + 2 : argv[++i];
      if (!value) fail(mck_words_print("%s needs a value", word));
    }
    if (value && word[1] == 'p') r.dir = value;
    else if (value) {
      char *end;
      r.njobs = strtol(value, &end, 10);
      if (*end || r.njobs < 1 || r.njobs > 4096) fail(mck_words_print("-j %s: give a number of jobs", value));
    } else if (is_file(word)) mck_words_push(&r.files, word);
    else mck_words_push(&r.options, whole(word));
  }
  if (r.njobs < 1) r.njobs = 1;
  return r;
}

static void print_count(size_t count, const char *what) {
  fprintf(stderr, "%zu %s%s", count, what, count == 1 ? "" : "s");
}

int main(int argc, char **argv) {
  struct request r = read_request(argc, argv);
  struct mck_project project = {0};
  const char *error = "";
  if (r.dir) {
    if (!mck_project_load(&project, r.dir, &r.files, &r.options, &error)) fail(error);
  } else {
    struct mck_words none = {0};
    for (size_t i = 0; i < r.files.count; i++) {
      struct mck_words words = {0};
      mck_words_push(&words, "mpicc");
      for (size_t k = 0; k < r.options.count; k++) mck_words_push(&words, r.options.items[k]);
      mck_words_push(&words, r.files.items[i]);
      mck_project_add(&project, NULL, r.files.items[i], &words, &none);
    }
  }
  if (!project.count && !project.nforeign) fail("there is no file to check");
  char path[4096];
  if (!mck_own_program(path, sizeof path)) fail("cannot find mpicc-check: /proc is not there");
  strcpy(strrchr(path, '/') + 1, "mpicc-check"); // shorter than our own name
  struct mck_project_counts found = mck_project_run(&project, path, (size_t)r.njobs);
  fputs("mpicc-check: ", stderr);
  print_count(project.count, "file");
  fputs(" checked, ", stderr);
  print_count(found.warnings, "warning");
  fputs(", ", stderr);
  print_count(found.errors, "error");
  if (found.failed) fprintf(stderr, "; %zu could not be compiled", found.failed);
  if (project.nforeign) fprintf(stderr, "; %zu of other languages not looked at", project.nforeign);
  fputs("\n", stderr);
  return found.failed ? 2 : found.warnings || found.errors;
}
