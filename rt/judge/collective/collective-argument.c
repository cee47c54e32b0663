// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks what all members of a communicator must give alike in one collective call: the root, the operation,
// MPI_IN_PLACE, and one argument of constructors and calls on files (@same of api/mpi.txt).
#include <stdio.h>
#include "standard/epoch-call.h"
#include "judge/collective/collective-step.h"
#include "log/signature.h"

// --- root -----------------------------------------------------------------------------------------------------------
static uint64_t label_root(struct mck_step *step, const struct mck_step_member *m, char *text, size_t size) {
  int root = m->now->root;
  if (step->is_inter && root == MCK_ROOT) snprintf(text, size, "root MPI_ROOT");
  else if (step->is_inter && root == MCK_PROC_NULL) snprintf(text, size, "root MPI_PROC_NULL");
  else snprintf(text, size, "root %d", root);
  return 0;
}

// In an intercommunicator one rank is the root and gives MPI_ROOT. The other ranks of its group give MPI_PROC_NULL, and
// the ranks of the other group give the root's rank (MPI-3.1 5.2.3). It is decided only when all members are there.
static bool is_inter_root_wrong(const struct mck_step *step) {
  int nroots[2] = {0, 0}, nbeside[2] = {0, 0}, named[2] = {-1, -1}, root[2] = {-1, -1};
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_step_member *m = &step->members[i];
    if (!m->now) return false;
    if (m->now->root == MCK_ROOT) nroots[m->is_remote]++, root[m->is_remote] = (int)m->index;
    else if (m->now->root == MCK_PROC_NULL) nbeside[m->is_remote]++;
    else if (named[m->is_remote] >= 0 && named[m->is_remote] != m->now->root) return true;
    else named[m->is_remote] = m->now->root;
  }
  for (int g = 0; g < 2; g++)
    if (named[g] >= 0) return nroots[g] || nbeside[g] || nroots[!g] != 1 || named[!g] >= 0 || named[g] != root[!g];
  return nroots[0] || nroots[1]; // nothing moves when all give MPI_PROC_NULL
}

static size_t check_roots(struct mck_step *step, const struct mck_collective_call *one) {
  bool is_wrong = false;
  switch (mck_std_form(one->fn)) {
  case MCK_STD_FORM_NONE:
  case MCK_STD_FORM_REDUCE_SCATTER:
  case MCK_STD_FORM_ALLGATHER:
  case MCK_STD_FORM_ALLTOALL:
  case MCK_STD_FORM_NEIGHBORS: return 0;
  case MCK_STD_FORM_BCAST:
  case MCK_STD_FORM_REDUCE:
  case MCK_STD_FORM_GATHER:
  case MCK_STD_FORM_SCATTER: break;
  }
  if (step->is_inter) is_wrong = one->root != -1 && is_inter_root_wrong(step);
  else
    for (size_t i = 0; i < step->n && !is_wrong; i++)
      is_wrong = step->members[i].now && step->members[i].now->root != one->root;
  if (!is_wrong) return 0;
  char text[96];
  snprintf(text, sizeof text,
           step->is_inter ? "the roots of %s do not fit each other" : "ranks name different roots in %s",
           mck_judge_fn(one->fn));
  return mck_step_roll_call(step, MCK_CHECK_COLLECTIVE_ROOT, text, label_root, false);
}

// --- operation ------------------------------------------------------------------------------------------------------
static uint64_t label_op(struct mck_step *step, const struct mck_step_member *m, char *text, size_t size) {
  (void)step;
  uint8_t op = m->now->op;
  if (op == MCK_OP_NONE) text[0] = 0; // the argument is not significant there
  else snprintf(text, size, "%s", mck_op_name(op));
  return 0;
}

static size_t check_ops(struct mck_step *step, const struct mck_collective_call *one) {
  if (mck_std_form(one->fn) != MCK_STD_FORM_REDUCE && mck_std_form(one->fn) != MCK_STD_FORM_REDUCE_SCATTER) return 0;
  uint8_t first = MCK_OP_NONE;
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_collective_call *c = step->members[i].now;
    if (!c || c->op == MCK_OP_NONE) continue;
    if (first == MCK_OP_NONE) first = c->op;
    if (c->op == first) continue;
    char text[96];
    snprintf(text, sizeof text, "ranks give different operations to %s", mck_judge_fn(one->fn));
    return mck_step_roll_call(step, MCK_CHECK_COLLECTIVE_OP, text, label_op, false);
  }
  return 0;
}

// --- MPI_IN_PLACE ---------------------------------------------------------------------------------------------------
static uint64_t label_in_place(struct mck_step *step, const struct mck_step_member *m, char *text, size_t size) {
  (void)step;
  snprintf(text, size, "%s", m->now->flags & MCK_COLL_IN_PLACE ? "MPI_IN_PLACE" : "a send buffer");
  return 0;
}

static size_t check_in_place(struct mck_step *step, const struct mck_collective_call *one) {
  if (step->is_inter || !mck_std_is_in_place_common(one->fn)) return 0;
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_collective_call *c = step->members[i].now;
    if (!c || !((c->flags ^ one->flags) & MCK_COLL_IN_PLACE)) continue;
    char text[96];
    snprintf(text, sizeof text, "only some ranks give MPI_IN_PLACE to %s", mck_judge_fn(one->fn));
    return mck_step_roll_call(step, MCK_CHECK_COLLECTIVE_IN_PLACE, text, label_in_place, false);
  }
  return 0;
}

// --- other arguments that must be alike -----------------------------------------------------------------------------
static uint64_t label_same(struct mck_step *step, const struct mck_step_member *m, char *text, size_t size) {
  (void)step;
  if (m->now->flags & MCK_COLL_HAS_SAME)
    snprintf(text, size, "%s %lld", mck_fn_same[m->now->fn], (long long)m->now->same);
  else text[0] = 0;
  return 0;
}

static uint64_t label_fence(struct mck_step *step, const struct mck_step_member *m, char *text, size_t size) {
  (void)step;
  bool precedes = m->now->same & MCK_MODE_NOPRECEDE, succeeds = m->now->same & MCK_MODE_NOSUCCEED;
  snprintf(text, size, "%s%s%s", precedes ? "MPI_MODE_NOPRECEDE" : "", precedes && succeeds ? ", " : "",
           succeeds   ? "MPI_MODE_NOSUCCEED"
           : precedes ? ""
                      : "neither of the two");
  return 0;
}

// MPI_MODE_NOPRECEDE and MPI_MODE_NOSUCCEED of a fence (MPI-3.1 11.5.5).
static size_t check_fence(struct mck_step *step, const struct mck_collective_call *one) {
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_collective_call *c = step->members[i].now;
    if (!c || c->same == one->same) continue;
    bool precedes = (c->same ^ one->same) & MCK_MODE_NOPRECEDE;
    char text[96];
    snprintf(text, sizeof text, "only some ranks give %s to %s", precedes ? "MPI_MODE_NOPRECEDE" : "MPI_MODE_NOSUCCEED",
             mck_judge_fn(one->fn));
    return mck_step_roll_call(step, MCK_CHECK_ARG_ASSERT, text, label_fence, false);
  }
  return 0;
}

static size_t check_same(struct mck_step *step, const struct mck_collective_call *one) {
  if (one->flags & MCK_COLL_HAS_SAME && mck_std_epoch_call(one->fn) == MCK_STD_CALL_FENCE)
    return check_fence(step, one);
  if (one->fn >= MCK_FN_COUNT || !mck_fn_same[one->fn]) return 0;
  const struct mck_collective_call *first[2] = {NULL, NULL}; // the first call of each group
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_step_member *m = &step->members[i];
    if (!m->now || !(m->now->flags & MCK_COLL_HAS_SAME)) continue;
    if (!first[m->is_remote]) first[m->is_remote] = m->now;
    if (m->now->same == first[m->is_remote]->same) continue;
    char text[128];
    snprintf(text, sizeof text, "ranks give a different %s to %s", mck_fn_same[one->fn], mck_judge_fn(one->fn));
    return mck_step_roll_call(step, MCK_CHECK_COLLECTIVE_ARGUMENT, text, label_same, false);
  }
  return 0;
}

size_t mck_step_check_alike(struct mck_step *step, const struct mck_collective_call *one) {
  size_t index = check_roots(step, one);
  if (!index) index = check_ops(step, one);
  if (!index) index = check_in_place(step, one);
  return index ? index : check_same(step, one);
}
