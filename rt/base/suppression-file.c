// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a file of suppressions (suppression.h). A rule is a line "KIND:PATTERN... (REASON)", or a block
// "KIND {", "place: PATTERN...", "ranks: LIST", "fingerprint: DIGITS", "reason: TEXT", "}".
#define _GNU_SOURCE 1
#include "base/suppression.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

struct source {
  const char *path;
  unsigned line;
  struct mck_rule *block; // the block that is open
  bool (*is_kind)(const char *pattern);
  char *error;
  size_t size;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct source *s, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = snprintf(s->error, s->size, "%s:%u: ", s->path, s->line);
  if (n >= 0 && (size_t)n < s->size) vsnprintf(s->error + n, s->size - (size_t)n, format, list);
  va_end(list);
  for (char *p = s->error; *p; p++) // the line may hold anything
    if (iscntrl((unsigned char)*p)) *p = '?';
  return false;
}

static char *trim(char *text) {
  while (isspace((unsigned char)*text)) text++;
  size_t n = strlen(text);
  while (n && isspace((unsigned char)text[n - 1])) text[--n] = 0;
  return text;
}

static bool keep(struct source *s, char **slot, const char *what, const char *value) {
  if (!*value) return refuse(s, "%s has no value: write %s=NAME", what, what);
  if (*slot) return refuse(s, "%s is given twice: quote a value with blanks, and write a block for two places", what);
  *slot = strdup(value);
  return *slot || refuse(s, "out of memory");
}

// "0-3,5": numbers, and ranges that do not run backwards.
static bool is_rank_list(const char *list) {
  for (const char *p = list; isdigit((unsigned char)*p);) {
    char *end;
    unsigned long first = strtoul(p, &end, 10), last = first;
    if (*end == '-' && isdigit((unsigned char)end[1])) last = strtoul(end + 1, &end, 10);
    if (last < first) return false;
    if (!*end) return true;
    if (*end != ',') return false;
    p = end + 1;
  }
  return false;
}

static bool keep_ranks(struct source *s, struct mck_rule *rule, const char *list) {
  return is_rank_list(list) ? keep(s, &rule->ranks, "ranks", list)
                            : refuse(s, "ranks=%.40s: must be a list like 0-3,5", list);
}

static bool keep_fingerprint(struct source *s, struct mck_rule *rule, const char *text) {
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    return refuse(s, "fingerprint=%.40s: must be the 16 digits that the JSON report has", text);
  return keep(s, &rule->fingerprint, "fingerprint", text);
}

// One word of a place: NAME=PATTERN, or a pattern of any name.
static bool read_word(struct source *s, struct mck_rule *rule, struct mck_rule_place *place, char *word) {
  const struct {
    const char *name;
    char **slot;
  } keys[] = {{"fun", &place->function}, {"file", &place->file}, {"lib", &place->library}, {"from", &place->from}};
  char *value = strchr(word, '=');
  if (!value || strncmp(word, "operator", 8) == 0) return keep(s, &place->any, "the pattern", word);
  *value++ = 0;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(word, keys[i].name) == 0) return keep(s, keys[i].slot, word, value);
  if (strcmp(word, "ranks") == 0) return keep_ranks(s, rule, value);
  if (strcmp(word, "fingerprint") == 0) return keep_fingerprint(s, rule, value);
  return refuse(s, "%.40s= is unknown: use fun=, file=, lib=, from=, ranks= or fingerprint=", word);
}

// Words up to the reason in parentheses. A value with blanks is quoted: fun="operator new". Returns what follows.
static char *read_words(struct source *s, struct mck_rule *rule, struct mck_rule_place *place, char *text) {
  for (text = trim(text); *text && *text != '('; text = trim(text)) {
    char *word = text, *to = text, quote = 0;
    for (; *text && (quote || !isspace((unsigned char)*text)); text++) {
      if (*text == quote || (!quote && (*text == '"' || *text == '\''))) quote = quote ? 0 : *text;
      else *to++ = *text;
    }
    if (quote) return refuse(s, "the closing quote is missing"), NULL;
    char *next = *text ? text + 1 : text;
    *to = 0;
    if (!read_word(s, rule, place, word)) return NULL;
    text = next;
  }
  return text;
}

static bool is_place_given(const struct mck_rule_place *p) {
  return p->any || p->function || p->file || p->library || p->from;
}

static bool keep_kind(struct source *s, struct mck_rule *rule, char *kind) {
  if (!*kind) return refuse(s, "the kind is missing: write KIND:PATTERN (REASON); the kind * fits all");
  if (s->is_kind && !s->is_kind(kind))
    return refuse(s, "no kind of finding is called %.60s; reports show the kind in brackets, as in [rma.race]", kind);
  return keep(s, &rule->kind, "kind", kind);
}

static bool read_rule(struct source *s, struct mck_rule *rule, char *text) {
  char *colon = strchr(text, ':');
  if (!colon) return refuse(s, "this is no rule: write KIND:PATTERN (REASON), or KIND { for a block");
  *colon = 0;
  if (!keep_kind(s, rule, trim(text))) return false;
  char *rest = read_words(s, rule, &rule->places[0], colon + 1);
  if (!rest) return false;
  rule->nplaces = is_place_given(&rule->places[0]);
  if (!rule->nplaces && !rule->ranks && !rule->fingerprint)
    return refuse(s, "the pattern is missing: name a function, file or library; the pattern * fits all");
  size_t n = strlen(rest);
  if (n < 3 || rest[0] != '(' || rest[n - 1] != ')')
    return refuse(s, "the reason is missing: write it in parentheses at the end of the line");
  rest[n - 1] = 0;
  char *reason = trim(rest + 1);
  return *reason ? keep(s, &rule->reason, "reason", reason)
                 : refuse(s, "the reason is empty: say why this finding is no problem");
}

static bool end_block(struct source *s) {
  struct mck_rule *rule = s->block;
  s->block = NULL;
  if (!rule->reason) return refuse(s, "the block has no reason: add a line reason: TEXT");
  if (!rule->nplaces && !rule->ranks && !rule->fingerprint)
    return refuse(s, "the block has no place: add a line place: fun=NAME file=NAME");
  return true;
}

static bool read_in_block(struct source *s, char *text) {
  struct mck_rule *rule = s->block;
  if (strcmp(text, "}") == 0) return end_block(s);
  char *value = strchr(text, ':');
  if (value) *value++ = 0, value = trim(value);
  text = trim(text);
  if (!value) return refuse(s, "in a block a line is place:, ranks:, fingerprint: or reason: with a value, or }");
  if (strcmp(text, "reason") == 0)
    return *value ? keep(s, &rule->reason, "reason", value)
                  : refuse(s, "the reason is empty: say why this finding is no problem");
  if (strcmp(text, "ranks") == 0) return keep_ranks(s, rule, value);
  if (strcmp(text, "fingerprint") == 0) return keep_fingerprint(s, rule, value);
  if (strcmp(text, "place") != 0)
    return refuse(s, "%.40s: is unknown: a line of a block is place:, ranks:, fingerprint: or reason:", text);
  if (rule->nplaces == MCK_RULE_PLACES) return refuse(s, "a finding has at most %d places", MCK_RULE_PLACES);
  char *rest = read_words(s, rule, &rule->places[rule->nplaces], value);
  if (!rest) return false;
  if (*rest) return refuse(s, "in a block the reason has a line of its own: reason: TEXT");
  if (!is_place_given(&rule->places[rule->nplaces]))
    return refuse(s, "the place is empty: write place: fun=NAME file=NAME");
  rule->nplaces++;
  return true;
}

static bool read_line(struct source *s, struct mck_rules *rules, char *text) {
  text = trim(text);
  if (!*text || *text == '#') return true;
  if (s->block) return read_in_block(s, text);
  if (!MCK_PUSH(rules->items, rules->count, rules->capacity, (struct mck_rule){0})) return refuse(s, "out of memory");
  struct mck_rule *rule = &rules->items[rules->count - 1];
  rule->line = s->line;
  size_t n = strlen(text);
  if (text[n - 1] != '{') return read_rule(s, rule, text);
  text[n - 1] = 0;
  s->block = rule;
  return keep_kind(s, rule, trim(text));
}

bool mck_rules_read(struct mck_rules *rules, const char *path, bool (*is_kind)(const char *pattern), char *error,
                    size_t size) {
  struct source s = {.path = path, .is_kind = is_kind, .error = error, .size = size};
  FILE *in = fopen(path, "r");
  char *line = NULL;
  size_t capacity = 0;
  ssize_t n = -1;
  bool is_good = in != NULL;
  if (!rules->path) rules->path = strdup(path);
  while (is_good && (errno = 0, n = getline(&line, &capacity, in)) >= 0) {
    size_t mark = s.line++ == 0 && strncmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; // as some editors begin UTF-8
    is_good = memchr(line, 0, (size_t)n) ? refuse(&s, "this is no text: name a file of suppressions")
                                         : read_line(&s, rules, line + mark);
  }
  if (!in || (is_good && errno)) {
    snprintf(error, size, "cannot read the suppressions in %s: %s", path, strerror(errno));
    is_good = false;
  }
  if (is_good && s.block) is_good = refuse(&s, "the block of line %u is not closed: add a line }", s.block->line);
  free(line);
  if (in) fclose(in);
  return is_good;
}

void mck_rules_free(struct mck_rules *rules) {
  for (size_t i = 0; i < rules->count; i++) {
    struct mck_rule *r = &rules->items[i];
    for (unsigned k = 0; k < MCK_RULE_PLACES; k++) {
      struct mck_rule_place *p = &r->places[k];
      free(p->any), free(p->function), free(p->file), free(p->library), free(p->from);
    }
    free(r->kind), free(r->fingerprint), free(r->ranks), free(r->reason);
  }
  free(rules->items), free(rules->path);
  *rules = (struct mck_rules){0};
}
