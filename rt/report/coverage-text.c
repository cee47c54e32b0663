// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coverage as text and JSON (coverage.h).
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "report/coverage.h"
#include "report/json-build.h"

enum { SHOWN = 6, LISTED = 10000 };

static const char *const state_names[] = {[MCK_COVERAGE_OFF] = "off",
                                          [MCK_COVERAGE_UNKNOWN] = "unknown",
                                          [MCK_COVERAGE_NONE] = "none",
                                          [MCK_COVERAGE_SOME] = "some",
                                          [MCK_COVERAGE_ALL] = "all"};

void mck_coverage_print_count(FILE *out, const struct mck_coverage *c) {
  if (c->state != MCK_COVERAGE_SOME) fputs(state_names[c->state], out);
  else if (c->nchecked == c->nfiles)
    fprintf(out, "%zu file%s, others unknown", c->nchecked, c->nchecked == 1 ? "" : "s");
  else fprintf(out, "%zu of %zu files%s", c->nchecked, c->nfiles, c->stripped ? ", others unknown" : "");
}

void mck_coverage_print_short(FILE *out, const struct mck_coverage *c) {
  if (c->state == MCK_COVERAGE_ABSENT) return;
  fputs(" (loads and stores: ", out);
  mck_coverage_print_count(out, c);
  putc(')', out);
}

static void print_path(FILE *out, const char *path) { mck_utf8_print(out, path, strlen(path)); }

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void print_unchecked(FILE *out, const struct mck_unchecked *u) {
  print_path(out, u->file ? u->file : base_of(u->object));
  if (u->file && u->compiler && *u->compiler) fprintf(out, " (%s)", u->compiler);
}

void mck_coverage_print(FILE *out, const struct mck_coverage *c) {
  if (c->count == 1 && !c->unchecked[0].file && !c->nchecked) {
    fputs("==mpicc-check== loads and stores are not checked: ", out);
    print_path(out, base_of(c->unchecked[0].object));
    fputs(" was not recompiled\n", out);
  } else if (c->count) {
    fputs("==mpicc-check== loads and stores are not checked in ", out);
    for (size_t i = 0; i < c->count && i < SHOWN; i++) {
      if (i) fputs(", ", out);
      print_unchecked(out, &c->unchecked[i]);
    }
    if (c->count > SHOWN) fprintf(out, " and %zu more", c->count - SHOWN);
    putc('\n', out);
  }
  if (!c->stripped) return;
  fputs("==mpicc-check== which files of ", out);
  print_path(out, base_of(c->stripped));
  fputs(" are not checked is unknown: it has no debug information and no symbols\n", out);
}

json_t *mck_coverage_build(const struct mck_coverage *c) {
  if (c->state == MCK_COVERAGE_ABSENT) return json_null();
  json_t *o = json_object(), *list = json_array();
  bool is_whole = list != NULL;
  for (size_t i = 0; i < c->count && i < LISTED && is_whole; i++) {
    const struct mck_unchecked *u = &c->unchecked[i];
    json_t *unit = json_object();
    is_whole = mck_json_set(unit, "file", mck_json_text(u->file)) &&
               mck_json_set(unit, "directory", mck_json_text(u->directory)) &&
               mck_json_set(unit, "compiler", mck_json_text(u->compiler)) &&
               mck_json_set(unit, "object", mck_json_text(u->object));
    is_whole = mck_json_append(list, mck_json_finish(unit, is_whole)) && is_whole;
  }
  return mck_json_finish(o, mck_json_set(o, "loads_and_stores", json_string(state_names[c->state])) &&
                                mck_json_set(o, "files", json_integer((json_int_t)c->nfiles)) &&
                                mck_json_set(o, "checked", json_integer((json_int_t)c->nchecked)) &&
                                mck_json_set(o, "not_checked", mck_json_finish(list, is_whole)) &&
                                mck_json_set(o, "stripped", mck_json_text(c->stripped)));
}

static char *get_copy(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? strdup(text) : NULL;
}

bool mck_coverage_read(struct mck_coverage *c, const json_t *value) {
  *c = (struct mck_coverage){0};
  if (!value || json_is_null(value)) return true;
  const char *state = json_string_value(json_object_get(value, "loads_and_stores"));
  for (int i = MCK_COVERAGE_OFF; state && i <= MCK_COVERAGE_ALL; i++)
    if (strcmp(state, state_names[i]) == 0) c->state = (enum mck_coverage_state)i;
  json_int_t files = json_integer_value(json_object_get(value, "files"));
  json_int_t checked = json_integer_value(json_object_get(value, "checked"));
  const json_t *list = json_object_get(value, "not_checked");
  if (c->state == MCK_COVERAGE_ABSENT || files < 0 || checked < 0 || checked > files || !json_is_array(list))
    return false;
  c->nfiles = (size_t)files, c->nchecked = (size_t)checked, c->stripped = get_copy(value, "stripped");
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *o = json_array_get(list, i);
    struct mck_unchecked u = {get_copy(o, "file"), get_copy(o, "directory"), get_copy(o, "compiler"),
                              get_copy(o, "object")};
    if (u.object && MCK_PUSH(c->unchecked, c->count, c->capacity, u)) continue;
    free(u.file), free(u.directory), free(u.compiler), free(u.object);
    return false;
  }
  return true;
}
