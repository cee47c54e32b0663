// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// expect CODE[,CODE...] COMMAND...: succeeds if the command exits with one of these codes within 240 s; -9 is its end
// by signal 9. Otherwise it says what the command did. Hundreds of tests use it: Python would take 0.08 s for each.
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 240 };
static pid_t child;
static volatile sig_atomic_t is_late;

static void stop(int signal) {
  (void)signal;
  is_late = 1;
  kill(child, SIGTERM);
}

static void complain(const char *what, char **arguments) {
  fprintf(stderr, "expect: %s, expected exit code %s:", what, arguments[1]);
  for (char **word = arguments + 2; *word; word++) fprintf(stderr, " %s", *word);
  fputc('\n', stderr);
  exit(1);
}

static bool is_expected(const char *codes, int got) {
  for (char *end = NULL;; codes = end + 1) {
    long code = strtol(codes, &end, 10);
    if (end == codes || (*end && *end != ',')) {
      fprintf(stderr, "expect: no exit code: %s\n", codes);
      exit(1);
    }
    if (code == got) return true;
    if (!*end) return false;
  }
}

int main(int count, char **arguments) {
  if (count < 3) {
    fputs("usage: expect CODE[,CODE...] COMMAND...\n", stderr);
    return 1;
  }
  child = fork();
  if (!child) {
    execvp(arguments[2], arguments + 2);
    fprintf(stderr, "expect: %s: %s\n", arguments[2], strerror(errno));
    kill(getpid(), SIGABRT);
  }
  if (child < 0) complain("no process", arguments);
  sigaction(SIGALRM, &(struct sigaction){.sa_handler = stop, .sa_flags = SA_RESTART}, NULL);
  alarm(SECONDS);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (is_late) complain("nothing within 240 s", arguments);
  int got = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  if (!is_expected(arguments[1], got)) {
    char what[32];
    snprintf(what, sizeof what, "exit code %d", got);
    complain(what, arguments);
  }
  return 0;
}
