// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpirun as a child process of mpirun-check. In the foreground of a terminal it stays in our process group: it may read
// the terminal, and the terminal sends Ctrl-C to it. Elsewhere it gets a process group of its own: "timeout" or a CI
// system signals our whole group, and mpirun would get the signal twice, once from there and once from us. At a second
// signal mpirun ends at once and leaves its ranks behind.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "mpirun-command.h"

// "timeout" and the kill of a group may deliver one request twice within moments. Only a later one is a second request.
enum { ONE_REQUEST_MS = 300, ORPHANS_MS = 5000, POLL_MS = 10 };

static volatile pid_t child;
static volatile sig_atomic_t requests;
static struct timespec first_request;
static bool is_apart;  // mpirun has a process group of its own
static bool is_killed; // mpirun has ended by a signal

static long elapsed_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec - first_request.tv_sec) * 1000 + (now.tv_nsec - first_request.tv_nsec) / 1000000;
}

static void handle_end(int number, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  if (!requests) {
    clock_gettime(CLOCK_MONOTONIC, &first_request);
    requests = 1;
  } else if (elapsed_ms() > ONE_REQUEST_MS) {
    number = SIGKILL;
  }
  // The terminal signals the whole group: mpirun has this signal already, and would take ours for a second one.
  if (child > 0 && (number == SIGKILL || is_apart || info->si_code != SI_KERNEL)) kill(child, number);
  errno = saved;
}

static void handle_user(int number) {
  int saved = errno;
  if (child > 0) kill(child, number); // mpirun passes these on to the ranks
  errno = saved;
}

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
static const int passing[] = {SIGUSR1, SIGUSR2};
enum { ENDING = sizeof ending / sizeof *ending, PASSING = sizeof passing / sizeof *passing };

// An ignored signal stays ignored (nohup, background jobs of a shell).
static void catch_signal(int number, struct sigaction *action) {
  struct sigaction before;
  if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, action, NULL);
}
static void release_signal(int number) {
  struct sigaction before;
  if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) signal(number, SIG_DFL);
}
static void release_signals(void) {
  for (int i = 0; i < ENDING; i++) release_signal(ending[i]);
  for (int i = 0; i < PASSING; i++) release_signal(passing[i]);
}

static bool is_in_foreground(void) {
  int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) return false;
  bool is_ours = tcgetpgrp(terminal) == getpgrp();
  close(terminal);
  return is_ours;
}

// Ranks that have lost a killed mpirun end by themselves. Until then they may still write their logs, and those of
// ranks that are in MPI_Init would come after ours were judged and removed. They are our children by now (subreaper).
static void await_orphans(void) {
  for (int left = ORPHANS_MS; left > 0; left -= POLL_MS) {
    pid_t ended = waitpid(-1, NULL, WNOHANG);
    if (ended < 0 && errno == ECHILD) return;
    if (ended <= 0) nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000}, NULL);
  }
}

bool mck_launch_is_interrupted(void) { return requests > 0; }
bool mck_launch_is_killed(void) { return is_killed; }

int mck_launch_run(const struct mck_words *command) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  struct sigaction end = {.sa_sigaction = handle_end, .sa_flags = SA_SIGINFO | SA_RESTART};
  struct sigaction user = {.sa_handler = handle_user, .sa_flags = SA_RESTART};
  for (int i = 0; i < ENDING; i++) catch_signal(ending[i], &end);
  for (int i = 0; i < PASSING; i++) catch_signal(passing[i], &user);
  pid_t parent = getpid();
  is_apart = !is_in_foreground();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  child = fork();
  if (child == 0) {
    release_signals();
    if (is_apart) setpgid(0, 0);
    // kill -9 of mpirun ends its ranks, so kill -9 of mpirun-check must end mpirun.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(128 + SIGTERM);
    sigprocmask(SIG_SETMASK, &before, NULL);
    execvp(command->items[0], command->items);
    fprintf(stderr, "mpirun-check: cannot run %s: %s (MPICC_CHECK_MPIRUN names another)\n", command->items[0],
            strerror(errno));
    _exit(127);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child < 0) {
    fprintf(stderr, "mpirun-check: cannot start a process: %s\n", strerror(errno));
    exit(2);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  child = 0;
  is_killed = WIFSIGNALED(status);
  if (is_killed || requests) await_orphans(); // at a signal early in a run mpirun leaves them behind, too
  release_signals();
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
