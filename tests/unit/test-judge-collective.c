// RUN: %unit/test-judge-collective
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives: other call, other root, too few calls, other communicators, intercommunicators; what may not be said.
#include "fake-log.h"

static int failures;
#define EXPECT(condition) ((condition) ? 0 : (failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))

enum { RANKS = 4 };
static struct fake logs[RANKS];

static void begin(void) {
  for (uint32_t r = 0; r < RANKS; r++) fake_begin(&logs[r], r, RANKS);
}
static void all(uint16_t fn, uint32_t site, int root) {
  for (int r = 0; r < RANKS; r++) fake_collective(&logs[r], fn, site, 0, root);
}
// The only finding of the logs at hand, or MCK_CHECK_COUNT when there is none, -1 when there are more.
static int judge(bool is_complete, struct mck_findings *found) {
  *found = (struct mck_findings){0};
  fake_judge(logs, RANKS, is_complete, found);
  if (found->count > 1) fake_print(found);
  return found->count == 0 ? MCK_CHECK_COUNT : found->count == 1 ? (int)found->items[0].check : -1;
}

int main(void) {
  struct mck_findings found;
  begin();
  for (int i = 0; i < 100; i++) all(i & 1 ? MCK_FN_MPI_Bcast : MCK_FN_MPI_Barrier, (uint32_t)i, i & 1 ? i % RANKS : -1);
  EXPECT(judge(true, &found) == MCK_CHECK_COUNT);

  begin();
  all(MCK_FN_MPI_Barrier, 1, -1);
  for (int r = 0; r < RANKS; r++)
    fake_collective(&logs[r], r == 1 ? MCK_FN_MPI_Bcast : MCK_FN_MPI_Barrier, (uint32_t)(10 + r), 0, r == 1 ? 0 : -1);
  all(MCK_FN_MPI_Bcast, 3, 2);
  EXPECT(judge(false, &found) == MCK_CHECK_COLLECTIVE_CALL);
  if (found.count == 1) {
    const struct mck_finding *f = found.items;
    EXPECT(strstr(f->why, "number 2") && strstr(f->why, "ranks 0,2,3 in MPI_Barrier; rank 1 in MPI_Bcast"));
    EXPECT(f->nplaces == 2 && f->places[0].site == 10 && f->places[1].site == 11 && f->places[1].rank == 1);
  }
  mck_findings_free(&found);

  begin(); // a blocking and a nonblocking call do not match (MPI-3.1 5.12)
  for (int r = 0; r < RANKS; r++) fake_collective(&logs[r], r ? MCK_FN_MPI_Barrier : MCK_FN_MPI_Ibarrier, 1, 0, -1);
  EXPECT(judge(true, &found) == MCK_CHECK_COLLECTIVE_BLOCKING);
  mck_findings_free(&found);

  begin();
  for (int r = 0; r < RANKS; r++) fake_collective(&logs[r], MCK_FN_MPI_Bcast, 1, 0, r == 3);
  EXPECT(judge(false, &found) == MCK_CHECK_COLLECTIVE_ROOT);
  if (found.count == 1) EXPECT(strstr(found.items[0].why, "ranks 0-2: root 0; rank 3: root 1"));
  mck_findings_free(&found);

  for (int is_complete = 0; is_complete < 2; is_complete++) { // one makes a call less
    begin();
    all(MCK_FN_MPI_Barrier, 1, -1);
    for (int r = 0; r < RANKS; r++)
      if (r != 2) fake_collective(&logs[r], MCK_FN_MPI_Barrier, 2, 0, -1);
    EXPECT(judge(is_complete, &found) == (is_complete ? (int)MCK_CHECK_COLLECTIVE_CALL : (int)MCK_CHECK_COUNT));
    if (found.count == 1) EXPECT(strstr(found.items[0].why, "rank 2: never, only 1 calls"));
    mck_findings_free(&found);
  }

  for (int is_even = 0; is_even < 2; is_even++) { // one fence less
    begin();
    for (int r = 0; r < RANKS; r++) {
      fake_win(&logs[r], 0, 0, 500, 1, 64, "w");
      for (uint32_t i = 0; i < 3 - (uint32_t)(r == 0 && !is_even); i++) fake_fence(&logs[r], 7, 0);
    }
    EXPECT(judge(true, &found) == (is_even ? (int)MCK_CHECK_COUNT : (int)MCK_CHECK_COLLECTIVE_CALL));
    if (found.count == 1) EXPECT(strstr(found.items[0].why, "number 3 of the window: rank 0: never, only 2 calls"));
    mck_findings_free(&found);
  }

  begin(); // collective over a group only
  fake_collective(&logs[1], MCK_FN_MPI_Comm_create_group, 1, 0, -1);
  all(MCK_FN_MPI_Barrier, 2, -1);
  EXPECT(judge(true, &found) == MCK_CHECK_COUNT);

  begin(); // two halves under one local id, and a broadcast over an intercommunicator between them
  for (uint32_t r = 0; r < RANKS; r++) {
    struct mck_range half = {r / 2 * 2, 2}, both[2] = {{r / 2 * 2, 2}, {2 - r / 2 * 2, 2}};
    fake_comm(&logs[r], 1, 300 + r / 2, r % 2, &half, 1, 2, 0);
    fake_comm(&logs[r], 2, 400, r % 2, both, 2, 2, 2);
    for (uint32_t i = 0; i < 3 + r / 2; i++) fake_collective(&logs[r], MCK_FN_MPI_Barrier, i, 1, -1);
    fake_collective(&logs[r], MCK_FN_MPI_Bcast, 9, 2, r == 0 ? -4 : r == 1 ? -2 : 0);
  }
  EXPECT(judge(true, &found) == MCK_CHECK_COUNT);

  begin(); // a log that is missing: nothing follows from absence, but two that differ still differ
  for (int r = 0; r < RANKS; r++) fake_collective(&logs[r], r == 1 ? MCK_FN_MPI_Bcast : MCK_FN_MPI_Barrier, 1, 0, 0);
  struct mck_reader readers[3];
  for (int r = 0; r < 3; r++) fake_load(&logs[r], &readers[r]);
  struct mck_judge_run run = {RANKS, true};
  found = (struct mck_findings){0};
  mck_judge_logs(readers, 3, &run, &found);
  EXPECT(found.count == 1 && found.items[0].check == MCK_CHECK_COLLECTIVE_CALL);
  mck_findings_free(&found);
  for (int r = 0; r < RANKS; r++) fake_end(&logs[r], r < 3 ? &readers[r] : NULL);
  return failures != 0;
}
