// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out which files of a run were checked (coverage.h).
#define _GNU_SOURCE 1
#include "report/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "report/compile-unit.h"

static char *copy_of(const char *text) { return text ? strdup(text) : NULL; }

static void free_unchecked(struct mck_unchecked *u) {
  free(u->file), free(u->directory), free(u->compiler), free(u->object);
}

static bool add(struct mck_coverage *c, const struct mck_unchecked *from) {
  struct mck_unchecked u = {copy_of(from->file), copy_of(from->directory), copy_of(from->compiler),
                            copy_of(from->object)};
  if (u.object && !u.file == !from->file && MCK_PUSH(c->unchecked, c->count, c->capacity, u)) return true;
  free_unchecked(&u);
  return false;
}

static bool is_of_system(const char *path) { return strncmp(path, "/usr/", 5) == 0 || strncmp(path, "/bin/", 5) == 0; }

// One object. The files of one that is linked with the runtime are named, even when none was recompiled: the user chose
// their compiler. An interpreter is not the user's program, unless there is nothing else.
static void add_object(struct mck_coverage *c, const char *path) {
  struct mck_units units;
  mck_units_read(&units, path);
  struct mck_unchecked whole = {.object = (char *)path};
  bool is_silent = units.is_readable && !units.is_marked && is_of_system(path) && c->nfiles;
  bool is_named = units.is_marked || (units.is_linked && units.count);
  if (!units.is_readable) {
    c->state = MCK_COVERAGE_UNKNOWN;
  } else if (!is_silent && !is_named) {
    c->nfiles++;
    if (!add(c, &whole)) c->state = MCK_COVERAGE_UNKNOWN;
  } else if (!is_silent) {
    c->nfiles += units.count;
    for (size_t i = 0; i < units.count; i++) {
      const struct mck_unit *unit = &units.items[i];
      struct mck_unchecked u = {unit->name, unit->directory, unit->compiler, (char *)path};
      if (unit->is_checked) c->nchecked++;
      else if (!add(c, &u)) c->state = MCK_COVERAGE_UNKNOWN;
    }
    if (!units.is_whole && !c->stripped) c->stripped = strdup(path);
  }
  mck_units_free(&units);
}

static enum mck_coverage_state state_of(const struct mck_coverage *c) {
  if (c->state == MCK_COVERAGE_UNKNOWN || (!c->nfiles && c->stripped)) return MCK_COVERAGE_UNKNOWN;
  if (c->nchecked == c->nfiles && !c->stripped) return c->nfiles ? MCK_COVERAGE_ALL : MCK_COVERAGE_UNKNOWN;
  return c->nchecked ? MCK_COVERAGE_SOME : MCK_COVERAGE_NONE;
}

void mck_coverage_make(struct mck_coverage *c, const struct mck_report_run *run) {
  *c = (struct mck_coverage){0};
  if (!run->nobjects) return;
  if (run->has_no_access) {
    c->state = MCK_COVERAGE_OFF;
    return;
  }
  for (int late = 0; late < 2; late++) // those of the system come last
    for (size_t i = 0; i < run->nobjects; i++)
      if (is_of_system(run->objects[i]) == late) add_object(c, run->objects[i]);
  c->state = run->has_unknown_access ? MCK_COVERAGE_UNKNOWN : state_of(c);
}

void mck_coverage_free(struct mck_coverage *c) {
  for (size_t i = 0; i < c->count; i++) free_unchecked(&c->unchecked[i]);
  free(c->unchecked);
  free(c->stripped);
  *c = (struct mck_coverage){0};
}

static bool is_equal(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

bool mck_coverage_add(struct mck_coverage *to, const struct mck_coverage *from, bool is_same) {
  bool is_good = true;
  if (from->state == MCK_COVERAGE_ABSENT) return true;
  if (to->state == MCK_COVERAGE_ABSENT || from->state < to->state) to->state = from->state;
  if (to->state == MCK_COVERAGE_NONE && to->nchecked + from->nchecked) to->state = MCK_COVERAGE_SOME;
  for (size_t i = 0; i < from->count && is_good; i++) {
    const struct mck_unchecked *u = &from->unchecked[i];
    bool is_there = false;
    for (size_t k = 0; k < to->count && !is_there; k++)
      is_there = is_equal(u->file, to->unchecked[k].file) && is_equal(u->object, to->unchecked[k].object) &&
                 is_equal(u->directory, to->unchecked[k].directory);
    if (!is_there) is_good = add(to, u);
  }
  if (!to->stripped && from->stripped) is_good = (to->stripped = strdup(from->stripped)) && is_good;
  if (!is_same) to->nfiles += from->nfiles, to->nchecked += from->nchecked;
  else if (from->nfiles > to->nfiles) to->nfiles = from->nfiles, to->nchecked = from->nchecked;
  return is_good;
}
