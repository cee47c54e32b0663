// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins warnings of the compiler with what the run found (static-warning.h).
#define _GNU_SOURCE 1
#include "report/static-warning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

// Fills the place with pointers into the finding, whose lines it separates. false: it is malformed.
static bool read_place(struct mck_finding *f, struct mck_static_place *place) {
  char *rest = f->why;
  place->text = f->text;
  place->kind = strsep(&rest, "\n");
  place->file = strsep(&rest, "\n");
  place->function = strsep(&rest, "\n");
  char *end;
  place->line = (uint32_t)strtoul(f->places[0].label, &end, 10);
  place->column = *end == ':' ? (uint32_t)strtoul(end + 1, NULL, 10) : 0;
  return place->text && place->kind && place->file && place->function && place->line;
}

static bool is_same_place(const struct mck_static_place *a, const struct mck_static_place *b) {
  return a->line == b->line && a->column == b->column && strcmp(a->kind, b->kind) == 0 &&
         strcmp(a->file, b->file) == 0 && strcmp(a->function, b->function) == 0 && strcmp(a->text, b->text) == 0;
}

static enum mck_static_state state_of(const struct mck_finding *f) {
  if (f->count) return strstr(f->places[0].label, ":part") ? MCK_STATIC_UNKNOWN : MCK_STATIC_EXECUTED;
  return f->places[0].site == MCK_SITE_UNKNOWN ? MCK_STATIC_UNKNOWN : MCK_STATIC_UNEXECUTED;
}

static void free_one(struct mck_finding *f) {
  struct mck_findings list = {f, 1, 1};
  mck_findings_remove(&list, 0);
}

static struct mck_static_warning_of_run *find(const struct mck_static_warnings *all,
                                              const struct mck_static_place *place) {
  for (size_t i = 0; i < all->count; i++)
    if (is_same_place(&all->items[i].place, place)) return &all->items[i];
  return NULL;
}

const struct mck_static_place *mck_static_find(const struct mck_static_warnings *all,
                                               const struct mck_static_place *place) {
  const struct mck_static_warning_of_run *found = find(all, place);
  return found ? &found->place : NULL;
}

// What is unknown on one rank may be known on another one: then it is unknown for the run.
static bool join_state(struct mck_static_warnings *all, const struct mck_static_warning_of_run *w) {
  struct mck_static_warning_of_run *old = find(all, &w->place);
  if (!old) return false;
  if (w->state == MCK_STATIC_EXECUTED) old->state = MCK_STATIC_EXECUTED;
  else if (w->state == MCK_STATIC_UNKNOWN && old->state == MCK_STATIC_UNEXECUTED) old->state = MCK_STATIC_UNKNOWN;
  old->is_confirmed |= w->is_confirmed;
  return true;
}

bool mck_static_join(struct mck_static_warnings *all, const struct mck_static_warning_of_run *warning) {
  return join_state(all, warning) || MCK_PUSH(all->items, all->count, all->capacity, *warning);
}

static void take_one(struct mck_static_warnings *all, struct mck_finding *f) {
  struct mck_static_warning_of_run w = {.finding = *f, .state = state_of(f)};
  bool is_good = read_place(&w.finding, &w.place) && !join_state(all, &w);
  if (!is_good || !MCK_PUSH(all->items, all->count, all->capacity, w)) free_one(&w.finding);
}

void mck_static_take(struct mck_static_warnings *all, struct mck_findings *findings) {
  size_t kept = 0;
  for (size_t i = 0; i < findings->count; i++)
    if (mck_static_is(&findings->items[i])) take_one(all, &findings->items[i]);
    else findings->items[kept++] = findings->items[i];
  findings->count = kept;
}

// What a run says of a mistake may have another name than what the compiler says: ranks that make different collective
// calls are a deadlock, or calls that do not fit.
static bool is_of_kind(const char *kind, enum mck_check check) {
  static const struct {
    const char *warned, *found; // found: the begin of the kinds of a run
  } others[] = {{"collective.divergence", "collective."},
                {"collective.divergence", "deadlock"},
                {"message.unmatched-receive", "deadlock"},
                {"collective.divergence", "init.no-finalize"}};
  const char *id = mck_check_infos[check].id;
  if (strcmp(kind, id) == 0) return true;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(kind, others[i].warned) == 0 && strncmp(id, others[i].found, strlen(others[i].found)) == 0) return true;
  return false;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Paths of one file differ: the debug information has another directory than the compiler was started in.
static bool is_frame_of(const struct mck_source_frame *frame, const struct mck_static_place *place) {
  if (!frame->file || frame->line < 0 || (uint32_t)frame->line != place->line) return false;
  return strcmp(base_name(frame->file), base_name(place->file)) == 0;
}

static bool is_about(const struct mck_group *group, const struct mck_static_place *place) {
  if (!is_of_kind(place->kind, group->finding->check)) return false;
  for (uint32_t k = 0; k < group->finding->nplaces; k++) {
    unsigned shown[1 + MCK_CALLERS_SHOWN], n = mck_stack_shown(&group->stacks[k], shown);
    // Behind the innermost frame come those of a library that the user's line calls.
    for (unsigned i = 0; i < n && i < 2; i++)
      if (is_frame_of(&group->stacks[k].frames[shown[i]], place)) return true;
  }
  return false;
}

void mck_static_confirm(struct mck_static_warnings *all, struct mck_groups *groups) {
  for (size_t g = 0; g < groups->count; g++) {
    struct mck_group *group = &groups->items[g];
    for (size_t i = 0; i < all->count; i++) {
      if (!is_about(group, &all->items[i].place)) continue;
      all->items[i].is_confirmed = true;
      if (!group->warning) group->warning = &all->items[i].place;
    }
  }
}

// As with findings of a run (fingerprint.c): lines do not count, and equal ones are told apart by their order.
static uint64_t fingerprint_of(const struct mck_static_warnings *all, const struct mck_static_place *place) {
  enum { VERSION = 1 };
  char text[512];
  uint64_t before = 0;
  snprintf(text, sizeof text, "warned|%s|%s@%s", place->kind, place->function, base_name(place->file));
  for (size_t i = 0; i < all->count; i++) {
    const struct mck_static_place *p = &all->items[i].place;
    bool is_equal = strcmp(p->kind, place->kind) == 0 && strcmp(p->function, place->function) == 0 &&
                    strcmp(base_name(p->file), base_name(place->file)) == 0;
    before += is_equal && (p->line < place->line || (p->line == place->line && p->column < place->column));
  }
  uint64_t hash = mck_base_hash(text, strlen(text), VERSION);
  return before ? mck_base_hash(&before, sizeof before, hash) : hash;
}

void mck_static_apply(struct mck_static_warnings *all, struct mck_rules *rules) {
  for (size_t i = 0; i < all->count; i++) {
    struct mck_static_warning_of_run *w = &all->items[i];
    snprintf(w->fingerprint, sizeof w->fingerprint, "%016llx", (unsigned long long)fingerprint_of(all, &w->place));
    struct mck_named_frame frame = {w->place.function, w->place.file, NULL};
    struct mck_named_place place = {&frame, 1, 1};
    const struct mck_named named = {w->place.kind, w->fingerprint, &place, 1, NULL, 0};
    const struct mck_rule *rule = mck_rules_find(rules, &named);
    if (!rule) continue;
    w->suppression = strdup(rule->reason);
    if (asprintf(&w->suppressed_by, "%s:%u", rules->path ? rules->path : "", rule->line) < 0) w->suppressed_by = NULL;
  }
}

// A finding of the run at this line has named the warning already.
static bool is_unexecuted(const struct mck_static_warning_of_run *w) {
  return w->state == MCK_STATIC_UNEXECUTED && !w->suppression && !w->is_confirmed;
}

void mck_static_say_unexecuted(const struct mck_static_warnings *all, struct mck_findings *out) {
  size_t n = 0;
  for (size_t i = 0; i < all->count; i++) n += is_unexecuted(&all->items[i]);
  struct mck_finding *f = n ? mck_findings_add(out, MCK_CHECK_STATIC_UNEXECUTED, -1) : NULL;
  if (!f) return;
  mck_finding_text(f, "the compiler warned of %zu %s that no rank executed in this run", n,
                   n == 1 ? "place" : "places");
  for (size_t i = 0; i < all->count; i++) {
    const struct mck_static_place *p = &all->items[i].place;
    if (!is_unexecuted(&all->items[i])) continue;
    mck_finding_why(f, "%s:%u in %s: %s [%s]", base_name(p->file), p->line, p->function, p->text, p->kind);
  }
}

void mck_static_free(struct mck_static_warnings *all) {
  for (size_t i = 0; i < all->count; i++) {
    free_one(&all->items[i].finding);
    free(all->items[i].suppression), free(all->items[i].suppressed_by);
  }
  free(all->items);
  *all = (struct mck_static_warnings){0};
}
