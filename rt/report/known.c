// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suppressions and the baseline (known.h).
#define _GNU_SOURCE 1
#include "report/known.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/function-name.h"
#include "report/fingerprint.h"
#include "report/static-place.h"

static bool is_kind_of_run(const char *pattern) {
  for (int i = 0; i < MCK_CHECK_COUNT; i++)
    if (fnmatch(pattern, mck_check_infos[i].id, 0) == 0) return true;
  return false;
}

bool mck_known_is_kind(const char *pattern) { return is_kind_of_run(pattern) || mck_static_is_kind(pattern); }

bool mck_known_is_fail_on(const char *word) {
  static const char *const words[] = {"error", "warning", "note", "new", "never"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(word, words[i]) == 0) return true;
  return false;
}

bool mck_known_open(struct mck_known *known, const struct mck_report_options *options, char *error, size_t size) {
  const char *rules = options->suppressions, *baseline = options->baseline;
  *known = (struct mck_known){0};
  if (rules && *rules && !mck_rules_read(&known->rules, rules, mck_known_is_kind, error, size)) return false;
  // The compiler may have used these: what it suppressed is not in the program.
  for (size_t i = 0; i < known->rules.count; i++)
    known->rules.items[i].uses = !is_kind_of_run(known->rules.items[i].kind);
  if (!baseline || !*baseline) return true;
  char why[512];
  if (!mck_document_read(&known->baseline, baseline, why, sizeof why)) {
    snprintf(error, size, "cannot use %s as baseline: %s; name a report that option json wrote", baseline, why);
    return false;
  }
  mck_fingerprints_set(&known->baseline.groups);
  return known->has_baseline = true;
}

void mck_known_close(struct mck_known *known) {
  mck_rules_free(&known->rules);
  mck_document_free(&known->baseline);
}

// The frames that are the place itself: the innermost one, and up to the user's line behind frames of libraries.
static unsigned count_own(const struct mck_source_stack *stack) { return stack->count ? mck_stack_user(stack) + 1 : 0; }

static void keep(struct mck_group *group, const char *reason, size_t length, const char *path, unsigned line) {
  if (length) group->suppression = strndup(reason, length);
  else group->suppression = strdup("no reason is given");
  if (asprintf(&group->suppressed_by, "%s:%u", path, line) < 0) group->suppressed_by = NULL;
}

static bool apply_comment(struct mck_group *group, struct mck_sources *sources) {
  const struct mck_finding *f = group->finding;
  for (uint32_t i = 0; i < f->nplaces; i++) {
    const struct mck_source_stack *stack = &group->stacks[i];
    if (!mck_place_is_deciding(f, i)) continue;
    for (unsigned k = 0; k < count_own(stack); k++)
      for (int above = 0; above < 2; above++) {
        const struct mck_source_frame *frame = &stack->frames[k];
        const char *reason, *line;
        size_t length, size;
        line = mck_sources_line(sources, frame->file, frame->module, frame->line - above, &size);
        if (!line || !mck_comment_ignores(line, size, above, mck_check_infos[f->check].id, &reason, &length)) continue;
        keep(group, reason, length, frame->file, (unsigned)(frame->line - above));
        group->is_in_source = true;
        return true;
      }
  }
  return false;
}

static void apply_rules(struct mck_rules *rules, struct mck_group *group) {
  const struct mck_finding *f = group->finding;
  struct mck_named_place places[MCK_PLACES_MAX] = {0};
  struct mck_named_frame *frames[MCK_PLACES_MAX] = {0};
  struct mck_named named = {.kind = mck_check_infos[f->check].id,
                            .fingerprint = group->fingerprint,
                            .places = places,
                            .nplaces = f->nplaces,
                            .ranks = group->ranks,
                            .nranks = group->nranks};
  bool is_whole = true;
  for (uint32_t i = 0; i < f->nplaces && is_whole; i++) {
    const struct mck_source_stack *stack = &group->stacks[i];
    frames[i] = stack->count ? calloc(stack->count, sizeof *frames[i]) : NULL;
    is_whole = !stack->count || frames[i];
    for (unsigned k = 0; k < stack->count && is_whole; k++)
      frames[i][k] = (struct mck_named_frame){stack->frames[k].function, stack->frames[k].file,
                                              stack->frames[k].module};
    places[i] = (struct mck_named_place){frames[i], stack->count, count_own(stack)};
  }
  const struct mck_rule *rule = is_whole ? mck_rules_find(rules, &named) : NULL;
  if (rule) keep(group, rule->reason, strlen(rule->reason), rules->path ? rules->path : "", rule->line);
  for (uint32_t i = 0; i < f->nplaces; i++) free(frames[i]);
}

static bool has_fingerprint(const struct mck_groups *groups, const char *fingerprint) {
  for (size_t i = 0; i < groups->count; i++)
    if (*fingerprint && strcmp(groups->items[i].fingerprint, fingerprint) == 0) return true;
  return false;
}

void mck_known_apply(struct mck_known *known, struct mck_groups *groups, struct mck_sources *sources) {
  for (size_t i = 0; i < groups->count; i++) {
    struct mck_group *group = &groups->items[i];
    apply_rules(&known->rules, group); // also when a comment does: then the rule is used
    if (!group->suppression) apply_comment(group, sources);
    if (known->has_baseline)
      group->baseline = has_fingerprint(&known->baseline.groups, group->fingerprint) ? MCK_BASELINE_KNOWN
                                                                                     : MCK_BASELINE_NEW;
  }
}

bool mck_known_fails(const struct mck_known *known, const struct mck_group *group, const char *fail_on) {
  if (group->suppression || (known->has_baseline && group->baseline != MCK_BASELINE_NEW)) return false;
  if (!fail_on || !*fail_on || strcmp(fail_on, "error") == 0) return group->finding->severity == MCK_ERROR;
  if (strcmp(fail_on, "warning") == 0) return group->finding->severity >= MCK_WARNING;
  return strcmp(fail_on, "never") != 0; // note, new
}

const struct mck_group *mck_known_next_fixed(const struct mck_known *known, const struct mck_groups *groups,
                                             size_t *at) {
  const struct mck_groups *old = &known->baseline.groups;
  while (!known->is_partial && *at < old->count) {
    const struct mck_group *group = &old->items[(*at)++];
    bool is_first = true; // one of several with this fingerprint
    for (const struct mck_group *g = old->items; g < group; g++)
      is_first &= strcmp(g->fingerprint, group->fingerprint) != 0;
    if (is_first && !has_fingerprint(groups, group->fingerprint)) return group;
  }
  return NULL;
}

// --- a rule for a finding ---
// Characters that mean something in a pattern are escaped. A name with blanks is quoted. Numbers of lambdas may be any.
static void print_pattern(FILE *out, const char *key, const char *name) {
  char quote = strchr(name, '"') ? '\'' : '"';
  bool is_quoted = strpbrk(name, " \t'\"") || *name == '(';
  fprintf(out, " %s=", key);
  if (is_quoted) putc(quote, out);
  bool is_function = strcmp(key, "fun") == 0;
  for (const char *p = name; *p; p++) {
    size_t number = is_function ? mck_name_number(name, p) : 0;
    if (number) {
      putc('*', out);
      p += number - 1;
      continue;
    }
    if (strchr("*?[\\", *p)) putc('\\', out);
    if ((unsigned char)*p >= ' ' && (!is_quoted || *p != quote)) putc(*p, out);
    else putc('?', out);
  }
  if (is_quoted) putc(quote, out);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

static bool print_place(FILE *out, const struct mck_source_stack *stack) {
  unsigned own = count_own(stack);
  if (!own) return false;
  const struct mck_source_frame *frame = &stack->frames[own - 1];
  fputs("  place:", out);
  if (frame->function) print_pattern(out, "fun", frame->function);
  if (frame->file) print_pattern(out, "file", base_name(frame->file));
  else print_pattern(out, "lib", base_name(frame->module));
  putc('\n', out);
  return true;
}

void mck_known_print_rule(FILE *out, const struct mck_group *group) {
  const struct mck_finding *f = group->finding;
  fprintf(out, "%s {\n", mck_check_infos[f->check].id);
  bool is_placed = false;
  for (uint32_t i = 0; i < f->nplaces; i++)
    if (mck_place_is_deciding(f, i)) is_placed |= print_place(out, &group->stacks[i]);
  if (!is_placed) fprintf(out, "  fingerprint: %s\n", group->fingerprint);
  fputs("  reason:\n}\n", out);
}
