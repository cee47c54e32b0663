// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads our own options (own-options.h).
#include "own-options.h"
#include <stdlib.h>
#include <string.h>
#include "word-list.h"

#define SUPPRESSIONS "-fcheck-suppressions="

static bool is(const char *word, const char *option) { return strcmp(word, option) == 0; }

// -Wmpicc-check, -Wno-mpicc-check-KIND, -Werror=mpicc-check-KIND and so on: clang would warn of a group that it does
// not know.
static bool is_warning(const char *word) {
  if (strncmp(word, "-W", 2)) return false;
  word += strncmp(word + 2, "no-", 3) ? 2 : 5;
  word += strncmp(word, "error=", 6) ? 0 : 6;
  size_t length = strlen("mpicc-check");
  return !strncmp(word, "mpicc-check", length) && (!word[length] || word[length] == '-');
}

struct mck_own_options mck_own_options_take(int *argc, char **argv) {
  struct mck_own_options own = {.checks = ""};
  int kept = 0;
  for (int i = 0; i < *argc; i++) {
    char *word = argv[i];
    bool is_own = true, is_check = i > 0;
    if (i && is(word, "-fcheck-explain")) own.explains = true, is_check = false;
    else if (i && strncmp(word, SUPPRESSIONS, strlen(SUPPRESSIONS)) == 0)
      own.suppressions = word + strlen(SUPPRESSIONS), is_check = false;
    else if (i && is(word, "-fcheck-whole-program")) own.is_whole = true;
    else if (i && is(word, "-fno-check-whole-program")) own.is_apart = true;
    else if (i && is(word, "-w")) is_own = false; // it is clang's, too
    else if (!i || !is_warning(word)) is_own = is_check = false;
    if (is_check) own.checks = mck_words_print("%s %s", own.checks, word);
    if (!is_own) argv[kept++] = word;
  }
  argv[ *argc = kept] = NULL;
  return own;
}

// The pass gets no options but through the environment.
void mck_own_options_tell(const struct mck_own_options *own) {
  setenv("MPICC_CHECK_STATIC", own->checks, 1);
  if (own->is_apart) setenv("MPICC_CHECK_WHOLE_PROGRAM", "off", 1);
  if (own->suppressions) {
    setenv("MPICC_CHECK_SUPPRESSIONS", own->suppressions, 1);
    const char *hashed = getenv("CCACHE_EXTRAFILES");
    bool is_set = hashed && *hashed;
    setenv("CCACHE_EXTRAFILES", mck_words_print("%s%s%s", is_set ? hashed : "", is_set ? ":" : "", own->suppressions),
           1);
  }
  const char *before = getenv("CCACHE_NAMESPACE");
  if (*own->checks) setenv("CCACHE_NAMESPACE", mck_words_print("%s%s", before ? before : "", own->checks), 1);
}
