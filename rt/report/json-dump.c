// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON as text (json-build.h). jansson escapes C0 only, or all that is not ASCII, which nobody could read.
#include "report/json-build.h"

char *mck_json_dump(const json_t *value, size_t flags) {
  char *text = value ? json_dumps(value, flags) : NULL;
  size_t nhidden = 0, size = 0;
  unsigned length;
  for (const char *p = text; p && *p; p++, size++) nhidden += mck_utf8_hidden(p, &length) != 0;
  char *copy = nhidden ? malloc(size + nhidden * sizeof "\\uNNNN") : text;
  for (char *p = text, *to = copy; nhidden && to;) {
    uint32_t hidden = mck_utf8_hidden(p, &length);
    if (hidden) to += snprintf(to, sizeof "\\uNNNN", "\\u%04x", hidden), p += length;
    else if (!(*to++ = *p++)) break;
  }
  if (nhidden) free(text);
  return copy;
}
