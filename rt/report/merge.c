// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges findings of one cause into groups (merge.h).
#define _GNU_SOURCE 1
#include "report/merge.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/base.h"
#include "report/cause-merge.h"

// The parts of a finding that must be equal, as bytes, and the group that has them.
struct entry {
  char *key;
  size_t size, group;
  UT_hash_handle hh;
};

unsigned mck_place_frames(const struct mck_stack_source *stacks, const struct mck_place *place,
                          struct mck_frame *frames) {
  if (!stacks || !stacks->frames || place->rank < 0 || place->site == MCK_SITE_UNKNOWN) return 0;
  unsigned n = stacks->frames(stacks->context, place->rank, place->site, frames, MCK_FRAMES_MAX);
  return n < MCK_FRAMES_MAX ? n : MCK_FRAMES_MAX;
}

void mck_normalized_write(FILE *out, const char *text) {
  for (const char *p = text ? text : ""; *p;) {
    bool is_word = p == text || !isalnum((unsigned char)p[-1]);
    if (!is_word || strncmp(p, "rank", 4) != 0) {
      putc(*p++, out);
      continue;
    }
    fwrite(p, 1, 4, out);
    p += 4;
    if (*p == 's') p++;
    if (*p != ' ' || !isdigit((unsigned char)p[1])) continue;
    fputs(" #", out);
    for (p++; isdigit((unsigned char)*p);) {
      while (isdigit((unsigned char)*p)) p++;
      size_t gap = strspn(p, "-, ");
      if (gap == 1 && p[0] == ' ' && strncmp(p, " and ", 5) == 0) gap = 5;
      if (gap && isdigit((unsigned char)p[gap])) p += gap;
    }
  }
  putc('\0', out);
}

// The places that findings must share to be one. The messages that a wildcard receive got and could have got are
// examples, which differ from rank to rank.
static uint32_t count_places(const struct mck_finding *f) {
  return f->check == MCK_CHECK_MESSAGE_RACE && f->nplaces ? 1 : f->nplaces;
}

static FILE *open_key(const struct mck_finding *f, uint32_t nplaces, char **key, size_t *size) {
  FILE *out = open_memstream(key, size);
  if (!out) return NULL;
  uint32_t head[3] = {f->check, f->severity, nplaces};
  fwrite(head, sizeof head, 1, out);
  mck_normalized_write(out, f->text);
  return out;
}

static bool close_key(FILE *out, char **key) {
  bool is_whole = !ferror(out);
  if (fclose(out) == 0 && is_whole) return true;
  free(*key);
  return false;
}

// What the keys of places are made of: raw frames, or the shown ones.
typedef void write_stack(FILE *out, const void *context, const struct mck_finding *f, uint32_t place);

static void write_raw_stack(FILE *out, const void *context, const struct mck_finding *f, uint32_t place) {
  struct mck_frame frames[MCK_FRAMES_MAX];
  unsigned n = mck_place_frames(context, &f->places[place], frames);
  fwrite(&n, sizeof n, 1, out);
  for (unsigned k = 0; k < n; k++) {
    fputs(frames[k].module ? frames[k].module : "", out);
    putc('\0', out);
    fwrite(&frames[k].offset, sizeof frames[k].offset, 1, out);
  }
}

// A conflict has two sides, and which of them is named first says nothing: rank 0's put at line 7 against rank 1's at
// line 9 is the mirror image of rank 1's at line 9 against rank 0's at line 7.
static const char conflict[] = "conflicts with ";
static bool is_conflict(const struct mck_finding *f) {
  return f->nplaces > 1 && f->places[1].label && strncmp(f->places[1].label, conflict, sizeof conflict - 1) == 0;
}

struct place_key {
  char *bytes;
  size_t size;
};
static int compare_keys(const void *left, const void *right) {
  const struct place_key *a = left, *b = right;
  int order = memcmp(a->bytes, b->bytes, a->size < b->size ? a->size : b->size);
  return order ? order : (a->size > b->size) - (a->size < b->size);
}

static bool make_key(const struct mck_finding *f, write_stack *write, const void *context, char **key, size_t *size) {
  uint32_t nplaces = count_places(f);
  struct place_key places[MCK_PLACES_MAX] = {{0}};
  bool is_whole = true;
  for (uint32_t i = 0; i < nplaces; i++) {
    FILE *out = open_memstream(&places[i].bytes, &places[i].size);
    if (!out) is_whole = false;
    else {
      const char *label = f->places[i].label;
      mck_normalized_write(out, i == 1 && is_conflict(f) ? label + sizeof conflict - 1 : label);
      write(out, context, f, i);
      is_whole = close_key(out, &places[i].bytes) && is_whole;
    }
  }
  if (is_whole && is_conflict(f)) qsort(places, nplaces, sizeof *places, compare_keys);
  FILE *out = is_whole ? open_key(f, nplaces, key, size) : NULL;
  for (uint32_t i = 0; i < nplaces; i++) {
    if (out) fwrite(places[i].bytes, 1, places[i].size, out);
    free(places[i].bytes);
  }
  return out && close_key(out, key);
}

static bool is_same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool is_same_wording(const struct mck_finding *a, const struct mck_finding *b) {
  if (a->nplaces != b->nplaces) return false;
  for (uint32_t i = 0; i < a->nplaces; i++)
    if (!is_same_text(a->places[i].label, b->places[i].label)) return false;
  return is_same_text(a->text, b->text);
}

static bool add_to_group(struct mck_group *group, const struct mck_finding *f) {
  if (f != group->finding && !is_same_wording(f, group->finding)) group->is_varied = true;
  group->count += f->count ? f->count : 1;
  if (f->role) group->role = f->role;
  bool is_lower = f->rank >= 0 && (group->finding->rank < 0 || f->rank < group->finding->rank);
  if (!f->why == !group->finding->why ? is_lower : f->why != NULL)
    group->finding = f; // why: "rank 1 crashed in this call"
  if (f->rank < 0 || (group->nranks && group->ranks[group->nranks - 1] == f->rank)) return true;
  return MCK_PUSH(group->ranks, group->nranks, group->capacity, f->rank);
}

static int compare_ranks(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static void order_ranks(struct mck_group *group) {
  if (group->nranks < 2) return;
  qsort(group->ranks, group->nranks, sizeof *group->ranks, compare_ranks);
  size_t kept = 1;
  for (size_t i = 1; i < group->nranks; i++)
    if (group->ranks[i] != group->ranks[kept - 1]) group->ranks[kept++] = group->ranks[i];
  group->nranks = kept;
}

// false: the caller still owns owner.
static bool remember(struct entry **table, char *key, size_t size, size_t group) {
  struct entry *entry = malloc(sizeof *entry);
  if (!entry) return false;
  *entry = (struct entry){.key = key, .size = size, .group = group};
  HASH_ADD_KEYPTR(hh, *table, entry->key, entry->size, entry);
  if (entry->hh.tbl) return true;
  free(entry); // it is not in the table: equal findings stay apart, but nothing is lost
  return false;
}

static void forget(struct entry *table) {
  struct entry *entry, *next;
  HASH_ITER(hh, table, entry, next) {
    HASH_DEL(table, entry);
    free(entry->key);
    free(entry);
  }
}

static bool merge_finding(struct mck_groups *groups, struct entry **table, const struct mck_finding *f,
                          const struct mck_stack_source *stacks) {
  char *key;
  size_t size;
  if (!make_key(f, write_raw_stack, stacks, &key, &size)) return false;
  struct entry *entry;
  HASH_FIND(hh, *table, key, size, entry);
  if (entry) {
    free(key);
    return add_to_group(&groups->items[entry->group], f);
  }
  struct mck_group group = {.finding = f};
  bool is_good = MCK_PUSH(groups->items, groups->count, groups->capacity, group) &&
                 add_to_group(&groups->items[groups->count - 1], f);
  if (!is_good || !remember(table, key, size, groups->count - 1)) free(key);
  return is_good;
}

bool mck_groups_merge(struct mck_groups *groups, const struct mck_findings *findings,
                      const struct mck_stack_source *stacks) {
  struct entry *table = NULL;
  bool is_good = true;
  for (size_t i = 0; is_good && i < findings->count; i++)
    if (!mck_finding_is_consequence(findings, &findings->items[i]))
      is_good = merge_finding(groups, &table, &findings->items[i], stacks);
  forget(table);
  for (size_t i = 0; i < groups->count; i++) order_ranks(&groups->items[i]);
  return is_good;
}

void mck_groups_resolve(struct mck_groups *groups, struct mck_symbols *symbols, const struct mck_stack_source *stacks) {
  struct mck_frame frames[MCK_FRAMES_MAX];
  for (size_t i = 0; i < groups->count; i++) {
    struct mck_group *group = &groups->items[i];
    for (uint32_t k = 0; k < group->finding->nplaces; k++)
      group->stacks[k] = mck_symbols_stack(symbols, frames,
                                           mck_place_frames(stacks, &group->finding->places[k], frames));
  }
}

// --- the frames that are shown ---
// Frames of the C++ standard library stand between an access and the user's line of it, and those of HDF5 or Boost.MPI
// between a call of MPI and that line. A library without lines is one of others.
static bool is_of_library(const struct mck_source_frame *frame) {
  if (!frame->file) return frame->module && strstr(frame->module, ".so");
  return strncmp(frame->file, "/usr/include/", 13) == 0 || strncmp(frame->file, "/usr/lib/", 9) == 0 ||
         strstr(frame->file, "/include/c++/");
}

unsigned mck_stack_user(const struct mck_source_stack *stack) {
  unsigned user = 0;
  while (user < stack->count && is_of_library(&stack->frames[user])) user++;
  return user < stack->count ? user : 0;
}

unsigned mck_stack_shown(const struct mck_source_stack *stack, unsigned shown[1 + MCK_CALLERS_SHOWN]) {
  unsigned n = 0, k = 0, user = mck_stack_user(stack);
  if (stack->count) shown[n++] = k++;
  if (user > k) k = user;
  while (k < stack->count && n <= MCK_CALLERS_SHOWN) shown[n++] = k++;
  return n;
}

static void write_frames(FILE *out, const struct mck_source_stack *stack, const unsigned *shown, unsigned n) {
  fwrite(&n, sizeof n, 1, out);
  for (unsigned k = 0; k < n; k++) {
    const struct mck_source_frame *frame = &stack->frames[shown[k]];
    const char *path = frame->file ? frame->file : frame->module;
    fprintf(out, "%s:%d:%s", path ? path : "", frame->line, frame->function ? frame->function : "");
    if (!frame->file) fwrite(&frame->offset, sizeof frame->offset, 1, out);
    putc('\0', out);
  }
}

static void write_shown_stack(FILE *out, const void *context, const struct mck_finding *f, uint32_t place) {
  (void)f;
  const struct mck_source_stack *stack = &((const struct mck_group *)context)->stacks[place];
  unsigned shown[1 + MCK_CALLERS_SHOWN], n = mck_stack_shown(stack, shown);
  write_frames(out, stack, shown, n);
}

// The innermost frame and the user's line, without its callers.
static void write_own_line(FILE *out, const void *context, const struct mck_finding *f, uint32_t place) {
  (void)f;
  const struct mck_group *group = context;
  const struct mck_source_stack *stack = &group->stacks[place];
  const unsigned shown[2] = {0, mck_stack_user(stack)};
  putc((int)group->baseline, out);
  putc((int)group->role, out);
  write_frames(out, stack, shown, !stack->count ? 0 : shown[1] ? 2 : 1);
}

static void free_group(struct mck_group *group) {
  free(group->ranks);
  free(group->suppression);
  free(group->suppressed_by);
  for (int k = 0; k < MCK_PLACES_MAX; k++) free(group->stacks[k].frames);
}

void mck_groups_drop(struct mck_groups *groups, size_t index) {
  free_group(&groups->items[index]);
  groups->count--;
  memmove(&groups->items[index], &groups->items[index + 1], (groups->count - index) * sizeof *groups->items);
}

// Moves all of from to group. Returns false when out of memory; then both stay as they are.
static bool join(struct mck_group *group, struct mck_group *from) {
  size_t had = group->nranks;
  for (size_t i = 0; i < from->nranks; i++)
    if (!MCK_PUSH(group->ranks, group->nranks, group->capacity, from->ranks[i])) {
      group->nranks = had;
      return false;
    }
  order_ranks(group);
  group->count += from->count;
  if (from->role) group->role = from->role;
  group->is_varied |= from->is_varied || !is_same_wording(group->finding, from->finding);
  free_group(from);
  return true;
}

void mck_groups_join(struct mck_groups *groups) {
  struct entry *table = NULL, *entry;
  size_t kept = 0, size;
  char *key;
  for (size_t i = 0; i < groups->count; i++) {
    struct mck_group *group = &groups->items[i];
    bool has_key = make_key(group->finding, write_shown_stack, group, &key, &size);
    entry = NULL;
    if (has_key) HASH_FIND(hh, table, key, size, entry);
    if (entry && join(&groups->items[entry->group], group)) {
      free(key);
      continue;
    }
    if (has_key && (entry || !remember(&table, key, size, kept))) free(key);
    groups->items[kept++] = *group;
  }
  groups->count = kept;
  forget(table);
}

void mck_groups_compare(struct mck_groups *groups) {
  struct entry *table = NULL, *entry;
  size_t size;
  char *key;
  for (size_t k = 0; k < groups->count; k++) {
    struct mck_group *group = &groups->items[k];
    group->alike = k, group->turn = 0, group->nalike = 1;
  }
  for (size_t i = 0; i < groups->count; i++) {
    struct mck_group *group = &groups->items[i];
    if (group->suppression) continue;
    if (!make_key(group->finding, write_own_line, group, &key, &size)) break;
    HASH_FIND(hh, table, key, size, entry);
    if (entry) group->alike = entry->group, group->turn = groups->items[entry->group].nalike++;
    if (entry || !remember(&table, key, size, i)) free(key);
  }
  forget(table);
}

void mck_groups_free(struct mck_groups *groups) {
  for (size_t i = 0; i < groups->count; i++) free_group(&groups->items[i]);
  free(groups->items);
  *groups = (struct mck_groups){0};
}
