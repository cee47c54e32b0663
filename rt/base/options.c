// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options: a table that options.inc expands to, and one pass over key=value:key=value. Values are parsed into a copy,
// so a text with an error changes nothing.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"

enum option_type { OPTION_INT, OPTION_BOOL, OPTION_STRING };
struct option {
  const char *name;
  enum option_type type;
  size_t offset; // in struct mck_options
  long low, high;
  const char *fallback, *text;
};

static const struct option options[] = {
#define MCK_OPTION_INT(name, value, low, high, text)                                                                   \
  {#name, OPTION_INT, offsetof(struct mck_options, name), low, high, #value, text},
#define MCK_OPTION_BOOL(name, value, text)                                                                             \
  {#name, OPTION_BOOL, offsetof(struct mck_options, name), 0, 1, (value) ? "1" : "0", text},
#define MCK_OPTION_STRING(name, value, text)                                                                           \
  {#name, OPTION_STRING, offsetof(struct mck_options, name), 0, 0, value, text},
#include "base/options.inc" // NOLINT(readability-duplicate-include): a list that is expanded several times
#undef MCK_OPTION_INT
#undef MCK_OPTION_BOOL
#undef MCK_OPTION_STRING
};
enum { OPTIONS = sizeof options / sizeof *options, KEY_SHOWN = 64, NAME_MAX_LENGTH = 32 };

#define MCK_OPTION_INT(name, value, low, high, text) .name = (value),
#define MCK_OPTION_BOOL(name, value, text) .name = (value),
#define MCK_OPTION_STRING(name, value, text) .name = value,
static const struct mck_options defaults = {
#include "base/options.inc" // NOLINT(readability-duplicate-include): a list that is expanded several times
};
struct mck_options mck_options = {
#include "base/options.inc" // NOLINT(readability-duplicate-include): a list that is expanded several times
};
#undef MCK_OPTION_INT
#undef MCK_OPTION_BOOL
#undef MCK_OPTION_STRING

// The user's text, made fit for one line of a terminal: it is cut, and control characters are replaced.
struct shown {
  char text[KEY_SHOWN + 4];
};
static struct shown show(const char *text, size_t length) {
  struct shown s;
  size_t n = length < KEY_SHOWN ? length : KEY_SHOWN;
  for (size_t i = 0; i < n; i++) s.text[i] = (unsigned char)text[i] < 32 || text[i] == 127 ? '?' : text[i];
  strcpy(s.text + n, n < length ? "..." : "");
  return s;
}

// Characters behind the 64th do not count.
unsigned mck_options_distance(const char *a, size_t na, const char *b, size_t nb) {
  unsigned row[KEY_SHOWN + 1];
  if (na > KEY_SHOWN) na = KEY_SHOWN;
  if (nb > KEY_SHOWN) nb = KEY_SHOWN;
  for (size_t j = 0; j <= nb; j++) row[j] = (unsigned)j;
  for (size_t i = 1; i <= na; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= nb; j++) {
      unsigned best = diagonal + (a[i - 1] != b[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[nb];
}

// NULL: none is near. More wrong letters are no slip of the hand.
static const char *find_nearest(const char *key, size_t length) {
  const char *nearest = NULL;
  unsigned least = 1 + (unsigned)(length < 4 ? 1 : length < 8 ? 2 : 3);
  for (size_t i = 0; i < OPTIONS; i++) {
    unsigned distance = mck_options_distance(key, length, options[i].name, strlen(options[i].name));
    if (distance < least) least = distance, nearest = options[i].name;
  }
  return nearest;
}

static const struct option *find_option(const char *key, size_t length) {
  for (size_t i = 0; i < OPTIONS; i++)
    if (strlen(options[i].name) == length && memcmp(options[i].name, key, length) == 0) return &options[i];
  return NULL;
}

static bool is_word(const char *value, size_t length, const char *a, const char *b, const char *c) {
  return (strlen(a) == length && memcmp(a, value, length) == 0) ||
         (strlen(b) == length && memcmp(b, value, length) == 0) ||
         (strlen(c) == length && memcmp(c, value, length) == 0);
}

static bool set_int(const struct option *o, const char *value, size_t length, void *field, char *error, size_t size) {
  char digits[24];
  char *end = digits;
  errno = 0;
  long number = 0;
  if (length > 0 && length < sizeof digits && strchr("-0123456789", value[0])) {
    memcpy(digits, value, length);
    digits[length] = 0;
    number = strtol(digits, &end, 10);
  }
  if (end == digits || *end || errno || number < o->low || number > o->high) {
    snprintf(error, size, "MPICC_CHECK_OPTIONS: %s=%s: must be a number from %ld to %ld (%s)", o->name,
             show(value, length).text, o->low, o->high, o->text);
    return false;
  }
  *(long *)field = number;
  return true;
}

static bool set_value(struct mck_options *to, const struct option *o, const char *value, size_t length, char *error,
                      size_t size) {
  void *field = (char *)to + o->offset;
  switch (o->type) {
  case OPTION_INT: return set_int(o, value, length, field, error, size);
  case OPTION_BOOL:
    if (is_word(value, length, "1", "yes", "true") || is_word(value, length, "0", "no", "false")) {
      *(bool *)field = is_word(value, length, "1", "yes", "true");
      return true;
    }
    snprintf(error, size, "MPICC_CHECK_OPTIONS: %s=%s: must be 1, yes, true, 0, no or false (%s)", o->name,
             show(value, length).text, o->text);
    return false;
  case OPTION_STRING:
    if (length >= sizeof to->log_dir) {
      snprintf(error, size, "MPICC_CHECK_OPTIONS: %s: the value is %zu characters long, at most %zu are possible",
               o->name, length, sizeof to->log_dir - 1);
      return false;
    }
    memcpy(field, value, length);
    ((char *)field)[length] = 0;
    return true;
  }
  return false;
}

// Values that are one of some words.
static bool check_words(const struct mck_options *parsed, char *error, size_t size) {
  if (strcmp(parsed->flow, "") && strcmp(parsed->flow, "content")) {
    snprintf(error, size, "MPICC_CHECK_OPTIONS: flow=%s: must be content",
             show(parsed->flow, strlen(parsed->flow)).text);
    return false;
  }
  if (strcmp(parsed->clocks, "vector") && strcmp(parsed->clocks, "lamport") && strcmp(parsed->clocks, "online") &&
      strcmp(parsed->clocks, "off")) {
    snprintf(error, size, "MPICC_CHECK_OPTIONS: clocks=%s: must be vector, lamport, online or off",
             show(parsed->clocks, strlen(parsed->clocks)).text);
    return false;
  }
  static const char *const fail_on[] = {"error", "warning", "note", "new", "never"};
  bool is_known = false;
  for (size_t i = 0; i < sizeof fail_on / sizeof *fail_on; i++) is_known |= strcmp(parsed->fail_on, fail_on[i]) == 0;
  if (!is_known) {
    snprintf(error, size, "MPICC_CHECK_OPTIONS: fail_on=%s: must be error, warning, note, new or never",
             show(parsed->fail_on, strlen(parsed->fail_on)).text);
  }
  return is_known;
}

bool mck_options_parse(const char *text, char *error, size_t size) {
  struct mck_options parsed = defaults;
  for (const char *p = text ? text : ""; *p;) {
    if (*p == ':') {
      p++;
      continue;
    }
    const char *key = p;
    p += strcspn(p, "=:");
    size_t key_length = (size_t)(p - key);
    const struct option *o = find_option(key, key_length);
    if (!o) {
      const char *nearest = find_nearest(key, key_length);
      snprintf(error, size,
               nearest ? "MPICC_CHECK_OPTIONS: unknown option '%s', did you mean '%s'? help=1 lists all"
                       : "MPICC_CHECK_OPTIONS: unknown option '%s'; help=1 lists all",
               show(key, key_length).text, nearest);
      return false;
    }
    if (*p != '=') {
      snprintf(error, size, "MPICC_CHECK_OPTIONS: option '%s' has no value, write %s=%s (%s)", o->name, o->name,
               o->type == OPTION_BOOL  ? "1"
               : o->type == OPTION_INT ? "NUMBER"
                                       : "VALUE",
               o->text);
      return false;
    }
    const char *value = ++p;
    // A value with a colon is quoted, 'like:this' or "like:this", as for the sanitizers.
    if (*p == '\'' || *p == '"') {
      const char *end = strchr(p + 1, *p);
      if (!end || (end[1] && end[1] != ':')) {
        snprintf(error, size, "MPICC_CHECK_OPTIONS: %s=%s: %s", o->name, show(value, strlen(value)).text,
                 end ? "behind the closing quote a colon must follow" : "the closing quote is missing");
        return false;
      }
      value++;
      p = end + 1;
      if (!set_value(&parsed, o, value, (size_t)(end - value), error, size)) return false;
      continue;
    }
    p += strcspn(p, ":");
    if (!set_value(&parsed, o, value, (size_t)(p - value), error, size)) return false;
  }
  if (!check_words(&parsed, error, size)) return false;
  mck_options = parsed;
  return true;
}

void mck_options_help(void) {
  printf("MPICC_CHECK_OPTIONS=key=value:key=value:...  (quote a value that contains a colon: key='a:b')\n\n");
  printf("  %-14s %-9s %-14s %s\n", "key", "default", "values", "meaning");
  for (size_t i = 0; i < OPTIONS; i++) {
    const struct option *o = &options[i];
    char values[NAME_MAX_LENGTH];
    switch (o->type) {
    case OPTION_INT: snprintf(values, sizeof values, "%ld..%ld", o->low, o->high); break;
    case OPTION_BOOL: snprintf(values, sizeof values, "0|1"); break;
    case OPTION_STRING: snprintf(values, sizeof values, "text"); break;
    }
    printf("  %-14s %-9s %-14s %s\n", o->name, o->fallback[0] ? o->fallback : "-", values, o->text);
  }
  fflush(stdout);
}
