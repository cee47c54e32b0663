// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpicc-check-judge judges kept logs that lie on several nodes. It is an MPI program: mpirun, or whatever the site has,
// starts it on these nodes. Its processes bring the logs to process 0, which calls mpirun-check --judge with them
// behind MPI_Finalize. docs/wrappers.md is its page.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/own-program.h"
#include "base/base.h"
#include "log-collection.h"
#include "run-directory.h"
#include "word-list.h"

enum { EXIT_USAGE = 2 };

static const char usage[] =
    "usage: mpirun -n K mpicc-check-judge [options] DIR...\n"
    "\n"
    "Judges the logs of a run that lie in DIR, on the disks of several nodes or on one that they share. Give it at\n"
    "least one process on each of the nodes. A DIR that a node does not have is no error. The logs of ranks that no\n"
    "process sees are named, and what the others say is reported.\n"
    "\n"
    "  --report=FILE, --json=FILE, ...   as for mpirun-check (its --help), always with \"=\"\n"
    "  --check-options=K=V:...           as for mpirun-check; whole_limit: the most MiB of all logs\n"
    "  --help                            this text\n"
    "  --version                         the version\n"
    "\n"
    "Exit status: 66 (option exitcode) when an error was found; 2: there is nothing to judge.\n";

// Options of mpirun-check that judge, and those that need no value.
static bool is_option(const char *word) {
  static const char *const names[] = {
      "--report=",   "--json=",    "--html=",          "--sarif=",        "--junit=",    "--suppressions=",
      "--baseline=", "--fail-on=", "--check-options=", "--options-file=", "--decisions="};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(word, names[i], strlen(names[i])) == 0) return true;
  return strcmp(word, "--gen-suppressions") == 0;
}

// The limit as mpirun-check will read it: the environment, then --check-options.
static uint64_t limit_of(char *const *options, size_t n) {
  char error[512];
  const char *text = getenv("MPICC_CHECK_OPTIONS");
  if (text) mck_options_parse(text, error, sizeof error); // mpirun-check says what is wrong
  for (size_t i = 0; i < n; i++)
    if (strncmp(options[i], "--check-options=", 16) == 0) mck_options_parse(options[i] + 16, error, sizeof error);
  return (uint64_t)mck_options.whole_limit << 20;
}

static int judge(char **options, size_t n, const char *dir) {
  char own[4096];
  if (!mck_own_program(own, sizeof own))
    return fprintf(stderr, "mpicc-check-judge: cannot find its own place: /proc is not there\n"), 2;
  *strrchr(own, '/') = 0;
  struct mck_words command = {0};
  mck_words_format(&command, "%s/mpirun-check", own);
  for (size_t i = 0; i < n; i++) mck_words_push(&command, options[i]);
  mck_words_push(&command, "--judge");
  mck_words_push(&command, dir);
  int status = 0;
  pid_t pid = fork();
  if (pid == 0) {
    execv(command.items[0], command.items);
    fprintf(stderr, "mpicc-check-judge: cannot run %s: %s\n", command.items[0], strerror(errno));
    _exit(EXIT_USAGE);
  }
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  if (pid < 0) return fprintf(stderr, "mpicc-check-judge: cannot fork: %s\n", strerror(errno)), EXIT_USAGE;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Process 0 says why there is nothing to judge.
static void say_nothing(const struct mck_collection *collected, uint64_t max, char *const *dirs) {
  if (!collected->nlogs)
    fprintf(stderr, "mpicc-check-judge: no process sees a log (rank-N.log) in %s%s\n", dirs[0],
            dirs[1] ? " or the other directories" : "");
  else if (collected->bytes > max)
    fprintf(stderr,
            "mpicc-check-judge: the logs of %u ranks have %llu MiB, and one process may take %llu: raise whole_limit, "
            "or judge the logs of each node with mpirun-check --judge\n",
            collected->nlogs, (unsigned long long)(collected->bytes >> 20), (unsigned long long)(max >> 20));
  else fprintf(stderr, "mpicc-check-judge: no memory\n");
}

int main(int argc, char **argv) {
  int first = 1, process, nprocesses;
  for (; first < argc && argv[first][0] == '-'; first++) {
    if (strcmp(argv[first], "--help") == 0) return fputs(usage, stdout), 0;
    if (strcmp(argv[first], "--version") == 0) return puts("mpicc-check-judge " MCK_VERSION), 0;
    if (is_option(argv[first])) continue;
    return fprintf(stderr, "mpicc-check-judge: %s: no such option (see --help)\n", argv[first]), EXIT_USAGE;
  }
  if (first >= argc) return fprintf(stderr, "mpicc-check-judge: which directory? (see --help)\n"), EXIT_USAGE;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &nprocesses);
  uint64_t max = limit_of(&argv[1], (size_t)first - 1);
  const char *to = process ? NULL : mck_logdir_create("");
  int is_ready = process || to;
  MPI_Bcast(&is_ready, 1, MPI_INT, 0, MPI_COMM_WORLD);
  struct mck_collection collected = {0};
  bool has_files = is_ready && mck_collect_logs(&argv[first], to, max, MPI_COMM_WORLD, &collected);
  if (!process && has_files)
    fprintf(stderr, "==mpicc-check== the logs of %u ranks, %.1f MiB, come from %d process%s\n", collected.nlogs,
            (double)collected.bytes / (1 << 20), nprocesses, nprocesses == 1 ? "" : "es");
  MPI_Finalize();
  if (process) return 0;
  int status = EXIT_USAGE;
  if (has_files) status = judge(&argv[1], (size_t)first - 1, to);
  else if (is_ready) say_nothing(&collected, max, &argv[first]);
  if (to) mck_logdir_remove(to);
  // What could not be read is missing in the verdict.
  return collected.nbad && !status ? EXIT_USAGE : status;
}
