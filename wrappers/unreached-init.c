// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explains a run in which nobody called MPI_Init (unreached-init.h).
#include "unreached-init.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/base.h"
#include "linked-program.h"
#include "mpirun-command.h"

static const char *find_own_flag(char **words, size_t count, const char *const *flags) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; flags[k]; k++) {
      size_t length = strlen(flags[k]);
      if (strncmp(words[i], flags[k], length) == 0 && (!words[i][length] || words[i][length] == '=')) return flags[k];
    }
  return NULL;
}

const char *mck_misplaced_find(char **arguments, const char *const *outputs) {
  while (*arguments) {
    size_t count = 0;
    while (arguments[count] && strcmp(arguments[count], ":") != 0) count++;
    struct mck_context context = mck_launch_read_context(arguments, count);
    size_t i = 0;
    while (i < count && arguments[i] != context.program) i++;
    while (++i < count) {
      const char *flag = find_own_flag(arguments + i, 1, outputs);
      if (!flag) continue;
      const char *word = arguments[i] + strlen(flag), *next = i + 1 < count ? arguments[i + 1] : "",
                 *value = *word ? word + 1 : next,
                 *path = context.dir && *value != '/' ? mck_words_print("%s/%s", context.dir, value) : value;
      if (*value && access(path, F_OK)) return mck_words_print("%s %s", flag, value);
    }
    arguments += count + (arguments[count] != NULL);
  }
  return NULL;
}

// What the loader would load, as ldd asks it: it does not run the program. NULL: the file is no dynamic program.
static char *list_libraries(const char *path) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return NULL;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  char *argv[] = {"ldd", (char *)path, NULL}, *text = NULL;
  pid_t pid;
  size_t size = 0;
  bool is_running = posix_spawnp(&pid, "ldd", &actions, NULL, argv, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  FILE *out = open_memstream(&text, &size);
  char bytes[4096];
  for (ssize_t n; out && is_running && (n = read(ends[0], bytes, sizeof bytes)) > 0;) fwrite(bytes, 1, (size_t)n, out);
  if (out) fclose(out);
  close(ends[0]);
  int code = -1;
  if (is_running) waitpid(pid, &code, 0);
  if (is_running && text && WIFEXITED(code) && (WEXITSTATUS(code) == 0 || strstr(text, "not found"))) return text;
  free(text);
  return NULL;
}

// "libfoo.so.1 => not found" and its like: the name.
static const char *find_missing(const char *libraries) {
  const char *found = libraries ? strstr(libraries, " => not found") : NULL, *begin = found;
  if (!found) return NULL;
  while (begin > libraries && begin[-1] != '\t' && begin[-1] != '\n' && begin[-1] != ' ') begin--;
  return mck_words_print("%.*s", (int)(found - begin), begin);
}

static bool is_elf(const char *path) {
  char magic[4] = "";
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool is = file >= 0 && read(file, magic, 4) == 4 && memcmp(magic, "\177ELF", 4) == 0;
  if (file >= 0) close(file);
  return is;
}

// The interpreter of a script that is not there; NULL: it is, or this is no script.
static const char *find_missing_interpreter(const char *path) {
  char line[256] = "";
  FILE *file = fopen(path, "r");
  bool is_script = file && fgets(line, sizeof line, file) && strncmp(line, "#!", 2) == 0;
  if (file) fclose(file);
  if (!is_script) return NULL;
  const char *name = line + 2 + strspn(line + 2, " \t");
  const char *interpreter = mck_words_print("%.*s", (int)strcspn(name, " \t\r\n"), name);
  return access(interpreter, X_OK) ? interpreter : NULL;
}

// NULL: nothing is wrong with this program.
static const char *explain_program(const char *name, const char *dir, int status) {
  const char *path = mck_program_find(name, dir);
  struct stat st;
  if (stat(path, &st)) return mck_words_print("%s: %s", name, strerror(errno));
  if (!S_ISREG(st.st_mode) || access(path, X_OK)) return mck_words_print("%s is no program that may be run", name);
  if (st.st_mode & (S_ISUID | S_ISGID))
    return mck_words_print("%s is a set-user-ID program, into which nothing can be preloaded", name);
  if (!is_elf(path)) {
    const char *missing = find_missing_interpreter(path);
    return missing ? mck_words_print("the first line of %s names %s, which cannot be run", name, missing) : NULL;
  }
  char *libraries = list_libraries(path);
  const char *missing = find_missing(libraries);
  if (missing) return mck_words_print("%s needs the library %s, which is not found", name, missing);
  if (!libraries) return mck_words_print("%s is linked statically: nothing can be preloaded into it", name);
  if (strstr(libraries, "libmpi") && status && mck_program_has_memory_sanitizer(path))
    return mck_words_print("MemorySanitizer ends %s, as it does not see what MPI's library writes; use Valgrind, or "
                           "-fsanitize=address",
                           name);
  if (strstr(libraries, "libmpi")) return NULL;
  // An interpreter, or env: what it was to run has failed before MPI was loaded.
  if (status)
    return mck_words_print("%s does not load libmpi, and ended with %d before it ran what does: its message is above",
                           name, status);
  return mck_words_print("%s is no MPI program: it does not load libmpi", name);
}

// Too little for the log of one rank, which grows by 4 MiB.
static bool is_full(const char *dir) {
  struct statvfs space;
  return statvfs(dir, &space) == 0 && (unsigned long long)space.f_bavail * space.f_frsize < 4 << 20;
}

// A word that mpirun does not know, and that is one of our flags but for a letter or two; NULL: there is none.
static const char *find_misspelt(char **words, size_t count, const char *const *flags) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; strncmp(words[i], "--", 2) == 0 && flags[k]; k++) {
      size_t length = strcspn(words[i], "=");
      unsigned most = strlen(flags[k]) < 8 ? 1 : 2;
      if (mck_options_distance(words[i], length, flags[k], strlen(flags[k])) <= most)
        return mck_words_print("mpirun refuses the command line; is %.*s meant to be %s?", (int)length, words[i],
                               flags[k]);
    }
  return NULL;
}

// NULL: it is not seen from the command line.
static const char *explain_line(char **arguments, const char *const *own_flags, int status) {
  while (*arguments) {
    size_t count = 0;
    while (arguments[count] && strcmp(arguments[count], ":") != 0) count++;
    struct mck_context context = mck_launch_read_context(arguments, count);
    size_t options = 0;
    while (options < count && arguments[options] != context.program) options++;
    const char *flag = find_own_flag(arguments, options, own_flags);
    if (flag) return mck_words_print("%s is an option of mpirun-check: it stands before all options of mpirun", flag);
    const char *misspelt = status ? find_misspelt(arguments, options, own_flags) : NULL;
    if (misspelt) return misspelt;
    const char *why = context.program ? explain_program(context.program, context.dir, status) : NULL;
    if (why) return why;
    arguments += count + (arguments[count] != NULL);
  }
  return NULL;
}

const char *mck_unreached_explain(char **arguments, const char *dir, const char *const *own_flags, int status) {
  enum { SIGNALS = 65 };
  if (is_full(dir))
    return mck_words_print("no process could make its log: %s is full; name another place with log_dir", dir);
  const char *why = explain_line(arguments, own_flags, status);
  if (!why && mck_launch_is_interrupted()) why = "the run was ended from outside before that";
  if (!why && status >= 128 && status < 128 + SIGNALS)
    why = mck_words_print("mpirun returned %d before that (a process may have ended by signal %d)", status,
                          status - 128);
  if (!why && status) why = mck_words_print("mpirun returned %d before that, and its message is above", status);
  return mck_words_print("no process has called MPI_Init: %s", why ? why : "all processes ended before that");
}
