// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the text report (report-text.h).
#define _GNU_SOURCE 1
#include "report/report-text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/function-name.h"
#include "base/rank-span.h"
#include "report/callers-text.h"
#include "report/static-warning.h"
#include "report/utf8.h"

enum { LABEL_WIDTH_MAX = 60 };

static const char *const severity_names[] = {[MCK_NOTE] = "NOTE", [MCK_WARNING] = "WARNING", [MCK_ERROR] = "ERROR"};

static unsigned print_text(FILE *out, const char *text) { return mck_utf8_print(out, text, strlen(text)); }

// Prints each line of text after indent; empty lines are left out.
static void print_lines(FILE *out, const char *text, const char *first, const char *indent) {
  const char *head = first;
  while (*text) {
    size_t length = strcspn(text, "\n");
    if (length) {
      fputs(head, out);
      mck_utf8_print(out, text, length);
      putc('\n', out);
      head = indent;
    }
    text += length + (text[length] == '\n');
  }
}

// 1,234,567
static void print_number(FILE *out, uint64_t number) {
  char digits[32];
  int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0) putc(',', out);
    putc(digits[i], out);
  }
}

void mck_text_print_ranks(FILE *out, const int32_t *ranks, size_t n) {
  fputs(n == 1 ? "rank " : "ranks ", out);
  for (size_t i = 0; i < n;) {
    size_t last = i;
    while (last + 1 < n && ranks[last + 1] == ranks[last] + 1) last++;
    char span[MCK_RANK_SPAN];
    fprintf(out, "%s%s", i ? "," : "", mck_rank_span(span, (uint32_t)ranks[i], (uint32_t)ranks[last]));
    i = last + 1;
  }
}

// Does text name this rank ("rank 3", "ranks 0-2, 5 and 7")?
static bool is_rank_named(const char *text, int32_t rank) {
  for (const char *p = text; p && (p = strstr(p, "rank"));) {
    p += strlen("rank");
    if (*p == 's') p++;
    for (const char *separator = " "; *separator && strncmp(p, separator, strlen(separator)) == 0;) {
      const char *number = p + strlen(separator);
      if (!isdigit((unsigned char)*number)) break;
      char *end;
      long low = strtol(number, &end, 10), high = low;
      if (*end == '-' && isdigit((unsigned char)end[1])) high = strtol(end + 1, &end, 10);
      if (low <= rank && rank <= high) return true;
      p = end;
      separator = *p == ',' ? p[1] == ' ' ? ", " : "," : " and ";
    }
  }
  return false;
}

// Prints "  on ranks 0-3, 5 times", as far as the texts do not say it.
static void print_ranks_line(FILE *out, const struct mck_group *group, uint32_t size) {
  const struct mck_finding *f = group->finding;
  uint64_t once = group->nranks ? group->nranks : 1; // once on each rank is not printed
  bool is_repeated = group->count > once, is_named = group->nranks == 0;
  if (group->nranks == 1) {
    is_named = size == 1 || is_rank_named(f->text, f->rank);
    for (uint32_t i = 0; i < f->nplaces; i++) is_named |= is_rank_named(f->places[i].label, f->rank);
    is_named &= !is_repeated || size == 1;
  }
  if (is_named && !is_repeated) return;
  fputs("  ", out);
  if (!is_named) {
    fputs("on ", out);
    mck_text_print_ranks(out, group->ranks, group->nranks);
  }
  if (is_repeated) {
    fputs(is_named ? "" : ", ", out);
    print_number(out, group->count);
    fputs(" times", out);
  }
  if (group->is_varied && group->nranks > 1) fprintf(out, "; shown as on rank %d", f->rank);
  putc('\n', out);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

// Names of templates may have hundreds of letters. Of these the arguments of templates and the parameters are left out.
static void print_function(FILE *out, const char *name) {
  enum { LONG = 60, SHORT = 6 };
  bool is_long = strlen(name) > LONG;
  for (const char *p = name, *end; *p; p = end) {
    size_t skipped = *p == '<' || *p == '(' ? mck_name_operator(name, p) : 1;
    bool is_bracket = is_long && !skipped;
    end = is_bracket ? mck_name_behind(p) : p + (skipped ? skipped : 1);
    if (!is_bracket) end += strcspn(end, "<(");
    if (is_bracket && end - p > SHORT && strncmp(p, "(anonymous", 10) != 0) fputs(*p == '<' ? "<...>" : "(...)", out);
    else mck_utf8_print(out, p, (size_t)(end - p));
  }
}

void mck_text_print_frame(FILE *out, const struct mck_source_frame *frame) {
  if (frame->file) {
    print_text(out, base_name(frame->file));
    if (frame->line > 0) fprintf(out, ":%d", frame->line);
  } else {
    print_text(out, base_name(frame->module));
    if (!frame->function) fprintf(out, "+0x%llx", (unsigned long long)frame->offset);
  }
  if (!frame->function) return;
  fputs(" in ", out);
  print_function(out, frame->function);
  if (!frame->file) fprintf(out, "+0x%llx", (unsigned long long)frame->distance);
}

static const char *label_of(const struct mck_place *place) { return place->label ? place->label : "at"; }

static unsigned label_width(const struct mck_place *place) {
  unsigned width = 0;
  for (const char *p = label_of(place); *p;) {
    unsigned length = mck_utf8_sequence(p);
    width++;
    p += length ? length : 1;
  }
  return width;
}

static void print_places(FILE *out, const struct mck_group *group) {
  unsigned column = 0;
  for (uint32_t i = 0; i < group->finding->nplaces; i++) {
    unsigned width = label_width(&group->finding->places[i]);
    if (group->stacks[i].count && width > column) column = width;
  }
  if (column > LABEL_WIDTH_MAX) column = LABEL_WIDTH_MAX;
  for (uint32_t i = 0; i < group->finding->nplaces; i++) {
    const struct mck_source_stack *stack = &group->stacks[i];
    fputs("  ", out);
    unsigned width = print_text(out, label_of(&group->finding->places[i]));
    if (stack->count) {
      fprintf(out, "%*s", width < column ? (int)(column - width + 2) : 2, "");
      mck_text_print_frame(out, &stack->frames[0]);
    }
    putc('\n', out);
    unsigned shown[1 + MCK_CALLERS_SHOWN], n = mck_stack_shown(stack, shown);
    for (unsigned k = 1; k < n; k++) {
      fputs("      called from ", out);
      mck_text_print_frame(out, &stack->frames[shown[k]]);
      putc('\n', out);
    }
  }
}

static void print_warning(FILE *out, const struct mck_static_place *place) {
  fputs("  the compiler warned of it at ", out);
  print_text(out, base_name(place->file));
  fprintf(out, ":%u", place->line);
  if (place->column) fprintf(out, ":%u", place->column);
  fputs(" [", out);
  print_text(out, place->kind);
  fputs("]\n", out);
}

void mck_text_print_group(FILE *out, const struct mck_group *group, const struct mck_report *r) {
  const struct mck_finding *f = group->finding;
  const struct mck_check_info *info = &mck_check_infos[f->check];
  fprintf(out, "==mpicc-check== %s [%s]", severity_names[f->severity], info->id);
  // The headline becomes one line.
  print_lines(out, f->text && f->text[0] && f->text[0] != '\n' ? f->text : "(out of memory: no text)", " ", "  ");
  print_ranks_line(out, group, r->run->size);
  print_places(out, group);
  if (f->why) print_lines(out, f->why, "  ", "  ");
  if (group->warning) print_warning(out, group->warning);
  if (group->baseline == MCK_BASELINE_KNOWN) fputs("  known: the baseline has it\n", out);
  const char *help = f->help && f->help[0] ? f->help : info->help;
  print_lines(out, help, "  help: ", "        ");
  if (r->options->prints_rules) mck_known_print_rule(out, group);
}

static void print_count(FILE *out, uint64_t count, const char *what) {
  print_number(out, count);
  fprintf(out, " %s%s", what, count == 1 ? "" : "s");
}

static void print_fixed(FILE *out, const struct mck_report *r) {
  const struct mck_group *group;
  const char *what = r->run->is_incomplete ? "in the baseline, but not in this incomplete run"
                                           : "fixed since the baseline";
  for (size_t at = 0; (group = mck_known_next_fixed(&r->known, &r->groups, &at));) {
    fprintf(out, "==mpicc-check== %s: [%s] ", what, mck_check_infos[group->finding->check].id);
    mck_utf8_print(out, group->finding->text, strcspn(group->finding->text, "\n"));
    if (group->finding->nplaces && group->stacks[0].count) {
      fputs(" (", out);
      mck_text_print_frame(out, &group->stacks[0].frames[mck_stack_user(&group->stacks[0])]);
      putc(')', out);
    }
    putc('\n', out);
  }
}

static void print_unused(FILE *out, const struct mck_rules *rules) {
  for (size_t i = 0; i < rules->count; i++) {
    const struct mck_rule *rule = &rules->items[i];
    if (rule->uses) continue;
    fputs("==mpicc-check== unused suppression ", out);
    print_text(out, rules->path ? rules->path : "");
    fprintf(out, ":%u: %s (", rule->line, rule->kind);
    print_text(out, rule->reason);
    fputs(")\n", out);
  }
}

static void print_summary(FILE *out, const struct mck_report *r) {
  const struct mck_counts *counts = &r->counts;
  const struct mck_report_run *run = r->run;
  mck_coverage_print(out, &r->coverage);
  fputs("==mpicc-check== ", out);
  if (r->groups.count == counts->suppressed) {
    fputs(r->nunfit ? "nothing found that fits" : "no errors found", out);
  } else {
    print_count(out, counts->of[MCK_ERROR], "error");
    fputs(", ", out);
    print_count(out, counts->of[MCK_WARNING], "warning");
    fputs(", ", out);
    print_count(out, counts->of[MCK_NOTE], "note");
  }
  if (counts->known) fputs(", ", out), print_number(out, counts->known), fputs(" known", out);
  if (counts->suppressed) fputs(", ", out), print_number(out, counts->suppressed), fputs(" suppressed", out);
  if (r->nunfit) fputs(", ", out), print_number(out, r->nunfit), fputs(" left out by the filter", out);
  if (run->program && run->program[0]) {
    fputs(" in ", out);
    print_text(out, run->program);
  }
  mck_coverage_print_short(out, &r->coverage);
  fputs(" on ", out);
  print_count(out, run->size, "rank");
  fputs(" (", out);
  print_count(out, run->calls, "MPI call");
  fputs(run->is_incomplete ? "), incomplete\n" : ")\n", out);
}

void mck_text_print(FILE *out, const struct mck_report *r) {
  for (size_t i = 0; i < r->groups.count; i++) {
    const struct mck_group *group = &r->groups.items[i];
    if (group->suppression || mck_callers_hide(r, group)) continue;
    mck_text_print_group(out, group, r);
    if (mck_callers_hide_next(r, group)) mck_callers_print(out, r, i);
  }
  if (r->options->is_interim) return;
  print_fixed(out, r);
  if (!r->options->is_filtered) print_unused(out, &r->known.rules);
  if (r->groups.count || r->run->is_incomplete || !r->options->is_quiet) print_summary(out, r);
}
