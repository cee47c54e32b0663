// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/own-command.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/base.h"

enum { LONGEST = 400 }; // of a command in a report
static char command[LONGEST + 1];

void mck_own_command_note(int nranks) {
  char words[LONGEST + 1], *to = command, *end = command + sizeof command;
  const char *nprograms = getenv("OMPI_NUM_APP_CTX");
  if (!nprograms || strcmp(nprograms, "1") != 0) return; // other ranks may run other programs
  int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? 0 : read(file, words, sizeof words);
  if (file >= 0) close(file);
  if (size <= 0 || (size_t)size == sizeof words || words[size - 1]) return;
  to += snprintf(to, (size_t)(end - to), " -n %d", nranks);
  for (const char *word = words; word < words + size; word += strlen(word) + 1) {
    bool is_whole = end - to > 1 && mck_base_quote(to + 1, (size_t)(end - to - 1), word) && !strchr(word, '\n');
    if (!is_whole) {
      *command = 0;
      return;
    }
    *to = ' ';
    to += strlen(to);
  }
}

const char *mck_own_command(void) {
  const char *given = getenv("MPICC_CHECK_COMMAND"); // of mpirun-check, which knows what the user has written
  return !given ? command : strlen(given) <= LONGEST && !strchr(given, '\n') ? given : "";
}
