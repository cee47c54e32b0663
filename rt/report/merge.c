// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE 1
#include "report/merge.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/base.h"
#include "report/causes.h"

// What must be equal, as bytes, and the group that has it.
struct entry { char *key; size_t size, group; UT_hash_handle hh; };

unsigned mck_place_frames(const struct mck_stack_source *stacks, const struct mck_place *place,
                          struct mck_frame *frames) {
  if (!stacks || !stacks->frames || place->rank < 0 || place->site == MCK_SITE_UNKNOWN) return 0;
  unsigned n = stacks->frames(stacks->context, place->rank, place->site, frames, MCK_FRAMES_MAX);
  return n < MCK_FRAMES_MAX ? n : MCK_FRAMES_MAX;
}

// The text without the numbers behind "rank" and "ranks", lists and ranges included ("ranks 0-2,5", "ranks 1 and 2").
static void write_normalized(FILE *out, const char *text) {
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

// Places that findings must share to be one. What a wildcard receive got and could have got is an example, and another one on each rank.
static uint32_t count_places(const struct mck_finding *f) { return f->check == MCK_CHECK_MESSAGE_RACE && f->nplaces ? 1 : f->nplaces; }

static unsigned shown(unsigned nframes) { return nframes < 1 + MCK_CALLERS_SHOWN ? nframes : 1 + MCK_CALLERS_SHOWN; }

static void write_string(FILE *out, const char *text) {
  fputs(text ? text : "", out);
  putc('\0', out);
}

static void write_address(FILE *out, const char *module, uint64_t offset) {
  write_string(out, module);
  fwrite(&offset, sizeof offset, 1, out);
}

static void write_addresses(FILE *out, const struct mck_place *place, const struct mck_stack_source *stacks) {
  struct mck_frame frames[MCK_FRAMES_MAX];
  unsigned n = shown(mck_place_frames(stacks, place, frames));
  fwrite(&n, sizeof n, 1, out);
  for (unsigned k = 0; k < n; k++) write_address(out, frames[k].module, frames[k].offset);
}

static void write_lines(FILE *out, const struct mck_source_stack *stack) {
  unsigned n = shown(stack->count);
  fwrite(&n, sizeof n, 1, out);
  for (unsigned k = 0; k < n; k++) {
    const struct mck_source_frame *f = &stack->frames[k];
    write_string(out, f->function);
    if (f->file && f->line) write_address(out, f->file, (uint64_t)f->line);
    else write_address(out, f->module, f->offset);
  }
}

// With the lines of its places, or if there are none (NULL) with their addresses.
static bool make_key(const struct mck_finding *f, const struct mck_source_stack *lines, const struct mck_stack_source *stacks, char **key, size_t *size) {
  FILE *out = open_memstream(key, size);
  if (!out) return false;
  uint32_t nplaces = count_places(f), head[2] = {f->check, nplaces};
  fwrite(head, sizeof head, 1, out);
  write_normalized(out, f->text);
  for (uint32_t i = 0; i < nplaces; i++) {
    write_normalized(out, f->places[i].label);
    if (lines) write_lines(out, &lines[i]);
    else write_addresses(out, &f->places[i], stacks);
  }
  bool is_whole = !ferror(out);
  if (fclose(out) == 0 && is_whole) return true;
  free(*key);
  return false;
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
  if (f->rank >= 0 && (group->finding->rank < 0 || f->rank < group->finding->rank)) group->finding = f;
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

// The group that has this key, which is freed in the end; else it is the next one's.
static size_t find_or_add(struct entry **table, char *key, size_t size, size_t next) {
  struct entry *entry;
  HASH_FIND(hh, *table, key, size, entry);
  if (entry) {
    free(key);
    return entry->group;
  }
  if (!(entry = malloc(sizeof *entry))) {
    free(key);
    return next;
  }
  *entry = (struct entry){.key = key, .size = size, .group = next};
  HASH_ADD_KEYPTR(hh, *table, entry->key, entry->size, entry);
  if (!entry->hh.tbl) {  // not in the table: equal findings stay apart, nothing is lost
    free(entry->key);
    free(entry);
  }
  return next;
}

static void free_table(struct entry *table) {
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
  if (!make_key(f, NULL, stacks, &key, &size)) return false;
  size_t index = find_or_add(table, key, size, groups->count);
  if (index < groups->count) return add_to_group(&groups->items[index], f);
  struct mck_group group = {.finding = f};
  return MCK_PUSH(groups->items, groups->count, groups->capacity, group) && add_to_group(&groups->items[groups->count - 1], f);
}

bool mck_groups_merge(struct mck_groups *groups, const struct mck_findings *findings,
                      const struct mck_stack_source *stacks) {
  struct entry *table = NULL;
  bool is_good = true;
  for (size_t i = 0; is_good && i < findings->count; i++)
    if (!mck_finding_is_consequence(findings, &findings->items[i])) is_good = merge_finding(groups, &table, &findings->items[i], stacks);
  free_table(table);
  for (size_t i = 0; i < groups->count; i++) order_ranks(&groups->items[i]);
  return is_good;
}

static void free_group(struct mck_group *group) {
  free(group->ranks);
  for (int k = 0; k < MCK_PLACES_MAX; k++) free(group->stacks[k].frames);
}

// What from has is into's from here on. false: out of memory, both stay.
static bool unite(struct mck_group *into, struct mck_group *from) {
  for (size_t i = 0; i < from->nranks; i++) if (!MCK_PUSH(into->ranks, into->nranks, into->capacity, from->ranks[i])) return false;
  order_ranks(into);
  into->count += from->count;
  into->is_varied |= from->is_varied || !is_same_wording(into->finding, from->finding);
  if (from->finding->rank >= 0 && (into->finding->rank < 0 || from->finding->rank < into->finding->rank)) {
    into->finding = from->finding;
    for (int k = 0; k < MCK_PLACES_MAX; k++) {
      struct mck_source_stack stack = into->stacks[k];
      into->stacks[k] = from->stacks[k], from->stacks[k] = stack;
    }
  }
  free_group(from);
  return true;
}

// Loads and stores of one line are several in the code (unrolled, vectorized); two calls of MPI in a line are two.
static bool has_accesses(enum mck_check check) {
  return check == MCK_CHECK_BUFFER_READ || check == MCK_CHECK_BUFFER_MODIFIED || check == MCK_CHECK_RMA_RACE || check == MCK_CHECK_RMA_RACE_LOCAL;
}

static void unite_alike(struct mck_groups *groups) {
  struct entry *table = NULL;
  size_t kept = 0;
  for (size_t i = 0; i < groups->count; i++) {
    struct mck_group *group = &groups->items[i];
    char *key;
    size_t size, index = kept;
    if (has_accesses(group->finding->check) && make_key(group->finding, group->stacks, NULL, &key, &size)) index = find_or_add(&table, key, size, kept);
    if (index < kept && unite(&groups->items[index], group)) continue;
    groups->items[kept++] = *group;
  }
  groups->count = kept;
  free_table(table);
}

void mck_groups_resolve(struct mck_groups *groups, struct mck_symbols *symbols, const struct mck_stack_source *stacks) {
  struct mck_frame frames[MCK_FRAMES_MAX];
  for (size_t i = 0; i < groups->count; i++) {
    struct mck_group *group = &groups->items[i];
    for (uint32_t k = 0; k < group->finding->nplaces; k++)
      group->stacks[k] =
          mck_symbols_stack(symbols, frames, mck_place_frames(stacks, &group->finding->places[k], frames));
  }
  unite_alike(groups);
}

static int compare_texts(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : ""); }

static int compare_groups(const void *left, const void *right) {
  const struct mck_group *a = left, *b = right;
  const struct mck_finding *f = a->finding, *g = b->finding;
  int order = (int)mck_check_infos[g->check].severity - (int)mck_check_infos[f->check].severity;
  if (order == 0) order = (g->check == MCK_CHECK_RUN_DIED) - (f->check == MCK_CHECK_RUN_DIED);
  if (order == 0) order = (f->rank > g->rank) - (f->rank < g->rank);
  if (order == 0 && a->stacks[0].count && b->stacks[0].count) {
    const struct mck_source_frame *x = a->stacks[0].frames, *y = b->stacks[0].frames;
    order = compare_texts(x->file, y->file);
    if (order == 0) order = (x->line > y->line) - (x->line < y->line);
    if (order == 0) order = compare_texts(x->module, y->module);
    if (order == 0) order = (x->offset > y->offset) - (x->offset < y->offset);
  }
  if (order == 0) order = (int)f->check - (int)g->check;
  return order ? order : compare_texts(f->text, g->text);
}

void mck_groups_sort(struct mck_groups *groups) {
  if (groups->count > 1) qsort(groups->items, groups->count, sizeof *groups->items, compare_groups);
}

void mck_groups_free(struct mck_groups *groups) {
  for (size_t i = 0; i < groups->count; i++) free_group(&groups->items[i]);
  free(groups->items);
  *groups = (struct mck_groups){0};
}
