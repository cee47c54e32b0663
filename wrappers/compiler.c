// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identifies the compiler (compiler.h): by its name where that is enough, else by its answer to --version.
#include "compiler.h"
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/own-program.h"
#include "word-list.h"

// A pass plugin works with one major version of LLVM.
#define CLANG_VERSION "clang version 19."
#define FLANG_VERSION "flang-new version 19."

static bool is_our_clang(const char *name) { return strcmp(name, "clang-19") == 0 || strcmp(name, "clang++-19") == 0; }

// Reads the first bytes of the command's answer to an option. Returns false when the command cannot be run.
static bool ask(struct mck_words *command, const char *option, char *text, size_t size) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  mck_words_push(command, option);
  pid_t pid;
  bool is_running = posix_spawnp(&pid, command->items[0], &actions, NULL, command->items, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  size_t length = 0;
  if (is_running) {
    char rest[512];
    for (ssize_t n;; length += (size_t)n) {
      bool is_full = length + 1 >= size;
      if ((n = read(ends[0], is_full ? rest : text + length, is_full ? sizeof rest : size - 1 - length)) <= 0) break;
      if (is_full) n = 0; // it reads on, so that the child does not die of SIGPIPE
    }
    waitpid(pid, NULL, 0);
  }
  close(ends[0]);
  text[length] = 0;
  return is_running;
}

// The file that a name of a program stands for, or NULL.
static const char *find_program(const char *name) {
  if (strchr(name, '/')) return access(name, X_OK) == 0 ? name : NULL;
  for (const char *path = getenv("PATH"); path && *path;) {
    size_t length = strcspn(path, ":");
    const char *file = mck_words_print("%.*s/%s", (int)length, path, name);
    if (access(file, X_OK) == 0) return file;
    path += length + (path[length] == ':');
  }
  return NULL;
}

// The programs of a command are its words before the first option; launchers may set variables between them.
static size_t count_programs(const struct mck_words *words) {
  size_t n = 0;
  while (n < words->count && words->items[n][0] != '-') n++;
  return n;
}

bool mck_compiler_is_own(const char *command) {
  static const char *const names[] = {"mpicc-check", "mpicxx-check", "mpifort-check", "mpif77-check", "mpif90-check"};
  char own[PATH_MAX], real[PATH_MAX];
  bool is_known = mck_own_program(own, sizeof own) && realpath(own, real);
  struct mck_words words = {0};
  mck_words_split(&words, command);
  for (size_t i = 0; i < count_programs(&words); i++) {
    if (strchr(words.items[i], '=')) continue;
    const char *file = is_known ? find_program(words.items[i]) : NULL;
    char path[PATH_MAX];
    if (file && realpath(file, path) && strcmp(path, real) == 0) return true;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      if (!strcmp(mck_words_basename(words.items[i]), names[k])) return true;
  }
  return false;
}

const char *mck_compiler_missing(const char *command) {
  struct mck_words words = {0};
  mck_words_split(&words, command);
  for (size_t i = 0; i < count_programs(&words); i++)
    if (!strchr(words.items[i], '=') && !find_program(words.items[i])) return words.items[i];
  return NULL;
}

bool mck_wrapper_is_openmpi(const char *wrapper) {
  struct mck_words words = {0};
  char text[1024];
  mck_words_push(&words, wrapper);
  return !ask(&words, "--showme:version", text, sizeof text) || strstr(text, "Open MPI");
}

const char *mck_compiler_find(const char *command, const struct mck_words *arguments, const char *name) {
  struct mck_words words = {0};
  char text[PATH_MAX];
  mck_words_split(&words, command);
  for (size_t i = 1; i < arguments->count; i++) mck_words_push(&words, arguments->items[i]);
  if (!words.count || !ask(&words, mck_words_print("-print-prog-name=%s", name), text, sizeof text)) return NULL;
  text[strcspn(text, "\n")] = 0;
  return strchr(text, '/') ? mck_words_print("%s", text) : NULL;
}

enum mck_compiler mck_compiler_identify(const char *command) {
  struct mck_words words = {0};
  mck_words_split(&words, command);
  // Where the name is enough, no further process runs for each file that is compiled.
  for (size_t i = 0; i < count_programs(&words); i++)
    if (!strchr(words.items[i], '=') && is_our_clang(mck_words_basename(words.items[i]))) return MCK_COMPILER_CLANG;
  char text[1024];
  if (!words.count || !ask(&words, "--version", text, sizeof text)) return MCK_COMPILER_UNKNOWN;
  if (strstr(text, CLANG_VERSION)) return MCK_COMPILER_CLANG;
  if (strstr(text, FLANG_VERSION)) return MCK_COMPILER_FLANG;
  bool is_gcc = strstr(text, "Free Software Foundation");
  if (MCK_LINES_VERSION[0] && is_gcc && strstr(text, " " MCK_LINES_VERSION "\n")) return MCK_COMPILER_GCC;
  return strstr(text, "clang version") || is_gcc ? MCK_COMPILER_GNU : MCK_COMPILER_UNKNOWN;
}
