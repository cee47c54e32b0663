// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JUnit XML (junit.h). A finding that makes the run fail is a case that fails, one that is suppressed is skipped, any
// other one passes with its text. Each family of kinds without a failure is a case that passes, so that a run without
// findings shows what was looked for.
#define _GNU_SOURCE 1
#include "report/form/junit.h"

#include <stdlib.h>
#include <string.h>

#include "report/report-text.h"
#include "report/utf8.h"

// Text of the user's program: control characters, which XML 1.0 cannot have, and bytes that are not UTF-8 become \xNN.
// Lines stay.
static void write_escaped(FILE *out, const char *text) {
  for (const char *p = text ? text : ""; *p;) {
    size_t n = strcspn(p, "&<>\"'\n");
    mck_utf8_print(out, p, n);
    p += n;
    switch (*p) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    case '\'': fputs("&#39;", out); break;
    case '\n': putc('\n', out); break;
    default: break;
    }
    p += *p != 0;
  }
}

static void write_attribute(FILE *out, const char *name, const char *text) {
  char *line = strndup(text ? text : "", strcspn(text ? text : "", "\n"));
  fprintf(out, " %s=\"", name);
  write_escaped(out, line ? line : "");
  putc('"', out);
  free(line);
}

static void write_text(FILE *out, const struct mck_group *group, const struct mck_report *report) {
  char *text = NULL;
  size_t size = 0;
  FILE *plain = open_memstream(&text, &size);
  if (!plain) return;
  mck_text_print_group(plain, group, report);
  if (fclose(plain) == 0) write_escaped(out, text);
  free(text);
}

// "halo.c:88 in exchange: race on ...": names are told apart by a number where they are equal.
static void write_name(FILE *out, const struct mck_group *group, size_t number) {
  char *name = NULL;
  size_t size = 0;
  FILE *plain = open_memstream(&name, &size);
  if (!plain) return;
  if (group->finding->nplaces && group->stacks[0].count) {
    mck_text_print_frame(plain, &group->stacks[0].frames[mck_stack_user(&group->stacks[0])]);
    fputs(": ", plain);
  }
  const char *text = group->finding->text ? group->finding->text : "";
  fwrite(text, 1, strcspn(text, "\n"), plain);
  fprintf(plain, " (%zu)", number + 1);
  if (fclose(plain) == 0) write_attribute(out, "name", name);
  free(name);
}

static void write_case(FILE *out, const struct mck_report *report, size_t i) {
  const struct mck_group *group = &report->groups.items[i];
  const struct mck_finding *f = group->finding;
  bool is_failing = mck_known_fails(&report->known, group, report->options->fail_on);
  fputs("  <testcase", out);
  write_attribute(out, "classname", mck_check_infos[f->check].id);
  write_name(out, group, i);
  fputs(" time=\"0\">\n    ", out);
  if (group->suppression) {
    fputs("<skipped", out);
    write_attribute(out, "message", group->suppression);
    fputs("/>\n", out);
  } else {
    const char *tag = is_failing ? "failure" : "system-out";
    fprintf(out, "<%s", tag);
    if (is_failing)
      write_attribute(out, "message", f->text), write_attribute(out, "type", mck_check_infos[f->check].id);
    putc('>', out);
    write_text(out, group, report);
    fprintf(out, "</%s>\n", tag);
  }
  fputs("  </testcase>\n", out);
}

static bool is_same_family(const char *a, const char *b) {
  size_t n = strcspn(a, ".");
  return strcspn(b, ".") == n && strncmp(a, b, n) == 0;
}

// Is this the first kind of its family, and has no kind of it a failure?
static bool is_passing_family(const struct mck_report *r, int check) {
  const char *id = mck_check_infos[check].id;
  for (int i = 0; i < check; i++)
    if (is_same_family(id, mck_check_infos[i].id)) return false;
  for (size_t i = 0; i < r->groups.count; i++)
    if (is_same_family(id, mck_check_infos[r->groups.items[i].finding->check].id) &&
        mck_known_fails(&r->known, &r->groups.items[i], r->options->fail_on))
      return false;
  return true;
}

char *mck_junit_make(struct mck_report *r, size_t *size) {
  char *text = NULL;
  FILE *out = open_memstream(&text, size);
  if (!out) return NULL;
  size_t families = 0;
  for (int i = 0; i < MCK_CHECK_COUNT; i++) families += is_passing_family(r, i);
  size_t tests = r->groups.count + families;
  const struct mck_counts *c = &r->counts;
  fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
          tests, c->failing);
  fputs(" <testsuite name=\"mpicc-check\"", out);
  fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"0\">\n", tests, c->failing,
          c->suppressed);
  if (r->coverage.state != MCK_COVERAGE_ABSENT) {
    fputs("  <properties><property name=\"loads and stores\" value=\"", out);
    mck_coverage_print_count(out, &r->coverage);
    fputs("\"/></properties>\n", out);
  }
  for (size_t i = 0; i < r->groups.count; i++) write_case(out, r, i);
  for (int i = 0; i < MCK_CHECK_COUNT; i++)
    if (is_passing_family(r, i)) {
      const char *id = mck_check_infos[i].id;
      fprintf(out, "  <testcase classname=\"%.*s\" name=\"no finding that fails\" time=\"0\"/>\n",
              (int)strcspn(id, "."), id);
    }
  fputs(" </testsuite>\n</testsuites>\n", out);
  return fclose(out) == 0 ? text : NULL;
}
