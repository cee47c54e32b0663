// RUN: %unit/test-rma-strands
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random executions of processes with several strands (order/strands.h): operations, flushes, loads and stores,
// messages, barriers, and what strands of one process learn of each other, in an order that could have been.
// Completed-before is computed once more as reachability in the graph of all begins and ends of calls. Every pair that
// is reported must be one that nothing orders, and if there is such a pair, one must be reported. In some executions
// several strands send on one channel: then nothing false may be said.
//   test-rma-strands [executions [seed]]
#include <time.h>
#include "fake-log.h"
#include "order/order.h"
#include "rma/rma.h"

enum { RANKS = 3, STRANDS = 3, EVENTS = 160, NODES = 2 * EVENTS, CELLS = 3 };
enum what { OTHER, PUT, GET, STORE, LOAD, FLUSH, SEND, RECEIVE, BARRIER };

struct event {
  int rank, strand;
  enum what what;
  int target, cell;
  uint32_t unit;
  bool is_over;
};
static struct event events[EVENTS];
static int n, nranks, nstrands[RANKS];
static uint8_t reach[NODES][NODES]; // node 2e: the begin of event e; 2e + 1: its end
static int last[RANKS][STRANDS];    // node; -1: none
static struct fake logs[RANKS];
static int writer[RANKS];                                  // the strand that the log is at; -1: no STRAND event yet
static uint32_t moment[RANKS][STRANDS];                    // its time
static uint32_t knows[RANKS][STRANDS][STRANDS];            // 1 + the time up to which it knows the other one
static uint32_t knew[RANKS][STRANDS][EVENTS * 2][STRANDS]; // the same at the end of a moment
static uint32_t told[RANKS][STRANDS][STRANDS];             // ... as the log has it
static uint32_t told_moment[RANKS][STRANDS];
static int snapshot[RANKS][STRANDS][EVENTS * 2]; // by time: the last node of that moment
static int waiting[RANKS][STRANDS];              // the event that the strand is in; -1: none
static struct {
  int sends[EVENTS], first, count;
} channels[RANKS][RANKS][STRANDS * STRANDS];
static int receive_tag[EVENTS], receive_from[EVENTS];
static bool is_shared_tag;
static int meeting[RANKS], nmet; // the barrier that is under way: events; -1

static uint64_t state;
static uint32_t below(uint32_t k) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % k;
}

static void order(int from, int to) { // and all that is before
  reach[from][to] = 1;
  for (int i = 0; i < NODES; i++) reach[i][to] |= reach[i][from];
}

// The log goes on with this strand.
static void write_strand(int rank, int strand) {
  struct mck_event units[2] = {{.kind = MCK_EV_STRAND, .site = MCK_NONE}};
  struct mck_strand_news *news = (void *)&units[1];
  uint32_t nnews = 0;
  for (int t = 0; t < nstrands[rank]; t++)
    if (knows[rank][strand][t] > told[rank][strand][t])
      news[nnews++] = (struct mck_strand_news){(uint32_t)t + 7, (told[rank][strand][t] = knows[rank][strand][t]) - 1};
  if (writer[rank] == strand && !nnews && told_moment[rank][strand] == moment[rank][strand]) return;
  units[0].strand.extra = nnews ? 1 : 0, units[0].strand.strand = (uint32_t)strand + 7;
  units[0].strand.time = told_moment[rank][strand] = moment[rank][strand], units[0].strand.n = nnews;
  fake_units(&logs[rank], units, 1 + units[0].strand.extra);
  writer[rank] = strand;
}

static int add(int rank, int strand, enum what what) {
  int e = n++;
  events[e] = (struct event){.rank = rank, .strand = strand, .what = what};
  if (last[rank][strand] >= 0) order(last[rank][strand], 2 * e);
  last[rank][strand] = snapshot[rank][strand][moment[rank][strand]] = 2 * e;
  write_strand(rank, strand);
  return e;
}
static void end(int e) {
  struct event *of = &events[e];
  order(2 * e, 2 * e + 1);
  last[of->rank][of->strand] = snapshot[of->rank][of->strand][moment[of->rank][of->strand]] = 2 * e + 1;
  of->is_over = true;
  waiting[of->rank][of->strand] = -1;
}
static void end_and_return(int e) {
  struct event *of = &events[e];
  end(e);
  write_strand(of->rank, of->strand);
  fake_event(&logs[of->rank],
             (struct mck_event){.kind = MCK_EV_RETURN, .site = MCK_NONE, .returned = {.event = of->unit}});
}

// One strand learns of another one of its process: all that it did until now, or until a moment before.
static void synchronize(int rank, int strand) {
  int other = (int)below((uint32_t)nstrands[rank]);
  if (other == strand || last[rank][other] < 0 || last[rank][strand] < 0 || waiting[rank][other] >= 0) return;
  uint32_t time = moment[rank][other];
  if (time && !below(3)) time = below(time);
  else {
    memcpy(knew[rank][other][time], knows[rank][other], sizeof knows[rank][other]);
    moment[rank][other]++;
  }
  int from = -1;
  for (uint32_t t = 0; t <= time; t++)
    if (snapshot[rank][other][t] >= 0) from = snapshot[rank][other][t];
  snapshot[rank][other][moment[rank][other]] = -1;
  if (knows[rank][strand][other] < time + 1) knows[rank][strand][other] = time + 1;
  for (int t = 0; t < nstrands[rank]; t++)
    if (knows[rank][strand][t] < knew[rank][other][time][t]) knows[rank][strand][t] = knew[rank][other][time][t];
  if (from < 0) return;
  int e = n++;
  events[e] = (struct event){.rank = rank, .strand = strand, .what = OTHER, .is_over = true};
  order(last[rank][strand], 2 * e), order(from, 2 * e), order(2 * e, 2 * e + 1);
  last[rank][strand] = 2 * e + 1;
  if (snapshot[rank][strand][moment[rank][strand]] >= 0) snapshot[rank][strand][moment[rank][strand]] = 2 * e + 1;
}

static void operate(int rank, int strand) {
  bool is_put = below(2);
  int e = add(rank, strand, is_put ? PUT : GET);
  events[e].target = (int)below((uint32_t)nranks), events[e].cell = (int)below(CELLS);
  events[e].unit = fake_rma(&logs[rank], is_put ? MCK_EV_PUT : MCK_EV_GET, 0, (uint32_t)e, 0, events[e].target,
                            (uint64_t)events[e].cell, 1, MCK_BASIC_INT);
  end(e);
}

static void flush(int rank, int strand) {
  int target = (int)below((uint32_t)nranks + 1) - 1, e = add(rank, strand, FLUSH);
  events[e].target = target;
  uint16_t fn = target < 0 ? MCK_FN_MPI_Win_flush_all : MCK_FN_MPI_Win_flush;
  events[e].unit = fake_event(
      &logs[rank],
      (struct mck_event){.kind = MCK_EV_SYNC, .fn = fn, .site = (uint32_t)e, .sync = {0, target, 0, 0, 0}});
  end_and_return(e);
}

static void touch(int rank, int strand) {
  bool is_store = below(2);
  int e = add(rank, strand, is_store ? STORE : LOAD);
  events[e].target = rank, events[e].cell = (int)below(CELLS);
  events[e].unit = fake_access(&logs[rank], is_store ? MCK_ACCESS_STORE : 0, (uint32_t)e, 0,
                               (uint64_t)events[e].cell * 8, 4, 1, 0);
  end(e);
}

static void send(int rank, int strand) {
  int to = (int)below((uint32_t)nranks), tag = is_shared_tag ? 0 : strand * STRANDS + (int)below(STRANDS);
  int e = add(rank, strand, SEND);
  events[e].unit = fake_send(&logs[rank], MCK_FN_MPI_Send, (uint32_t)e, 0, to, tag, MCK_BASIC_INT, 1);
  channels[rank][to][tag].sends[channels[rank][to][tag].count++] = e;
  end_and_return(e);
}

// The receive is entered now, and over when its message has come.
static void receive(int rank, int strand) {
  int from = (int)below((uint32_t)nranks), tag = is_shared_tag ? 0 : (int)below(STRANDS) * STRANDS + strand;
  for (int s = 0; s < nstrands[rank]; s++) // the strands of a process take a channel's messages one after the other
    if (waiting[rank][s] >= 0 && events[waiting[rank][s]].what == RECEIVE) return;
  int e = add(rank, strand, RECEIVE);
  events[e].unit = fake_recv(&logs[rank], MCK_FN_MPI_Recv, (uint32_t)e, 0, from, tag, MCK_BASIC_INT, 1);
  receive_from[e] = from, receive_tag[e] = tag;
  waiting[rank][strand] = e;
}

static void enter_barrier(int rank, int strand) {
  if (meeting[rank] != -1) return; // the ranks have not all left the one before
  int e = add(rank, strand, BARRIER);
  events[e].unit = fake_collective(&logs[rank], MCK_FN_MPI_Barrier, (uint32_t)e, 0, -1);
  meeting[rank] = waiting[rank][strand] = e;
  if (++nmet < nranks) return;
  for (int r = 0; r < nranks; r++)
    for (int k = 0; k < nranks; k++) order(2 * meeting[k], 2 * meeting[r] + 1);
}

static void go_on(int rank, int strand) {
  int e = waiting[rank][strand];
  if (events[e].what == BARRIER) {
    if (nmet < nranks) return;
    end_and_return(e);
    meeting[rank] = -2; // it has left
    for (int r = 0; r < nranks; r++)
      if (meeting[r] != -2) return;
    for (int r = 0; r < nranks; r++) meeting[r] = -1;
    nmet = 0;
    return;
  }
  int from = receive_from[e], tag = receive_tag[e];
  if (channels[from][rank][tag].first == channels[from][rank][tag].count) return;
  order(2 * channels[from][rank][tag].sends[channels[from][rank][tag].first++], 2 * e + 1);
  end_and_return(e);
}

static void execute(void) {
  n = nmet = 0;
  nranks = 2 + (int)below(2);
  is_shared_tag = !below(4);
  memset(reach, 0, sizeof reach), memset(last, 0xff, sizeof last), memset(writer, 0xff, sizeof writer);
  memset(moment, 0, sizeof moment), memset(knows, 0, sizeof knows), memset(told, 0, sizeof told);
  memset(snapshot, 0xff, sizeof snapshot), memset(waiting, 0xff, sizeof waiting), memset(meeting, 0xff, sizeof meeting);
  memset(channels, 0, sizeof channels), memset(knew, 0, sizeof knew), memset(told_moment, 0xff, sizeof told_moment);
  for (int r = 0; r < nranks; r++) {
    nstrands[r] = 1 + (int)below(STRANDS);
    fake_begin(&logs[r], (uint32_t)r, (uint32_t)nranks);
    struct mck_win_body body = {77, 0x10000, CELLS * 8};
    fake_define(&logs[r], MCK_EV_DEF_WIN, 0, 0, 8, 1, 0, &body, sizeof body, NULL, 0);
    logs[r].header->is_multiple = MCK_LOG_THREADS | MCK_LOG_STRANDS;
    logs[r].header->has_all_accesses = true;
  }
  for (int steps = 10 + (int)below(60); steps && n < EVENTS - 8; steps--) {
    int rank = (int)below((uint32_t)nranks), strand = (int)below((uint32_t)nstrands[rank]);
    uint32_t way = below(16);
    if (waiting[rank][strand] >= 0) go_on(rank, strand);
    else if (way < 4) operate(rank, strand);
    else if (way < 6) flush(rank, strand);
    else if (way < 8) touch(rank, strand);
    else if (way < 10) send(rank, strand);
    else if (way < 12) receive(rank, strand);
    else if (way < 13) enter_barrier(rank, strand);
    else synchronize(rank, strand);
  }
}

static bool is_conflict(const struct event *a, const struct event *b) {
  bool writes_a = a->what == PUT || a->what == STORE, writes_b = b->what == PUT || b->what == STORE;
  bool touches = a->what >= PUT && a->what <= LOAD && b->what >= PUT && b->what <= LOAD;
  if (!touches || a->target != b->target || a->cell != b->cell || (!writes_a && !writes_b)) return false;
  return !(a->what >= STORE && b->what >= STORE); // loads and stores of one process are no matter of MPI
}
// A load or store is complete at once, an operation with each flush of its target that comes behind it.
static bool is_before(int a, int b) {
  const struct event *op = &events[a];
  if (op->what >= STORE) return reach[2 * a + 1][2 * b];
  for (int f = 0; f < n; f++)
    if (events[f].what == FLUSH && events[f].rank == op->rank && reach[2 * a][2 * f] &&
        (events[f].target < 0 || events[f].target == op->target) && reach[2 * f + 1][2 * b])
      return true;
  return false;
}
static bool is_race(int a, int b) {
  return is_conflict(&events[a], &events[b]) && !is_before(a, b) && !is_before(b, a);
}

static int compare(uint64_t seed, uint64_t *races) {
  struct mck_reader readers[RANKS];
  struct mck_pairs pairs;
  struct mck_findings found = {0};
  int bad = 0, expected = 0;
  for (int r = 0; r < nranks; r++) fake_load(&logs[r], &readers[r]);
  if (!mck_pairs_make(&pairs, readers, (size_t)nranks, true)) abort();
  mck_rma_judge(readers, (size_t)nranks, &pairs, 0, MCK_RMA_EPOCHS, &found);
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++) expected += is_race(a, b);
  for (size_t i = 0; i < found.count; i++) {
    uint32_t a = found.items[i].places[0].site, b = found.items[i].places[1].site;
    if (a < (uint32_t)n && b < (uint32_t)n && is_race((int)a, (int)b)) continue;
    printf("seed %llu: not a race: %s, events %u and %u\n", (unsigned long long)seed, found.items[i].text, a, b);
    bad = 1;
  }
  if (expected && !found.count && !is_shared_tag)
    bad = 1, printf("seed %llu: %d races, none found\n", (unsigned long long)seed, expected);
  *races += found.count;
  mck_findings_free(&found);
  mck_pairs_free(&pairs);
  for (int r = 0; r < nranks; r++) fake_end(&logs[r], &readers[r]);
  return bad;
}

int main(int argc, char **argv) {
  uint64_t executions = argc > 1 ? strtoull(argv[1], NULL, 0) : 10000,
           seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) << 20;
  uint64_t races = 0, events_made = 0;
  int bad = 0;
  printf("%llu executions from seed %llu\n", (unsigned long long)executions, (unsigned long long)seed);
  for (uint64_t i = 0; i < executions && bad < 5; i++) {
    state = (seed + i) * 0x9e3779b97f4a7c15u;
    below(2), below(2);
    execute();
    events_made += (uint64_t)n;
    bad += compare(seed + i, &races);
  }
  printf("%llu events, %llu races\n", (unsigned long long)events_made, (unsigned long long)races);
  return bad != 0;
}
