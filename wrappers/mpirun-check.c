// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpirun-check takes the place of mpirun, with the same arguments. It gives the ranks a common directory for their
// logs, preloads the runtime into programs that were not recompiled, and prints one report at the end. Rank 0 has made
// that report in MPI_Finalize. When the run died, hung or was interrupted before that, the report is made here from the
// log files. docs/wrappers.md is its page.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/base.h"
#include "judge/memory-loss.h"
#include "judge/whole/log-files.h"
#include "log/log-seal.h"
#include "confirmation.h"
#include "exploration.h"
#include "line-begin.h"
#include "mpirun-command.h"
#include "mpirun-options.h"
#include "old-report.h"
#include "option-file.h"
#include "program-rerun.h"
#include "progress-line.h"
#include "run-directory.h"
#include "unreached-init.h"
#include "report/report.h"
#include "report/why.h"
#include "view/view.h"
#include "shell-words.h"
#include "word-list.h"

enum { EXIT_USAGE = 2 };
#define RUNTIME "libmpicc-check.so"
#define RECORDER "libmpicc-check-flow.so"

// Appends key=value. The quotes let the value have a colon.
static const char *add_option(const char *text, const char *key, const char *value) {
  char quote = !strchr(value, '\'') ? '\'' : '"';
  if (strchr(value, quote)) mck_own_fail("%s: a file name cannot have both kinds of quotes: %s", key, value);
  return mck_words_print("%s%s%s=%c%s%c", text, *text ? ":" : "", key, quote, value, quote);
}

// Returns the absolute path of an output file, because the ranks may have another working directory. Fails before the
// run if the file cannot be written.
static const char *find_output(const char *option, const char *path) {
  char here[PATH_MAX];
  struct stat status;
  if (path[0] != '/') {
    if (!getcwd(here, sizeof here)) mck_own_fail("cannot name the current directory: %s", strerror(errno));
    path = mck_words_print("%s/%s", here, path);
  }
  char *dir = mck_words_print("%s", path);
  *strrchr(dir, '/') = 0;
  bool is_there = stat(path, &status) == 0;
  if (is_there && S_ISDIR(status.st_mode)) errno = EISDIR;
  else if (access(is_there ? path : *dir ? dir : "/", is_there ? W_OK : W_OK | X_OK) == 0) return path;
  mck_own_fail("%s: cannot write %s: %s", option, path, strerror(errno));
}

// The same for an input file.
static const char *find_input(const char *option, const char *path) {
  char *whole = realpath(path, NULL);
  if (!whole || access(whole, R_OK)) mck_own_fail("%s: cannot read %s: %s", option, path, strerror(errno));
  return whole;
}

// An error is told of what the user wrote: the variable, --check-options, or "FLAG VALUE".
static void parse_options(const char *text, const char *flag, const char *value) {
  static const char variable[] = "MPICC_CHECK_OPTIONS: ";
  char error[512];
  if (mck_options_parse(text, error, sizeof error) && mck_why_is_valid(error, sizeof error)) return;
  if (!flag || strncmp(error, variable, sizeof variable - 1) != 0) mck_own_fail("%s", error);
  const char *what = error + sizeof variable - 1, *rule = strstr(what, ": ");
  if (value && rule) mck_own_fail("%s %s%s", flag, value, rule);
  mck_own_fail("%s: %s", flag, what);
}

// All options in one text, for this process and the ranks: first the file, then the environment (or -x of mpirun), then
// --check-options, then those that have an option of their own.
static const char *merge_options(const struct mck_own *own, char **mpirun_arguments) {
  const char *text = mck_launch_find_export(mpirun_arguments, "MPICC_CHECK_OPTIONS");
  if (!text) text = getenv("MPICC_CHECK_OPTIONS");
  char wrong[1024];
  const char *file = mck_option_file_read(own->file ? own->file : ".mpicc-check", own->file, wrong, sizeof wrong);
  if (!file) mck_own_fail("%s", wrong);
  text = mck_words_print("%s%s%s", file, *file && text ? ":" : "", text ? text : "");
  parse_options(text, NULL, NULL);
  if (own->options) text = mck_words_print("%s%s%s", text, *text ? ":" : "", own->options);
  parse_options(text, "--check-options", NULL);
  if (own->keeps_logs) text = mck_words_print("%s%skeep_logs=1", text, *text ? ":" : "");
  if (own->prints_rules) text = mck_words_print("%s%sgen_suppressions=1", text, *text ? ":" : "");
  for (int i = 0; i < MCK_OWN_FORMS; i++) {
    const char *value = own->forms[i] ? own->forms[i] : mck_own_forms[i].value;
    if (!*value || (mck_own_forms[i].what == MCK_FORM_WORD && !own->forms[i])) continue;
    if (mck_own_forms[i].what == MCK_FORM_OUTPUT && strcmp(value, "-") != 0)
      value = find_output(mck_own_forms[i].option, value);
    if (mck_own_forms[i].what == MCK_FORM_INPUT) value = find_input(mck_own_forms[i].flag, value);
    text = add_option(text, mck_own_forms[i].option, value);
    parse_options(text, mck_own_forms[i].flag, value);
  }
  // An exploration starts with these decisions, and makes its own ones after that.
  if (own->replay && !own->explores) text = add_option(text, "replay", find_input("--replay", own->replay));
  if (own->take && !own->explores) text = add_option(text, "take", own->take);
  parse_options(text, NULL, NULL);
  char error[1024];
  struct mck_report_options report = mck_report_options_of(mck_options.report);
  if (!mck_report_check_files(&report, error, sizeof error)) mck_own_fail("%s", error);
  return text;
}

// Makes the report from the files. Returns whether a finding makes the run fail. is_elsewhere: logs are missing, and
// there are other nodes.
static bool judge_dir(const char *dir, bool *is_elsewhere) {
  struct mck_files files = {0};
  struct mck_findings findings = {0};
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  if (mck_files_load(&files, dir, &findings)) exit(EXIT_USAGE); // it has printed the reason
  clock_gettime(CLOCK_MONOTONIC, &end);
  double reading = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  long ncores = sysconf(_SC_NPROCESSORS_ONLN);
  files.nthreads = mck_options.judge_threads ? (unsigned)mck_options.judge_threads : ncores > 0 ? (unsigned)ncores : 1;
  files.is_interrupted = mck_launch_is_interrupted() || mck_launch_is_killed();
  size_t bytes = 0;
  // To judge takes so many times as long as to read: measured for messages, and for windows.
  double readings = 5;
  for (size_t i = 0; i < files.count; i++) {
    bytes += files.logs[i].map_size;
    if (files.logs[i].nwins) readings = 40;
  }
  struct mck_progress *progress = mck_progress_begin(mck_words_print("judging %zu MiB of logs", bytes >> 20),
                                                     (long)(reading * readings));
  mck_files_judge(&files, &findings);
  mck_progress_end(progress);
  struct mck_stack_source stacks = mck_files_stacks(&files);
  struct mck_report_run run = mck_files_run(&files);
  bool has_error = mck_memory_loss_say(&findings, run.nshort) > 0;
  struct mck_report_options options = mck_report_options_of(mck_options.report);
  options.graph = mck_words_print("%s/deadlock.svg", dir);
  options.logs = dir, options.time_lines = mck_view_time_lines;
  int failing = mck_report_write(&findings, &stacks, &run, &options);
  // -1: an output has failed, which it has printed; the text is on stderr then.
  if (failing >= 0) has_error = failing > 0 || run.nshort;
  *is_elsewhere = files.count < files.size && mck_files_nodes(&files);
  mck_findings_free(&findings);
  mck_files_unload(&files);
  return has_error;
}

// The status of mpirun, or option exitcode when an error was found.
static int choose_status(bool has_error, int status) {
  return has_error && mck_options.exitcode ? (int)mck_options.exitcode : status;
}

static const char *find_library(const char *name) {
  const char *libdir = mck_words_find_libdir(name);
  if (!libdir)
    mck_own_fail("cannot find %s in ../lib/mpicc-check or ../lib beside this program; install it again", name);
  const char *path = mck_words_print("%s/%s", libdir, name);
  struct stat status;
  if (stat(path, &status) || !status.st_size) mck_own_fail("%s is empty or not there: build or install it again", path);
  return path;
}

// --- the run ---
enum { CONFIRM_RUNS = 8, CONFIRM_SECONDS = 30, TIMES_MORE = 10 };

// Tries what the report of the run predicts. Its lines go where the report went.
static bool confirm(const struct mck_own *own, const char *options, char **arguments, const char *dir, time_t begin) {
  const char *report = *mck_options.report ? mck_options.report : mck_words_print("%s/report", dir);
  struct mck_predictions predictions = {0};
  mck_predictions_read(&predictions, report);
  struct mck_confirm asked = {.dir = own->explore.dir ? own->explore.dir : "mpicc-check-confirm",
                              .options = mck_words_print("%s%skeep_logs=0:json=''", options, *options ? ":" : ""),
                              .arguments = arguments,
                              .replay = own->replay,
                              .errors = mck_rerun_read_errors(report),
                              .max_runs = own->explore.max_runs ? own->explore.max_runs : CONFIRM_RUNS,
                              .seconds = own->explore.run_seconds};
  if (!asked.seconds) asked.seconds = CONFIRM_SECONDS + TIMES_MORE * (long)(time(NULL) - begin);
  if (!asked.errors) asked.errors = "";
  FILE *out = *mck_options.report ? fopen(mck_options.report, "a") : NULL;
  bool is_confirmed = mck_confirm_run(&asked, &predictions, out ? out : stderr);
  if (out) fclose(out);
  return is_confirmed;
}

static void say_unreached(char **arguments, const char *dir, int status) {
  static const char *const others[] = {"--check-options", "--options-file", "--keep-logs",
                                       "--judge",         "--replay",       "--take",
                                       "--explore",       "--confirm",      "--gen-suppressions"};
  enum { OTHERS = sizeof others / sizeof *others };
  const char *flags[MCK_OWN_FORMS + OTHERS + 1] = {NULL};
  for (int i = 0; i < MCK_OWN_FORMS; i++) flags[i] = mck_own_forms[i].flag;
  for (int i = 0; i < OTHERS; i++) flags[MCK_OWN_FORMS + i] = others[i];
  mck_line_begin();
  mck_base_warn("nothing was checked: %s", mck_unreached_explain(arguments, dir, flags, status));
}

static void say_misplaced(char **arguments) {
  const char *outputs[MCK_OWN_FORMS + 1] = {NULL};
  for (int i = 0; i < MCK_OWN_FORMS && mck_own_forms[i].what == MCK_FORM_OUTPUT; i++)
    outputs[i] = mck_own_forms[i].flag; // they come first
  const char *misplaced = mck_misplaced_find(arguments, outputs);
  if (misplaced) mck_base_warn("%s went to the program: options of mpirun-check stand before mpirun's", misplaced);
}

static void remove_old_reports(void) {
  const char *outputs[MCK_OWN_FORMS + 1] = {NULL}, *inputs[MCK_OWN_FORMS + 2] = {mck_options.replay};
  for (int i = 0, noutputs = 0, ninputs = 1; i < MCK_OWN_FORMS; i++) {
    if (mck_own_forms[i].what == MCK_FORM_OUTPUT) outputs[noutputs++] = mck_own_forms[i].value;
    if (mck_own_forms[i].what == MCK_FORM_INPUT) inputs[ninputs++] = mck_own_forms[i].value;
  }
  mck_old_report_remove(outputs, inputs);
}

static int run_and_report(const struct mck_own *own, const char *options, char **arguments) {
  const char *mpirun = getenv("MPICC_CHECK_MPIRUN");
  if (!mpirun || !*mpirun) mpirun = MCK_MPIRUN;
  if (strchr(mpirun, '/') && access(mpirun, X_OK))
    mck_own_fail("cannot run %s: %s (MPICC_CHECK_MPIRUN names another)", mpirun, strerror(errno));
  // They may fail, so they come before the directory is made.
  struct mck_launch launch = {0};
  const char *runtime = mck_options.on ? find_library(RUNTIME) : NULL,
             *recorder = mck_options.on && own->records ? find_library(RECORDER) : NULL;
  const char *dir = mck_options.on ? mck_logdir_create(mck_options.log_dir) : NULL;
  if (mck_options.on && !dir) return EXIT_USAGE;
  if (runtime) launch.preload = mck_logdir_lead(dir, runtime, "programs that were not recompiled stay unchecked");
  if (recorder) launch.recorder = mck_logdir_lead(dir, recorder, "the ways of messages are not followed");
  // What goes to standard output is kept until the program has ended.
  for (int i = 0; dir && i < MCK_OWN_FORMS; i++)
    if (strcmp(mck_own_forms[i].value, "-") == 0)
      options = add_option(options, mck_own_forms[i].option,
                           mck_words_print("%s/stdout.%s", dir, mck_own_forms[i].option));
  setenv("MPICC_CHECK_OPTIONS", options, 1);
  if (dir) setenv("MPICC_CHECK_DIR", dir, 1);
  launch.dir = dir;
  struct mck_words command = mck_launch_write_command(mpirun, arguments, &launch);
  if (launch.refused && dir) {
    mck_logdir_remove(dir);
    mck_own_fail("%s", launch.refused);
  }
  if (dir) remove_old_reports();
  time_t begin = time(NULL);
  struct mck_progress *progress = dir ? mck_progress_follow(mck_logdir_ask_judging, dir) : NULL;
  int status = mck_launch_run(&command);
  mck_progress_end(progress);
  if (!dir) return status;
  unsigned long errors = 0;
  bool has_error = false, is_elsewhere = false;
  bool is_reported = mck_logdir_read_result(dir, &errors);
  if (is_reported) {
    has_error = errors > 0;
    mck_logdir_print(dir, "report", stderr);
    for (int i = 0; i < MCK_OWN_FORMS; i++)
      mck_logdir_print(dir, mck_words_print("stdout.%s", mck_own_forms[i].option), stdout);
    unsetenv("MPICC_CHECK_DIR");
    if (own->confirms && !mck_launch_is_interrupted()) has_error |= confirm(own, options, arguments, dir, begin);
  } else if (mck_logdir_has_logs(dir)) {
    mck_line_begin();
    has_error = judge_dir(dir, &is_elsewhere);
  } else if (launch.has_program) say_unreached(arguments, dir, status);
  say_misplaced(arguments);
  if (own->confirms && !is_reported)
    mck_base_warn("nothing is confirmed: only a run that reaches the end of MPI_Finalize predicts anything");
  if (!(mck_options.keep_logs && mck_logdir_has_logs(dir)) && !is_elsewhere) mck_logdir_remove(dir);
  else mck_log_seal_all(dir), fprintf(stderr, "==mpicc-check== the logs are in %s\n", dir);
  if (is_elsewhere)
    fprintf(stderr,
            "==mpicc-check== on each node its own; to judge them together, one process or more on each node: "
            "mpirun ... mpicc-check-judge%s\n",
            mck_words_quote((char *[]){(char *)dir, NULL}));
  return choose_status(has_error, status);
}

int main(int argc, char **argv) {
  struct mck_own own = {0};
  char **arguments = mck_own_read(argv + (argc > 0), &own);
  const char *options = merge_options(&own, arguments);
  if (mck_options.help) mck_options_help();
  if (own.judge) {
    if (*arguments) mck_own_fail("--judge runs nothing, but '%s' follows", *arguments);
    bool is_elsewhere;
    return choose_status(judge_dir(own.judge, &is_elsewhere), 0);
  }
  if (!*arguments) mck_own_fail("nothing to run; see mpirun-check --help");
  setenv("MPICC_CHECK_COMMAND", mck_words_quote(arguments), 1); // reports print commands that can be pasted
  if (own.confirms && (own.explores || own.take)) mck_own_fail("--confirm takes the place of --explore and --take");
  if (own.explores) {
    if (!own.explore.dir) own.explore.dir = "mpicc-check-explore";
    own.explore.options = options, own.explore.arguments = arguments;
    own.explore.replay = own.replay, own.explore.take = own.take;
    return mck_explore_run(&own.explore, (int)mck_options.exitcode);
  }
  return run_and_report(&own, options, arguments);
}
