// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file "subject" of an exploration (explored-program.h): a line with the hash of the executable files, then each
// word of the command with a 0 behind it.
#include "explored-program.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/base.h"
#include "word-list.h"

static uint64_t hash_executable(const char *path, uint64_t hash) {
  struct stat status;
  char buffer[4096];
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || access(path, X_OK) != 0) return hash;
  FILE *file = fopen(path, "r");
  for (size_t n; file && (n = fread(buffer, 1, sizeof buffer, file)) > 0;) hash = mck_base_hash(buffer, n, hash);
  if (file) fclose(file);
  return hash;
}

// Only mpirun knows which word is the program. So each word counts that names an executable file; one without a
// directory is looked up in PATH, too.
static uint64_t hash_program(char **arguments) {
  uint64_t hash = 1;
  for (; *arguments; arguments++) {
    if (!**arguments || **arguments == '-') continue;
    uint64_t before = hash;
    hash = hash_executable(*arguments, hash);
    const char *path = strchr(*arguments, '/') || hash != before ? NULL : getenv("PATH");
    while (path && *path && hash == before) {
      size_t length = strcspn(path, ":");
      if (length) hash = hash_executable(mck_words_print("%.*s/%s", (int)length, path, *arguments), hash);
      path += length + (path[length] == ':');
    }
  }
  return hash;
}

static void write_subject(const char *path, char **arguments, uint64_t hash) {
  FILE *file = fopen(path, "w");
  if (!file) return;
  fprintf(file, "%016llx\n", (unsigned long long)hash);
  for (; *arguments; arguments++) fwrite(*arguments, 1, strlen(*arguments) + 1, file);
  fclose(file);
}

bool mck_subject_is_same(const char *dir, char **arguments, bool has_runs) {
  const char *path = mck_words_print("%s/subject", dir), *what = NULL;
  uint64_t hash = hash_program(arguments);
  FILE *file = has_runs ? fopen(path, "r") : NULL;
  unsigned long long was = 0;
  if (!file || fscanf(file, "%16llx", &was) != 1 || getc(file) != '\n') {
    if (file) fclose(file);
    return write_subject(path, arguments, hash), true;
  }
  char *word = NULL;
  size_t size = 0;
  for (ssize_t n; !what && (n = getdelim(&word, &size, 0, file)) > 0; arguments++)
    if (!*arguments || strcmp(word, *arguments) != 0) what = "another command";
  if (!what && *arguments) what = "another command";
  if (!what && was != hash) what = "the program as it was before it was changed";
  free(word);
  fclose(file);
  if (what)
    fprintf(stderr, "mpirun-check: the runs in %s are of %s; remove it, or name another directory with --state\n", dir,
            what);
  return !what;
}
