// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thread.collective: all processes call the collectives of a communicator, window or file in the same order (MPI-3.1
// 5.13, 11.5.1, 13.6). With several threads the program must see to it (12.4.2). Two strands that nothing orders may
// come in one sequence here and in another one on another rank; where there is no other rank, nothing is wrong. A lock
// does not help, unless the two cannot be told apart: then it keeps them from being at the same time, which 12.4.2
// forbids as well.
#include <stdlib.h>
#include "record/error/local-finding.h"
#include "record/strand/strand-checks.h"
#include "record/strand/strand-finding.h"
#include "uthash.h"

struct shared { // a communicator, window or file
  uint64_t key;
  struct mck_strand_calls calls;
  UT_hash_handle hh;
};
static struct shared *all;

static void drop(struct shared *s) {
  HASH_DEL(all, s);
  mck_strand_calls_free(&s->calls);
  free(s);
}

static void drop_all(void) {
  while (all) drop(all);
}

static struct shared *find(uint64_t key) {
  struct shared *s;
  HASH_FIND(hh, all, &key, sizeof key, s);
  if (s) return s;
  if (HASH_COUNT(all) >= 1024) drop_all();
  s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->key = key;
  HASH_ADD(hh, all, key, sizeof s->key, s);
  return s;
}

static bool is_alone(const struct mck_args *a, unsigned kind) {
  if (kind == 0) {
    const struct mck_comm *c = mck_comm_find(a->comm);
    return c && c->size == 1 && !c->remote_size;
  }
  if (kind == 1) {
    const struct mck_window *w = mck_window_find(a->win);
    return w && w->group_size == 1;
  }
  MPI_Group group;
  int size = 0;
  if (PMPI_File_get_group(a->file, &group) != MPI_SUCCESS) return false;
  PMPI_Group_size(group, &size);
  PMPI_Group_free(&group);
  return size == 1;
}

static const char *const names[] = {"communicator", "window", "file"};

// The object whose processes call the function together. false: there is none, or tags keep such calls apart (6.4.2).
static bool find_object(uint16_t fn, const struct mck_args *a, uint64_t *handle, unsigned *kind, bool *is_end) {
  uint8_t class = mck_fn_classes[fn];
  *is_end = class == MCK_CLASS_comm_free || class == MCK_CLASS_win_free || class == MCK_CLASS_file_close;
  switch (mck_std(fn)->collective) {
  case MCK_STD_COLLECTIVE_COMMUNICATOR:
  case MCK_STD_COLLECTIVE_GROUPS:
    *kind = 0;
    *handle = (uint64_t)(uintptr_t)(*is_end ? a->newcomm ? *a->newcomm : NULL : a->comm);
    break;
  case MCK_STD_COLLECTIVE_WINDOW:
    *kind = 1;
    *handle = (uint64_t)(uintptr_t)(*is_end ? a->newwin ? *a->newwin : NULL : a->win);
    break;
  case MCK_STD_COLLECTIVE_FILE:
    *kind = 2;
    *handle = (uint64_t)(uintptr_t)(*is_end ? a->newfile ? *a->newfile : NULL : a->file);
    break;
  default: return false;
  }
  return *handle != 0;
}

// A barrier is like any other one.
static bool is_alike(uint16_t a, uint16_t b) {
  return a == b && mck_std(a)->family == MCK_STD_FAMILY_COLLECTIVE && mck_std(a)->flow == MCK_STD_FLOW_NONE;
}

static void report(const struct mck_strand_call *earlier, const struct mck_strand_call *now, const char *object,
                   bool is_excluded) {
  const struct mck_strand_call *first, *second;
  struct mck_finding *f = mck_strand_finding(MCK_CHECK_THREAD_COLLECTIVE, earlier, now, &first, &second);
  if (!f) return;
  mck_finding_text(f, "%s and %s of one %s are called by two threads, and nothing says which comes first",
                   mck_fn_names[first->fn], mck_fn_names[second->fn], object);
  if (is_excluded)
    mck_finding_why(f, "a lock keeps them apart, but does not say which is first: the sequence may differ between the "
                       "processes (MPI-3.1 5.13, 12.4.2)");
  else
    mck_finding_why(f,
                    "all processes must call the collectives of a %s in the same order, and never two at the same "
                    "time; this is for the program to ensure (MPI-3.1 5.13, 12.4.2)",
                    object);
  mck_local_done(f);
}

void mck_strand_collective(struct mck_call *call, const struct mck_args *a, const struct mck_strand_call *now) {
  static uint32_t era;
  if (MCK_LIKELY(mck_std(call->fn)->collective == MCK_STD_COLLECTIVE_NONE)) return;
  if (mck_strand_era_is_over(&era)) drop_all();
  uint64_t handle;
  unsigned kind;
  bool is_end;
  if (call->nfindings || !find_object(call->fn, a, &handle, &kind, &is_end)) return;
  if (!is_end && is_alone(a, kind)) return;
  struct shared *s = find(mck_base_hash(&handle, sizeof handle, kind));
  if (!s) return;
  for (size_t i = 0; i < s->calls.n; i++) {
    const struct mck_strand_call *c = &s->calls.items[i];
    enum mck_strand_order order = mck_strand_order(c, now);
    if (order == MCK_STRAND_UNORDERED || (order == MCK_STRAND_EXCLUDED && !is_alike(c->fn, now->fn)))
      report(c, now, names[kind], order == MCK_STRAND_EXCLUDED);
  }
  if (is_end) drop(s); // the handle may soon be that of another object
  else mck_strand_calls_add(&s->calls, now);
}
