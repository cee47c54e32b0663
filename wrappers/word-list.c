// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of words, formatted strings, and the directory of our libraries (word-list.h).
#include "word-list.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/own-program.h"

enum { RESPONSE_SIZE = 1 << 24 };

static void *need(void *memory) {
  if (!memory) {
    fprintf(stderr, "==mpicc-check== out of memory\n");
    exit(2);
  }
  return memory;
}

void mck_words_push(struct mck_words *words, const char *word) {
  if (words->count + 1 >= words->capacity) {
    words->capacity = words->capacity ? 2 * words->capacity : 64;
    words->items = need(realloc(words->items, words->capacity * sizeof *words->items));
  }
  words->items[words->count++] = (char *)word; // exec takes char *, but changes nothing
  words->items[words->count] = NULL;
}

static char *print(const char *format, va_list arguments) {
  char *text = NULL;
  return vasprintf(&text, format, arguments) < 0 ? need(NULL) : text;
}

char *mck_words_print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = print(format, arguments);
  va_end(arguments);
  return text;
}

void mck_words_format(struct mck_words *words, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  mck_words_push(words, print(format, arguments));
  va_end(arguments);
}

void mck_words_split(struct mck_words *words, const char *text) {
  while (*(text += strspn(text, " \t\n"))) {
    size_t length = strcspn(text, " \t\n");
    mck_words_push(words, need(strndup(text, length)));
    text += length;
  }
}

void mck_words_split_response(struct mck_words *words, const char *text) {
  while (*(text += strspn(text, " \t\r\n\f\v"))) {
    char *word = need(malloc(strlen(text) + 1)), *end = word, quote = 0;
    for (; *text && (quote || !strchr(" \t\r\n\f\v", *text)); text++) {
      if (*text == '\\' && text[1]) *end++ = *++text;
      else if (quote ? *text == quote : *text == '"' || *text == '\'') quote = quote ? 0 : *text;
      else *end++ = *text;
    }
    *end = 0;
    mck_words_push(words, need(realloc(word, (size_t)(end - word) + 1)));
  }
}

bool mck_words_read_response(struct mck_words *words, const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) return false;
  char *text = need(malloc(RESPONSE_SIZE));
  text[fread(text, 1, RESPONSE_SIZE - 1, file)] = 0;
  fclose(file);
  mck_words_split_response(words, text);
  free(text);
  return true;
}

const char *mck_words_basename(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *mck_words_find_libdir(const char *file) {
  static const char *const places[] = {"lib/mpicc-check", "lib"};
  char exe[PATH_MAX];
  if (!mck_own_program(exe, sizeof exe)) return NULL;
  // Two components of PREFIX/bin/mpicc-check are removed, so that printed and linked paths (-show, rpath) have no "..".
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(exe, '/');
    if (!slash) return NULL;
    *slash = 0;
  }
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    char *dir = mck_words_print("%s/%s", exe, places[i]), *path = mck_words_print("%s/%s", dir, file);
    if (access(path, R_OK) == 0) return dir;
  }
  return NULL;
}
