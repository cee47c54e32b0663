// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares findings with rules and comments (suppression.h).
#define _GNU_SOURCE 1
#include "base/suppression.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static bool fits(const char *pattern, const char *name) { return name && fnmatch(pattern, name, 0) == 0; }

// A pattern names a function with or without its parameters: "halo::put(int)" or "halo::put".
static bool fits_function(const char *pattern, const char *name) {
  if (!name || fits(pattern, name)) return name != NULL;
  const char *parameters = strchr(name, '(');
  if (!parameters || parameters == name) return false;
  char *bare = strndup(name, (size_t)(parameters - name));
  bool is_fitting = bare && fits(pattern, bare);
  free(bare);
  return is_fitting;
}

// A pattern names a file by its last parts: "halo.c" or "src/halo.c" is /home/me/src/halo.c.
static bool fits_path(const char *pattern, const char *path) {
  for (const char *part = path; part; part = strchr(part, '/'), part += part != NULL)
    if (fits(pattern, part)) return true;
  return false;
}

static bool fits_frame(const struct mck_rule_place *p, const struct mck_named_frame *frame) {
  if (p->any && !fits_function(p->any, frame->function) && !fits_path(p->any, frame->file) &&
      !fits_path(p->any, frame->library))
    return false;
  return (!p->function || fits_function(p->function, frame->function)) &&
         (!p->file || fits_path(p->file, frame->file)) && (!p->library || fits_path(p->library, frame->library));
}

static bool fits_place(const struct mck_rule_place *p, const struct mck_named_place *place) {
  bool is_own = !p->any && !p->function && !p->file && !p->library, is_called = !p->from;
  for (unsigned i = 0; i < place->own && !is_own; i++) is_own = fits_frame(p, &place->frames[i]);
  for (unsigned i = 0; i < place->count && !is_called; i++)
    is_called = fits_function(p->from, place->frames[i].function);
  return is_own && is_called;
}

// Each place of the rule needs a place of the finding of its own. There are few, so all ways are tried.
static bool fits_places(const struct mck_rule *rule, const struct mck_named *finding, unsigned next, unsigned taken) {
  if (next == rule->nplaces) return true;
  for (unsigned i = 0; i < finding->nplaces && i < 8 * sizeof taken; i++)
    if (!(taken >> i & 1) && fits_place(&rule->places[next], &finding->places[i]) &&
        fits_places(rule, finding, next + 1, taken | 1u << i))
      return true;
  return false;
}

static bool has_rank(const char *list, int32_t rank) {
  for (const char *p = list; *p;) {
    char *end;
    long low = strtol(p, &end, 10), high = *end == '-' ? strtol(end + 1, &end, 10) : low;
    if (rank >= low && rank <= high) return true;
    p = *end ? end + 1 : end;
  }
  return false;
}

static bool fits_ranks(const char *list, const struct mck_named *finding) {
  if (!list) return true;
  for (size_t i = 0; i < finding->nranks; i++)
    if (!has_rank(list, finding->ranks[i])) return false;
  return finding->nranks > 0;
}

const struct mck_rule *mck_rules_find(struct mck_rules *rules, const struct mck_named *finding) {
  for (size_t i = 0; i < rules->count; i++) {
    struct mck_rule *rule = &rules->items[i];
    if (!fits(rule->kind, finding->kind) || !fits_ranks(rule->ranks, finding)) continue;
    if (rule->fingerprint && (!finding->fingerprint || strcmp(rule->fingerprint, finding->fingerprint) != 0)) continue;
    if (!fits_places(rule, finding, 0, 0)) continue;
    rule->uses++;
    return rule;
  }
  return NULL;
}

// --- the comment ---
#define MARK "mpicc-check: ignore"

static const char *skip_blanks(const char *p, const char *end) {
  while (p < end && isspace((unsigned char)*p)) p++;
  return p;
}

bool mck_comment_ignores(const char *line, size_t size, bool is_above, const char *kind, const char **reason,
                         size_t *length) {
  const char *mark = memmem(line, size, MARK, sizeof MARK - 1), *end = line + size;
  *reason = NULL, *length = 0;
  if (!mark) return false;
  const char *slash = memmem(line, (size_t)(mark - line), "//", 2);
  if (!slash) slash = memmem(line, (size_t)(mark - line), "/*", 2);
  const char *bang = slash ? NULL : memchr(line, '!', (size_t)(mark - line)); // Fortran
  const char *comment = slash ? slash : bang;
  if (!comment || (is_above && skip_blanks(line, end) != comment)) return false;
  const char *close = memmem(mark, (size_t)(end - mark), "*/", 2);
  if (close) end = close;
  bool is_named = false, is_meant = false;
  const char *p = skip_blanks(mark + sizeof MARK - 1, end);
  while (p < end && *p != '(') {
    const char *word = p;
    while (p < end && !isspace((unsigned char)*p) && *p != '(' && *p != ',') p++;
    is_named |= p > word;
    is_meant |= (size_t)(p - word) == strlen(kind) && memcmp(word, kind, strlen(kind)) == 0;
    p = skip_blanks(p + (p < end && *p == ','), end);
  }
  const char *last = p < end ? memrchr(p, ')', (size_t)(end - p)) : NULL;
  if (last) *reason = p + 1, *length = (size_t)(last - p - 1);
  return is_meant || !is_named;
}
