// RUN: %unit/test-rma-model
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The separate memory model (MPI-3.1 11.4, 11.7), which Open MPI's windows do not have: hand-written logs of two ranks.
// Rank 0 stores to its window, rank 1 puts, accumulates or gets, between fences or locks. Sites name the two accesses.
#include "fake-log.h"
#include "order/order.h"
#include "rma/rma.h"

enum { STORED = 7, OPERATED = 8, WIN = 0 };
static int failures;

struct scene {
  uint8_t traits, kind, access;
  uint64_t disp;
  bool is_between, is_locked;
}; // is_between: a fence between the two

static void make(struct fake *logs, const struct scene *s) {
  for (uint32_t r = 0; r < 2; r++) {
    struct mck_win_body body = {77, 0x1000, 64};
    fake_begin(&logs[r], r, 2);
    fake_define(&logs[r], MCK_EV_DEF_WIN, WIN, 0, 4, 1 | (uint32_t)s->traits << 8, 0, &body, sizeof body, NULL, 0);
    fake_fence(&logs[r], 1, WIN);
  }
  struct mck_event sync = {.kind = MCK_EV_SYNC, .fn = MCK_FN_MPI_Win_lock, .sync = {WIN, 0, 0, 2, 0}};
  if (s->is_locked) fake_event(&logs[1], sync);
  fake_access(&logs[0], s->access, STORED, WIN, 0, 4, 1, 0);
  for (uint32_t r = 0; s->is_between && r < 2; r++) fake_fence(&logs[r], 2, WIN);
  fake_rma(&logs[1], s->kind, s->kind == MCK_EV_ACC ? MCK_OP_SUM : 0, OPERATED, WIN, 0, s->disp, 1, MCK_BASIC_INT);
  sync.fn = MCK_FN_MPI_Win_unlock;
  if (s->is_locked) fake_event(&logs[1], sync);
  for (uint32_t r = 0; r < 2; r++) fake_fence(&logs[r], 3, WIN);
}

static void expect(const char *what, struct scene s, int check) {
  struct fake logs[2];
  struct mck_reader readers[2];
  struct mck_pairs pairs;
  struct mck_findings found = {0};
  make(logs, &s);
  for (int r = 0; r < 2; r++) fake_load(&logs[r], &readers[r]);
  if (!mck_pairs_make(&pairs, readers, 2, true)) abort();
  mck_rma_judge(readers, 2, &pairs, 0, MCK_RMA_EPOCHS, &found);
  bool is_right = check < 0 ? found.count == 0
                            : found.count == 1 && (int)found.items[0].check == check && found.items[0].nplaces >= 2 &&
                                  found.items[0].places[0].site == OPERATED && found.items[0].places[1].site == STORED;
  if (!is_right)
    failures++,
        printf("%s: %zu findings, the first: %s\n", what, found.count, found.count ? found.items[0].text : "none");
  mck_findings_free(&found);
  mck_pairs_free(&pairs);
  for (int r = 0; r < 2; r++) fake_end(&logs[r], &readers[r]);
}

int main(void) {
  const uint8_t separate = MCK_WIN_SEPARATE;
  expect("other bytes, put", (struct scene){separate, MCK_EV_PUT, MCK_ACCESS_STORE, 8, false, false},
         MCK_CHECK_RMA_MODEL);
  expect("other bytes, accumulate", (struct scene){separate, MCK_EV_ACC, MCK_ACCESS_STORE, 8, false, false},
         MCK_CHECK_RMA_MODEL);
  expect("other bytes, lock", (struct scene){separate, MCK_EV_PUT, MCK_ACCESS_STORE, 8, false, true},
         MCK_CHECK_RMA_MODEL);
  expect("other bytes, get", (struct scene){separate, MCK_EV_GET, MCK_ACCESS_STORE, 8, false, false}, -1);
  expect("other bytes, load", (struct scene){separate, MCK_EV_PUT, 0, 8, false, false}, -1);
  expect("other bytes, a fence between", (struct scene){separate, MCK_EV_PUT, MCK_ACCESS_STORE, 8, true, false}, -1);
  expect("other bytes, a fence between, lock", (struct scene){separate, MCK_EV_PUT, MCK_ACCESS_STORE, 8, true, true},
         -1);
  expect("the same bytes", (struct scene){separate, MCK_EV_PUT, MCK_ACCESS_STORE, 0, false, false}, MCK_CHECK_RMA_RACE);
  expect("the same bytes, unified, lock", (struct scene){0, MCK_EV_PUT, MCK_ACCESS_STORE, 0, false, true},
         MCK_CHECK_RMA_RACE);
  expect("other bytes, unified, lock", (struct scene){0, MCK_EV_PUT, MCK_ACCESS_STORE, 8, false, true}, -1);
  return failures != 0;
}
