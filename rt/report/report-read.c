// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a JSON report (report-read.h). A value of a wrong type or out of range ends it, with the name of the value.
#define _GNU_SOURCE 1
#include "report/report-read.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "report/byte-map.h"
#include "report/report-json.h"

enum { FRAMES_MAX = 4096 };

struct reader {
  char *error;
  size_t size;
  bool is_good;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *r, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (r->is_good) vsnprintf(r->error, r->size, format, list);
  va_end(list);
  return r->is_good = false;
}

static const char *get_text(struct reader *r, const json_t *object, const char *key, bool may_be_null) {
  const json_t *value = json_object_get(object, key);
  if (may_be_null && (!value || json_is_null(value))) return NULL;
  if (!json_is_string(value)) refuse(r, "\"%s\" must be a text", key);
  return json_is_string(value) ? json_string_value(value) : "";
}

// fallback: what a missing or null value means; below low: there must be one.
static json_int_t get_number(struct reader *r, const json_t *object, const char *key, json_int_t low, json_int_t high,
                             json_int_t fallback) {
  const json_t *value = json_object_get(object, key);
  if ((!value || json_is_null(value)) && fallback != INT64_MIN) return fallback;
  json_int_t number = json_integer_value(value);
  if (!json_is_integer(value) || number < low || number > high)
    refuse(r, "\"%s\" must be a number from %lld to %lld", key, (long long)low, (long long)high), number = low;
  return number;
}

static bool get_bool(const json_t *object, const char *key) { return json_is_true(json_object_get(object, key)); }

static const json_t *get_array(struct reader *r, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_array(value)) refuse(r, "\"%s\" must be a list", key);
  return json_is_array(value) ? value : NULL;
}

static void read_stack(struct reader *r, const json_t *place, struct mck_source_stack *stack) {
  const json_t *frames = get_array(r, place, "stack");
  size_t n = json_array_size(frames);
  if (n > FRAMES_MAX) refuse(r, "\"stack\" has more than %d frames", FRAMES_MAX);
  if (!n || !r->is_good) return;
  stack->frames = calloc(n, sizeof *stack->frames);
  if (!stack->frames) {
    refuse(r, "out of memory");
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const json_t *o = json_array_get(frames, i);
    stack->frames[i] = (struct mck_source_frame){
        .module = get_text(r, o, "module", false),
        .offset = (uint64_t)get_number(r, o, "offset", 0, INT64_MAX, 0),
        .file = get_text(r, o, "file", true),
        .line = (int)get_number(r, o, "line", 1, INT32_MAX, 0),
        .function = get_text(r, o, "function", true),
        .distance = (uint64_t)get_number(r, o, "distance", 0, INT64_MAX, 0),
        .is_inlined = get_bool(o, "inlined"),
    };
  }
  stack->count = (unsigned)n;
}

static void read_places(struct reader *r, const json_t *object, struct mck_finding *f, struct mck_group *group) {
  const json_t *places = get_array(r, object, "places");
  size_t n = json_array_size(places);
  if (n > MCK_PLACES_MAX) refuse(r, "\"places\" has more than %d places", MCK_PLACES_MAX);
  for (size_t i = 0; i < n && r->is_good; i++) {
    const json_t *o = json_array_get(places, i);
    int rank = (int)get_number(r, o, "rank", 0, INT32_MAX, -1);
    mck_finding_place(f, rank, MCK_SITE_UNKNOWN, "%s", get_text(r, o, "label", false));
    read_stack(r, o, &group->stacks[i]);
  }
}

static void read_ranks(struct reader *r, const json_t *object, struct mck_group *group) {
  const json_t *ranks = get_array(r, object, "ranks");
  size_t n = json_array_size(ranks);
  for (size_t i = 0; i < n && r->is_good; i++) {
    const json_t *value = json_array_get(ranks, i);
    json_int_t rank = json_integer_value(value);
    if (!json_is_integer(value) || rank < 0 || rank > INT32_MAX) refuse(r, "\"ranks\" must be a list of numbers");
    else if (!MCK_PUSH(group->ranks, group->nranks, group->capacity, (int32_t)rank)) refuse(r, "out of memory");
  }
}

static enum mck_check find_check(const char *id) {
  unsigned i = 0;
  while (i < MCK_CHECK_COUNT && strcmp(mck_check_infos[i].id, id) != 0) i++;
  return (enum mck_check)i;
}

static enum mck_severity find_severity(struct reader *r, const char *name) {
  for (int i = MCK_NOTE; i <= MCK_ERROR; i++)
    if (strcmp(mck_severity_names[i], name) == 0) return (enum mck_severity)i;
  refuse(r, "\"severity\" must be error, warning or note");
  return MCK_NOTE;
}

static struct mck_static_place read_warned(struct reader *r, const json_t *o) {
  return (struct mck_static_place){.kind = get_text(r, o, "id", false),
                                   .file = get_text(r, o, "file", false),
                                   .function = get_text(r, o, "function", false),
                                   .text = get_text(r, o, "text", false),
                                   .line = (uint32_t)get_number(r, o, "line", 1, INT32_MAX, INT64_MIN),
                                   .column = (uint32_t)get_number(r, o, "column", 1, INT32_MAX, 0)};
}

static void read_map(struct reader *r, const json_t *o, struct mck_finding *f) {
  const json_t *uses = get_array(r, o, "uses");
  struct mck_byte_map *map = mck_map_begin(f, (uint64_t)get_number(r, o, "size", 1, INT64_MAX, 0), 0, "%s",
                                           get_text(r, o, "memory", false));
  for (unsigned k = 0; map && k < 2 && r->is_good; k++) {
    const json_t *use = json_array_get(uses, k), *pieces = get_array(r, use, "pieces");
    for (size_t i = 0; i < json_array_size(pieces) && i <= MCK_MAP_PIECES; i++) {
      const json_t *piece = json_array_get(pieces, i);
      json_int_t low = json_integer_value(json_array_get(piece, 0)),
                 last = json_integer_value(json_array_get(piece, 1));
      if (last < INT64_MAX) mck_map_add(map, k, low, last + 1);
    }
    if (json_array_size(pieces) > MCK_MAP_PIECES) refuse(r, "\"pieces\" has more than %d pieces", MCK_MAP_PIECES);
    const char *what = get_text(r, use, "what", true);
    if (what) mck_map_name(map, k, what);
    map->uses[k].is_cut = get_bool(use, "more");
  }
  if (map && r->is_good && (json_array_size(uses) != 2 || !mck_map_is_whole(map)))
    refuse(r, "\"bytes\" must have two uses, and each of them pieces");
}

static bool read_finding(struct reader *r, const json_t *object, struct mck_document *d) {
  const char *id = get_text(r, object, "id", false);
  enum mck_check check = find_check(id);
  if (check == MCK_CHECK_COUNT) return refuse(r, "this version does not know the kind of finding \"%.60s\"", id);
  const json_t *ranks = json_object_get(object, "ranks");
  json_int_t first = json_integer_value(json_array_get(ranks, 0));
  struct mck_finding *f = mck_findings_add(&d->findings, check, first >= 0 && first <= INT32_MAX ? (int)first : 0);
  struct mck_group group = {.count = (uint64_t)get_number(r, object, "count", 1, INT64_MAX, INT64_MIN),
                            .is_varied = get_bool(object, "varied")};
  if (!f || !MCK_PUSH(d->groups.items, d->groups.count, d->groups.capacity, group)) return refuse(r, "out of memory");
  struct mck_group *added = &d->groups.items[d->groups.count - 1];
  if (!json_array_size(ranks)) f->rank = -1;
  f->severity = find_severity(r, get_text(r, object, "severity", false));
  mck_finding_text(f, "%s", get_text(r, object, "text", false));
  mck_finding_help(f, "%s", get_text(r, object, "help", false));
  const json_t *why = get_array(r, object, "why");
  for (size_t i = 0; i < json_array_size(why); i++) {
    const char *line = json_string_value(json_array_get(why, i));
    if (!line) return refuse(r, "\"why\" must be a list of texts");
    mck_finding_why(f, "%s", line);
  }
  const char *role = get_text(r, object, "role", true);
  added->role = !role ? MCK_ROLE_NONE : strcmp(role, "cause") == 0 ? MCK_ROLE_CAUSE : MCK_ROLE_END;
  read_ranks(r, object, added);
  read_places(r, object, f, added);
  const json_t *bytes = json_object_get(object, "bytes");
  if (bytes && r->is_good) read_map(r, bytes, f);
  const json_t *warned = json_object_get(object, "warned");
  struct mck_static_place place = warned ? read_warned(r, warned) : (struct mck_static_place){0};
  if (warned && r->is_good) added->warning = mck_static_find(&d->warnings, &place);
  return r->is_good;
}

static void read_warnings(struct reader *r, struct mck_document *d) {
  const json_t *warnings = json_object_get(d->root, "warnings") ? get_array(r, d->root, "warnings") : NULL;
  for (size_t i = 0; i < json_array_size(warnings) && r->is_good; i++) {
    const json_t *o = json_array_get(warnings, i), *executed = json_object_get(o, "executed");
    struct mck_static_warning_of_run w = {.place = read_warned(r, o),
                                          .state = json_is_true(executed)    ? MCK_STATIC_EXECUTED
                                                   : json_is_false(executed) ? MCK_STATIC_UNEXECUTED
                                                                             : MCK_STATIC_UNKNOWN,
                                          .is_confirmed = get_bool(o, "confirmed")};
    if (!mck_static_join(&d->warnings, &w)) refuse(r, "out of memory");
  }
}

static bool read_root(struct reader *r, struct mck_document *d) {
  const json_t *root = d->root, *run = json_object_get(root, "run"), *findings;
  const char *tool = json_string_value(json_object_get(root, "tool"));
  if (!tool || strcmp(tool, "mpicc-check") != 0) return refuse(r, "this is no JSON report of mpicc-check");
  json_int_t version = json_integer_value(json_object_get(root, "version"));
  if (version != MCK_JSON_VERSION)
    return refuse(r, "the report has version %lld, this program reads version %d", (long long)version,
                  MCK_JSON_VERSION);
  d->program = strdup(get_text(r, run, "program", false));
  if (!d->program) return refuse(r, "out of memory");
  d->run = (struct mck_report_run){.program = d->program,
                                   .size = (uint32_t)get_number(r, run, "ranks", 0, INT32_MAX, INT64_MIN),
                                   .calls = (uint64_t)get_number(r, run, "calls", 0, INT64_MAX, INT64_MIN),
                                   .is_incomplete = get_bool(run, "incomplete")};
  read_warnings(r, d);
  if (!mck_coverage_read(&d->coverage, json_object_get(run, "coverage"))) refuse(r, "\"coverage\" is not understood");
  findings = get_array(r, root, "findings");
  for (size_t i = 0; i < json_array_size(findings) && r->is_good; i++)
    if (!read_finding(r, json_array_get(findings, i), d)) {
      char why[160];
      snprintf(why, sizeof why, "%s", r->error);
      snprintf(r->error, r->size, "finding %zu: %s", i + 1, why);
    }
  for (size_t i = 0; i < d->groups.count; i++) d->groups.items[i].finding = &d->findings.items[i];
  return r->is_good;
}

bool mck_document_read(struct mck_document *document, const char *path, char *error, size_t size) {
  struct reader r = {error, size, true};
  json_error_t where;
  *document = (struct mck_document){0};
  FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
  if (!in) return refuse(&r, "%s", strerror(errno));
  document->root = json_loadf(in, JSON_REJECT_DUPLICATES, &where);
  if (in != stdin) fclose(in);
  if (!document->root) refuse(&r, "line %d: %s", where.line, where.text);
  else read_root(&r, document);
  if (!r.is_good) mck_document_free(document);
  return r.is_good;
}

void mck_document_free(struct mck_document *document) {
  mck_groups_free(&document->groups);
  mck_findings_free(&document->findings);
  mck_static_free(&document->warnings);
  json_decref(document->root);
  free(document->program);
  mck_coverage_free(&document->coverage);
  *document = (struct mck_document){0};
}
