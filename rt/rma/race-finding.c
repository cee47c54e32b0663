// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of findings about two accesses, and about one beyond its window (race-finding.h).
#include "rma/race-finding.h"
#include "api/fns.h"
#include "log/signature.h"
#include "report/byte-range-text.h"
#include "report/why.h"
#include "standard/constants.h"
#include "standard/function.h"

static const char *fn_name(uint32_t fn) {
  return fn < MCK_FN_COUNT && mck_fn_names[fn] ? mck_fn_names[fn] : "an MPI call";
}

const char *mck_access_name(const struct mck_access_class *c) {
  static const char *const ends[] = {
      [MCK_END_FREE] = "free",
      [MCK_END_UNMAP] = "munmap",
      [MCK_END_RETURN] = "function's end",
      [MCK_END_BLOCK] = "block's end",
  };
  if (c->end) return ends[c->end];
  if (c->what.is_buffer || c->is_change || !mck_access_is_local(c)) return fn_name(c->fn);
  return c->what.kind == MCK_CONFLICT_STORE ? "store" : "load";
}

void mck_access_place(struct mck_finding *f, const struct mck_access_class *c, int rank, const char *lead) {
  const char *name = mck_access_name(c);
  if (c->end == MCK_END_RETURN)
    mck_finding_place(f, rank, c->site, "%sthe end of the variable's function, before this call of rank %d", lead,
                      rank);
  else if (c->end == MCK_END_BLOCK)
    mck_finding_place(f, rank, c->site, "%sthe end of the variable's block on rank %d", lead, rank);
  else if (c->what.is_buffer && mck_std_is_file(c->fn))
    mck_finding_place(f, rank, c->site, "%s%s, whose buffer this is, from rank %d", lead, name, rank);
  else if (c->what.is_buffer)
    mck_finding_place(f, rank, c->site, "%s%s, whose %s buffer this is, from rank %d", lead, name,
                      mck_access_is_of_operation(c)        ? c->what.kind == MCK_CONFLICT_STORE ? "result" : "origin"
                      : c->what.kind == MCK_CONFLICT_STORE ? "receive"
                                                           : "send",
                      rank);
  else
    mck_finding_place(f, rank, c->site, mck_access_is_local(c) ? "%s%s by rank %d" : "%s%s from rank %d", lead, name,
                      rank);
}

static int compare_stacks(const struct mck_reader *log, uint32_t a, uint32_t b) {
  if (a >= log->nstacks || b >= log->nstacks) return 0;
  const struct mck_stack_def *x = &log->stacks[a], *y = &log->stacks[b];
  for (uint32_t i = 0; x->frames && y->frames && i < x->depth && i < y->depth; i++)
    if (x->frames[i] != y->frames[i]) return x->frames[i] < y->frames[i] ? -1 : 1;
  return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static int compare(const struct mck_race *r) {
  const struct mck_access_class *a = r->first, *b = r->second;
  if (mck_access_is_local(a) != mck_access_is_local(b)) return mck_access_is_local(a) ? 1 : -1;
  if (r->first_rank != r->second_rank) return r->first_rank < r->second_rank ? -1 : 1;
  if (a->site != b->site && r->strands) return compare_stacks(r->strands, a->site, b->site);
  if (a->site != b->site) return a->site < b->site ? -1 : 1;
  return (int)a->what.kind - (int)b->what.kind;
}

bool mck_race_sort(struct mck_race *r) {
  if (compare(r) <= 0) return false;
  const struct mck_access_class *first = r->first;
  int rank = r->first_rank;
  r->first = r->second, r->first_rank = r->second_rank;
  r->second = first, r->second_rank = rank;
  return true;
}

static enum mck_check check_of(const struct mck_race *r) {
  switch (r->conflict) {
  case MCK_CONFLICT_ATOMICITY: return MCK_CHECK_RMA_ATOMICITY;
  case MCK_CONFLICT_OVERLAP: return MCK_CHECK_RMA_WINDOW_OVERLAP;
  case MCK_CONFLICT_MODEL: return MCK_CHECK_RMA_MODEL;
  case MCK_CONFLICT_NONE:
  case MCK_CONFLICT_RACE: break;
  }
  return mck_access_is_of_operation(r->first) || mck_access_is_of_operation(r->second) ? MCK_CHECK_RMA_RACE_LOCAL
                                                                                       : MCK_CHECK_RMA_RACE;
}

const char *mck_race_range(char text[MCK_RANGE_SIZE], const struct mck_race *r) {
  return r->attachment ? mck_attachment_say(text, r->attachment, r->low, r->high)
                       : mck_range_say(text, r->win, r->low, r->high - 1);
}

static void say_headline(struct mck_finding *f, const struct mck_race *r) {
  const char *what = mck_conflict_text(r->conflict);
  const struct mck_win_def *win = r->win;
  char range[MCK_RANGE_SIZE];
  if (r->conflict == MCK_CONFLICT_MODEL) {
    mck_finding_text(f, "%s, of rank %d", what, r->owner);
    mck_finding_why(f, "in this model they may not be unordered even if they touch different bytes (MPI-3.1 11.7)");
    return;
  }
  mck_race_range(range, r);
  if (win && win->name_length)
    mck_finding_text(f, "%s on window \"%.*s\" of rank %d, %s", what, (int)win->name_length, win->name, r->owner,
                     range);
  else mck_finding_text(f, "%s on a window of rank %d, %s", what, r->owner, range);
}

// What is not one in two accumulates (MPI-3.1 11.7.1, 11.7.2).
static void say_operations(struct mck_finding *f, const struct mck_race *r) {
  const struct mck_conflict_access *a = &r->first->what, *b = &r->second->what;
  if (r->conflict != MCK_CONFLICT_ATOMICITY || a->kind != MCK_CONFLICT_ACCUMULATE ||
      b->kind != MCK_CONFLICT_ACCUMULATE || a->op == MCK_CONFLICT_UNKNOWN_OP || b->op == MCK_CONFLICT_UNKNOWN_OP ||
      a->type == MCK_CONFLICT_UNKNOWN_TYPE || b->type == MCK_CONFLICT_UNKNOWN_TYPE)
    return;
  const char *op_a = mck_op_name(mck_access_log_op(a->op)), *op_b = mck_op_name(mck_access_log_op(b->op)),
             *type_a = mck_basic_name(a->type), *type_b = mck_basic_name(b->type);
  if (a->op == b->op && a->type == b->type)
    mck_finding_why(f, "both are %s of %s, and their elements overlap only in part", op_a, type_a);
  else if (a->type != b->type)
    mck_finding_why(f,
                    "the first is %s of %s, the second %s of %s: the order of one origin and atomicity are for each "
                    "basic datatype (MPI-3.1 11.7.1, 11.7.2)",
                    op_a, type_a, op_b, type_b);
  else mck_finding_why(f, "the first is %s of %s, the second %s", op_a, type_a, op_b);
}

struct mck_finding *mck_race_begin(struct mck_findings *findings, const struct mck_race *r) {
  struct mck_finding *f = mck_findings_add(findings, check_of(r), r->owner);
  if (!f) return NULL;
  say_headline(f, r);
  mck_access_place(f, r->first, r->first_rank, "");
  mck_access_place(f, r->second, r->second_rank, "conflicts with ");
  say_operations(f, r);
  return f;
}

// base: what the finder's addresses of this memory begin at; it has taken that from low and high already.
struct mck_race_map mck_race_map_begin(struct mck_finding *f, const struct mck_race *r, uint64_t base) {
  enum { NAME = 96 };
  const struct mck_win_def *win = r->win;
  const struct mck_attachment *of = r->attachment;
  struct mck_race_map m = {.base = of ? of->low : base};
  bool is_dynamic = win && win->flavor == MCK_WIN_FLAVOR_DYNAMIC;
  if (!f || !win || r->conflict == MCK_CONFLICT_MODEL || is_dynamic != (of != NULL)) return m;
  uint64_t low = of ? r->low - of->low : r->low, high = of ? r->high - of->low : r->high;
  uint64_t size = of ? of->high - of->low : win->body->size;
  if (low >= high || high > size || size > INT64_MAX) return m;
  char name[NAME + 4] = "";
  if (win->name_length)
    snprintf(name, sizeof name, " \"%.*s\"", (int)(win->name_length < NAME ? win->name_length : NAME), win->name);
  m.map = mck_map_begin(f, size, (int64_t)low,
                        of ? "memory of rank %d that was attached to the window%s" : "window%2$s of rank %1$d",
                        r->owner, name);
  for (unsigned k = 0; k < 2; k++) mck_map_add(m.map, k, (int64_t)low, (int64_t)high);
  return m;
}

bool mck_race_map_add(void *context, uint64_t low, uint64_t high) {
  enum { STEPS_MAX = 1 << 16 };
  struct mck_race_map *m = context;
  if (!m->map) return false;
  if (++m->steps > STEPS_MAX) {
    m->map->uses[m->use].is_cut = true;
    return false;
  }
  if (low < m->base || high > m->base + m->map->size)
    m->map->uses[m->use].is_cut = true; // it is not all in this memory
  if (low < m->base) low = m->base;
  if (high > m->base + m->map->size) high = m->base + m->map->size;
  if (low < high) mck_map_add(m->map, m->use, (int64_t)(low - m->base), (int64_t)(high - m->base));
  return true;
}

// Bytes that no variable is known for: where they were allocated, or made a window.
static void place_memory(struct mck_finding *f, int owner, const struct mck_win_def *win) {
  if (!win || win->variable_length || !win->body->size) return;
  unsigned long long size = win->body->size;
  if (win->memory_site != MCK_NONE)
    mck_finding_place(f, owner, win->memory_site, "the window begins in memory of MPI_Alloc_mem");
  else
    mck_finding_place(f, owner, win->site,
                      win->fn == MCK_FN_MPI_Win_create ? "the window of %llu bytes was made by %s"
                                                       : "the %llu bytes were allocated by %s",
                      size, fn_name(win->fn));
}

void mck_race_end(struct mck_finding *f, const struct mck_race *r) {
  if (!r->attachment && r->conflict != MCK_CONFLICT_MODEL) place_memory(f, r->owner, r->win);
  if (r->attachment && !r->first->is_change && !r->second->is_change)
    mck_finding_place(f, r->owner, r->attachment->site, "the memory was attached by MPI_Win_attach");
}

struct mck_finding *mck_race_tell_in_epoch(struct mck_findings *findings, const struct mck_race *r, uint32_t epoch,
                                           uint32_t opened) {
  struct mck_finding *f = mck_race_begin(findings, r);
  if (!f) return NULL;
  mck_finding_why(f, "neither completed before the other: both in fence epoch %u", epoch);
  mck_finding_place(f, r->owner, opened, "the epoch was opened by MPI_Win_fence");
  mck_race_end(f, r);
  return f;
}

void mck_race_why(enum mck_access_order order, const struct mck_access_class *a, uint32_t rank_a, uint32_t event_a,
                  const struct mck_access_class *b, uint32_t rank_b, uint32_t event_b, const char *how) {
  const char *name_a = mck_access_name(a), *name_b = mck_access_name(b);
  switch (order) {
  case MCK_ORDER_COMPLETED:
    mck_why_not(MCK_CHECK_RMA_RACE, "%s of rank %u (event %u) completed before %s of rank %u (event %u): %s", name_a,
                rank_a, event_a, name_b, rank_b, event_b, how);
    return;
  case MCK_ORDER_POSSIBLE:
    mck_why_not(MCK_CHECK_RMA_RACE, "%s of rank %u (event %u), %s of rank %u (event %u): %s may have ordered them",
                name_a, rank_a, event_a, name_b, rank_b, event_b, how);
    return;
  case MCK_ORDER_NONE:
    mck_why(MCK_CHECK_RMA_RACE,
            "%s of rank %u (event %u) and %s of rank %u (event %u): neither completed before the other%s", name_a,
            rank_a, event_a, name_b, rank_b, event_b, how);
  }
}

void mck_untrue_tell_noput(struct mck_finding *f, uint16_t fn, int rank, uint32_t site,
                           const struct mck_access_class *access, int origin) {
  mck_finding_text(f, "MPI_MODE_NOPUT of %s is not true", fn_name(fn));
  mck_finding_place(f, rank, site, "%s on rank %d", fn_name(fn), rank);
  mck_access_place(f, access, origin, "");
  mck_finding_why(f, "it writes to the window of rank %d in the epoch that the call opens (MPI-3.1 11.5.5)", rank);
  mck_finding_help(f, "leave MPI_MODE_NOPUT out, or let no put and no accumulate reach the window in this epoch");
}

// Memory that was not attached then, or never (MPI-3.1 11.2.4).
static void tell_unattached(struct mck_finding *f, const struct mck_beyond *b) {
  const char *name = mck_access_name(b->access);
  const struct mck_attachments *all = b->attachments;
  bool is_of_another_time = mck_attachments_ask(all, b->low, b->high, b->after, b->before) == MCK_ATTACHED_ANOTHER_TIME;
  mck_finding_text(f,
                   is_of_another_time ? "%s touches memory of rank %d that is not attached to the window then"
                                      : "%s touches memory of rank %d that was never attached to the window",
                   name, b->owner);
  const struct mck_attachment *of = is_of_another_time ? mck_attachments_find(all, b->low, 0, MCK_NONE) : NULL;
  char range[MCK_RANGE_SIZE];
  if (of && of->high >= b->high)
    mck_finding_why(f, "%s, which are not attached any more, or not yet",
                    mck_attachment_say(range, of, b->low, b->high));
  else mck_finding_why(f, "addresses 0x%llx to 0x%llx", (unsigned long long)b->low, (unsigned long long)b->high - 1);
}

void mck_beyond_tell(struct mck_finding *f, const struct mck_beyond *b) {
  if (b->attachments) tell_unattached(f, b);
  else { // MPI-3.1 11.3.1
    mck_finding_text(f, "%s goes beyond the window of its target", mck_access_name(b->access));
    mck_finding_why(f, "it touches bytes %lld..%lld of the window of rank %d, which has %llu", (long long)b->low,
                    (long long)b->high - 1, b->owner, (unsigned long long)b->win->body->size);
  }
  mck_access_place(f, b->access, b->rank, "");
}
