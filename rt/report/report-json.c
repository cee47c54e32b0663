// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON report (report-json.h). Each json_*_new may fail. The setters of jansson take NULL as a failure, so it is
// enough to check each addition.
#define _GNU_SOURCE 1
#include "report/report-json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "report/utf8.h"

static const char *const severity_names[] = {[MCK_NOTE] = "note", [MCK_WARNING] = "warning", [MCK_ERROR] = "error"};

// JSON null for NULL. Invalid UTF-8, which json_string refuses, is escaped.
static json_t *make_text(const char *text) {
  if (!text) return json_null();
  json_t *string = json_string(text);
  if (string) return string;
  char *repaired = mck_utf8_repair(text);
  if (repaired) string = json_string(repaired);
  free(repaired);
  return string;
}

static bool set(json_t *object, const char *key, json_t *value) { return json_object_set_new(object, key, value) == 0; }
static bool append(json_t *array, json_t *value) { return json_array_append_new(array, value) == 0; }

// Returns the whole value, or NULL.
static json_t *finish(json_t *value, bool is_whole) {
  if (is_whole) return value;
  json_decref(value);
  return NULL;
}

static json_t *make_frame(const struct mck_source_frame *frame) {
  json_t *o = json_object();
  return finish(o, set(o, "file", make_text(frame->file)) &&
                       set(o, "line", frame->line > 0 ? json_integer(frame->line) : json_null()) &&
                       set(o, "function", make_text(frame->function)) &&
                       set(o, "inlined", json_boolean(frame->is_inlined)) &&
                       set(o, "module", make_text(frame->module)) &&
                       set(o, "offset", json_integer((json_int_t)(frame->offset & INT64_MAX))));
}

static json_t *make_stack(const struct mck_source_stack *stack) {
  json_t *array = json_array();
  bool is_whole = array != NULL;
  for (unsigned i = 0; i < stack->count && is_whole; i++) is_whole = append(array, make_frame(&stack->frames[i]));
  return finish(array, is_whole);
}

static json_t *make_places(const struct mck_group *group) {
  json_t *array = json_array();
  bool is_whole = array != NULL;
  for (uint32_t i = 0; i < group->finding->nplaces && is_whole; i++) {
    const struct mck_place *place = &group->finding->places[i];
    json_t *o = json_object();
    is_whole = set(o, "label", make_text(place->label ? place->label : "")) &&
               set(o, "rank", place->rank >= 0 ? json_integer(place->rank) : json_null()) &&
               set(o, "stack", make_stack(&group->stacks[i]));
    is_whole = append(array, finish(o, is_whole)) && is_whole;
  }
  return finish(array, is_whole);
}

static json_t *make_lines(const char *text) {
  json_t *array = json_array();
  bool is_whole = array != NULL;
  for (const char *p = text ? text : ""; *p && is_whole;) {
    size_t length = strcspn(p, "\n");
    char *line = length ? strndup(p, length) : NULL;
    if (length) is_whole = line && append(array, make_text(line));
    free(line);
    p += length + (p[length] == '\n');
  }
  return finish(array, is_whole);
}

static json_t *make_ranks(const struct mck_group *group) {
  json_t *array = json_array();
  bool is_whole = array != NULL;
  for (size_t i = 0; i < group->nranks && is_whole; i++) is_whole = append(array, json_integer(group->ranks[i]));
  return finish(array, is_whole);
}

static json_t *make_finding(const struct mck_group *group) {
  const struct mck_finding *f = group->finding;
  const struct mck_check_info *info = &mck_check_infos[f->check];
  json_t *o = json_object();
  return finish(o, set(o, "id", json_string(info->id)) &&
                       set(o, "severity", json_string(severity_names[f->severity])) &&
                       set(o, "text", make_text(f->text ? f->text : "")) && set(o, "ranks", make_ranks(group)) &&
                       set(o, "count", json_integer((json_int_t)group->count)) &&
                       set(o, "places", make_places(group)) && set(o, "why", make_lines(f->why)) &&
                       set(o, "help", make_text(f->help && f->help[0] ? f->help : info->help)));
}

static json_t *make_run(const struct mck_report_run *run) {
  json_t *o = json_object();
  return finish(o, set(o, "program", make_text(run->program ? run->program : "")) &&
                       set(o, "ranks", json_integer(run->size)) &&
                       set(o, "calls", json_integer((json_int_t)run->calls)) &&
                       set(o, "incomplete", json_boolean(run->is_incomplete)));
}

static json_t *make_summary(const struct mck_counts *counts) {
  json_t *o = json_object();
  return finish(o, set(o, "errors", json_integer((json_int_t)counts->of[MCK_ERROR])) &&
                       set(o, "warnings", json_integer((json_int_t)counts->of[MCK_WARNING])) &&
                       set(o, "notes", json_integer((json_int_t)counts->of[MCK_NOTE])));
}

char *mck_json_make(const struct mck_groups *groups, const struct mck_counts *counts,
                    const struct mck_report_run *run) {
  json_t *findings = json_array(), *root = json_object();
  bool is_whole = findings && root;
  for (size_t i = 0; i < groups->count && is_whole; i++) is_whole = append(findings, make_finding(&groups->items[i]));
  is_whole = is_whole && set(root, "version", json_integer(MCK_JSON_VERSION)) &&
             set(root, "tool", json_string("mpicc-check")) && set(root, "tool_version", json_string(MCK_VERSION)) &&
             set(root, "run", make_run(run)) && set(root, "summary", make_summary(counts)) &&
             set(root, "findings", json_incref(findings));
  char *text = is_whole ? json_dumps(root, JSON_INDENT(2)) : NULL;
  json_decref(findings);
  json_decref(root);
  return text;
}
