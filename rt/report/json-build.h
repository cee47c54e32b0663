// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short names for building JSON with jansson. Its setters take NULL as a failure, so it is enough to check each
// addition.
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>

#include "report/utf8.h"

// JSON null for NULL. Invalid UTF-8, which json_string refuses, is escaped.
static inline json_t *mck_json_text(const char *text) {
  if (!text) return json_null();
  json_t *string = json_string(text);
  if (string) return string;
  char *repaired = mck_utf8_repair(text);
  if (repaired) string = json_string(repaired);
  free(repaired);
  return string;
}

// jansson's text of value, in which the characters of mck_utf8_hidden are \uNNNN: the same value, which a terminal or
// an editor may show. The caller frees it. NULL: no value, or out of memory.
char *mck_json_dump(const json_t *value, size_t flags);

static inline bool mck_json_set(json_t *object, const char *key, json_t *value) {
  return json_object_set_new(object, key, value) == 0;
}
static inline bool mck_json_append(json_t *array, json_t *value) { return json_array_append_new(array, value) == 0; }

// Returns the whole value, or NULL.
static inline json_t *mck_json_finish(json_t *value, bool is_whole) {
  if (is_whole) return value;
  json_decref(value);
  return NULL;
}
