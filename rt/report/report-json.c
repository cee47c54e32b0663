// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON report (report-json.h).
#define _GNU_SOURCE 1
#include "report/report-json.h"

#include <stdlib.h>
#include <string.h>

#include "report/byte-map.h"
#include "report/json-build.h"

const char *const mck_severity_names[MCK_ERROR + 1] = {
    [MCK_NOTE] = "note", [MCK_WARNING] = "warning", [MCK_ERROR] = "error"};

static json_t *make_frame(const struct mck_source_frame *frame) {
  json_t *o = json_object();
  return mck_json_finish(o, mck_json_set(o, "file", mck_json_text(frame->file)) &&
                                mck_json_set(o, "line", frame->line > 0 ? json_integer(frame->line) : json_null()) &&
                                mck_json_set(o, "function", mck_json_text(frame->function)) &&
                                mck_json_set(o, "inlined", json_boolean(frame->is_inlined)) &&
                                mck_json_set(o, "module", mck_json_text(frame->module)) &&
                                mck_json_set(o, "offset", json_integer((json_int_t)(frame->offset & INT64_MAX))) &&
                                mck_json_set(o, "distance",
                                             frame->file || !frame->function
                                                 ? json_null()
                                                 : json_integer((json_int_t)(frame->distance & INT64_MAX))));
}

static json_t *make_stack(const struct mck_source_stack *stack) {
  json_t *array = json_array();
  bool is_whole = array != NULL;
  for (unsigned i = 0; i < stack->count && is_whole; i++)
    is_whole = mck_json_append(array, make_frame(&stack->frames[i]));
  return mck_json_finish(array, is_whole);
}

static json_t *make_places(const struct mck_group *group) {
  json_t *array = json_array();
  bool is_whole = array != NULL;
  for (uint32_t i = 0; i < group->finding->nplaces && is_whole; i++) {
    const struct mck_place *place = &group->finding->places[i];
    json_t *o = json_object();
    is_whole = mck_json_set(o, "label", mck_json_text(place->label ? place->label : "")) &&
               mck_json_set(o, "rank", place->rank >= 0 ? json_integer(place->rank) : json_null()) &&
               mck_json_set(o, "stack", make_stack(&group->stacks[i]));
    is_whole = mck_json_append(array, mck_json_finish(o, is_whole)) && is_whole;
  }
  return mck_json_finish(array, is_whole);
}

// Both ends of a piece belong to it, as in the texts of findings.
static json_t *make_use(const struct mck_map_use *use) {
  json_t *pieces = json_array(), *o = json_object();
  bool is_whole = pieces != NULL;
  for (uint32_t i = 0; i < use->npieces && is_whole; i++)
    is_whole = mck_json_append(
        pieces, json_pack("[I,I]", (json_int_t)use->pieces[i].low, (json_int_t)(use->pieces[i].high - 1)));
  return mck_json_finish(o, (!use->what || mck_json_set(o, "what", mck_json_text(use->what))) &&
                                mck_json_set(o, "pieces", mck_json_finish(pieces, is_whole)) &&
                                mck_json_set(o, "more", json_boolean(use->is_cut)));
}

static json_t *make_map(const struct mck_byte_map *map) {
  json_t *uses = json_array(), *o = json_object();
  bool is_whole = uses && mck_json_append(uses, make_use(&map->uses[0])) &&
                  mck_json_append(uses, make_use(&map->uses[1]));
  return mck_json_finish(
      o, mck_json_set(o, "memory", mck_json_text(map->memory)) &&
             mck_json_set(o, "size",
                          map->size && map->size <= INT64_MAX ? json_integer((json_int_t)map->size) : json_null()) &&
             mck_json_set(o, "uses", mck_json_finish(uses, is_whole)));
}

static json_t *make_lines(const char *text) {
  json_t *array = json_array();
  bool is_whole = array != NULL;
  for (const char *p = text ? text : ""; *p && is_whole;) {
    size_t length = strcspn(p, "\n");
    char *line = length ? strndup(p, length) : NULL;
    if (length) is_whole = line && mck_json_append(array, mck_json_text(line));
    free(line);
    p += length + (p[length] == '\n');
  }
  return mck_json_finish(array, is_whole);
}

static json_t *make_ranks(const struct mck_group *group) {
  json_t *array = json_array();
  bool is_whole = array != NULL;
  for (size_t i = 0; i < group->nranks && is_whole; i++)
    is_whole = mck_json_append(array, json_integer(group->ranks[i]));
  return mck_json_finish(array, is_whole);
}

static json_t *make_suppression(const char *reason, const char *place) {
  if (!reason) return json_null();
  json_t *o = json_object();
  return mck_json_finish(o, mck_json_set(o, "reason", mck_json_text(reason)) &&
                                mck_json_set(o, "place", mck_json_text(place)));
}

static json_t *make_baseline(const struct mck_group *group) {
  if (group->baseline == MCK_BASELINE_NONE) return json_null();
  return json_string(group->baseline == MCK_BASELINE_NEW ? "new" : "known");
}

static json_t *make_warned(const struct mck_static_place *place) {
  json_t *o = json_object();
  return mck_json_finish(o, mck_json_set(o, "id", mck_json_text(place->kind)) &&
                                mck_json_set(o, "text", mck_json_text(place->text)) &&
                                mck_json_set(o, "file", mck_json_text(place->file)) &&
                                mck_json_set(o, "line", json_integer(place->line)) &&
                                mck_json_set(o, "column", place->column ? json_integer(place->column) : json_null()) &&
                                mck_json_set(o, "function", mck_json_text(place->function)));
}

// All warnings of the compiler in the program, and what became of them in the run.
static json_t *make_warnings(const struct mck_static_warnings *all) {
  json_t *array = json_array();
  bool is_whole = array != NULL;
  for (size_t i = 0; i < all->count && is_whole; i++) {
    const struct mck_static_warning_of_run *w = &all->items[i];
    bool is_executed = w->state == MCK_STATIC_EXECUTED || w->is_confirmed;
    json_t *o = make_warned(&w->place);
    is_whole = o &&
               mck_json_set(o, "executed",
                            is_executed || w->state == MCK_STATIC_UNEXECUTED ? json_boolean(is_executed)
                                                                             : json_null()) &&
               mck_json_set(o, "confirmed", json_boolean(w->is_confirmed)) &&
               mck_json_set(o, "fingerprint", json_string(w->fingerprint)) &&
               mck_json_set(o, "suppressed", make_suppression(w->suppression, w->suppressed_by));
    is_whole = mck_json_append(array, mck_json_finish(o, is_whole)) && is_whole;
  }
  return mck_json_finish(array, is_whole);
}

static json_t *make_finding(const struct mck_group *group) {
  const struct mck_finding *f = group->finding;
  const struct mck_check_info *info = &mck_check_infos[f->check];
  json_t *o = json_object();
  return mck_json_finish(
      o, mck_json_set(o, "id", json_string(info->id)) &&
             mck_json_set(o, "severity", json_string(mck_severity_names[f->severity])) &&
             mck_json_set(o, "fingerprint", json_string(group->fingerprint)) &&
             mck_json_set(o, "suppressed", make_suppression(group->suppression, group->suppressed_by)) &&
             mck_json_set(o, "baseline", make_baseline(group)) &&
             mck_json_set(o, "text", mck_json_text(f->text ? f->text : "")) &&
             mck_json_set(o, "ranks", make_ranks(group)) &&
             mck_json_set(o, "count", json_integer((json_int_t)group->count)) &&
             mck_json_set(o, "varied", json_boolean(group->is_varied)) &&
             mck_json_set(o, "places", make_places(group)) && mck_json_set(o, "why", make_lines(f->why)) &&
             mck_json_set(o, "help", mck_json_text(f->help && f->help[0] ? f->help : info->help)) &&
             (!f->map || mck_json_set(o, "bytes", make_map(f->map))) &&
             (!group->role || mck_json_set(o, "role", json_string(group->role == MCK_ROLE_CAUSE ? "cause" : "end"))) &&
             (!group->warning || mck_json_set(o, "warned", make_warned(group->warning))));
}

static json_t *make_run(const struct mck_report *r) {
  const struct mck_report_run *run = r->run;
  json_t *o = json_object();
  return mck_json_finish(o, mck_json_set(o, "program", mck_json_text(run->program ? run->program : "")) &&
                                mck_json_set(o, "ranks", json_integer(run->size)) &&
                                mck_json_set(o, "calls", json_integer((json_int_t)run->calls)) &&
                                mck_json_set(o, "incomplete", json_boolean(run->is_incomplete)) &&
                                mck_json_set(o, "coverage", mck_coverage_build(&r->coverage)));
}

static json_t *make_summary(const struct mck_counts *counts) {
  json_t *o = json_object();
  return mck_json_finish(o, mck_json_set(o, "errors", json_integer((json_int_t)counts->of[MCK_ERROR])) &&
                                mck_json_set(o, "warnings", json_integer((json_int_t)counts->of[MCK_WARNING])) &&
                                mck_json_set(o, "notes", json_integer((json_int_t)counts->of[MCK_NOTE])) &&
                                mck_json_set(o, "suppressed", json_integer((json_int_t)counts->suppressed)) &&
                                mck_json_set(o, "known", json_integer((json_int_t)counts->known)) &&
                                mck_json_set(o, "failing", json_integer((json_int_t)counts->failing)));
}

static json_t *make_fixed(const struct mck_report *r) {
  json_t *array = json_array();
  const struct mck_group *group;
  bool is_whole = array != NULL;
  for (size_t at = 0; is_whole && (group = mck_known_next_fixed(&r->known, &r->groups, &at));)
    is_whole = mck_json_append(array, make_finding(group));
  return mck_json_finish(array, is_whole);
}

static json_t *make_unused(const struct mck_rules *rules) {
  json_t *array = json_array();
  bool is_whole = array != NULL;
  for (size_t i = 0; i < rules->count && is_whole; i++) {
    const struct mck_rule *rule = &rules->items[i];
    if (rule->uses) continue;
    json_t *o = json_object();
    is_whole = mck_json_set(o, "file", mck_json_text(rules->path)) &&
               mck_json_set(o, "line", json_integer(rule->line)) &&
               mck_json_set(o, "kind", mck_json_text(rule->kind)) &&
               mck_json_set(o, "reason", mck_json_text(rule->reason));
    is_whole = mck_json_append(array, mck_json_finish(o, is_whole)) && is_whole;
  }
  return mck_json_finish(array, is_whole);
}

json_t *mck_json_build(const struct mck_report *r) {
  json_t *findings = json_array(), *root = json_object();
  bool is_whole = findings && root;
  for (size_t i = 0; i < r->groups.count && is_whole; i++)
    is_whole = mck_json_append(findings, make_finding(&r->groups.items[i]));
  is_whole = is_whole && mck_json_set(root, "version", json_integer(MCK_JSON_VERSION)) &&
             mck_json_set(root, "tool", json_string("mpicc-check")) &&
             mck_json_set(root, "tool_version", json_string(MCK_VERSION)) && mck_json_set(root, "run", make_run(r)) &&
             mck_json_set(root, "summary", make_summary(&r->counts)) &&
             mck_json_set(root, "findings", json_incref(findings)) && mck_json_set(root, "fixed", make_fixed(r)) &&
             mck_json_set(root, "unused_suppressions", make_unused(&r->known.rules)) &&
             (!r->warnings.count || mck_json_set(root, "warnings", make_warnings(&r->warnings)));
  json_decref(findings);
  return mck_json_finish(root, is_whole);
}

char *mck_json_make(struct mck_report *r, size_t *size) {
  json_t *root = mck_json_build(r);
  char *text = mck_json_dump(root, JSON_INDENT(2));
  json_decref(root);
  if (!text) return NULL;
  *size = strlen(text) + 1;
  text[*size - 1] = '\n'; // it replaces the 0
  return text;
}
