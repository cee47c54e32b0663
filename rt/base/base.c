// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warnings, internal errors, hashing and growing arrays (base.h).
#include "base/base.h"
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

// One write, so that lines of several ranks on one terminal do not mix. The buffer of stderr belongs to the program and
// stays untouched.
static void write_line(char *line, int length, size_t size) {
  size_t end = length < 0 ? 0 : (size_t)length;
  if (end > size - 2) end = size - 2;
  for (size_t i = 0; i < end; i++)
    if (line[i] == '\n' || line[i] == '\r') line[i] = ' ';
  line[end++] = '\n';
  ssize_t ignored = write(STDERR_FILENO, line, end);
  (void)ignored;
}

void mck_base_check_failed(const char *file, int line, const char *expression) {
  char text[1024];
  int n = snprintf(text, sizeof text, "==mpicc-check== internal error: %s:%d: %s does not hold; please report this",
                   file, line, expression);
  write_line(text, n, sizeof text);
  abort();
}

void mck_base_warn(const char *format, ...) {
  int saved = errno;
  char text[1024];
  static const char head[] = "==mpicc-check== warning: ";
  memcpy(text, head, sizeof head);
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(text + sizeof head - 1, sizeof text - sizeof head + 1, format, arguments);
  va_end(arguments);
  write_line(text, n < 0 ? (int)sizeof head - 1 : (int)sizeof head - 1 + n, sizeof text);
  errno = saved;
}

uint64_t mck_base_hash(const void *data, size_t size, uint64_t seed) { return XXH3_64bits_withSeed(data, size, seed); }

bool mck_base_grow(void **items, size_t *capacity, size_t need, size_t item_size) {
  if (need <= *capacity) return true;
  size_t wanted = *capacity < 8 ? 8 : *capacity;
  while (wanted < need)
    if (__builtin_mul_overflow(wanted, (size_t)2, &wanted)) return false;
  size_t bytes;
  if (__builtin_mul_overflow(wanted, item_size, &bytes)) return false;
  void *grown = realloc(*items, bytes);
  if (!grown) return false;
  *items = grown;
  *capacity = wanted;
  return true;
}

unsigned mck_base_count_threads(long pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/task", pid);
  int saved = errno;
  DIR *tasks = opendir(path);
  unsigned n = 0;
  for (struct dirent *entry; tasks && (entry = readdir(tasks));) n += entry->d_name[0] != '.';
  if (tasks) closedir(tasks);
  errno = saved;
  return n;
}

bool mck_base_quote(char *text, size_t size, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  size_t length = strlen(word), need = length + 3; // quotes at both ends, and the zero
  for (const char *c = word; *c; c++) need += *c == '\'' ? 3 : 0;
  bool is_plain = *word && !word[strspn(word, plain)];
  if (is_plain || need > size) return (size_t)snprintf(text, size, "%s", word) < size && is_plain;
  *text++ = '\'';
  for (; *word; word++) {
    if (*word == '\'') *text++ = '\'', *text++ = '\\', *text++ = '\''; // ends the quoted part, and escapes one
    *text++ = *word;                                                   // a quote begins the next part
  }
  *text++ = '\'', *text = 0;
  return true;
}

void mck_base_write_number(char *text, size_t size, uint64_t number) {
  char digits[32];
  int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
  size_t used = 0;
  for (int i = 0; i < n && used + 2 < size; i++) {
    if (i && (n - i) % 3 == 0) text[used++] = ',';
    text[used++] = digits[i];
  }
  text[used] = 0;
}
