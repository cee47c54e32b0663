// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the arguments of one collective call at all members, and reports the first mismatch. First come those that
// must be alike (collective-argument.c), then the signatures of what each rank sends and its partner expects.
//
// MPI-3.1 5.1: "the amount of data sent must equal the amount of data specified by the receiver".
#include <stdio.h>
#include "judge/collective/collective-step.h"

// --- signatures -----------------------------------------------------------------------------------------------------
enum fit { FIT_WELL, FIT_COUNT, FIT_TYPE };
struct pair {
  const struct mck_step_member *from, *to;
  const struct mck_blocks_run *sent, *expected;
  uint64_t element; // FIT_TYPE: the first element that differs
  uint32_t basic[2];
};
struct pairs {
  struct mck_step *step;
  enum fit worst;
  struct pair first;
  uint64_t n[3];
};

static bool is_untyped(uint32_t basic) {
  return basic == MCK_NONE || basic == MCK_BASIC_PACKED || basic == MCK_BASIC_BYTE;
}

static enum fit compare(struct mck_step *step, struct pair *p) {
  const struct mck_blocks_run *s = p->sent, *r = p->expected;
  if (s->count == r->count && (s->type == r->type && (s->type < MCK_TYPE_USER || p->from == p->to))) return FIT_WELL;
  if (!s->count && !r->count) return FIT_WELL;
  if ((s->count && s->type == MCK_NONE) || (r->count && r->type == MCK_NONE)) return FIT_WELL;
  const struct mck_signatures *st = mck_step_types(step, p->from->rank), *rt = mck_step_types(step, p->to->rank);
  if (!st || !rt) return FIT_WELL;
  struct mck_signature none = {0}, a = s->count ? mck_signature_of(st, s->type, s->count) : none,
                       b = r->count ? mck_signature_of(rt, r->type, r->count) : none;
  if (!mck_signature_is_known(a) || !mck_signature_is_known(b) || mck_signature_is_equal(a, b)) return FIT_WELL;
  if (a.elements && b.elements) {
    struct mck_typed x = {st, s->type, s->count}, y = {rt, r->type, r->count};
    p->element = mck_signature_first_difference(x, y);
    if (p->element != UINT64_MAX) {
      p->basic[0] = mck_signature_element(st, s->type, s->count, p->element);
      p->basic[1] = mck_signature_element(rt, r->type, r->count, p->element);
      if (!is_untyped(p->basic[0]) && !is_untyped(p->basic[1])) return FIT_TYPE;
    }
  }
  return a.bytes == b.bytes ? FIT_WELL : FIT_COUNT;
}

static const struct mck_blocks_run *block(const struct mck_step_member *m, uint32_t list, uint32_t i) {
  return list ? mck_blocks_at(m->calls->lists[list - 1].runs, m->calls->lists[list - 1].count, i) : NULL;
}

static void check_pair(struct pairs *pairs, const struct mck_step_member *from, const struct mck_blocks_run *sent,
                       const struct mck_step_member *to, const struct mck_blocks_run *expected) {
  if (!sent || !expected) return;
  struct pair p = {.from = from, .to = to, .sent = sent, .expected = expected};
  enum fit fit = compare(pairs->step, &p);
  pairs->n[fit]++;
  if (fit > pairs->worst) pairs->worst = fit, pairs->first = p;
}

static const struct mck_blocks_run *first_block(const struct mck_step_member *m) {
  return block(m, m->now->send ? m->now->send : m->now->recv, 0);
}

// The block that m sends to the member to. With MPI_IN_PLACE it is a part of m's receive buffer (MPI-3.1 5.7, 5.8).
static const struct mck_blocks_run *sent_block(const struct mck_step_member *m, enum mck_std_form form, uint32_t to) {
  if (m->now->send) return block(m, m->now->send, to);
  if (!(m->now->flags & MCK_COLL_IN_PLACE)) return NULL;
  return block(m, m->now->recv, form == MCK_STD_FORM_ALLTOALL ? to : m->index);
}

static const struct mck_step_member *find_root(const struct mck_step *step) {
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_step_member *m = &step->members[i];
    if (m->now && (mck_std_is_root(m->now->root, (uint32_t)m->index, step->is_inter))) return m;
  }
  return NULL;
}

static bool is_peer(const struct mck_step *step, const struct mck_step_member *a, const struct mck_step_member *b) {
  return !step->is_inter || a->is_remote != b->is_remote;
}

// Do all members send and expect the same count of the same basic type? Nearly all calls are like that.
static bool is_uniform(const struct mck_step *step) {
  const struct mck_blocks_run *one = NULL;
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_step_member *m = &step->members[i];
    if (!m->now) continue;
    uint32_t lists[2] = {m->now->send, m->now->recv};
    for (int k = 0; k < 2; k++) {
      if (!lists[k]) continue;
      const struct mck_block_list *l = &m->calls->lists[lists[k] - 1];
      if (l->count != 1) return false;
      if (!one) one = l->runs;
      if (l->runs->type != one->type || l->runs->count != one->count || one->type >= MCK_TYPE_USER) return false;
    }
  }
  return true;
}

static void check_all_pairs(struct pairs *pairs, enum mck_std_form form) {
  const struct mck_step *step = pairs->step;
  if (is_uniform(step)) return;
  for (size_t i = 0; i < step->n; i++)
    for (size_t k = 0; k < step->n; k++) {
      const struct mck_step_member *a = &step->members[i], *b = &step->members[k];
      if (a->now && b->now && is_peer(step, a, b))
        check_pair(pairs, a, sent_block(a, form, b->index), b, block(b, b->now->recv, a->index));
    }
}

static void check_rooted_pairs(struct pairs *pairs, enum mck_std_form form) {
  const struct mck_step *step = pairs->step;
  const struct mck_step_member *root = find_root(step);
  for (size_t i = 0; root && i < step->n; i++) {
    const struct mck_step_member *m = &step->members[i];
    if (!m->now || !is_peer(step, m, root)) continue;
    switch (form) {
    case MCK_STD_FORM_GATHER:
      check_pair(pairs, m, block(m, m->now->send, 0), root, block(root, root->now->recv, m->index));
      break;
    case MCK_STD_FORM_SCATTER:
      check_pair(pairs, root, block(root, root->now->send, m->index), m, block(m, m->now->recv, 0));
      break;
    default: check_pair(pairs, root, first_block(root), m, first_block(m)); break;
    }
  }
}

// Reductions: all members give the same signature. Each is compared with the first one that is known. In an
// intercommunicator each group of a scattered reduction has blocks of its own (MPI-3.1 5.10), and only the sums are
// equal.
static void check_alike(struct pairs *pairs) {
  const struct mck_step *step = pairs->step;
  const struct mck_step_member *one[2] = {NULL, NULL};
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_step_member *m = &step->members[i];
    if (!m->now || !first_block(m)) continue;
    bool group = m->is_remote && mck_std_is_count_of_each(m->now->fn);
    if (!one[group]) one[group] = m;
    else check_pair(pairs, one[group], first_block(one[group]), m, first_block(m));
  }
}

// MPI_Reduce_scatter: all members of a group give the same blocks.
static void check_blocks_alike(struct pairs *pairs) {
  const struct mck_step *step = pairs->step;
  const struct mck_step_member *one[2] = {NULL, NULL};
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_step_member *m = &step->members[i];
    if (!m->now || !m->now->recv) continue;
    const struct mck_step_member *o = one[m->is_remote];
    if (!o) one[m->is_remote] = m;
    size_t size = m->is_remote ? step->n - step->nlocal : step->nlocal;
    for (uint32_t k = 0; o && k < size; k++)
      check_pair(pairs, o, block(o, o->now->recv, k), m, block(m, m->now->recv, k));
  }
}

static int32_t next_rank(struct mck_parcel_in *in) { return (int32_t)mck_parcel_get_signed(in); }

// The position of the only edge to or from the rank among n neighbours. -1: there is no edge, or there are several,
// whose order is not checked here.
static int64_t find_edge(struct mck_parcel_in in, uint32_t skip, uint32_t n, int32_t rank) {
  int64_t at = -1;
  for (; skip > 0; skip--) next_rank(&in);
  for (uint32_t i = 0; i < n; i++) {
    if (next_rank(&in) != rank) continue;
    if (at >= 0) return -1;
    at = i;
  }
  return at;
}

static void check_edges(struct pairs *pairs) {
  const struct mck_step *step = pairs->step;
  if (step->is_inter || is_uniform(step)) return;
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_step_member *m = &step->members[i];
    struct mck_parcel_in in = m->neighbors;
    if (!m->now) continue;
    for (uint32_t k = 0; k < m->nsources; k++) next_rank(&in);
    for (uint32_t k = 0; k < m->ndestinations; k++) {
      int32_t to = next_rank(&in);
      if (to < 0 || (size_t)to >= step->n || !step->members[to].now) continue;
      const struct mck_step_member *other = &step->members[to];
      int64_t at = find_edge(other->neighbors, 0, other->nsources, (int32_t)m->index);
      if (at >= 0 && find_edge(m->neighbors, m->nsources, m->ndestinations, to) == (int64_t)k)
        check_pair(pairs, m, block(m, m->now->send, k), other, block(other, other->now->recv, (uint32_t)at));
    }
  }
}

// --- findings -------------------------------------------------------------------------------------------------------
static uint64_t label_block(struct mck_step *step, const struct mck_step_member *m, char *text, size_t size) {
  const struct mck_blocks_run *b = first_block(m);
  text[0] = 0;
  if (!b) return 0;
  const struct mck_signatures *types = mck_step_types(step, m->rank);
  if (!types || !b->count || b->type < MCK_TYPE_USER) {
    mck_step_describe(step, m, b, text, size);
    return 0;
  }
  // The place of the type would tell members apart that do the same.
  struct mck_signature sum = mck_signature_of(types, b->type, b->count);
  snprintf(text, size, "%llu of a derived datatype (%llu bytes)", (unsigned long long)b->count,
           (unsigned long long)sum.bytes);
  return sum.hash;
}

static void say_type(struct mck_finding *f, struct mck_step *step, const struct mck_step_member *m,
                     const struct mck_blocks_run *b) {
  char text[MCK_TYPE_TEXT];
  if (!b->count || b->type < MCK_TYPE_USER) return;
  mck_step_describe(step, m, b, text, sizeof text);
  mck_finding_why(f, "rank %d gives %s", m->rank, text);
}

static void say_element(struct mck_finding *f, const struct pair *p) {
  mck_finding_why(f, "element %llu is %s on rank %d, %s on rank %d", (unsigned long long)p->element,
                  mck_basic_name(p->basic[0]), p->from->rank, mck_basic_name(p->basic[1]), p->to->rank);
}

static size_t report_alike(struct pairs *pairs, enum mck_check check, const char *fn) {
  char text[128];
  size_t before = pairs->step->decide->findings->count;
  snprintf(text, sizeof text,
           check == MCK_CHECK_COLLECTIVE_TYPE ? "ranks give different types to %s"
                                              : "ranks give different amounts to %s",
           fn);
  size_t index = mck_step_roll_call(pairs->step, check, text, label_block, false);
  if (index <= before) return index;
  struct mck_finding *f = &pairs->step->decide->findings->items[index - 1];
  const struct pair *p = &pairs->first;
  if (check == MCK_CHECK_COLLECTIVE_TYPE) say_element(f, p);
  else mck_finding_help(f, "make the amount (count times datatype) the same on all ranks");
  say_type(f, pairs->step, p->from, p->sent), say_type(f, pairs->step, p->to, p->expected);
  return index;
}

static size_t report_pair(struct pairs *pairs, enum mck_check check, const char *fn) {
  struct pair *p = &pairs->first;
  size_t index;
  struct mck_finding *f = mck_step_say(pairs->step, check, p->from, p->to, &index);
  if (!f) return index;
  char sent[MCK_TYPE_TEXT], expected[MCK_TYPE_TEXT], comm[160];
  mck_step_name_comm(pairs->step, comm, sizeof comm);
  mck_step_describe(pairs->step, p->from, p->sent, sent, sizeof sent);
  mck_step_describe(pairs->step, p->to, p->expected, expected, sizeof expected);
  mck_finding_text(f,
                   check == MCK_CHECK_COLLECTIVE_TYPE ? "what %s sends and receives differs in type"
                                                      : "what %s sends and receives differs in amount",
                   fn);
  if (mck_std_form(p->from->now->fn) == MCK_STD_FORM_REDUCE_SCATTER)
    mck_finding_why(f, "collective number %llu of the communicator%s: for the same block rank %d gives %s, rank %d %s",
                    (unsigned long long)pairs->step->position + 1, comm, p->from->rank, sent, p->to->rank, expected);
  else
    mck_finding_why(f, "collective number %llu of the communicator%s: rank %d sends %s to rank %d, which expects %s",
                    (unsigned long long)pairs->step->position + 1, comm, p->from->rank, sent, p->to->rank, expected);
  if (check == MCK_CHECK_COLLECTIVE_TYPE) say_element(f, p);
  uint64_t more = pairs->n[FIT_COUNT] + pairs->n[FIT_TYPE] - 1;
  if (more) mck_finding_why(f, "and so for %llu more pair%s of ranks", (unsigned long long)more, more > 1 ? "s" : "");
  mck_finding_place(f, p->from->rank, p->from->now->site, "%s on rank %d", fn, p->from->rank);
  if (p->to != p->from) mck_finding_place(f, p->to->rank, p->to->now->site, "%s on rank %d", fn, p->to->rank);
  return index;
}

static size_t check_data(struct mck_step *step, const struct mck_collective_call *one) {
  struct pairs pairs = {.step = step};
  enum mck_std_form form = mck_std_form(one->fn);
  bool is_alike = false;
  switch (form) {
  case MCK_STD_FORM_NONE: return 0;
  case MCK_STD_FORM_BCAST:
    check_rooted_pairs(&pairs, form);
    is_alike = true;
    break;
  case MCK_STD_FORM_REDUCE:
    check_alike(&pairs);
    is_alike = true;
    break;
  case MCK_STD_FORM_REDUCE_SCATTER: check_blocks_alike(&pairs); break;
  case MCK_STD_FORM_GATHER:
  case MCK_STD_FORM_SCATTER: check_rooted_pairs(&pairs, form); break;
  case MCK_STD_FORM_ALLGATHER:
  case MCK_STD_FORM_ALLTOALL: check_all_pairs(&pairs, form); break;
  case MCK_STD_FORM_NEIGHBORS: check_edges(&pairs); break;
  }
  if (pairs.worst == FIT_WELL) return 0;
  enum mck_check check = pairs.worst == FIT_TYPE ? MCK_CHECK_COLLECTIVE_TYPE : MCK_CHECK_COLLECTIVE_COUNT;
  return is_alike ? report_alike(&pairs, check, mck_judge_fn(one->fn))
                  : report_pair(&pairs, check, mck_judge_fn(one->fn));
}

size_t mck_step_agree(struct mck_step *step) {
  const struct mck_collective_call *one = NULL;
  for (size_t i = 0; i < step->n && !one; i++) one = step->members[i].now;
  if (!one) return 0;
  size_t index = mck_step_check_alike(step, one);
  return index ? index : check_data(step, one);
}
