// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the wait-for graph, and has dot draw it.
#include "record/run/graph-file.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/base.h"
#include "record/runtime.h"

enum { LAYOUT_MS = 3000 }; // a graph that takes dot longer is too tangled to be read

// O_NONBLOCK: a FIFO of that name, without a reader, is an error and no hang.
enum { CREATE = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };

static int write_file(int fd, const char *text) {
  size_t size = strlen(text), done = 0;
  while (done < size) {
    ssize_t n = write(fd, text + done, size - done);
    if (n < 0 && errno != EINTR) break;
    if (n > 0) done += (size_t)n;
  }
  int rc = done < size ? errno : 0;
  return close(fd) && !rc ? errno : rc;
}

// The program's environment without variables that would load us, or a profiler, into dot.
static char **make_environment(void) {
  size_t n = 0, kept = 0;
  while (environ && environ[n]) n++;
  char **list = calloc(n + 1, sizeof *list);
  for (size_t i = 0; list && i < n; i++)
    if (strncmp(environ[i], "LD_PRELOAD=", 11) && strncmp(environ[i], "LD_AUDIT=", 9)) list[kept++] = environ[i];
  return list;
}

// The run is about to end, or the user has asked for the graph: a child of this process for a moment disturbs
// nothing. NULL, or why there is no picture.
static const char *layout(const char *dot, const char *svg) {
  char *arguments[] = {"dot", "-Tsvg", "-o", (char *)svg, (char *)dot, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  char **environment = make_environment();
  pid_t child = 0;
  if (!environment || posix_spawn_file_actions_init(&actions)) {
    free(environment);
    return "out of memory";
  }
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  int rc = posix_spawnp(&child, "dot", &actions, &attributes, arguments, environment);
  bool is_there = rc == 0, is_late = false;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  free(environment);
  int status = -1;
  for (int waited = 0; is_there; waited += 5) {
    pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child) break;
    if (done < 0 || waited >= LAYOUT_MS) { // < 0: the program ignores the ends of its children
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      is_there = false;
      is_late = done == 0;
    }
    nanosleep(&(struct timespec){.tv_nsec = 5 * 1000 * 1000}, NULL);
  }
  is_there = is_there && WIFEXITED(status) && WEXITSTATUS(status) == 0 && access(svg, R_OK) == 0;
  if (is_there) return NULL;
  unlink(svg);
  return rc == ENOENT ? "dot (graphviz) is not installed"
         : rc         ? "dot (graphviz) cannot be run"
         : is_late    ? "dot took too long"
                      : "dot failed";
}

// NAME of NAME.dot and NAME.svg: option graph, or a file beside the logs, whose directory is that of this run alone.
static const char *name_of(char *own, size_t size, bool is_lasting) {
  if (mck_options.graph[0]) return mck_options.graph;
  snprintf(own, size, "%s/%s", mck_rt.dir, is_lasting ? "deadlock" : "waiting");
  return own;
}

static void write_as(const char *name, const char *text, struct mck_finding *f, bool is_said) {
  size_t length = strlen(name) + 16;
  char *dot = malloc(length), *svg = malloc(length);
  if (dot && svg) {
    snprintf(dot, length, "%s.dot", name);
    snprintf(svg, length, "%s.svg", name);
    int fd = open(dot, CREATE | O_TRUNC, 0666), rc = fd < 0 ? errno : write_file(fd, text);
    unlink(svg); // of an earlier run
    const char *why = rc ? NULL : layout(dot, svg);
    if (rc && is_said) mck_finding_why(f, "wait-for graph: cannot write %s: %s (option graph)", dot, strerror(rc));
    else if (why && is_said) mck_finding_why(f, "wait-for graph: %s (no picture: %s)", dot, why);
    else if (is_said) mck_finding_why(f, "wait-for graph: %s, %s", dot, svg);
  }
  free(dot);
  free(svg);
}

void mck_graph_write(const char *text, struct mck_findings *findings, enum mck_graph_use use) {
  if (!text || !findings->count || !strcmp(mck_options.graph, "none")) return;
  char own[sizeof mck_rt.dir + 32];
  bool is_last = use == MCK_GRAPH_LAST, is_lasting = mck_options.graph[0] || mck_options.keep_logs || !is_last;
  if (is_lasting || mck_options.html[0]) write_as(name_of(own, sizeof own, is_last), text, findings->items, is_lasting);
  else mck_finding_why(findings->items, "a picture of the wait-for graph: option graph=FILE, or --html FILE");
}

void mck_graph_remove(void) {
  static const char *const names[] = {"deadlock.dot", "deadlock.svg", "waiting.dot", "waiting.svg"};
  char path[sizeof mck_rt.dir + 32];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", mck_rt.dir, names[i]);
    unlink(path);
  }
}
