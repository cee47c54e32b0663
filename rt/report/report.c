// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the report: merges, sorts, resolves, prints (report.h).
#define _GNU_SOURCE 1
#include "report/report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "report/report-json.h"
#include "report/merge.h"
#include "report/output.h"
#include "report/report-text.h"
#include "report/place-text.h"

// https://no-color.org: no color where the variable is set and not empty.
static bool is_coloured(int fd) {
  const char *off = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return isatty(fd) && !(off && off[0]) && !(terminal && strcmp(terminal, "dumb") == 0);
}

struct report {
  struct mck_groups groups;
  struct mck_counts counts;
  const struct mck_report_run *run;
  const struct mck_report_options *options;
};

// A report in a file is kept, so its first line names the version.
static bool is_versioned(const struct report *r) {
  const struct mck_report_options *o = r->options;
  return o->text_path && o->text_path[0] && !o->is_interim && !o->is_forwarded &&
         (r->groups.count || r->run->is_incomplete || !o->is_quiet);
}

static bool write_text(const struct report *r, bool to_terminal) {
  char *text = NULL;
  size_t size = 0;
  const char *path = r->options->text_path;
  bool is_good = true, is_file = path && path[0];
  FILE *out = open_memstream(&text, &size);
  size_t version = 0; // bytes of the line
  if (out) {
    int length = is_versioned(r) ? fprintf(out, "==mpicc-check== version %s\n", MCK_VERSION) : 0;
    version = length > 0 ? (size_t)length : 0;
    mck_text_print(out, &r->groups, &r->counts, r->run, !is_file && to_terminal, r->options->is_quiet,
                   r->options->is_interim);
    is_good = !ferror(out);
    is_good = fclose(out) == 0 && is_good;
  }
  if (!out || !is_good) {
    free(text);
    mck_base_warn("out of memory: no text report");
    return false;
  }
  int error = is_file ? mck_output_replace(path, text, size) : 0;
  if (error) {
    mck_base_warn("cannot write the report to %s (%s): here it is; give option report a file that can be written", path,
                  strerror(error));
    is_good = false;
  }
  if (!is_file || error) is_good = mck_output_write(STDERR_FILENO, text + version, size - version) == 0 && is_good;
  free(text);
  return is_good;
}

static bool write_json(const struct report *r) {
  const char *path = r->options->json_path;
  if (!path || !path[0]) return true;
  char *text = mck_json_make(&r->groups, &r->counts, r->run);
  if (!text) {
    mck_base_warn("out of memory: no JSON report");
    return false;
  }
  size_t length = strlen(text);
  text[length] = '\n'; // it replaces the 0: the write has a size
  int error = mck_output_replace(path, text, length + 1);
  if (error)
    mck_base_warn("cannot write the JSON report to %s (%s): give option json a file that can be written", path,
                  strerror(error));
  free(text);
  return !error;
}

MCK_EXPORT int mck_report_write(struct mck_findings *findings, const struct mck_stack_source *stacks,
                                const struct mck_report_run *run, const struct mck_report_options *options) {
  static const struct mck_report_options defaults;
  struct report r = {.run = run, .options = options ? options : &defaults};
  struct mck_symbols *symbols = findings->count ? mck_symbols_open() : NULL;
  mck_where_expand(findings, symbols, stacks);
  bool is_good = mck_groups_merge(&r.groups, findings, stacks);
  if (symbols) mck_groups_resolve(&r.groups, symbols, stacks);
  if (!is_good) mck_base_warn("out of memory: the report is not whole");
  mck_groups_sort(&r.groups);
  mck_groups_join(&r.groups);
  for (size_t i = 0; i < r.groups.count; i++) r.counts.of[r.groups.items[i].finding->severity]++;
  is_good = write_text(&r, is_coloured(STDERR_FILENO)) && is_good;
  is_good = write_json(&r) && is_good;
  mck_groups_free(&r.groups);
  mck_symbols_close(symbols);
  size_t errors = r.counts.of[MCK_ERROR];
  return !is_good ? -1 : errors < INT_MAX ? (int)errors : INT_MAX;
}
