// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shell-words.h"
#include <string.h>
#include "base/base.h"
#include "word-list.h"

char *mck_words_quote(char **words) {
  char *text = mck_words_print("%s", "");
  for (; *words; words++) {
    size_t size = 4 * strlen(*words) + 3; // each character may be a quote
    char *word = mck_words_print("%*s", (int)size, "");
    (void)mck_base_quote(word, size, *words);
    text = mck_words_print("%s %s", text, word);
  }
  return text;
}
