// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a linker (linker-run.h).
#include "linker-run.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "linked-files.h"

int mck_linker_wait(volatile pid_t *running) {
  int status;
  while (waitpid(*running, &status, 0) < 0)
    if (errno != EINTR) {
      status = -1;
      break;
    }
  *running = 0;
  return status;
}

static bool start(char *const *words, const posix_spawn_file_actions_t *actions, volatile pid_t *running) {
  pid_t child;
  if (posix_spawnp(&child, words[0], actions, NULL, words, environ)) return false;
  *running = child;
  return true;
}

static void read_lines(FILE *from, struct mck_words *linked, bool shows) {
  char *line = NULL;
  size_t room = 0;
  for (ssize_t length; (length = getline(&line, &room, from)) > 0;) {
    bool is_whole = line[length - 1] == '\n', is_linked = false;
    if (is_whole && !memchr(line, 0, (size_t)length)) {
      line[length - 1] = 0;
      is_linked = mck_linked_is_file(line);
      if (is_linked) mck_words_format(linked, "%s", line);
      line[length - 1] = '\n';
    }
    if (is_linked && !shows) continue;
    fwrite(line, 1, (size_t)length, stdout);
    fflush(stdout);
  }
  free(line);
}

int mck_linker_trace(char *const *words, struct mck_words *linked, bool shows, volatile pid_t *running) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return -1;
  FILE *from = fdopen(ends[0], "r");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  bool is_running = from && start(words, &actions, running);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (is_running) read_lines(from, linked, shows);
  if (from) fclose(from);
  else close(ends[0]);
  return is_running ? mck_linker_wait(running) : -1;
}

int mck_linker_repeat(char *const *words, volatile pid_t *running) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  bool is_running = start(words, &actions, running);
  posix_spawn_file_actions_destroy(&actions);
  return is_running ? mck_linker_wait(running) : -1;
}
