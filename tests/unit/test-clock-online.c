// RUN: %unit/test-clock-online
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lazy Lamport clocks that go with the messages (clock/online-clock.h), against the truth (small-mpi.h) and against
// those over the logs, on random executions: never more than could have come, and the same as over logs wherever no
// receive completes before an older one that could have got its message, and nothing is sent synchronously.
#include "clock/clock.h"
#include "clock/online-clock.h"
#include "small-mpi.h"

enum { ROUNDS = 6000, STATES_MAX = 20000 };
static struct small program;
static struct fake logs[SMALL_PROCS];
static struct mck_reader readers[SMALL_PROCS], live[SMALL_PROCS];
static uint32_t index_of[SMALL_ALL];
static uint64_t by_logs[SMALL_ALL], online[SMALL_ALL];

// --- clock records ---
static struct {
  struct mck_clock_record records[256];
  size_t count, read;
} boxes[SMALL_PROCS][SMALL_PROCS]; // [from][to]
static uint32_t shown[SMALL_PROCS];
static bool has_sync;
static bool put(void *context, uint32_t to, const struct mck_clock_record *record) {
  uint32_t from = *(uint32_t *)context;
  MCK_CHECK(boxes[from][to].count < 256);
  boxes[from][to].records[boxes[from][to].count++] = *record;
  return true;
}
static bool take(void *context, uint32_t from, struct mck_clock_record *record) {
  uint32_t to = *(uint32_t *)context;
  if (boxes[from][to].read == boxes[from][to].count) return false;
  *record = boxes[from][to].records[boxes[from][to].read++];
  return true;
}
static void show(void *context, uint32_t clock) { shown[*(uint32_t *)context] = clock; }
static uint32_t clock_of(void *context, uint32_t rank) {
  (void)context;
  return shown[rank];
}
static void announce_synchronous(void *context) { (void)context, has_sync = true; }
static bool has_synchronous(void *context) {
  (void)context;
  return has_sync;
}

// --- a run of it ---
static uint32_t ranks[SMALL_PROCS];
static struct mck_online_transport ways[SMALL_PROCS];
static struct mck_online states[SMALL_PROCS];

// The k-th wildcard of a process; the k-th message of one to another.
static void tell(void *context, uint64_t wild, uint32_t from, uint64_t sequence) {
  int q = (int)*(uint32_t *)context, r = -1, s = -1;
  uint64_t n = 0, k = 0;
  for (int i = 0; i < program.end[q] && r < 0; i++)
    if (small_is_wild(&program, q * SMALL_OPS + i) && ++n == wild) r = q * SMALL_OPS + i;
  for (int i = 0; i < program.end[from] && s < 0; i++)
    if (small_is_send(program.ops[from][i].kind) && program.ops[from][i].peer == q && k++ == sequence)
      s = (int)from * SMALL_OPS + i;
  if (r < 0 || s < 0) abort();
  MCK_CHECK(!(online[r] >> s & 1));
  online[r] |= (uint64_t)1 << s;
}

// The order of the walk is one in which it can have happened. Steps come before each call, as in a process.
static void enter(void *context, struct mck_point at) {
  (void)context;
  live[at.log].units = at.index;
  mck_online_step(&states[at.log], &live[at.log]);
  live[at.log].units = at.index + mck_event_units(&live[at.log].events[at.index]);
  uint8_t kind = live[at.log].events[at.index].kind;
  if (kind == MCK_EV_SEND || kind == MCK_EV_COLL) mck_online_enter(&states[at.log], &live[at.log], at.index);
}
static void leave(void *context, struct mck_point at, bool is_finished) {
  (void)context;
  if (!is_finished) live[at.log].units = at.index;
}
static void complete(void *context, struct mck_point at, const struct mck_order_done *done) {
  (void)context, (void)at, (void)done;
}

static uint64_t run(const struct mck_pairs *pairs, bool *is_lost) {
  memset(boxes, 0, sizeof boxes), memset(shown, 0, sizeof shown);
  memset(online, 0, sizeof online);
  has_sync = false;
  *is_lost = false;
  for (uint32_t q = 0; q < (uint32_t)program.n; q++) {
    const char *why;
    ranks[q] = q;
    ways[q] = (struct mck_online_transport){&ranks[q],      put, take, show, clock_of, announce_synchronous,
                                            has_synchronous};
    if (!mck_online_open(&states[q], q, (uint32_t)program.n, &ways[q])) abort();
    states[q].report = tell, states[q].report_context = &ranks[q];
    logs[q].header->units = logs[q].units;
    if (mck_log_open_memory(&live[q], logs[q].header, MCK_LOG_HEADER + (size_t)logs[q].units * MCK_UNIT, &why)) abort();
    live[q].units = 0;
  }
  struct mck_order_sink sink = {.enter = enter, .leave = leave, .complete = complete};
  struct mck_order_totals totals;
  if (!mck_order_walk(readers, (size_t)program.n, pairs, &sink, &totals)) abort();
  uint64_t left = 0;
  for (int q = 0; q < program.n; q++) {
    mck_online_step(&states[q], &live[q]);
    *is_lost |= states[q].lost != MCK_ONLINE_FOLLOWS;
    left += !mck_online_end(&states[q]);
  }
  for (int q = 0; q < program.n; q++) mck_online_close(&states[q]), mck_log_unload(&live[q]);
  return totals.left_out ? UINT64_MAX : left;
}

static int id_of(struct mck_pair at) { return small_id_of(&program, index_of, at.log, at.index); }
static void alternative(void *context, struct mck_pair receive, struct mck_pair send) {
  (void)context;
  by_logs[id_of(receive)] |= (uint64_t)1 << id_of(send);
}

// Does a receive or probe complete before one that was posted before it and takes its message, or one never?
static bool is_crossed(void) {
  for (int q = 0; q < program.n; q++)
    for (int i = 0; i < program.end[q]; i++) {
      bool is_open = program.ops[q][i].kind == SMALL_IRECV;
      for (int k = i + 1; is_open && k < program.end[q]; k++) {
        const struct small_op *o = &program.ops[q][k];
        int done = o->kind == SMALL_WAIT ? o->peer : o->kind == SMALL_IRECV ? -1 : k;
        if (done == i) is_open = false;
        if (done <= i || small_is_send(program.ops[q][done].kind) || program.ops[q][done].kind > SMALL_PROBE) continue;
        int got = program.match[q * SMALL_OPS + done];
        if (got < 0 || small_fits(&program, got, q * SMALL_OPS + i)) return true;
      }
      if (is_open) return true;
    }
  return false;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : ROUNDS;
  uint64_t executions = 0, equal = 0, found[2] = {0}, whole[2] = {0}, crossed = 0, lost = 0, left = 0, more = 0;
  static struct small_truth x;
  for (uint64_t round = 0; round < rounds; round++) {
    small_seed = (seed + round) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 4; i++) small_below(2);
    unsigned with = round % 4 == 0 ? (unsigned)(round / 4 % 64) : (unsigned)(round / 4 % 32);
    if (round % 4 == 0) small_make(&program, with);
    else small_make_balanced(&program, with);
    small_run(&program);
    if (!small_enumerate(&program, &x, STATES_MAX)) continue;
    small_log(&program, logs, index_of);
    for (int q = 0; q < program.n; q++) fake_load(&logs[q], &readers[q]);
    struct mck_pairs pairs;
    if (!mck_pairs_make(&pairs, readers, (size_t)program.n, true)) abort();
    struct mck_clock_counts counts;
    struct mck_clock_sink sink = {.alternative = alternative};
    memset(by_logs, 0, sizeof by_logs);
    if (!mck_clock_find(readers, (size_t)program.n, &pairs, MCK_CLOCK_LAMPORT, &sink, &counts)) abort();
    bool is_lost, must_be_equal = !(with & (SMALL_SYNC | SMALL_ANYTAG)) && !is_crossed() && !program.is_stuck;
    for (int id = 0; id < SMALL_ALL; id++)
      must_be_equal &= id % SMALL_OPS >= program.end[id / SMALL_OPS] || !small_is_wild(&program, id) ||
                       program.match[id] >= 0;
    uint64_t rest = run(&pairs, &is_lost);
    executions++, crossed += is_crossed(), lost += is_lost, left += rest > 0, equal += must_be_equal;
    bool is_wrong = false;
    for (int id = 0; id < SMALL_ALL; id++) {
      if (must_be_equal) is_wrong |= online[id] != by_logs[id];
      is_wrong |= (online[id] & ~x.could[id]) != 0;
      found[0] += (uint64_t)__builtin_popcountll(by_logs[id]), found[1] += (uint64_t)__builtin_popcountll(online[id]);
      if (!program.is_stuck && !pairs.lost)
        whole[0] += (uint64_t)__builtin_popcountll(by_logs[id]), whole[1] += (uint64_t)__builtin_popcountll(online[id]);
      more += (uint64_t)__builtin_popcountll(online[id] & ~by_logs[id]);
    }
    // What was sent was received, and nothing is left.
    if (!program.is_stuck && !pairs.lost && !pairs.undecided) is_wrong |= is_lost || rest;
    if (is_wrong) {
      printf("seed %llu: lost %d, left %llu, must be equal %d\n", (unsigned long long)(seed + round), is_lost,
             (unsigned long long)rest, must_be_equal);
      static const char *const names[] = {"send",  "ssend", "issend",  "recv",  "irecv", "mprobe",
                                          "probe", "wait",  "barrier", "bcast", "scan"};
      for (int q = 0; q < program.n; q++)
        for (int i = 0; i < program.count[q]; i++) {
          int id = q * SMALL_OPS + i;
          printf("P%d %2d %s(%d,%d) match %d truth %llx logs %llx online %llx%s\n", q, id,
                 names[program.ops[q][i].kind], program.ops[q][i].peer, program.ops[q][i].tag, program.match[id],
                 (unsigned long long)x.could[id], (unsigned long long)by_logs[id], (unsigned long long)online[id],
                 i < program.end[q] ? "" : " (not reached)");
        }
      return 1;
    }
    mck_pairs_free(&pairs);
    for (int q = 0; q < program.n; q++) fake_end(&logs[q], &readers[q]);
  }
  free(x.seen);
  free(x.slots);
  printf(
      "%llu executions (%llu must be equal, %llu with receives that cross, %llu lost, %llu with clock records left): "
      "alternatives over logs %llu, online %llu "
      "(%llu of them not over logs); where all is received %llu and %llu\n",
      (unsigned long long)executions, (unsigned long long)equal, (unsigned long long)crossed, (unsigned long long)lost,
      (unsigned long long)left, (unsigned long long)found[0], (unsigned long long)found[1], (unsigned long long)more,
      (unsigned long long)whole[0], (unsigned long long)whole[1]);
  return executions < rounds / 2 || equal < rounds / 20;
}
