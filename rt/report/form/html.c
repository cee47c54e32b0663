// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The HTML page (html.h). It holds the JSON report, the source lines around all places, and the pages of the checks, as
// JSON. The script of the page (form/page) draws it. In JSON "<" is written as an escape, so no text can end its block.
#define _GNU_SOURCE 1
#include "report/form/html.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/form/page-parts.h"
#include "report/json-build.h"
#include "report/report-json.h"
#include "report/utf8.h"

enum { LINES_AROUND = 3, LINE_MAX_SHOWN = 400, SOURCES_MAX = 4 << 20, GRAPH_MAX = 1 << 20, TIME_LINES = 100 };
enum { MAPS = 1000 };

// The JSON report, with the byte maps of the first findings only: a page of 10,000 findings is to stay below 20 MB.
static json_t *make_report(const struct mck_report *r) {
  json_t *report = mck_json_build(r);
  const json_t *findings = json_object_get(report, "findings");
  for (size_t i = MAPS; i < json_array_size(findings); i++) json_object_del(json_array_get(findings, i), "bytes");
  return report;
}

static const char *find_part(const struct mck_page_part *parts, const char *name, size_t length) {
  for (const struct mck_page_part *p = parts; p->name; p++)
    if (strlen(p->name) == length && memcmp(p->name, name, length) == 0) return p->text;
  return NULL;
}

static bool add_line(json_t *lines, int number, const char *line, size_t length, size_t *total) {
  char key[16];
  snprintf(key, sizeof key, "%d", number);
  if (json_object_get(lines, key)) return true;
  if (length > LINE_MAX_SHOWN) length = LINE_MAX_SHOWN;
  char *text = strndup(line, length);
  *total += length;
  bool is_good = text && mck_json_set(lines, key, mck_json_text(text));
  free(text);
  return is_good;
}

// The name by which the page finds the lines of a frame: two modules may name one file, and mean two.
static char *name_file(const struct mck_source_frame *frame) {
  size_t size = strlen(frame->file) + (frame->module ? strlen(frame->module) : 0) + 2;
  char *name = malloc(size);
  if (!name) return NULL;
  snprintf(name, size, "%s\n%s", frame->module ? frame->module : "", frame->file);
  char *key = mck_utf8_repair(name); // as the report has it
  free(name);
  return key;
}

// A file of which there is no line has a reason, "lack", instead.
static bool add_frame(json_t *files, struct mck_sources *sources, const struct mck_source_frame *frame, size_t *total) {
  size_t length;
  if (!frame->file || *total > SOURCES_MAX) return true;
  const char *lack = mck_sources_lack(sources, frame->file, frame->module);
  if (!lack && !mck_sources_line(sources, frame->file, frame->module, frame->line, &length)) return true;
  char *key = name_file(frame);
  json_t *lines = key ? json_object_get(files, key) : NULL;
  if (key && !lines && mck_json_set(files, key, json_object())) lines = json_object_get(files, key);
  free(key);
  bool is_good = lines && (!lack || mck_json_set(lines, "lack", json_string(lack)));
  for (int n = frame->line - LINES_AROUND; is_good && n <= frame->line + LINES_AROUND; n++) {
    const char *line = mck_sources_line(sources, frame->file, frame->module, n, &length);
    if (line) is_good = add_line(lines, n, line, length, total);
  }
  return is_good;
}

static json_t *make_sources(struct mck_report *r) {
  json_t *files = json_object();
  size_t total = 0;
  bool is_whole = files != NULL;
  for (size_t i = 0; i < r->groups.count; i++)
    for (int k = 0; k < MCK_PLACES_MAX; k++)
      for (unsigned n = 0; n < r->groups.items[i].stacks[k].count && is_whole; n++)
        is_whole = add_frame(files, &r->sources, &r->groups.items[i].stacks[k].frames[n], &total);
  return mck_json_finish(files, is_whole);
}

static json_t *make_pages(const struct mck_report *r) {
  json_t *pages = json_object();
  bool is_whole = pages != NULL;
  for (size_t i = 0; i < r->groups.count && is_whole; i++) {
    const char *id = mck_check_infos[r->groups.items[i].finding->check].id;
    const char *text = json_object_get(pages, id) ? NULL : find_part(mck_check_pages, id, strlen(id));
    if (text) is_whole = mck_json_set(pages, id, json_string(text));
  }
  return mck_json_finish(pages, is_whole);
}

// The picture of the wait-for graph that dot has made, as base64.
static json_t *make_graph(const struct mck_report *r) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *path = r->options->graph;
  struct stat status;
  bool is_there = path && *path && lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= GRAPH_MAX;
  FILE *in = is_there ? fopen(path, "r") : NULL;
  char *text = NULL;
  size_t size = 0;
  FILE *out = in ? open_memstream(&text, &size) : NULL;
  unsigned char three[3];
  for (size_t n; out && (n = fread(three, 1, 3, in)) > 0;) {
    uint32_t bits = (uint32_t)three[0] << 16 | (n > 1 ? three[1] : 0u) << 8 | (n > 2 ? three[2] : 0u);
    putc(digits[bits >> 18], out), putc(digits[bits >> 12 & 63], out);
    putc(n > 1 ? digits[bits >> 6 & 63] : '=', out), putc(n > 2 ? digits[bits & 63] : '=', out);
  }
  if (in) fclose(in);
  bool is_whole = out && fclose(out) == 0;
  json_t *graph = is_whole && size ? json_string(text) : json_string("");
  free(text);
  return graph;
}

// Of the first findings: the page draws them in the place of their JSON.
static json_t *make_time_lines(const struct mck_report *r) {
  const struct mck_finding *findings[TIME_LINES];
  size_t n = 0;
  while (n < TIME_LINES && n < r->groups.count) findings[n] = r->groups.items[n].finding, n++;
  const struct mck_report_options *o = r->options;
  char *text = n && o->logs && o->time_lines ? o->time_lines(o->logs, r->run->size, findings, n) : NULL;
  json_t *lines = text ? json_loads(text, 0, NULL) : NULL;
  free(text);
  return lines ? lines : json_array();
}

// Takes value.
static bool write_json(FILE *out, json_t *value) {
  char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
  json_decref(value);
  for (const char *p = text; p && *p;) {
    unsigned length;
    size_t n = strcspn(p, "<\x7f\xc2\xe2");
    fwrite(p, 1, n, out);
    p += n;
    uint32_t hidden = mck_utf8_hidden(p, &length);
    if (*p == '<') fputs("\\u003c", out), p++;
    else if (hidden) fprintf(out, "\\\\u%04x", hidden), p += length; // it is shown, and does nothing
    else if (*p) putc(*p++, out);
  }
  free(text);
  return text != NULL;
}

static bool write_part(FILE *out, struct mck_report *r, const char *name, size_t n) {
  static const struct {
    const char *name, *file;
  } files[] = {{"CSS", "page.css"}, {"PAGE", "page.js"},        {"PICTURES", "pictures.js"},
               {"MAPS", "maps.js"}, {"BYTEMAP", "byte-map.js"}, {"TIMELINE", "time-line.js"}};
  if (n == 6 && memcmp(name, "REPORT", n) == 0) return write_json(out, make_report(r));
  if (n == 7 && memcmp(name, "SOURCES", n) == 0) return write_json(out, make_sources(r));
  if (n == 5 && memcmp(name, "PAGES", n) == 0) return write_json(out, make_pages(r));
  if (n == 5 && memcmp(name, "GRAPH", n) == 0) return write_json(out, json_pack("[o]", make_graph(r)));
  if (n == 5 && memcmp(name, "TIMES", n) == 0) return write_json(out, make_time_lines(r));
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (strlen(files[i].name) != n || memcmp(files[i].name, name, n) != 0) continue;
    const char *text = find_part(mck_page_parts, files[i].file, strlen(files[i].file));
    return text && fputs(text, out) >= 0;
  }
  return false;
}

char *mck_html_make(struct mck_report *r, size_t *size) {
  const char *page = find_part(mck_page_parts, "page.html", 9);
  char *text = NULL;
  FILE *out = page ? open_memstream(&text, size) : NULL;
  bool is_whole = out != NULL;
  for (const char *p = page; is_whole && *p;) { // @NAME@ stands for a part
    size_t n = strcspn(p, "@");
    fwrite(p, 1, n, out);
    p += n;
    const char *end = *p ? strchr(p + 1, '@') : NULL;
    if (!end) break;
    is_whole = write_part(out, r, p + 1, (size_t)(end - p - 1));
    p = end + 1;
  }
  if (out && fclose(out) != 0) is_whole = false;
  if (is_whole) return text;
  free(text);
  return NULL;
}
