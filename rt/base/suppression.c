// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares findings with rules and comments (suppression.h).
#define _GNU_SOURCE 1
#include "base/suppression.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/function-name.h"

static bool fits(const char *pattern, const char *name) { return name && fnmatch(pattern, name, 0) == 0; }

// The arguments of templates are left out of a name.
static void strip_templates(char *name) {
  char *to = name;
  for (const char *p = name; *p;) {
    size_t skipped = mck_name_operator(name, p);
    const char *end = *p == '<' && !skipped ? mck_name_behind(p) : p;
    if (end > p) {
      p = end;
      continue;
    }
    if (!skipped) skipped = 1;
    memmove(to, p, skipped);
    p += skipped, to += skipped;
  }
  *to = 0;
}

// As the report shows a long name: "halo<...>::put(...)".
static char *read_dots(const char *pattern) {
  char *text = strdup(pattern);
  for (char *p = text; p && (p = strstr(p, "...")); p++)
    if (p > text && strchr("<(", p[-1]) && strchr(">)", p[3])) *p = '*', memmove(p + 1, p + 3, strlen(p + 3) + 1);
  return text;
}

// A pattern names a function in full, "void halo::put<int>(int)", or without parameters, without what it returns, or
// without the arguments of templates, "halo::put".
static bool fits_function(const char *pattern, const char *name) {
  if (!name || fits(pattern, name)) return name != NULL;
  char *dots = strstr(pattern, "...") ? read_dots(pattern) : NULL, *bare = strdup(name);
  struct mck_name_parts parts = mck_name_parts(name);
  if (dots) pattern = dots;
  bool is_fitting = fits(pattern, name) || fits(pattern, name + parts.begin);
  if (bare && parts.begin < parts.parameters) {
    bare[parts.parameters] = 0;
    is_fitting = is_fitting || fits(pattern, bare) || fits(pattern, bare + parts.begin);
    strip_templates(bare + parts.begin);
    is_fitting = is_fitting || fits(pattern, bare + parts.begin);
  }
  free(dots), free(bare);
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
