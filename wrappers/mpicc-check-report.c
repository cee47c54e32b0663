// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpicc-check-report shows JSON reports, and writes them in other forms (rt/report). This file reads the options.
// docs/report.md is its page.
#include <argp.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/base.h"
#include "report/form/page-parts.h"
#include "report/forms.h"
#include "report/report-json.h"
#include "word-list.h"

enum { EXIT_USAGE = 2, EXIT_FINDINGS = 66 };
enum key {
  KEY_KIND = 256,
  KEY_RANK,
  KEY_FILE,
  KEY_TEXT,
  KEY_SEVERITY,
  KEY_JSON,
  KEY_SARIF,
  KEY_JUNIT,
  KEY_HTML,
  KEY_SUPPRESSIONS,
  KEY_BASELINE,
  KEY_FAIL_ON,
  KEY_GENERATE,
  KEY_OUTPUT,
  KEY_EXPLAIN,
  KEY_SORT
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What is written (default: the text, on standard output):", 1},
    {"output", KEY_OUTPUT, "FILE", 0, "the text to FILE", 0},
    {"json", KEY_JSON, "FILE", 0, "JSON (FILE -: standard output)", 0},
    {"html", KEY_HTML, "FILE", 0, "one page for a browser, which needs no other file", 0},
    {"sarif", KEY_SARIF, "FILE", 0, "SARIF 2.1.0, for GitHub, GitLab and editors", 0},
    {"junit", KEY_JUNIT, "FILE", 0, "JUnit XML: a finding that fails the run is a test that fails", 0},
    {0, 0, 0, 0, "Which findings (each must fulfil all that are given):", 2},
    {"kind", KEY_KIND, "GLOB", 0, "of this kind: rma.*", 0},
    {"severity", KEY_SEVERITY, "WHAT", 0, "error; warning: warnings, too; note: all", 0},
    {"rank", KEY_RANK, "RANK", 0, "on this rank", 0},
    {"file", KEY_FILE, "GLOB", 0, "with a place in this file: halo.c", 0},
    {"text", KEY_TEXT, "WORDS", 0, "with these words in the text, a place or the reasons", 0},
    {"sort", KEY_SORT, "BY", 0, "severity (as in a run), kind, file, count (most first) or ranks (most first)", 0},
    {0, 0, 0, 0, "What is known already:", 3},
    {"suppressions", KEY_SUPPRESSIONS, "FILE", 0, "findings that are not to be shown", 0},
    {"gen-suppressions", KEY_GENERATE, 0, 0, "print a suppression behind each finding", 0},
    {"baseline", KEY_BASELINE, "REPORT", 0, "an earlier report: says what is new since then, and what is fixed", 0},
    {"diff", KEY_BASELINE, 0, OPTION_ALIAS, 0, 0},
    {"fail-on", KEY_FAIL_ON, "WHAT", 0, "error, warning, note, new or never: when the exit status is 66", 0},
    {0, 0, 0, 0, "Without a report:", 4},
    {"explain", KEY_EXPLAIN, "KIND", 0, "print the page of this kind of finding: rma.race", 0},
    {0}};

// The page of a kind, as docs/checks has it.
static error_t explain(const char *kind, struct argp_state *state) {
  for (const struct mck_page_part *page = mck_check_pages; page->name; page++)
    if (strcmp(page->name, kind) == 0) exit(fputs(page->text, stdout) < 0 || fflush(stdout) ? EXIT_USAGE : 0);
  enum { NEAR = 3 }; // letters that may be wrong; else it is no slip of the hand
  const char *nearest = NULL;
  unsigned least = NEAR + 1;
  for (const struct mck_page_part *page = mck_check_pages; page->name; page++) {
    unsigned distance = mck_options_distance(kind, strlen(kind), page->name, strlen(page->name));
    if (distance < least) least = distance, nearest = page->name;
  }
  fprintf(stderr,
          nearest ? "%s: no kind of finding is called %s; did you mean %s?\n"
                  : "%s: no kind of finding is called %s; there are:\n",
          state->name, kind, nearest);
  for (const struct mck_page_part *page = mck_check_pages; !nearest && page->name; page++)
    fprintf(stderr, "  %s\n", page->name);
  exit(EXIT_USAGE);
}

struct command {
  struct mck_report_options forms;
  const char *kind, *file, *text;
  int (*order)(const struct mck_group *, const struct mck_group *); // NULL: as in a run
  enum mck_severity severity;
  long rank; // -1: any
  struct mck_words files;
};

static int by_kind(const struct mck_group *a, const struct mck_group *b) {
  return strcmp(mck_check_infos[a->finding->check].id, mck_check_infos[b->finding->check].id);
}
static int by_count(const struct mck_group *a, const struct mck_group *b) {
  return (a->count < b->count) - (a->count > b->count);
}
static int by_ranks(const struct mck_group *a, const struct mck_group *b) {
  return (a->nranks < b->nranks) - (a->nranks > b->nranks);
}
// Findings without a place come last.
static int by_file(const struct mck_group *a, const struct mck_group *b) {
  const struct mck_source_frame *x = a->stacks[0].count ? a->stacks[0].frames : NULL;
  const struct mck_source_frame *y = b->stacks[0].count ? b->stacks[0].frames : NULL;
  if (!x || !y || !x->file || !y->file) return (y && y->file) - (x && x->file);
  int order = strcmp(x->file, y->file);
  return order ? order : (x->line > y->line) - (x->line < y->line);
}

static error_t parse_sort(struct command *c, const char *text, struct argp_state *state) {
  if (strcmp(text, "kind") == 0) c->order = by_kind;
  else if (strcmp(text, "count") == 0) c->order = by_count;
  else if (strcmp(text, "ranks") == 0) c->order = by_ranks;
  else if (strcmp(text, "file") == 0) c->order = by_file;
  else if (strcmp(text, "severity") != 0)
    argp_error(state, "--sort: must be severity, kind, file, count or ranks, not %s", text);
  return 0;
}

// Those that are equal keep their order.
struct sorting {
  struct mck_group group;
  size_t place;
  const struct command *command;
};
static int compare(const void *a, const void *b) {
  const struct sorting *x = a, *y = b;
  int order = x->command->order(&x->group, &y->group);
  return order ? order : (x->place > y->place) - (x->place < y->place);
}
static void sort(const struct command *c, struct mck_groups *groups) {
  struct sorting *all = c->order && groups->count ? calloc(groups->count, sizeof *all) : NULL;
  for (size_t i = 0; all && i < groups->count; i++) all[i] = (struct sorting){groups->items[i], i, c};
  if (all) qsort(all, groups->count, sizeof *all, compare);
  for (size_t i = 0; all && i < groups->count; i++) groups->items[i] = all[i].group;
  free(all);
}

// Then the text goes to standard error, as with mpirun-check.
static bool has_standard_output(const struct mck_report_options *o) {
  const char *const paths[] = {o->json_path, o->sarif_path, o->junit_path, o->html_path};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    if (paths[i] && strcmp(paths[i], "-") == 0) return true;
  return false;
}

// "--html a.json b.json" names the page a.json: a report would be lost.
static bool would_lose_report(const struct mck_report_options *o) {
  const struct {
    const char *option, *path;
  } outputs[] = {{"html", o->html_path}, {"sarif", o->sarif_path}, {"junit", o->junit_path}, {"output", o->text_path}};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
    struct mck_document document;
    char error[512];
    const char *path = outputs[i].path;
    if (!path || !*path || strcmp(path, "-") == 0 || !mck_document_read(&document, path, error, sizeof error)) continue;
    mck_document_free(&document);
    fprintf(stderr, "mpicc-check-report: --%s %s would overwrite a JSON report: write --%s FILE %s\n",
            outputs[i].option, path, outputs[i].option, path);
    return true;
  }
  return false;
}

static error_t parse(int key, char *text, struct argp_state *state) {
  struct command *c = state->input;
  char *end;
  switch (key) {
  case KEY_EXPLAIN: return explain(text, state);
  case KEY_SORT: return parse_sort(c, text, state);
  case KEY_OUTPUT: c->forms.text_path = text; return 0;
  case KEY_JSON: c->forms.json_path = text; return 0;
  case KEY_HTML: c->forms.html_path = text; return 0;
  case KEY_SARIF: c->forms.sarif_path = text; return 0;
  case KEY_JUNIT: c->forms.junit_path = text; return 0;
  case KEY_KIND:
    if (!mck_known_is_kind(text)) argp_error(state, "--kind: no kind of finding is called %s", text);
    c->kind = text;
    return 0;
  case KEY_SEVERITY:
    for (int i = MCK_NOTE; i <= MCK_ERROR; i++)
      if (strcmp(text, mck_severity_names[i]) == 0) return c->severity = (enum mck_severity)i, 0;
    argp_error(state, "--severity: must be error, warning or note, not %s", text);
    return 0;
  case KEY_RANK:
    c->rank = strtol(text, &end, 10);
    if (end == text || *end || c->rank < 0) argp_error(state, "--rank: %s is no rank", text);
    return 0;
  case KEY_FILE: c->file = text; return 0;
  case KEY_TEXT: c->text = text; return 0;
  case KEY_SUPPRESSIONS: c->forms.suppressions = text; return 0;
  case KEY_BASELINE: c->forms.baseline = text; return 0;
  case KEY_GENERATE: c->forms.prints_rules = true; return 0;
  case KEY_FAIL_ON:
    if (!mck_known_is_fail_on(text))
      argp_error(state, "--fail-on: must be error, warning, note, new or never, not %s", text);
    c->forms.fail_on = text;
    return 0;
  case ARGP_KEY_ARG: mck_words_push(&c->files, text); return 0;
  case ARGP_KEY_NO_ARGS: argp_error(state, "no report is named: JSON, as option json writes it"); return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static void print_version(FILE *out, struct argp_state *state) {
  (void)state;
  fprintf(out, "mpicc-check-report %s\n", MCK_VERSION);
}

static bool has_file(const struct mck_group *group, const char *glob) {
  for (uint32_t i = 0; i < group->finding->nplaces; i++)
    for (unsigned k = 0; k < group->stacks[i].count; k++) {
      const char *path = group->stacks[i].frames[k].file;
      if (path && (fnmatch(glob, path, 0) == 0 || fnmatch(glob, mck_words_basename(path), 0) == 0)) return true;
    }
  return false;
}

static bool has_text(const struct mck_group *group, const char *words) {
  const struct mck_finding *f = group->finding;
  bool has = (f->text && strcasestr(f->text, words)) || (f->why && strcasestr(f->why, words));
  for (uint32_t i = 0; i < f->nplaces; i++) has |= f->places[i].label && strcasestr(f->places[i].label, words);
  return has;
}

static bool is_asked(const struct command *c, const struct mck_group *group) {
  const struct mck_finding *f = group->finding;
  bool has_rank = c->rank < 0;
  for (size_t i = 0; i < group->nranks; i++) has_rank |= group->ranks[i] == c->rank;
  return has_rank && f->severity >= c->severity &&
         (!c->kind || fnmatch(c->kind, mck_check_infos[f->check].id, 0) == 0) &&
         (!c->file || has_file(group, c->file)) && (!c->text || has_text(group, c->text));
}

// One report of all: findings that read alike become one.
struct merged {
  struct mck_document *documents;
  size_t count;
  struct mck_report_run run;
};

static bool merge(struct merged *m, const struct command *c, struct mck_report *report) {
  m->documents = calloc(c->files.count, sizeof *m->documents);
  for (size_t i = 0; m->documents && i < c->files.count; i++) {
    struct mck_document *d = &m->documents[m->count];
    char error[512];
    if (!mck_document_read(d, c->files.items[i], error, sizeof error)) {
      fprintf(stderr, "mpicc-check-report: %s: %s\n", c->files.items[i], error);
      return false;
    }
    bool is_same = !m->count || strcmp(m->run.program, d->run.program) == 0;
    m->run = (struct mck_report_run){.program = is_same ? d->run.program : "several programs",
                                     .size = d->run.size > m->run.size ? d->run.size : m->run.size,
                                     .calls = m->run.calls + d->run.calls,
                                     .is_incomplete = m->run.is_incomplete || d->run.is_incomplete};
    if (!mck_coverage_add(&report->coverage, &d->coverage, m->count && is_same)) return false;
    m->count++;
    for (size_t k = 0; k < d->warnings.count; k++)
      if (!mck_static_join(&report->warnings, &d->warnings.items[k])) return false;
    for (size_t k = 0; k < d->groups.count; k++) {
      // What no run executed is said anew.
      bool is_said = report->says_unexecuted && d->warnings.count &&
                     d->groups.items[k].finding->check == MCK_CHECK_STATIC_UNEXECUTED;
      if (is_said) continue;
      if (!is_asked(c, &d->groups.items[k])) {
        report->nunfit++;
        continue;
      }
      if (!MCK_PUSH(report->groups.items, report->groups.count, report->groups.capacity, d->groups.items[k]))
        return false;
      d->groups.items[k] = (struct mck_group){.finding = d->groups.items[k].finding}; // it belongs to the report now
    }
  }
  return m->documents != NULL;
}

int main(int argc, char **argv) {
  static const struct argp argp = {options,
                                   parse,
                                   "REPORT...",
                                   "Shows JSON reports of mpirun-check (option --json), several as one, and writes "
                                   "them in other forms.\v"
                                   "Exit status: 66 with --fail-on when such a finding is there, 2 when a file or an "
                                   "option is wrong, else 0.",
                                   NULL,
                                   NULL,
                                   NULL};
  argp_program_version_hook = print_version;
  argp_err_exit_status = EXIT_USAGE;
  struct command command = {.rank = -1, .forms = {.fail_on = ""}};
  argp_parse(&argp, argc, argv, 0, NULL, &command);
  if (!command.forms.text_path) command.forms.text_path = has_standard_output(&command.forms) ? "" : "-";
  command.forms.is_filtered = command.rank >= 0 || command.severity > MCK_NOTE || command.kind || command.file ||
                              command.text;
  char error[1024];
  struct mck_report report = {.options = &command.forms, .says_unexecuted = !command.forms.is_filtered};
  struct merged merged = {0};
  if (!mck_report_check_files(&command.forms, error, sizeof error)) {
    fprintf(stderr, "mpicc-check-report: %s\n", error);
    return EXIT_USAGE;
  }
  if (would_lose_report(&command.forms) || !merge(&merged, &command, &report)) return EXIT_USAGE;
  report.run = &merged.run;
  report.says_unexecuted &= !merged.run.is_incomplete;
  mck_groups_sort(&report.groups);
  mck_groups_join(&report.groups);
  sort(&command, &report.groups);
  int failing = mck_report_make(&report);
  int status = failing < 0 ? EXIT_USAGE : failing > 0 && *command.forms.fail_on ? EXIT_FINDINGS : 0;
  mck_report_free(&report);
  for (size_t i = 0; i < merged.count; i++) mck_document_free(&merged.documents[i]);
  free(merged.documents);
  free(command.files.items);
  return status;
}
