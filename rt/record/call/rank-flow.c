// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins the edges of all objects, and follows them from what names a rank to the receives (rank-flow.h).
#include "record/call/rank-flow.h"
#include <stdlib.h>
#include <string.h>
#include "abi.h"
#include "base/elf.h"
#include "record/run/own-library.h"
#include "record/runtime.h"

// The edges of a recompiled program or library. It may be unloaded since.
static struct table {
  const struct mck_rank_edge *first, *end;
} *tables;
static size_t ntables, tables_capacity;

static uint32_t *named; // receives, sorted
static size_t nnamed, named_capacity, nfollowed;
static bool is_everything; // there was no memory for the answer

MCK_EXPORT void __mck_attach_ranks(uint32_t version, const struct mck_rank_edge *first,
                                   const struct mck_rank_edge *end) {
  size_t n = ((uintptr_t)end - (uintptr_t)first) / sizeof *first; // a forged table may have a part of an edge behind it
  if (version != MCK_RANKS_VERSION || end <= first || !n) return;
  end = first + n;
  mck_lock();
  (void)!MCK_PUSH(tables, ntables, tables_capacity, ((struct table){first, end}));
  mck_unlock();
}

// --- sets of hashes ---
struct set {
  uint64_t *slots; // 0: free
  size_t count, mask;
};
static bool add_to_set(struct set *set, uint64_t hash, bool *is_new) {
  if (!hash) hash = 1;
  if (!set->slots || set->count * 2 > set->mask) {
    struct set larger = {.mask = set->slots ? set->mask * 2 + 1 : 1023};
    larger.slots = calloc(larger.mask + 1, sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; set->slots && i <= set->mask; i++)
      if (set->slots[i] && !add_to_set(&larger, set->slots[i], NULL)) return free(larger.slots), false;
    free(set->slots);
    *set = larger;
  }
  size_t at = hash * 0x9e3779b97f4a7c15u >> 20 & set->mask;
  while (set->slots[at] && set->slots[at] != hash) at = (at + 1) & set->mask;
  if (is_new) *is_new = !set->slots[at];
  set->count += !set->slots[at];
  set->slots[at] = hash;
  return true;
}
static bool is_in_set(const struct set *set, uint64_t hash) {
  if (!set->slots) return false;
  if (!hash) hash = 1;
  size_t at = hash * 0x9e3779b97f4a7c15u >> 20 & set->mask;
  while (set->slots[at] && set->slots[at] != hash) at = (at + 1) & set->mask;
  return set->slots[at] == hash;
}

// --- all edges ---
struct edge {
  uint64_t unless, from, to;
};
struct flow {
  struct edge *edges; // sorted by from
  size_t count, capacity;
  struct set defined, imported, seen;
  bool is_short;           // of memory
  bool has_unknown_caller; // a library that was not recompiled calls MPI
};

static bool note_import(const struct mck_elf *elf, const char *name, uintptr_t *place, void *context) {
  (void)elf, (void)place;
  struct flow *f = context;
  f->is_short |= !add_to_set(&f->imported, mck_abi_hash_wide(name), NULL);
  return f->is_short;
}
static bool is_call_of_mpi(const struct mck_elf *elf, const char *name, uintptr_t *place, void *context) {
  (void)elf, (void)place, (void)context;
  return strncmp(name, "MPI_", 4) == 0 || strncmp(name, "PMPI_", 5) == 0;
}

// The groups of a table as single edges.
static void add_table(struct flow *f, const struct table *table) {
  size_t n = 2 * (size_t)(table->end - table->first); // each may lead both ways
  if (!mck_base_grow((void **)&f->edges, &f->capacity, f->count + n, sizeof *f->edges)) {
    f->is_short = true;
    return;
  }
  uint64_t group = 0;
  for (const struct mck_rank_edge *e = table->first; e < table->end; e++) {
    if (e->from == MCK_RANK_GROUP) {
      group = e->to;
      continue;
    }
    f->edges[f->count++] = (struct edge){group == MCK_RANK_BOTH ? 0 : group, e->from, e->to};
    if (group == MCK_RANK_BOTH) f->edges[f->count++] = (struct edge){0, e->to, e->from};
  }
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct flow *f = context;
  struct mck_elf elf;
  if (!mck_elf_read(info, &elf)) return 0;
  bool is_recompiled = false;
  for (size_t i = 0; i < ntables && !f->is_short; i++) {
    if (!mck_elf_has(&elf, (uintptr_t)tables[i].first) || !mck_elf_has(&elf, (uintptr_t)tables[i].end - 1)) continue;
    add_table(f, &tables[i]);
    is_recompiled = true;
  }
  if (is_recompiled) mck_elf_visit(&elf, note_import, f);
  else if (*elf.path && !mck_library_is_of_mpi(elf.path) && mck_elf_visit(&elf, is_call_of_mpi, NULL))
    f->has_unknown_caller = true;
  return f->is_short;
}

static int compare_edges(const void *a, const void *b) {
  const struct edge *x = a, *y = b;
  return x->from < y->from ? -1 : x->from > y->from;
}
static int compare_numbers(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

// --- from what names a rank to the receives ---
struct work {
  uint64_t *items;
  size_t count, capacity;
};
static void reach(struct flow *f, struct work *work, uint64_t node) {
  bool is_new = false;
  f->is_short |= !add_to_set(&f->seen, node, &is_new);
  if (!is_new) return;
  f->is_short |= !MCK_PUSH(work->items, work->count, work->capacity, node);
  if (node >> 32 == MCK_RANK_RECEIVE >> 32) f->is_short |= !MCK_PUSH(named, nnamed, named_capacity, (uint32_t)node);
}

static void follow(struct flow *f) {
  struct work work = {0};
  for (size_t i = 0; i < f->count; i++)
    if (f->edges[i].to == MCK_RANK_DEFINED) f->is_short |= !add_to_set(&f->defined, f->edges[i].from, NULL);
  reach(f, &work, MCK_RANK_ALWAYS);
  // A function that is neither recompiled nor a shared library's stands in the program itself, beside calls of MPI.
  for (size_t i = 0; i < f->count; i++) {
    uint64_t unless = f->edges[i].unless;
    if (unless && (f->has_unknown_caller || !is_in_set(&f->imported, unless)) && !is_in_set(&f->defined, unless))
      reach(f, &work, unless);
  }
  while (work.count && !f->is_short) {
    uint64_t node = work.items[--work.count];
    size_t low = 0, high = f->count;
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      if (f->edges[middle].from < node) low = middle + 1;
      else high = middle;
    }
    for (; low < f->count && f->edges[low].from == node; low++)
      if (!f->edges[low].unless || !is_in_set(&f->defined, f->edges[low].unless)) reach(f, &work, f->edges[low].to);
  }
  free(work.items);
}

static void find(void) {
  struct flow f = {0};
  nnamed = 0, nfollowed = ntables;
  dl_iterate_phdr(visit_object, &f);
  if (f.count) qsort(f.edges, f.count, sizeof *f.edges, compare_edges);
  if (!f.is_short) follow(&f);
  if (nnamed) qsort(named, nnamed, sizeof *named, compare_numbers);
  is_everything = f.is_short; // nothing is predicted then
  free(f.edges), free(f.defined.slots), free(f.imported.slots), free(f.seen.slots);
}

bool mck_rank_flow_names(uint32_t number) {
  if (nfollowed != ntables) find();
  if (!ntables) return true; // the table was removed
  return is_everything || (nnamed && bsearch(&number, named, nnamed, sizeof *named, compare_numbers));
}
