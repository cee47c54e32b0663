// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a file of options (option-file.h). Each line is tried by itself, so that an error names its line. Blanks around
// the first = are left out, as many files of options have them.
#include "option-file.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "word-list.h"

static char *trim(char *line) {
  while (isspace((unsigned char)*line)) line++;
  size_t n = strlen(line);
  while (n && isspace((unsigned char)line[n - 1])) line[--n] = 0;
  return line;
}

static char *join_key(char *option) {
  char *equals = strchr(option, '='), *value = equals ? trim(equals + 1) : NULL;
  if (!equals) return option;
  *equals = 0;
  option = trim(option);
  size_t n = strlen(option);
  option[n] = '=';
  memmove(option + n + 1, value, strlen(value) + 1);
  return option;
}

char *mck_option_file_read(const char *path, bool is_needed, char *error, size_t size) {
  FILE *in = fopen(path, "r");
  if (!in && errno == ENOENT && !is_needed) return mck_words_print("%s", "");
  if (!in) {
    snprintf(error, size, "cannot read the options in %s: %s", path, strerror(errno));
    return NULL;
  }
  char *text = mck_words_print("%s", ""), *line = NULL;
  size_t capacity = 0;
  ssize_t n = -1;
  for (unsigned number = 1; text && (errno = 0, n = getline(&line, &capacity, in)) >= 0; number++) {
    if (memchr(line, 0, (size_t)n)) {
      snprintf(error, size, "%s:%u: this is no text: name a file of options", path, number);
      text = NULL;
      break;
    }
    // Some editors begin UTF-8 with a mark.
    char *option = trim(number == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0 ? line + 3 : line), wrong[512];
    if (!*option || *option == '#') continue;
    option = join_key(option);
    if (mck_options_parse(option, wrong, sizeof wrong)) {
      text = mck_words_print("%s%s%s", text, *text ? ":" : "", option);
    } else {
      const char *why = strstr(wrong, ": ");
      snprintf(error, size, "%s:%u: %s", path, number, why ? why + 2 : wrong);
      text = NULL;
    }
  }
  if (text && errno && (is_needed || errno != EISDIR)) {
    snprintf(error, size, "cannot read the options in %s: %s", path, strerror(errno));
    text = NULL;
  }
  free(line);
  fclose(in);
  return text;
}
