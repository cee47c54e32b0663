// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang runs this program as the linker where the link uses lld, which has no plugins (link-plugin.c). It runs lld,
// which says by --trace what it links. Then the sources of these objects are checked (program-check.h). Only if there
// are warnings it links once more, with the object of the warnings. All that the user sees is what lld shows.
//
// From the environment, set by mpicc-check: MPICC_CHECK_LINK_LINKER, the lld to run. Others: program-check.h.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "linked-files.h"
#include "linker-run.h"
#include "linker-words.h"
#include "program-check.h"

// Shared with the process that checks.
static struct shared {
  struct mck_program_check program;
  enum mck_program_result result;
} *shared;
static volatile pid_t running; // that process, or lld
static volatile sig_atomic_t caught;

static void pass_on(int number) {
  caught = number;
  if (running > 0) kill(running, number);
  if (shared->program.compiler > 0) kill(shared->program.compiler, number);
}

static void watch_signals(void (*handler)(int)) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction before, now = {.sa_handler = handler, .sa_flags = SA_RESTART};
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(numbers[i], &now, NULL);
  }
}

// Where MPICC_CHECK_LINK_LINKER is not set, somebody repeats a command that clang has shown.
static _Noreturn void be_linker(char **words) {
  static char *const names[] = {"ld.lld", "ld.lld-19"};
  char *chosen = getenv("MPICC_CHECK_LINK_LINKER");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    words[0] = chosen ? chosen : names[i];
    execvp(words[0], words);
  }
  fprintf(stderr, "mpicc-check: cannot run %s: %s\n", words[0], strerror(errno));
  exit(1);
}

// As lld has ended; -1: it could not be run as it should.
static _Noreturn void end(int status, char **words) {
  mck_program_clean_up(&shared->program);
  if (status == -1 && !caught) be_linker(words);
  int number = caught ? caught : WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (!number) exit(WEXITSTATUS(status));
  setrlimit(RLIMIT_CORE, &(struct rlimit){0}); // lld has written one
  signal(number, SIG_DFL);
  raise(number);
  exit(128 + number);
}

// In a process of its own: objects may be changed by others while they are read, and memory may be short. Neither must
// end the link.
static enum mck_program_result check(const struct mck_words *linked) {
  pid_t child = fork();
  if (child == 0) {
    watch_signals(SIG_DFL);
    if (mck_program_begin(&shared->program)) mck_linked_add(linked, &shared->program.found);
    shared->result = mck_program_finish(&shared->program);
    _exit(0);
  }
  if (child > 0) {
    running = child;
    mck_linker_wait(&running);
  }
  return caught ? MCK_PROGRAM_SILENT : shared->result;
}

// The object comes last. Options before it may say that files are data, and the file of dependencies is written
// already. If that fails, the first link is made again.
static int link_again(char **words, const struct mck_linker_words *asked) {
  struct mck_words again = {0};
  for (char **word = words; *word; word++) mck_words_push(&again, *word);
  if (asked->writes_dependencies) mck_words_push(&again, "--dependency-file=/dev/null");
  mck_words_push(&again, "--format=default");
  mck_words_push(&again, shared->program.object);
  int status = mck_linker_repeat(again.items, &running);
  return status == 0 || caught ? status : mck_linker_repeat(words, &running);
}

static void remove_output(const char *path) {
  struct stat is;
  if (lstat(path, &is) == 0 && S_ISREG(is.st_mode)) unlink(path);
}

int main(int argc, char **argv) {
  (void)argc;
  struct mck_linker_words asked = mck_linker_words_read(argv + 1);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  bool writes_to_stdout = strcmp(asked.output, "-") == 0;
  char *linker = getenv("MPICC_CHECK_LINK_LINKER");
  if (shared == MAP_FAILED || !linker || !mck_program_is_asked() || asked.is_relocatable || writes_to_stdout)
    be_linker(argv);
  signal(SIGCHLD, SIG_DFL);
  watch_signals(pass_on);
  argv[0] = linker;
  struct mck_words first = {0}, linked = {0};
  mck_words_push(&first, linker);
  mck_words_push(&first, "--trace");
  for (char **word = argv + 1; *word; word++) mck_words_push(&first, *word);
  int status = mck_linker_trace(first.items, &linked, asked.traces, &running);
  enum mck_program_result result = status == 0 && !caught ? check(&linked) : MCK_PROGRAM_SILENT;
  if (result == MCK_PROGRAM_WARNINGS) status = link_again(argv, &asked);
  if (result == MCK_PROGRAM_ERRORS) {
    remove_output(asked.output);
    status = W_EXITCODE(1, 0);
  }
  end(status, argv);
}
