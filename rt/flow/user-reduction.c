// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions with operations of the program (MPI-3.1 5.9.5), of integers: computed by the program's own function, where
// it may be called again (docs/design/user-operations.md). MPI may associate as it likes, and exchange the operands of
// an operation that is said to commute. If that makes a difference for these operands, nothing is said.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "flow/flow-run.h"
#include "flow/operation.h"

static mck_flow_compute *compute;
void mck_flow_set_operations(mck_flow_compute *function) { compute = function; }

enum order { FROM_LEFT, FROM_RIGHT, EXCHANGED };

// Of x0 o x1 o ..., by one way: into acc.
static bool fold(const struct mck_flow_vector *in, size_t high, uint64_t bytes, uint64_t n, uint32_t basic,
                 uint32_t numbers, uint32_t number, enum order order, uint8_t *acc, uint8_t *other) {
  bool is_right = order == FROM_RIGHT, is_good = true;
  memcpy(acc, in[is_right ? high - 1 : 0].bytes, bytes);
  for (size_t i = 1; i < high && is_good; i++) {
    memcpy(other, in[is_right ? high - 1 - i : i].bytes, bytes);
    // invec is the left operand, and the result is in inoutvec.
    is_good = order == FROM_LEFT ? compute(number, basic, numbers, acc, other, n / numbers)
                                 : compute(number, basic, numbers, other, acc, n / numbers);
    if (order == FROM_LEFT) memcpy(acc, other, bytes);
  }
  return is_good;
}

// The number in the process that judges.
static uint32_t find_number(const struct mck_flow_run *run, const struct mck_flow_vector *in, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (run->logs[in[k].side.log].header->rank == 0) return (uint32_t)mck_content_body(in[k].side.content)->operation;
  return 0;
}

bool mck_flow_user_result(struct mck_flow_run *run, const struct mck_flow_vector *in, size_t high, uint64_t n,
                          uint32_t basic, uint32_t numbers, uint64_t first, struct mck_flow_side result) {
  struct mck_flow_operation op;
  uint32_t number = find_number(run, in, high);
  bool is_integer = mck_flow_operation(&op, MCK_OP_SUM, basic) && op.is_exact;
  if (!compute || !number || !is_integer || !high || !numbers || n % numbers) return false;
  const struct mck_event *call = &run->logs[in[0].side.log].events[in[0].side.event];
  uint64_t bytes = n * op.size, own = mck_content_body(result.content)->length;
  uint8_t *one = malloc(3 * (bytes + 64)), *two = one ? one + bytes + 64 : NULL, *other = two ? two + bytes + 64 : NULL;
  bool is_good = one && fold(in, high, bytes, n, basic, numbers, number, FROM_LEFT, one, other) &&
                 fold(in, high, bytes, n, basic, numbers, number, FROM_RIGHT, two, other) && !memcmp(one, two, bytes);
  if (is_good && call->coll.op != MCK_OP_USER_ORDERED)
    is_good = fold(in, high, bytes, n, basic, numbers, number, EXCHANGED, two, other) && !memcmp(one, two, bytes);
  const uint8_t *came = (const uint8_t *)mck_content_word(result.content);
  if (is_good && first * op.size + own <= bytes && memcmp(one + first * op.size, came, own) != 0) {
    uint64_t at = 0;
    while (one[first * op.size + at] == came[at]) at++;
    struct mck_flow_side least = result; // any of the inputs may have been changed by the program
    for (size_t k = 0; k < high; k++) {
      is_good &= !mck_flow_is_explained(run, in[k].side.log, in[k].side.event);
      if (!mck_flow_is_certain(in[k].side)) least = in[k].side;
    }
    struct mck_finding *f = is_good ? mck_flow_say(run, least, result, MCK_FLOW_RESULT) : NULL;
    is_good = true;
    if (f) mck_finding_text(f, "the result of a reduction (operation of the program) is wrong");
    if (f)
      mck_finding_why(f, "element %" PRIu64 " is not what the program's function makes of what the ranks gave%s",
                      at / op.size / numbers, call->coll.op == MCK_OP_USER_ORDERED ? ", in the order of ranks" : "");
  }
  free(one);
  return is_good;
}
