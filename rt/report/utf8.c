// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks and escapes UTF-8 (utf8.h).
#include "report/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

unsigned mck_utf8_sequence(const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  unsigned length = p[0] < 0x80                   ? 1
                    : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                    : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                    : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                  : 0;
  for (unsigned i = 1; i < length; i++) // it stops at the terminating 0
    if ((p[i] & 0xc0) != 0x80) return 0;
  if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f)) return 0;
  if ((p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f)) return 0;
  return length;
}

static uint32_t direction(const unsigned char *p) {
  if (p[0] != 0xe2 || (p[1] != 0x80 && p[1] != 0x81)) return 0;
  bool is_one = p[1] == 0x80 ? p[2] >= 0xaa && p[2] <= 0xae : p[2] >= 0xa6 && p[2] <= 0xa9;
  return is_one ? 0x2000u | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu) : 0;
}

uint32_t mck_utf8_hidden(const char *text, unsigned *length) {
  const unsigned char *p = (const unsigned char *)text;
  bool is_c1 = p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0;
  *length = p[0] == 0x7f ? 1 : is_c1 ? 2 : 3;
  return p[0] == 0x7f || is_c1 ? p[*length - 1] : direction(p);
}

// With a control character a window's name could control the terminal.
static bool is_hidden(const char *text) {
  unsigned length;
  return (unsigned char)text[0] < 0x20 || mck_utf8_hidden(text, &length);
}

unsigned mck_utf8_print(FILE *out, const char *text, size_t size) {
  unsigned width = 0;
  for (size_t i = 0; i < size && text[i];) {
    unsigned length = mck_utf8_sequence(text + i);
    if (length == 0 || length > size - i || is_hidden(text + i)) {
      unsigned n = length && length <= size - i ? length : 1; // the bytes of one character
      for (; n; n--, i++, width += 4) fprintf(out, "\\x%02x", (unsigned char)text[i]);
    } else {
      fwrite(text + i, 1, length, out);
      width++;
      i += length;
    }
  }
  return width;
}

char *mck_utf8_repair(const char *text) {
  char *copy = malloc(4 * strlen(text) + 1), *p = copy;
  if (!copy) return NULL;
  while (*text) {
    unsigned length = mck_utf8_sequence(text);
    if (length) {
      memcpy(p, text, length);
      p += length;
      text += length;
    } else {
      p += snprintf(p, 5, "\\x%02x", (unsigned char)*text++);
    }
  }
  *p = '\0';
  return copy;
}
