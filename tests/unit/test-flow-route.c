// RUN: %unit/test-flow-route
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Routes of units in traces by hand: the figures of FlowChecker, the transports of Open MPI, and each way to be wrong.
#include "trace-builder.h"

static struct mck_route_unit unit(uint32_t a, uint64_t from, uint64_t begin, uint64_t until, uint32_t b, uint64_t to,
                                  uint64_t posted, uint64_t done, uint64_t length) {
  return (struct mck_route_unit){{a, from, begin, until}, {b, to, posted, done}, length};
}
static struct mck_route ask(struct mck_route_unit u) {
  struct mck_route answer;
  build_answer(&u, 1, &answer);
  return answer;
}
static bool is_seen(struct mck_route_unit u) { return ask(u).verdict == MCK_ROUTE_SEEN; }

// Figure 1: {A1, A2} is packed, sent, received, unpacked. Figure 5: control data goes between and around.
static void test_figures(void) {
  build_begin(2);
  build_connection(0, 1, 3);
  build_copy(0, 10, 0x1000, 0x5000, 16);           // A1
  build_copy(0, 11, 0x1040, 0x5010, 16);           // A2
  build_stream(0, 12, true, 3, 0, 0, 0x8000, 8);   // a header
  build_stream(0, 12, true, 3, 0, 8, 0x5000, 32);  // both at once
  build_stream(1, 20, false, 3, 1, 0, 0x6000, 8);  // the header alone
  build_stream(1, 21, false, 3, 1, 8, 0x6100, 24); // the stream is cut elsewhere
  build_stream(1, 22, false, 3, 1, 32, 0x6100 + 24, 8);
  build_copy(1, 23, 0x6100, 0x2000, 16);
  build_copy(1, 24, 0x6110, 0x2040, 16);
  struct mck_route_unit units[] = {unit(0, 0x1000, 5, 30, 1, 0x2000, 5, 30, 16),
                                   unit(0, 0x1040, 5, 30, 1, 0x2040, 5, 30, 16)};
  struct mck_route answers[2];
  build_answer(units, 2, answers);
  EXPECT(answers[0].verdict == MCK_ROUTE_SEEN && answers[1].verdict == MCK_ROUTE_SEEN);
  // Figure 6: a type that is not contiguous is treated as if it were. Unit B does not come.
  build_begin(2);
  build_vm(1, 10, true, 0, 0x1000, 0x2000, 32);
  build_answer(units, 2, answers);
  EXPECT(answers[0].verdict == MCK_ROUTE_SEEN);
  EXPECT(answers[1].verdict == MCK_ROUTE_BROKEN && answers[1].position == 0);
}

// Figure 2: the offset is not scaled; Figure 7: source and destination of a copy are exchanged.
static void test_wrong_places(void) {
  build_begin(2);
  build_map(0, 1, 0x10000, 9, 0, 0x100);
  build_map(1, 1, 0x20000, 9, 0, 0x100);
  build_copy(0, 10, 0x1000, 0x10010, 32); // all into the shared segment
  build_copy(1, 20, 0x20010, 0x2000, 16);
  build_copy(1, 21, 0x20010 + 4, 0x2010, 16); // + 16 would be right
  struct mck_route_unit u = unit(0, 0x1000, 5, 30, 1, 0x2000, 5, 30, 32);
  struct mck_route a = ask(u);
  EXPECT(a.verdict == MCK_ROUTE_WRONG && a.reason == MCK_ROUTE_OTHER_PLACE && a.position == 16);
  EXPECT(a.origin_rank == 0 && a.origin_address == 0x1004 && a.origin_time == 10);
  EXPECT(a.nsteps == 2 && a.fault == 1 && a.steps[1].rank == 1 && a.steps[1].time == 21 && a.steps[1].caller == 0x1015);
  EXPECT(a.steps[0].rank == 0 && a.steps[0].from == 0x1004 && a.steps[0].to == 0x10014 && a.steps[0].offset == 4);
  // The pack reads at the wrong place: it is the first step.
  build_begin(2);
  build_map(0, 1, 0x10000, 9, 0, 0x100);
  build_map(1, 1, 0x20000, 9, 0, 0x100);
  build_copy(0, 10, 0x1000, 0x10010, 16);
  build_copy(0, 11, 0x1008, 0x10020, 16);
  build_copy(1, 20, 0x20010, 0x2000, 32);
  a = ask(u);
  EXPECT(a.verdict == MCK_ROUTE_WRONG && a.position == 16 && a.fault == 0 && a.nsteps == 2 && a.steps[0].time == 11);
  // Exchanged: what comes was in the buffer of the library, which nobody saw being filled; nothing is concluded.
  build_begin(1);
  build_copy(0, 10, 0x7000, 0x2000, 16);
  a = ask(unit(0, 0x1000, 5, 30, 0, 0x2000, 5, 30, 16));
  EXPECT(a.verdict == MCK_ROUTE_HIDDEN && a.reason == MCK_ROUTE_UNSEEN_STEP);
  // A copy that is said to have copied something else.
  build_begin(1);
  build_copy(0, 10, 0x1000, 0x2000, 16);
  struct mck_trace_slot by = {.time = 0xbad};
  build(0, mck_trace_pack(MCK_TRACE_MISCOPY, 2, 11, 0x1000, 0x2000, 16, 0x1111), &by);
  a = ask(unit(0, 0x1000, 5, 30, 0, 0x2000, 5, 30, 16));
  EXPECT(a.verdict == MCK_ROUTE_WRONG && a.reason == MCK_ROUTE_MISCOPIED && a.fault == 0 && a.steps[0].callee == 0xbad);
}

static void test_windows(void) {
  build_begin(2);
  build_vm(1, 10, true, 0, 0x1000, 0x2000, 16);
  EXPECT(is_seen(unit(0, 0x1000, 5, 30, 1, 0x2000, 5, 30, 16)));
  EXPECT(ask(unit(0, 0x1000, 11, 30, 1, 0x2000, 5, 30, 16)).reason == MCK_ROUTE_STALE);
  EXPECT(ask(unit(0, 0x1000, 5, 9, 1, 0x2000, 5, 30, 16)).reason == MCK_ROUTE_LATE);
  EXPECT(ask(unit(0, 0x1000, 5, 30, 1, 0x2000, 11, 30, 16)).verdict == MCK_ROUTE_BROKEN);
  EXPECT(ask(unit(0, 0x1000, 5, 30, 1, 0x2000, 5, 9, 16)).verdict == MCK_ROUTE_BROKEN);
  EXPECT(ask(unit(0, 0x1000, 5, 30, 1, 0x2000, 5, 0, 16)).reason == MCK_ROUTE_NO_WINDOW);
  EXPECT(is_seen(unit(0, 0x1000, 5, 0, 1, 0x2000, 5, 30, 16))); // it is not known when the source was free
  EXPECT(ask(unit(0, 0x1000, 5, 30, 3, 0x2000, 5, 30, 16)).reason == MCK_ROUTE_NO_TRACE);
  struct mck_route a = ask(unit(0, 0x1000, 5, 30, 1, 0x2000, 5, 30, 17)); // one byte more than came
  EXPECT(a.verdict == MCK_ROUTE_BROKEN && a.position == 16);
  // What was received is sent on: its origin is the buffer itself from then on.
  build_begin(3);
  build_vm(1, 10, true, 0, 0x1000, 0x2000, 16);
  build_vm(2, 20, true, 1, 0x2000, 0x3000, 16);
  struct mck_route_unit units[] = {unit(0, 0x1000, 5, 12, 1, 0x2000, 5, 12, 16),
                                   unit(1, 0x2000, 13, 30, 2, 0x3000, 5, 30, 16),
                                   unit(0, 0x1000, 5, 12, 2, 0x3000, 5, 30, 16)};
  struct mck_route answers[3];
  build_answer(units, 2, answers);
  EXPECT(answers[0].verdict == MCK_ROUTE_SEEN && answers[1].verdict == MCK_ROUTE_SEEN);
  // Within one collective it is relayed.
  build_answer(units + 2, 1, answers);
  EXPECT(answers[0].verdict == MCK_ROUTE_SEEN);
}

// Fragments of shared memory are used again; a run of packed elements is under way for some time.
static void test_shared(void) {
  struct mck_trace_run pack = {15, 4, 16, 8}, unpack = {35, 4, 8, 16};
  build_begin(2);
  build_map(0, 1, 0x10000, 9, 0, 0x100);
  build_map(1, 1, 0x20000, 9, 0, 0x100);
  build_copy(0, 5, 0x9000, 0x10000, 64); // an earlier message
  build_copy(1, 6, 0x20000, 0x9100, 64);
  build_run(0, 10, 0x1000, 0x10000, 8, pack);
  build_run(1, 30, 0x20000, 0x2000, 8, unpack);
  for (int k = 0; k < 4; k++)
    EXPECT(is_seen(unit(0, 0x1000 + 16 * (uint64_t)k, 8, 40, 1, 0x2000 + 16 * (uint64_t)k, 8, 40, 8)));
  // A read that comes while the run is under way: nobody knows what it got.
  build_copy(1, 12, 0x20000, 0x2100, 8);
  struct mck_route a = ask(unit(0, 0x1000, 8, 40, 1, 0x2100, 8, 40, 8));
  EXPECT(a.verdict == MCK_ROUTE_HIDDEN && a.reason == MCK_ROUTE_UNORDERED);
  // Movements are missing.
  struct mck_trace_slot since = {.time = 31};
  build(1, mck_trace_pack(MCK_TRACE_LOST, 2, 33, 0, 0, 0, 0), &since);
  EXPECT(ask(unit(0, 0x1000, 8, 40, 1, 0x2200, 8, 40, 8)).reason == MCK_ROUTE_INCOMPLETE);
  EXPECT(is_seen(unit(0, 0x1000, 8, 40, 1, 0x2000, 8, 40, 8)));
  built[0].header->full_at = 20;
  EXPECT(ask(unit(0, 0x1000, 8, 25, 1, 0x2200, 8, 25, 8)).reason == MCK_ROUTE_INCOMPLETE);
}

// Two hosts, whose clocks have nothing to do with each other.
static void test_hosts(void) {
  build_begin(2);
  strcpy(built[1].header->host, "other");
  build_connection(0, 1, 3);
  build_stream(0, 5000, true, 3, 0, 0, 0x1000, 16);
  build_stream(1, 20, false, 3, 1, 0, 0x2000, 16);
  build_stream(1, 25, true, 3, 1, 0, 0x2000, 16);
  build_stream(0, 6000, false, 3, 0, 0, 0x3000, 16);
  struct mck_route_unit units[] = {unit(0, 0x1000, 4000, 7000, 1, 0x2000, 10, 22, 16),
                                   unit(1, 0x2000, 23, 50, 0, 0x3000, 5500, 7000, 16)};
  struct mck_route answers[2];
  build_answer(units, 2, answers);
  EXPECT(answers[0].verdict == MCK_ROUTE_SEEN && answers[1].verdict == MCK_ROUTE_SEEN);
}

int main(void) {
  test_figures();
  test_wrong_places();
  test_windows();
  test_shared();
  test_hosts();
  return nfailed != 0;
}
