// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the arguments of lld (linker-words.h).
#include "linker-words.h"
#include <stddef.h>
#include <string.h>
#include "word-list.h"

enum { RESPONSE_DEPTH = 16 };

static bool is(const char *word, const char *option) { return strcmp(word, option) == 0; }
static bool begins(const char *word, const char *option) { return strncmp(word, option, strlen(option)) == 0; }

struct scan {
  struct mck_linker_words found;
  bool is_output; // the next word
};

static void see(struct scan *scan, const char *word, int depth) {
  struct mck_words words = {0};
  if (word[0] == '@' && depth < RESPONSE_DEPTH && mck_words_read_response(&words, word + 1)) {
    for (size_t i = 0; i < words.count; i++) see(scan, words.items[i], depth + 1);
    return;
  }
  // Long options have one dash or two, but for those that begin with "o".
  const char *name = word + (word[0] == '-' && word[1] == '-');
  struct mck_linker_words *found = &scan->found;
  if (scan->is_output) found->output = word;
  scan->is_output = !scan->is_output && (is(word, "-o") || is(word, "--output"));
  if (begins(word, "--output=")) found->output = word + strlen("--output=");
  else if (begins(word, "-o") && word[2]) found->output = word + strlen("-o");
  else if (is(word, "-t") || is(name, "-trace")) found->traces = true;
  else if (is(word, "-r") || is(name, "-relocatable")) found->is_relocatable = true;
  else if (begins(name, "-dependency-file")) found->writes_dependencies = true;
}

struct mck_linker_words mck_linker_words_read(char *const *words) {
  struct scan scan = {.found = {.output = "a.out"}};
  for (; *words; words++) see(&scan, *words, 0);
  return scan.found;
}
