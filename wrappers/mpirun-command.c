// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes mpirun's command line (mpirun-command.h). It is a list of application contexts with ":" between them. An -x
// holds for one context only, so each context gets its own.
#include "mpirun-command.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "linked-program.h"

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list; list++)
    if (strcmp(word, *list) == 0) return true;
  return false;
}

// By "mpirun --help full" of Open MPI 4.1. Each option may have one dash or two.
int mck_launch_count_values(const char *option) {
  static const char *const two[] = {"mca", "gmca", NULL};
  static const char *const one[] = {"am",
                                    "app",
                                    "bind-to",
                                    "c",
                                    "np",
                                    "cf",
                                    "cartofile",
                                    "cpu-list",
                                    "cpu-set",
                                    "cpus-per-proc",
                                    "cpus-per-rank",
                                    "debugger",
                                    "default-hostfile",
                                    "H",
                                    "host",
                                    "hnp",
                                    "hostfile",
                                    "launch-agent",
                                    "machinefile",
                                    "map-by",
                                    "max-restarts",
                                    "max-vm-size",
                                    "N",
                                    "n",
                                    "npernode",
                                    "npersocket",
                                    "ompi-server",
                                    "output-filename",
                                    "path",
                                    "personality",
                                    "ppr",
                                    "prefix",
                                    "preload-files",
                                    "preload-files-dest-dir",
                                    "rank-by",
                                    "report-events",
                                    "report-pid",
                                    "report-uri",
                                    "rf",
                                    "rankfile",
                                    "server-wait-time",
                                    "slot-list",
                                    "stdin",
                                    "timeout",
                                    "tmpdir",
                                    "tune",
                                    "wd",
                                    "wdir",
                                    "x",
                                    "xml-file",
                                    "xterm",
                                    NULL};
  const char *name = option + 1 + (option[1] == '-');
  return is_one_of(name, two) ? 2 : is_one_of(name, one) ? 1 : 0;
}

static bool is_option(const char *word, const char *name) {
  return word[0] == '-' && strcmp(word + 1 + (word[1] == '-'), name) == 0;
}

// Returns the value in "-x NAME=VALUE", "" for "-x NAME", and NULL when export names another variable.
static const char *match_export(const char *export, const char *name) {
  size_t length = strlen(name);
  if (strncmp(export, name, length) != 0 || (export[length] && export[length] != '=')) return NULL;
  return export[length] ? export + length + 1 : export + length;
}

const char *mck_launch_find_export(char **arguments, const char *name) {
  for (size_t i = 0; arguments[i] && arguments[i][0] == '-'; i++) {
    int values = mck_launch_count_values(arguments[i]);
    const char *value = is_option(arguments[i], "x") && arguments[i + 1] ? match_export(arguments[i + 1], name) : NULL;
    if (value && *value) return value;
    for (; values > 0 && arguments[i + 1]; values--) i++;
  }
  return NULL;
}

struct mck_context mck_launch_read_context(char **words, size_t count) {
  struct mck_context context = {0};
  for (size_t i = 0; i < count && !context.program; i++) {
    if (words[i][0] != '-') {
      context.program = words[i];
      continue;
    }
    const char *value = i + 1 < count ? words[i + 1] : NULL;
    if (value && (is_option(words[i], "wdir") || is_option(words[i], "wd"))) context.dir = value;
    if (value && is_option(words[i], "x") && match_export(value, "LD_PRELOAD"))
      context.preload = match_export(value, "LD_PRELOAD");
    i += (size_t)mck_launch_count_values(words[i]);
  }
  return context;
}

// The recorder stands before the runtime, whose calls it sees, and both before what the user loads, but behind a
// sanitizer of the program.
static void write_preload(struct mck_words *to, const struct mck_context *context, const char *recorder,
                          const char *runtime) {
  const char *before = context->preload && *context->preload ? context->preload : getenv("LD_PRELOAD");
  if (!before) before = "";
  if (recorder && strstr(before, mck_words_basename(recorder))) recorder = NULL;
  // libmpicc-check.so is no part of the recorder's name.
  if (runtime && strstr(before, mck_words_basename(runtime))) runtime = NULL;
  const char *sanitizer = mck_program_sanitizer(context->program, context->dir);
  if (sanitizer && strncmp(mck_words_basename(before), sanitizer, strcspn(sanitizer, ".")) == 0) { // the user knows it
    size_t first = strcspn(before, ": ");
    sanitizer = mck_words_print("%.*s", (int)first, before), before += first + (before[first] != 0);
  }
  mck_words_push(to, "-x");
  mck_words_format(to, "LD_PRELOAD=%s%s%s%s%s%s%s", sanitizer ? sanitizer : "",
                   sanitizer && (recorder || runtime || *before) ? ":" : "", recorder ? recorder : "",
                   recorder && (runtime || *before) ? ":" : "", runtime ? runtime : "", runtime && *before ? ":" : "",
                   before);
}

// NULL: nothing speaks against it.
static const char *refuse(const struct mck_context *context) {
  const char *foreign = mck_program_foreign(context->program, context->dir);
  if (foreign)
    return mck_words_print("%s was linked with %s, the library of another MPI: mpicc-check is for Open MPI; "
                           "compile it with mpicc-check, or with Open MPI's mpicc",
                           context->program, foreign);
  if (mck_program_is_of_other_user(context->program, context->dir))
    return mck_words_print("%s is a set-user-ID program of another user, whose MPI_Init fails under Open MPI's mpirun, "
                           "which then waits for ever; run it as that user, or take the bit away (chmod u-s)",
                           context->program);
  return NULL;
}

static void write_context(struct mck_words *to, char **words, size_t count, struct mck_launch *launch) {
  struct mck_context context = mck_launch_read_context(words, count);
  if (context.program) launch->has_program = true;
  if (context.program && !launch->refused) launch->refused = refuse(&context);
  mck_words_push(to, "-x");
  mck_words_push(to, "MPICC_CHECK_OPTIONS");
  if (launch->dir) {
    mck_words_push(to, "-x");
    mck_words_push(to, "MPICC_CHECK_DIR");
    mck_words_push(to, "-x");
    mck_words_push(to, "MPICC_CHECK_COMMAND");
  }
  const char *runtime = launch->preload && context.program && !mck_program_is_linked(context.program, context.dir)
                            ? launch->preload
                            : NULL;
  bool is_preloaded = runtime || (launch->recorder && context.program);
  if (is_preloaded) write_preload(to, &context, launch->recorder, runtime);
  for (size_t i = 0; i < count; i++) {
    if (words[i][0] != '-') { // the program and its arguments
      while (i < count) mck_words_push(to, words[i++]);
      break;
    }
    // Two exports of one variable are an error for mpirun. Our own has the user's value already.
    if (is_option(words[i], "x") && i + 1 < count &&
        (match_export(words[i + 1], "MPICC_CHECK_OPTIONS") || match_export(words[i + 1], "MPICC_CHECK_DIR") ||
         (is_preloaded && match_export(words[i + 1], "LD_PRELOAD")))) {
      i++;
      continue;
    }
    int values = mck_launch_count_values(words[i]);
    mck_words_push(to, words[i]);
    for (; values > 0 && i + 1 < count; values--) mck_words_push(to, words[++i]);
  }
}

struct mck_words mck_launch_write_command(const char *mpirun, char **arguments, struct mck_launch *launch) {
  struct mck_words command = {0};
  mck_words_push(&command, mpirun);
  launch->has_program = false;
  while (*arguments) {
    size_t count = 0;
    while (arguments[count] && strcmp(arguments[count], ":") != 0) count++;
    write_context(&command, arguments, count, launch);
    arguments += count;
    if (*arguments) mck_words_push(&command, *arguments++);
  }
  return command;
}
