// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colours of a text report on a terminal (report.h). They are added where it is written, so that a report in a file has
// none, and one that was made in another process gets them, too.
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/output.h"
#include "report/report.h"

#define HEAD "==mpicc-check== "

// https://no-color.org: no color where the variable is set and not empty.
static bool is_coloured(int fd) {
  const char *off = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return isatty(fd) && !(off && off[0]) && !(terminal && strcmp(terminal, "dumb") == 0);
}

static bool begins(const char *line, const char *end, const char *with) {
  size_t n = strlen(with);
  return (size_t)(end - line) >= n && memcmp(line, with, n) == 0;
}

// A line without its end. The words that say what kind of line it is are coloured.
static void print_line(FILE *out, const char *line, const char *end) {
  static const struct {
    const char *begin, *word, *colour;
  } words[] = {
      {HEAD, "ERROR", "\033[1;31m"},         {HEAD, "WARNING", "\033[1;35m"}, {HEAD, "NOTE", "\033[1;36m"},
      {HEAD, "no errors found", "\033[32m"}, {"  ", "help:", "\033[1;32m"},   {"  ", "known:", "\033[2m"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const char *word = line + strlen(words[i].begin), *after = word + strlen(words[i].word);
    if (!begins(line, end, words[i].begin) || !begins(word, end, words[i].word)) continue;
    bool is_head = words[i].begin[0] == '=';
    fprintf(out, "%s%s%s%s%s\033[0m", is_head ? "\033[2m" : "", words[i].begin, is_head ? "\033[0m" : "",
            words[i].colour, words[i].word);
    if (is_head) fputs("\033[1m", out); // the headline
    fwrite(after, 1, (size_t)(end - after), out);
    fputs("\033[0m", out);
    return;
  }
  bool is_head = begins(line, end, HEAD);
  if (is_head) fputs("\033[2m" HEAD "\033[0m", out), line += sizeof HEAD - 1;
  fwrite(line, 1, (size_t)(end - line), out);
}

MCK_EXPORT int mck_text_write(int fd, const char *text, size_t size) {
  char *coloured = NULL;
  size_t length = 0;
  FILE *out = is_coloured(fd) ? open_memstream(&coloured, &length) : NULL;
  for (const char *p = text; out && p < text + size;) {
    const char *end = memchr(p, '\n', (size_t)(text + size - p));
    print_line(out, p, end ? end : text + size);
    if (end) putc('\n', out);
    p = end ? end + 1 : text + size;
  }
  bool is_made = out && fclose(out) == 0;
  int error = is_made ? mck_output_write(fd, coloured, length) : mck_output_write(fd, text, size);
  free(coloured);
  return error;
}
