// RUN: %unit/test-rma-paper
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figures 1 and 2 of "A Time-Stamping System to Preserve the Ordering of Events in MPI One-Sided Communication" (Diep
// and Thoai), with the clock values that its section V gives, and the relations of its section IV. Our clocks count
// events; R1's counter ticks between two consecutive events if the first completed before the second was issued, which
// an operation has not until the call that closes its epoch (corollary 3). A value of the paper is the tick of the last
// event that is known.
#include "fake-log.h"
#include "order/order.h"
#include "rma/completed-before.h"

enum { RANKS = 3, EVENTS = 12, UNITS = 64 };
static struct fake logs[RANKS];
static int failures;
#define EXPECT(condition) ((condition) ? 0 : (failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))

static uint32_t unit_of[RANKS][EVENTS]; // e(p,i), i from 1
static int event_at[RANKS][UNITS], tick[RANKS][EVENTS], nevents[RANKS];
static uint32_t known[RANKS][EVENTS][RANKS]; // behind e(p,i): units of k that are known

static void note(int p, uint32_t unit, bool is_operation, bool is_closing) {
  static bool was_operation[RANKS];
  int i = ++nevents[p];
  if (i == 1) was_operation[p] = false;
  // R1
  tick[p][i] = tick[p][i - 1] + !(was_operation[p] && !is_closing);
  was_operation[p] = is_operation;
  unit_of[p][i] = unit, event_at[p][unit] = i;
}
static void fence(int p) { note(p, fake_fence(&logs[p], 0, 0), false, true); }
static void put(int p, int target) {
  note(p, fake_rma(&logs[p], MCK_EV_PUT, 0, 0, 0, target, (uint64_t)p, 1, MCK_BASIC_INT), true, false);
}
static void get(int p, int target) {
  note(p, fake_rma(&logs[p], MCK_EV_GET, 0, 0, 0, target, 7, 1, MCK_BASIC_INT), true, false);
}
static void local(int p, uint8_t flags) { note(p, fake_access(&logs[p], flags, 0, 0, 60, 4, 1, 0), false, false); }
static void sync_with(int p, uint16_t fn, int other) {
  bool is_closing = fn == MCK_FN_MPI_Win_complete || fn == MCK_FN_MPI_Win_wait || fn == MCK_FN_MPI_Win_unlock;
  int target = fn == MCK_FN_MPI_Win_lock || fn == MCK_FN_MPI_Win_unlock ? other : -1;
  note(p, fake_event(&logs[p], (struct mck_event){.kind = MCK_EV_SYNC, .fn = fn, .sync = {0, target, 0, 2, 0}}), false,
       is_closing);
  if (fn != MCK_FN_MPI_Win_start && fn != MCK_FN_MPI_Win_post) return;
  struct mck_event group[2] = {{.kind = MCK_EV_GROUP, .fn = fn, .group = {1, 0, 1}}};
  memcpy(&group[1], &other, 4);
  fake_units(&logs[p], group, 2);
}

static void left(void *context, uint32_t log, uint32_t index, const struct mck_clock *clock,
                 const uint32_t *component) {
  (void)context;
  for (int k = 0; index < UNITS && k < RANKS; k++)
    if (component[k] != MCK_NONE) known[log][event_at[log][index]][k] = clock->known[component[k]];
}

// V(p,i)[k]
static int value(int p, int i, int k) {
  if (k == p) return tick[p][i];
  int last = 0;
  for (int e = 1; e <= nevents[k]; e++)
    if (unit_of[k][e] < known[p][i][k]) last = e;
  return tick[k][last];
}
// Theorem 1 for events of different processes: e(p,i) completed before e(q,j).
static bool is_before(int p, int i, int q, int j) { return tick[p][i] <= value(q, j, p); }
static void expect(int p, int i, int a, int b, int c) {
  if (value(p, i, 0) == a && value(p, i, 1) == b && value(p, i, 2) == c) return;
  failures++;
  printf("V(%d,%d) is (%d, %d, %d), not (%d, %d, %d)\n", p, i, value(p, i, 0), value(p, i, 1), value(p, i, 2), a, b, c);
}

static void begin(void) {
  memset(nevents, 0, sizeof nevents), memset(known, 0, sizeof known), memset(event_at, 0, sizeof event_at);
  for (uint32_t r = 0; r < RANKS; r++) {
    fake_begin(&logs[r], r, RANKS);
    fake_win(&logs[r], 0, 0, 77, 4, 256, "");
  }
}
static void observe(void) {
  struct mck_reader readers[RANKS];
  struct mck_pairs pairs;
  struct mck_rma_observer observer = {.left = left};
  for (int r = 0; r < RANKS; r++) fake_load(&logs[r], &readers[r]);
  EXPECT(mck_pairs_make(&pairs, readers, RANKS, true));
  EXPECT(mck_rma_observe(readers, RANKS, &pairs, &observer));
  mck_pairs_free(&pairs);
  for (int r = 0; r < RANKS; r++) fake_end(&logs[r], &readers[r]);
}

// e(0,1-2) and so on are the epochs between fences; e(0,4-6) is start-complete, e(1,5-6) post-wait.
static void figure_1(void) {
  begin();
  fence(0), fence(0), local(0, 0), sync_with(0, MCK_FN_MPI_Win_start, 1), put(0, 1),
      sync_with(0, MCK_FN_MPI_Win_complete, 1);
  fence(1), put(1, 2), local(1, 0), fence(1), sync_with(1, MCK_FN_MPI_Win_post, 0),
      sync_with(1, MCK_FN_MPI_Win_wait, 0);
  fence(2), local(2, MCK_ACCESS_STORE), get(2, 0), fence(2), local(2, MCK_ACCESS_STORE), local(2, 0);
  observe();
  EXPECT(tick[0][2] < tick[0][3]);                            // corollary 1: e(0,1-2) before e(0,3)
  EXPECT(tick[1][4] < tick[1][5]);                            // e(1,1-4) before e(1,5-6)
  EXPECT(tick[0][3] < tick[0][4]);                            // e(0,3) before e(0,4-6)
  EXPECT(tick[2][5] < tick[2][6]);                            // e(2,5) before e(2,6)
  EXPECT(tick[2][2] < tick[2][3]);                            // corollary 2: e(2,2) before e(2,3)
  EXPECT(tick[0][4] < tick[0][5] && tick[0][5] < tick[0][6]); // corollary 3
  EXPECT(is_before(1, 5, 0, 4) && is_before(0, 6, 1, 6));     // corollary 4
  EXPECT(is_before(1, 5, 0, 5));                              // C2
  EXPECT(!is_before(1, 2, 2, 3) && !is_before(2, 3, 1, 2));   // concurrent
}

static void figure_2(void) {
  begin();
  fence(0), put(0, 1), put(0, 2), fence(0), local(0, 0), sync_with(0, MCK_FN_MPI_Win_start, 1), put(0, 1),
      sync_with(0, MCK_FN_MPI_Win_complete, 1);
  fence(1), local(1, 0), fence(1), sync_with(1, MCK_FN_MPI_Win_post, 0), sync_with(1, MCK_FN_MPI_Win_wait, 0);
  fence(2), fence(2), sync_with(2, MCK_FN_MPI_Win_lock, 0), get(2, 0), sync_with(2, MCK_FN_MPI_Win_unlock, 0),
      local(2, 0);
  observe();
  for (int p = 0; p < RANKS; p++) expect(p, 1, 1, 1, 1);
  expect(0, 2, 2, 1, 1), expect(0, 3, 2, 1, 1), expect(0, 4, 3, 3, 2), expect(0, 5, 4, 3, 2);
  expect(0, 6, 5, 4, 2), expect(0, 7, 6, 4, 2), expect(0, 8, 7, 4, 2);
  expect(1, 2, 1, 2, 1), expect(1, 3, 3, 3, 2), expect(1, 4, 3, 4, 2), expect(1, 5, 7, 5, 2);
  expect(2, 2, 3, 3, 2), expect(2, 3, 3, 3, 3), expect(2, 4, 3, 3, 4), expect(2, 5, 3, 3, 5), expect(2, 6, 3, 3, 6);
  EXPECT(!is_before(0, 5, 2, 5) && !is_before(2, 5, 0, 5)); // concurrent
}

int main(void) {
  figure_1();
  figure_2();
  return failures != 0;
}
