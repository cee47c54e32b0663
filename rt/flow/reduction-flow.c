// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions are computed again from what each rank gave (MPI-3.1 5.9 to 5.11). Integers, minima, maxima and logical
// operations have one result. A sum of n floating-point numbers may be made in any order: each result lies within
// n * eps * sum(|x|) of the true sum (Higham, Accuracy and Stability, 4.2), and the same holds for products,
// relatively. Operations of the program: user-reduction.c.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "flow/flow-run.h"
#include "flow/operation.h"
#include "standard/collective.h"

struct vector {
  struct mck_flow_side side; // content NULL: no elements
  uint64_t elements;
};

// The basic type of all elements of the calls, MCK_NONE: there are several, or none.
static uint32_t basic_of(const struct mck_flow_run *run, struct mck_flow_side side) {
  const struct mck_signatures *types = &run->of[side.log].types;
  uint32_t type = side.content->content.type;
  uint32_t basic = mck_signature_element(types, type, mck_content_body(side.content)->count, 0);
  if (type < MCK_TYPE_USER) return type; // a pair is one element
  return mck_signature_is_all(types, type, basic) ? basic : MCK_NONE;
}

// How many numbers an element of a call has, if they lie one behind the other as in the packed data; 0: they do not.
static uint32_t numbers_of(const struct mck_flow_run *run, struct mck_flow_side side, uint64_t size) {
  uint32_t type = side.content->content.type, place = type - MCK_TYPE_USER;
  const struct mck_reader *log = &run->logs[side.log];
  if (type < MCK_TYPE_USER) return 1;
  const struct mck_type_def *def = place < log->ntypes && log->types[place].body ? &log->types[place] : NULL;
  bool is_dense = def && def->is_ordered && def->nblocks == 1 && !def->blocks->offset && !def->body->lb &&
                  def->blocks->length == def->body->size && (uint64_t)def->body->extent == def->body->size;
  return is_dense && def->body->size % size == 0 && def->body->size / size < UINT32_MAX
             ? (uint32_t)(def->body->size / size)
             : 0;
}

static bool is_usable(const struct mck_flow_run *run, const struct mck_event *e) {
  (void)run;
  return !(e->flags & MCK_CONTENT_UNKNOWN) && e->content.chunk == MCK_CONTENT_RAW;
}

static const uint8_t *element(struct mck_flow_side side, uint64_t i, uint32_t size) {
  return (const uint8_t *)mck_content_word(side.content) + i * size;
}

// The result of one rank, elements [0, n) of it; first: which elements of the inputs they are; inputs: of which ranks.
static void compare_result(struct mck_flow_run *run, const struct vector *in, size_t low, size_t high,
                           struct mck_flow_side result, uint64_t first, const struct mck_flow_operation *op) {
  uint64_t n = mck_content_body(result.content)->length / op->size, wrong = 0, at = 0;
  char expected[96] = "", came[96] = "", text[2][96];
  for (uint64_t i = 0; i < n; i++) {
    struct mck_flow_sum sum;
    mck_flow_begin(&sum, op, element(in[low].side, first + i, op->size));
    for (size_t k = low + 1; k < high; k++) mck_flow_add(&sum, op, element(in[k].side, first + i, op->size));
    if (mck_flow_accepts(&sum, op, element(result, i, op->size), text[0], text[1], sizeof text[0])) continue;
    if (wrong++) continue;
    at = i;
    memcpy(expected, text[0], sizeof expected), memcpy(came, text[1], sizeof came);
  }
  if (!wrong) return;
  // Any of the inputs may have been changed by the program.
  struct mck_flow_side least = result;
  for (size_t k = low; k < high; k++) {
    if (mck_flow_is_explained(run, in[k].side.log, in[k].side.event)) return;
    if (!mck_flow_is_certain(in[k].side)) least = in[k].side;
  }
  struct mck_finding *f = mck_flow_say(run, least, result, MCK_FLOW_RESULT);
  if (!f) return;
  mck_finding_text(f, "the result of a reduction (%s) is wrong", mck_op_name(op->op));
  mck_finding_why(f, "element %" PRIu64 " of %" PRIu64 " is %s; what the ranks gave makes %s", at, n, came, expected);
  if (wrong > 1) mck_finding_why(f, "%" PRIu64 " elements are wrong", wrong);
}

// All ranks get one result of an exact operation: it is the same bytes, also where it is too long to be kept.
static bool compare_hashes(struct mck_flow_run *run, const struct mck_flow_side *results, size_t n, bool is_exact) {
  for (size_t k = 1; is_exact && k < n; k++)
    if (results[0].content && results[k].content && mck_flow_fits(run, results[0], results[k]) &&
        mck_content_body(results[0].content)->length == mck_content_body(results[k].content)->length &&
        memcmp(mck_content_word(results[0].content), mck_content_word(results[k].content),
               results[0].content->content.nwords * sizeof(uint64_t)) != 0) {
      struct mck_finding *f = mck_flow_say(run, results[0], results[k], MCK_FLOW_RESULT);
      if (f) mck_finding_text(f, "two ranks got different results of one reduction");
      return false;
    }
  return true;
}

// Of the first ranks: the result of rank k is of so many.
static size_t high_of(enum mck_std_flow flow, size_t k, size_t n) {
  return flow == MCK_STD_FLOW_SCAN ? k + 1 : flow == MCK_STD_FLOW_EXSCAN ? k : n;
}

// An operation of the program. false: it could not be computed.
static bool decide_own(struct mck_flow_run *run, size_t n, const struct vector *in, const struct mck_flow_side *out,
                       size_t nout, uint32_t basic, uint64_t length, enum mck_std_flow flow) {
  struct mck_flow_vector *inputs = calloc(n, sizeof *inputs);
  uint64_t first = 0, size = mck_basic_bytes(basic);
  uint32_t numbers = size ? numbers_of(run, in[0].side, size) : 0;
  bool is_done = inputs && numbers;
  for (size_t k = 1; is_done && k < n; k++) is_done = numbers_of(run, in[k].side, size) == numbers;
  for (size_t k = 0; is_done && k < n; k++) inputs[k] = (struct mck_flow_vector){in[k].side, element(in[k].side, 0, 0)};
  for (size_t k = 0; is_done && k < nout; k++) {
    size_t high = high_of(flow, k, n);
    if (!out[k].content || !high) continue;
    is_done = mck_flow_user_result(run, inputs, high, length / size, basic, numbers, first, out[k]);
    if (flow == MCK_STD_FLOW_REDUCE_SCATTER) first += mck_content_body(out[k].content)->length / size;
  }
  free(inputs);
  return is_done;
}

enum { MEMBERS = 4096 };

// Do all give, and the results fit?
static bool find_vectors(const struct mck_flow_run *run, struct mck_flow_group givers, struct mck_flow_group takers,
                         struct vector *in, struct mck_flow_side *out, bool *is_kept) {
  for (size_t k = 0; k < givers.n; k++) {
    in[k].side = mck_flow_find(run, givers.members[k].log, givers.members[k].event, false, -1);
    if (!in[k].side.content) return false; // no elements, or not known
    if (mck_content_body(in[k].side.content)->length != mck_content_body(in[0].side.content)->length ||
        basic_of(run, in[k].side) != basic_of(run, in[0].side))
      return false; // collective.count, .type
    *is_kept &= is_usable(run, in[k].side.content);
  }
  for (size_t k = 0; k < takers.n; k++) {
    out[k] = mck_flow_find(run, takers.members[k].log, takers.members[k].event, true, -1);
    if (!out[k].content) continue;
    if (basic_of(run, out[k]) != basic_of(run, in[0].side)) return false;
    *is_kept &= is_usable(run, out[k].content);
  }
  return true;
}

static void decide(struct mck_flow_run *run, struct mck_flow_group givers, struct mck_flow_group takers,
                   struct vector *in, struct mck_flow_side *out) {
  const struct mck_event *call = &run->logs[givers.members[0].log].events[givers.members[0].event];
  enum mck_std_flow flow = mck_std(call->fn)->flow;
  bool is_kept = true;
  if (!find_vectors(run, givers, takers, in, out, &is_kept)) return;
  uint32_t basic = basic_of(run, in[0].side);
  uint64_t length = mck_content_body(in[0].side.content)->length;
  struct mck_flow_operation op;
  bool is_known = mck_flow_operation(&op, call->coll.op, basic);
  bool is_own = call->coll.op == MCK_OP_USER || call->coll.op == MCK_OP_USER_ORDERED;
  if (is_own && is_kept && basic != MCK_NONE && decide_own(run, givers.n, in, out, takers.n, basic, length, flow))
    return;
  if (!is_known || !is_kept) {
    run->nopen++;
    if (is_known && flow == MCK_STD_FLOW_REDUCE_ALL) compare_hashes(run, out, takers.n, op.is_exact);
    return;
  }
  uint64_t first = 0;
  for (size_t k = 0; k < takers.n; k++) {
    if (!out[k].content) continue;
    size_t high = high_of(flow, k, givers.n);
    uint64_t own = mck_content_body(out[k].content)->length;
    bool is_within = high && (first * op.size + own <= length);
    if (flow != MCK_STD_FLOW_REDUCE_SCATTER && own != length) is_within = false;
    if (is_within) compare_result(run, in, 0, high, out[k], first, &op);
    if (flow == MCK_STD_FLOW_REDUCE_SCATTER) first += own / op.size;
  }
}

void mck_flow_reduction(struct mck_flow_run *run, struct mck_flow_group givers, struct mck_flow_group takers) {
  if (!givers.n || givers.n > MEMBERS || takers.n > MEMBERS) return;
  struct vector *in = calloc(givers.n, sizeof *in); // too large for thread-local memory of the runtime
  struct mck_flow_side *out = calloc(takers.n + 1, sizeof *out);
  if (in && out) decide(run, givers, takers, in, out);
  free(in), free(out);
}
