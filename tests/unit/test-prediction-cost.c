// RUN: %unit/test-prediction-cost
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bound of the search for predicted deadlocks (rt/judge/prediction): all of its work counts. Three ranks send many
// messages before the first one is received; each receive has a choice, and nothing deadlocks.
#include "fake-log.h"
#include "judge/prediction/match-search.h"

enum { RANKS = 4, MESSAGES = 3000, ALL = (RANKS - 1) * MESSAGES };

static void write_logs(struct fake *logs) {
  for (uint32_t q = 0; q < RANKS; q++) fake_begin(&logs[q], q, RANKS);
  for (int i = 0; i < ALL; i++) {
    uint8_t any = MCK_FLAG_ANY_SOURCE | (i % 2 ? 0 : MCK_FLAG_ANY_TAG);
    uint8_t flags = (uint8_t)(MCK_FLAG_MATCHED | any | any << MCK_FLAG_IGNORED_SHIFT);
    fake_message(&logs[0], MCK_EV_RECV, flags, MCK_FN_MPI_Recv, 0, 0, 1 + i % (RANKS - 1), 1, MCK_BASIC_INT, 1);
  }
  for (uint32_t q = 1; q < RANKS; q++)
    for (int i = 0; i < MESSAGES; i++)
      fake_message(&logs[q], MCK_EV_SEND, 0, MCK_FN_MPI_Send, 0, 0, 0, 1, MCK_BASIC_INT, 1);
}

static void expect_none(void *context, const struct mck_deadlock *d) {
  (void)context, (void)d;
  MCK_CHECK(!"a deadlock where there is none");
}

static int expect(const struct mck_model *model, uint64_t limit, uint64_t least, uint64_t most) {
  const struct mck_search_sink sink = {.deadlock = expect_none};
  struct mck_search_counts counts;
  if (!mck_search_run(model, false, limit, &sink, &counts)) return printf("out of memory\n"), 1;
  printf("limit %llu: %llu steps, %llu states\n", (unsigned long long)limit, (unsigned long long)counts.steps,
         (unsigned long long)counts.states);
  return counts.is_whole || counts.steps < least || counts.steps > most;
}

int main(void) {
  struct fake logs[RANKS];
  struct mck_reader readers[RANKS];
  struct mck_pairs pairs;
  struct mck_model model;
  write_logs(logs);
  for (uint32_t q = 0; q < RANKS; q++) fake_load(&logs[q], &readers[q]);
  if (!mck_pairs_make(&pairs, readers, RANKS, true)) return 1;
  struct mck_whole whole = {.logs = readers, .n = RANKS, .run = {RANKS, true}, .pairs = &pairs};
  if (mck_model_make(&model, &whole, false, UINT64_MAX) != MCK_MODEL_MADE) return printf("there is no choice\n"), 1;
  // It ends at the bound, also before all messages are sent. What is added last is one call's work.
  int bad = expect(&model, 1000, 1000, 1200) || expect(&model, 100000, 50000, 110000);
  // Without a bound in calls, the memory ends it. Lists are moved and states are copied: much more than the calls.
  bad = bad || expect(&model, UINT64_MAX / 4, (uint64_t)100 * ALL, UINT64_MAX);
  mck_model_free(&model);
  mck_pairs_free(&pairs);
  for (uint32_t q = 0; q < RANKS; q++) fake_end(&logs[q], &readers[q]);
  return bad;
}
