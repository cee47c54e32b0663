// RUN: %unit/test-clock-figures | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures of the lazy clocks' paper, with the clock values that it prints. Each line of output: the values of the
// figure, then what could have come to each wildcard, by Lamport and by vector clocks.
#include "fake-log.h"
#include "clock/clock.h"

enum { PROCS = 3 };
static struct fake logs[PROCS];
static struct mck_reader readers[PROCS];
static struct mck_pairs pairs;
static char text[1024];

static void begin(void) {
  for (uint32_t i = 0; i < PROCS; i++) fake_begin(&logs[i], i, PROCS);
}
static uint32_t send(int p, int to, uint8_t flags) {
  return fake_message(&logs[p], MCK_EV_SEND, flags, MCK_FN_MPI_Send, 0, 0, to, 0, MCK_BASIC_INT, 1);
}
static uint32_t any(int p, int got, uint8_t flags) {
  return fake_message(&logs[p], MCK_EV_RECV, flags | MCK_FLAG_ANY_SOURCE | MCK_FLAG_MATCHED, MCK_FN_MPI_Recv, 0, 0, got,
                      0, MCK_BASIC_INT, 1);
}
static uint32_t recv(int p, int from) {
  return fake_message(&logs[p], MCK_EV_RECV, 0, MCK_FN_MPI_Recv, 0, 0, from, 0, MCK_BASIC_INT, 1);
}
static uint32_t barrier(int p) { return fake_collective(&logs[p], MCK_FN_MPI_Barrier, 0, 0, -1); }
static void group(int p, int one, int two) {
  struct mck_event e[3] = {{.kind = MCK_EV_CALL, .fn = MCK_FN_MPI_Comm_create_group, .site = MCK_NONE},
                           {.kind = MCK_EV_MEMBERS,
                            .fn = MCK_FN_MPI_Comm_create_group,
                            .site = MCK_NONE,
                            .members = {.extra = 1, .comm = 0, .n = 2}}};
  memcpy(&e[2], (int32_t[]){one, two}, 8);
  fake_units(&logs[p], e, 3);
}
static uint32_t wait(int p, uint32_t request) {
  struct mck_event e = {.kind = MCK_EV_WAIT,
                        .fn = MCK_FN_MPI_Wait,
                        .wait = {.count = 1, .request = {request, MCK_NONE, MCK_NONE, MCK_NONE}}};
  return fake_event(&logs[p], e);
}

static uint32_t stamps[PROCS][64], values[PROCS][64];
static void keep_stamp(void *context, struct mck_pair at, const uint32_t *clock, uint32_t n) {
  (void)context, (void)n;
  stamps[at.log][at.index] = clock[0];
}
static void keep_value(void *context, const struct mck_clock_result *told) {
  (void)context;
  values[told->receive.log][told->receive.index] = told->value;
}
static void tell(void *context, struct mck_pair receive, struct mck_pair send) {
  (void)context;
  sprintf(text + strlen(text), " P%u:%u<-P%u:%u", receive.log, receive.index, send.log, send.index);
}
static void find(enum mck_clock_kind kind) {
  struct mck_clock_counts counts;
  struct mck_clock_sink sink = {.alternative = tell, .wild = keep_value, .stamp = keep_stamp};
  text[0] = 0;
  if (!mck_clock_find(readers, PROCS, &pairs, kind, &sink, &counts)) abort();
}
static void end(const char *name) {
  find(MCK_CLOCK_VECTOR);
  printf("figure %s: vector%s", name, *text ? text : " none");
  find(MCK_CLOCK_LAMPORT);
  printf("; lamport%s;", *text ? text : " none");
}
static void load(void) {
  for (int i = 0; i < PROCS; i++) fake_load(&logs[i], &readers[i]);
  if (!mck_pairs_make(&pairs, readers, PROCS, true)) abort();
}
static void finish(void) {
  printf("\n");
  mck_pairs_free(&pairs);
  for (int i = 0; i < PROCS; i++) fake_end(&logs[i], &readers[i]);
}

// The vector clocks of Fidge and Mattern, for figure 2.
static uint32_t classic[PROCS][64][PROCS], now[PROCS][PROCS];
static void tick(void *context, struct mck_point at) { (void)context, now[at.log][at.log]++; }
static void take(void *context, struct mck_point at, const struct mck_order_done *done) {
  (void)context;
  for (int i = 0; i < PROCS && done->with.log != MCK_NONE; i++) {
    uint32_t other = classic[done->with.log][done->with.index][i];
    if (now[at.log][i] < other) now[at.log][i] = other;
  }
}
static void settle(void *context, struct mck_point at, bool is_finished) {
  (void)context, (void)is_finished;
  memcpy(classic[at.log][at.index], now[at.log], sizeof now[0]);
}
static void show(int p, uint32_t index) {
  printf(" [%u,%u,%u]", classic[p][index][0], classic[p][index][1], classic[p][index][2]);
}

int main(void) {
  // CHECK: figure 1 and 6: vector P1:[[I:[0-9]+]]<-P2:[[S:[0-9]+]]; lamport P1:[[I]]<-P2:[[S]]; isend [0] barrier [0]
  // irecv [0] recv [1] wait [2] isend [0]
  begin();
  uint32_t isend0 = send(0, 1, MCK_FLAG_NONBLOCKING);
  barrier(0), wait(0, isend0);
  uint32_t irecv = any(1, 0, MCK_FLAG_NONBLOCKING), b = barrier(1), r = any(1, 2, 0), w = wait(1, irecv);
  barrier(2);
  uint32_t isend2 = send(2, 1, MCK_FLAG_NONBLOCKING);
  wait(2, isend2);
  load(), end("1 and 6");
  printf(" isend [%u] barrier [%u] irecv [%u] recv [%u] wait [%u] isend [%u]", stamps[0][isend0], stamps[1][b],
         values[1][irecv], values[1][r], stamps[1][w], stamps[2][isend2]);
  finish();

  // CHECK: figure 2: vector P0:[[I2:[0-9]+]]<-P2:[[S2:[0-9]+]]; lamport P0:[[I2]]<-P2:[[S2]]; [1,1,0] [2,2,2] [0,1,0]
  // [0,2,0] [0,2,1] [0,2,2]
  begin();
  uint32_t r1 = any(0, 1, 0), r2 = any(0, 2, 0), s1 = send(1, 0, 0), s2 = send(1, 2, 0), r3 = recv(2, 1),
           s3 = send(2, 0, 0);
  load(), end("2");
  struct mck_order_totals totals;
  if (!mck_order_walk(readers, PROCS, &pairs,
                      &(struct mck_order_sink){.enter = tick, .complete = take, .leave = settle}, &totals))
    abort();
  show(0, r1), show(0, r2), show(1, s1), show(1, s2), show(2, r3), show(2, s3);
  finish();

  // The first receive has matched when the second returns, long before its own wait.
  // CHECK: figure 3: vector P2:[[I3:[0-9]+]]<-P1:[[S3:[0-9]+]]; lamport P2:[[I3]]<-P1:[[S3]]; irecv [0] recv [1] send
  // behind it [2] wait [2]
  begin();
  send(0, 2, 0), send(1, 2, 0);
  irecv = any(2, 0, MCK_FLAG_NONBLOCKING), r = any(2, 1, 0);
  s1 = send(2, 0, 0), w = wait(2, irecv), recv(0, 2);
  load(), end("3");
  printf(" irecv [%u] recv [%u] send behind it [%u] wait [%u]", values[2][irecv], values[2][r], stamps[2][s1],
         stamps[2][w]);
  finish();

  // P2's message was not triggered by the first receive, and is late; what P1 sends is.
  // CHECK: figure 5: vector P1:[[I5:[0-9]+]]<-P2:[[S5:[0-9]+]]; lamport P1:[[I5]]<-P2:[[S5]]; send [0] recv [0] recv
  // [1] send [0] send behind [2]
  begin();
  s1 = send(0, 1, 0), r1 = any(1, 0, 0), r2 = any(1, 2, 0), s2 = send(2, 1, 0), s3 = send(1, 0, 0), recv(0, 1);
  load(), end("5");
  printf(" send [%u] recv [%u] recv [%u] send [%u] send behind [%u]", stamps[0][s1], values[1][r1], values[1][r2],
         stamps[2][s2], stamps[1][s3]);
  finish();

  // P0's message is as late for P2's wildcard as it can be, but its Lamport clock comes from P0's own one.
  // CHECK: figure 7: vector P2:[[I7:[0-9]+]]<-P0:[[S7:[0-9]+]]; lamport none; send [1] recv(0) [1]
  begin();
  any(0, 1, 0), s1 = send(0, 2, 0), send(1, 0, 0), send(1, 2, 0), any(2, 1, 0), r2 = recv(2, 0);
  load(), end("7");
  printf(" send [%u] recv(0) [%u]", stamps[0][s1], stamps[2][r2]);
  finish();

  // Without wildcards there are no clocks.
  // CHECK: no wildcards: 0 owners, 0 merges, 0 stamps
  begin();
  send(0, 1, MCK_FLAG_SYNC), recv(1, 0), barrier(0), barrier(1), barrier(2);
  memset(stamps, 0xff, sizeof stamps);
  load();
  struct mck_clock_counts counts;
  if (!mck_clock_find(readers, PROCS, &pairs, MCK_CLOCK_VECTOR,
                      &(struct mck_clock_sink){.alternative = tell, .stamp = keep_stamp}, &counts))
    abort();
  uint32_t nstamps = 0;
  for (int i = 0; i < PROCS * 64; i++) nstamps += stamps[i / 64][i % 64] != UINT32_MAX;
  printf("no wildcards: %u owners, %llu merges, %u stamps", counts.owners, (unsigned long long)counts.merges, nstamps);
  finish();

  // CHECK: figure 9': vector none; lamport none;
  // A synchronous send that is complete tells that its receive has matched (C9'): what its sender has told P2 by then
  // came later.
  begin();
  any(1, 0, MCK_FLAG_NONBLOCKING);
  send(0, 1, MCK_FLAG_SYNC), send(0, 2, 0);
  recv(2, 0), send(2, 1, 0), any(1, 2, 0);
  load(), end("9'");
  finish();

  // CHECK: figure of 1 and 2: vector none; lamport none;
  // CHECK: figure of 0 and 2: vector P1:[[IG:[0-9]+]]<-P2:[[SG:[0-9]+]];
  // MPI_Comm_create_group is collective over its group: what a member sends behind it comes after what another one did
  // before it.
  for (int first = 1; first >= 0; first--) {
    begin();
    send(0, 1, 0), any(1, 0, 0);
    group(first, first, 2), group(2, first, 2);
    send(2, 1, 0), any(1, 2, 0);
    load(), end(first ? "of 1 and 2" : "of 0 and 2");
    finish();
  }
  return 0;
}
