// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes all forms of a report (forms.h).
#define _GNU_SOURCE 1
#include "report/forms.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "report/fingerprint.h"
#include "report/form/html.h"
#include "report/form/junit.h"
#include "report/form/sarif.h"
#include "report/output.h"
#include "report/report-json.h"
#include "report/report-text.h"

// A report in a file is kept, so its first line names the version.
static bool is_versioned(const struct mck_report *r) {
  const struct mck_report_options *o = r->options;
  return o->text_path && o->text_path[0] && strcmp(o->text_path, "-") != 0 && !o->is_interim && !o->is_forwarded &&
         (r->groups.count || r->run->is_incomplete || !o->is_quiet);
}

// Where does the text begin a new line first? In a file that is known; what is in a pipe, or on a terminal, is not. Of
// a run without findings nothing is changed.
static bool begins_line(const struct mck_report *r) {
  struct stat st;
  if (!r->options->begins_line || !r->groups.count || fstat(STDERR_FILENO, &st)) return false;
  if (!S_ISREG(st.st_mode)) return true;
  char last = '\n';
  int file = open("/proc/self/fd/2", O_RDONLY | O_CLOEXEC);
  if (file >= 0 && st.st_size > 0 && pread(file, &last, 1, st.st_size - 1) != 1) last = '\n';
  if (file >= 0) close(file);
  return last != '\n';
}

static bool write_text(const struct mck_report *r) {
  char *text = NULL;
  size_t size = 0;
  const char *path = r->options->text_path;
  bool is_standard = path && strcmp(path, "-") == 0, is_good = true, is_file = path && path[0] && !is_standard;
  FILE *out = open_memstream(&text, &size);
  size_t version = 0; // bytes of the line
  if (out) {
    int length = is_versioned(r) ? fprintf(out, "==mpicc-check== version %s\n", MCK_VERSION) : 0;
    version = length > 0 ? (size_t)length : 0;
    mck_text_print(out, r);
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
  if (!is_file || error) {
    if (!is_standard && begins_line(r)) (void)!write(STDERR_FILENO, "\n", 1);
    is_good = mck_text_write(is_standard ? STDOUT_FILENO : STDERR_FILENO, text + version, size - version) == 0 &&
              is_good;
  }
  free(text);
  return is_good;
}

static bool write_form(struct mck_report *r, const char *path, const char *name, const char *option,
                       char *(*make)(struct mck_report *, size_t *)) {
  if (!path || !path[0]) return true;
  size_t size = 0;
  char *text = make(r, &size);
  if (!text) {
    mck_base_warn("out of memory: no %s report", name);
    return false;
  }
  int error = mck_output_replace(strcmp(path, "-") == 0 ? "/dev/stdout" : path, text, size);
  if (error)
    mck_base_warn("cannot write the %s report to %s (%s): give option %s a file that can be written", name, path,
                  strerror(error), option);
  free(text);
  return !error;
}

static void count(struct mck_report *r) {
  struct mck_counts *c = &r->counts;
  for (size_t i = 0; i < r->groups.count; i++) {
    const struct mck_group *group = &r->groups.items[i];
    c->failing += mck_known_fails(&r->known, group, r->options->fail_on);
    if (group->suppression) c->suppressed++;
    else c->of[group->finding->severity]++, c->known += group->baseline == MCK_BASELINE_KNOWN;
  }
}

// The last finding: what the compiler warned of and no rank executed.
static void add_unexecuted(struct mck_report *r) {
  mck_static_say_unexecuted(&r->warnings, &r->added);
  if (!r->added.count) return;
  struct mck_group group = {.finding = r->added.items, .count = 1};
  if (!MCK_PUSH(r->groups.items, r->groups.count, r->groups.capacity, group))
    mck_base_warn("out of memory: the report does not say which warnings are about code that was not executed");
}

int mck_report_make(struct mck_report *r) {
  char error[1024];
  if (!mck_known_open(&r->known, r->options, error, sizeof error)) mck_base_warn("%s; nothing of it is used", error);
  if (r->options->is_filtered) r->known.is_partial = true;
  mck_static_apply(&r->warnings, &r->known.rules);
  if (r->says_unexecuted) add_unexecuted(r);
  mck_fingerprints_set(&r->groups);
  mck_known_apply(&r->known, &r->groups, &r->sources);
  mck_groups_compare(&r->groups);
  count(r);
  bool is_good = write_text(r);
  is_good = write_form(r, r->options->json_path, "JSON", "json", mck_json_make) && is_good;
  is_good = write_form(r, r->options->sarif_path, "SARIF", "sarif", mck_sarif_make) && is_good;
  is_good = write_form(r, r->options->junit_path, "JUnit", "junit", mck_junit_make) && is_good;
  is_good = write_form(r, r->options->html_path, "HTML", "html", mck_html_make) && is_good;
  size_t failing = r->counts.failing;
  return !is_good ? -1 : failing < INT_MAX ? (int)failing : INT_MAX;
}

void mck_report_free(struct mck_report *r) {
  mck_groups_free(&r->groups);
  mck_known_close(&r->known);
  mck_coverage_free(&r->coverage);
  mck_sources_free(&r->sources);
  mck_static_free(&r->warnings);
  mck_findings_free(&r->added);
}
