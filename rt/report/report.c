// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the report of a run: merges, sorts and resolves, then writes (report.h, forms.h).
#define _GNU_SOURCE 1
#include "report/report.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "base/memory-failure.h"
#include "report/array-temporary.h"
#include "report/call-merge.h"
#include "report/forms.h"
#include "report/place-text.h"

// Two forms in one file: the last one would be left. Devices take what comes.
static bool is_one_file(const char *a, const char *b) {
  struct stat x, y;
  if (!a || !b || !*a || !*b) return false;
  bool has_both = stat(a, &x) == 0 && stat(b, &y) == 0;
  if (has_both) return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
  return strcmp(a, b) == 0;
}

static bool check_outputs(const struct mck_report_options *o, char *error, size_t size) {
  const struct {
    const char *option, *path;
  } outputs[] = {{"report", o->text_path},
                 {"json", o->json_path},
                 {"sarif", o->sarif_path},
                 {"junit", o->junit_path},
                 {"html", o->html_path}};
  enum { OUTPUTS = sizeof outputs / sizeof *outputs };
  for (size_t i = 0; i < OUTPUTS; i++)
    for (size_t k = i + 1; k < OUTPUTS; k++)
      if (is_one_file(outputs[i].path, outputs[k].path)) {
        snprintf(error, size, "%s and %s are both to be written to %s: name two files", outputs[i].option,
                 outputs[k].option, outputs[i].path);
        return false;
      }
  return true;
}

MCK_EXPORT bool mck_report_check_files(const struct mck_report_options *options, char *error, size_t size) {
  if (!check_outputs(options, error, size)) return false;
  struct mck_known known;
  bool is_good = mck_known_open(&known, options, error, size);
  mck_known_close(&known);
  return is_good;
}

MCK_EXPORT int mck_report_write(struct mck_findings *findings, const struct mck_stack_source *stacks,
                                const struct mck_report_run *run, const struct mck_report_options *options) {
  static const struct mck_report_options defaults;
  struct mck_report r = {.run = run, .options = options ? options : &defaults};
  mck_static_take(&r.warnings, findings);
  bool has_summary = !r.options->is_interim && (findings->count || run->is_incomplete || !r.options->is_quiet ||
                                                (r.options->json_path && r.options->json_path[0]));
  if (has_summary) mck_coverage_make(&r.coverage, run);
  struct mck_symbols *symbols = findings->count ? mck_symbols_open() : NULL;
  mck_where_expand(findings, symbols, stacks);
  mck_temporaries_explain(findings, symbols, stacks);
  bool is_good = mck_groups_merge(&r.groups, findings, stacks);
  mck_calls_fold(&r.groups, findings, stacks);
  mck_where_expand(findings, symbols, stacks); // what folding has added
  if (symbols) mck_groups_resolve(&r.groups, symbols, stacks);
  struct mck_report_run short_run = *run;
  if (mck_memory_failures()) {
    mck_base_warn("out of memory: the report is not whole");
    short_run.is_incomplete = true;
    r.run = &short_run;
  }
  mck_groups_sort(&r.groups);
  mck_groups_join(&r.groups);
  mck_static_confirm(&r.warnings, &r.groups);
  // A run that goes on, or that has not recorded everything, may execute it yet.
  r.says_unexecuted = !r.options->is_interim && !r.run->is_incomplete;
  int failing = mck_report_make(&r);
  mck_report_free(&r);
  mck_symbols_close(symbols);
  if (mck_memory_failures()) return failing > 0 ? failing : 1; // a report that lost findings is no success
  return is_good ? failing : -1;
}
