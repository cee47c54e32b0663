// RUN: %unit/scale-tool 100 1000 | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one rank, or rank 0, has to do in runs of many ranks (docs/design/scale.md): the wait-for graph, the report, and
// one rank's judge, fed with synthetic ranks. Ranks that do the same are made once. It checks the verdicts, too.
//   scale-tool RANKS...       up to 1,000,000
// CHECK: graph stencil 961 ranks
// CHECK: graph all-to-all 1000 ranks
// CHECK: judge stencil 961 ranks: {{.*}}, 4 partners
// CHECK: judge ring 1000 ranks: {{.*}}, 2 partners
// CHECK: judge master-worker 1000 ranks: {{.*}}, 999 partners
// CHECK: judge all-to-all 1000 ranks: {{.*}}, 1 partners
// CHECK: judge rma-halo 1000 ranks: {{.*}}, 2 partners
// CHECK: tables {{ *}}1000 ranks
// CHECK: report {{ *}}1000 ranks: {{.*}} 1 finding
// CHECK: all verdicts right
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "fake-log.h"
#include "judge/collective/sequence-hash.h"
#include "judge/parcel/parcel.h"
#include "stack.h"
#include "waitfor/waitfor.h"
#include "watch/thread/watch-thread.h"

enum pattern { STENCIL, RING, MASTER, ALL_TO_ALL, RMA_HALO, PATTERNS };
static const char *const names[] = {"stencil", "ring", "master-worker", "all-to-all", "rma-halo"};
enum {
  EVENTS = 4000,
  PARTNERS = 4
}; // events of one rank; of a master so many for all workers together, at least one each
static bool is_wrong;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (is_wrong = true, (void)printf("line %d: not so: %s\n", __LINE__, #condition)))

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double mebibytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (double)(info.uordblks + info.hblkhd) / (1 << 20);
}

// The ranks that rank r has messages or windows in common with; a master has all.
static int partners_of(enum pattern pattern, int size, int r, int partners[PARTNERS]) {
  int side = (int)sqrt(size), n = 0;
  if (pattern == STENCIL) {
    int x = r % side, y = r / side;
    partners[n++] = y * side + (x + 1) % side, partners[n++] = y * side + (x + side - 1) % side;
    partners[n++] = (y + 1) % side * side + x, partners[n++] = (y + side - 1) % side * side + x;
  } else if (pattern == MASTER) partners[n++] = 0;
  else partners[n++] = (r + 1) % size, partners[n++] = (r + size - 1) % size;
  return n;
}

static int used(enum pattern pattern, int size) {
  int side = (int)sqrt(size);
  return pattern == STENCIL ? side * side : size;
}

// --- the wait-for graph -------------------------------------------------------------------------------------------
// Every rank stands in the same call. is_stuck: none of them moves; else rank 0 does, which sets all free.
static void graph(enum pattern pattern, int size, bool is_stuck) {
  struct mck_waitfor g;
  int n = used(pattern, size), partners[PARTNERS];
  double before = mebibytes(), begin = seconds();
  EXPECT(mck_waitfor_init(&g, (uint32_t)n));
  // In a collective each waits for those that have not come, rank 0: one node for all of them.
  uint32_t shared = pattern == ALL_TO_ALL ? mck_waitfor_add_node(&g, MCK_WAITFOR_ALL) : 0;
  for (int r = 0; r < n; r++) {
    if (r == 0 && !is_stuck) continue;
    g.kinds[r] = MCK_WAITFOR_ALL;
    if (pattern == MASTER && r == 0) { // it takes a message from any
      g.kinds[r] = MCK_WAITFOR_ANY;
      for (int worker = 1; worker < n; worker++) mck_waitfor_add_arc(&g, 0, (uint32_t)worker);
    } else if (pattern == ALL_TO_ALL && r) mck_waitfor_add_arc(&g, (uint32_t)r, shared);
    else
      for (int i = 0, k = pattern == RING ? 1 : partners_of(pattern, n, r, partners); i < k; i++) {
        partners_of(pattern, n, r, partners);
        mck_waitfor_add_arc(&g, (uint32_t)r, (uint32_t)partners[i]);
      }
  }
  if (pattern == ALL_TO_ALL) mck_waitfor_add_arc(&g, shared, 0);
  EXPECT(mck_waitfor_solve(&g));
  double took = seconds() - begin, most = mebibytes() - before;
  uint32_t stuck = 0;
  for (int r = 0; r < n; r++) stuck += g.is_deadlocked[r];
  // Ranks that wait for two neighbours each wait for each other, whatever rank 0 does.
  bool is_mutual = pattern == STENCIL || pattern == RMA_HALO;
  EXPECT(stuck == (uint32_t)(is_stuck ? n : is_mutual ? n - 1 : 0) && g.nknots == (is_stuck || is_mutual));
  if (is_stuck) printf("graph %-14s %8d ranks: %7.3f s, %7.1f MiB\n", names[pattern], n, took, most);
  mck_waitfor_free(&g);
}

// --- the judge of one rank ----------------------------------------------------------------------------------------
static void message(struct fake *log, bool is_send, int peer, uint32_t type) {
  if (is_send) fake_send(log, MCK_FN_MPI_Isend, 1, 0, peer, 7, type, 100);
  else fake_recv(log, MCK_FN_MPI_Irecv, 2, 0, peer, 7, type, 100);
}

// What rank r does; a wrong one sends another type at last, puts where its neighbour stores, or leaves a call out.
static void write_log(struct fake *log, enum pattern pattern, int size, int r, bool is_bad) {
  int partners[PARTNERS], n = partners_of(pattern, size, r, partners);
  bool is_master = pattern == MASTER && r == 0;
  int each = pattern == MASTER ? (size > EVENTS / 2 ? 1 : EVENTS / 2 / size) : EVENTS / 2 / n;
  fake_begin(log, (uint32_t)r, (uint32_t)size);
  if (pattern == RMA_HALO) fake_win(log, 0, 0, 1, 4, 4096, "halo");
  for (int step = 0; step < each; step++) {
    bool is_last = is_bad && step == each - 1;
    if (pattern == ALL_TO_ALL) {
      if (!is_last) fake_collective(log, MCK_FN_MPI_Barrier, 1, 0, -1);
      continue;
    }
    if (pattern == RMA_HALO) {
      fake_fence(log, 1, 0);
      for (int i = 0; i < n; i++)
        fake_rma(log, MCK_EV_PUT, 0, 2, 0, partners[i], is_last ? 16 : (uint64_t)i, 1, MCK_BASIC_INT);
      fake_access(log, MCK_ACCESS_STORE, 3, 0, 64, 4, 1, 0);
      continue;
    }
    for (int i = 0; i < (is_master ? size - 1 : n); i++) {
      int peer = is_master ? i + 1 : partners[i];
      message(log, false, peer, MCK_BASIC_INT);
      message(log, true, peer, is_last ? MCK_BASIC_FLOAT : MCK_BASIC_INT);
    }
  }
  if (pattern == RMA_HALO) fake_fence(log, 1, 0);
}

struct rank {
  struct fake log;
  struct mck_reader reader;
  struct mck_judge *judge;
};
static void open_rank(struct rank *rank, enum pattern pattern, int size, int r, bool is_bad) {
  write_log(&rank->log, pattern, size, r, is_bad);
  fake_load(&rank->log, &rank->reader);
  rank->judge = mck_judge_index(&rank->reader, (uint32_t)size);
  if (!rank->judge) abort();
}
static void close_rank(struct rank *rank) {
  mck_judge_free(rank->judge);
  fake_end(&rank->log, &rank->reader);
}

// From 8 ranks on, neighbours compare their collectives first. Do two of them agree?
static bool compare_sequences(struct rank *own, struct rank *next, int own_rank, int size) {
  struct mck_parcels to = {0}, own_to = {0}, from = {0};
  bool is_alike = mck_sequence_hash_make(next->judge, &to) && mck_sequence_hash_make(own->judge, &own_to);
  // What the next rank sends to this one.
  const struct mck_parcel *sent = mck_parcels_find(&to, own_rank);
  if (sent) *mck_parcels_add(&from, (own_rank + 1) % size) = *sent;
  is_alike = is_alike && mck_sequence_hash_is_alike(own->judge, &from);
  if (is_alike) mck_sequence_hash_agreed(own->judge), mck_sequence_hash_agreed(next->judge);
  free(from.items);
  mck_parcels_free(&to), mck_parcels_free(&own_to);
  return is_alike;
}

static void judge(enum pattern pattern, int size, bool is_bad) {
  int n = used(pattern, size), me = pattern == MASTER ? 0 : n / 2, partners[PARTNERS], count, pieces = 0;
  count = partners_of(pattern, n, me, partners);
  if (pattern == MASTER) partners[0] = 1, count = 1; // one stands for all
  struct rank own, other[PARTNERS];
  double before = mebibytes(), begin = seconds();
  open_rank(&own, pattern, n, me, false);
  double indexed = seconds() - begin, own_memory = mebibytes() - before;
  for (int i = 0; i < count; i++) open_rank(&other[i], pattern, n, partners[i], is_bad && i == 0);
  bool is_alike = compare_sequences(&own, &other[0], me, n);
  EXPECT(is_alike == !(is_bad && pattern == ALL_TO_ALL));
  struct mck_parcels from = {0};
  uint64_t bytes = 0;
  for (int i = 0; i < count; i++) {
    const struct mck_parcel *sent = mck_parcels_find(mck_judge_parcels(other[i].judge), me);
    if (sent) *mck_parcels_add(&from, partners[i]) = *sent;
    for (int r = 2; sent && pattern == MASTER && r < n; r++) *mck_parcels_add(&from, r) = *sent;
  }
  for (size_t i = 0; i < from.count; i++) pieces++, bytes += from.items[i].parcel.size;
  struct mck_judge_run run = {(uint32_t)n, true};
  struct mck_findings found = {0};
  before = mebibytes(), begin = seconds();
  mck_judge_parcels(own.judge);
  mck_judge_decide(own.judge, &from, &run, &found);
  double decided = seconds() - begin;
  own_memory += mebibytes() - before + (double)(from.capacity * sizeof *from.items) / (1 << 20);
  if (pattern != ALL_TO_ALL) EXPECT(is_bad == (found.count > 0)); // there the neighbours said it
  if (pattern == ALL_TO_ALL) pieces = 1;
  if (!is_bad)
    printf("judge %-14s %8d ranks: %9.3f ms for %u events, %7.2f MiB, %llu bytes from others, %d partners\n",
           names[pattern], n, (indexed + decided) * 1e3, own.log.units, own_memory, (unsigned long long)bytes, pieces);
  free(from.items);
  mck_findings_free(&found);
  for (int i = 0; i < count; i++) close_rank(&other[i]);
  close_rank(&own);
}

// --- what grows with the ranks though nothing happens ----------------------------------------------------------------
// What rank 0's watch keeps of nodes of 128 ranks, which have their ranks in blocks or in turns.
enum { NODE_RANKS = 128 };
static double node_tables(uint32_t size, bool is_in_turns) {
  uint32_t n = (size + NODE_RANKS - 1) / NODE_RANKS;
  double before = mebibytes();
  struct mck_node_ranks *of = calloc(n, sizeof *of);
  if (!of) abort();
  for (uint32_t r = 0; r < size; r++) EXPECT(mck_node_ranks_add(&of[is_in_turns ? r % n : r / NODE_RANKS], r));
  for (uint32_t i = 0; i < n; i++) mck_node_ranks_trim(&of[i]);
  double most = mebibytes() - before;
  for (uint32_t r = 0; r < size; r++) {
    uint32_t node = is_in_turns ? r % n : r / NODE_RANKS, place = is_in_turns ? r / n : r % NODE_RANKS;
    EXPECT(mck_node_ranks_place(&of[node], r) == place && mck_node_ranks_at(&of[node], place) == r);
    EXPECT(mck_node_ranks_place(&of[(node + 1) % n], r) == (n > 1 ? MCK_NONE : place));
  }
  for (uint32_t i = 0; i < n; i++) mck_node_ranks_free(&of[i]);
  free(of);
  return most + n * (sizeof(uint64_t) + sizeof(struct mck_hangs)) / 1048576.0; // node-root.c: pictures, hangs
}

static void tables(int size) {
  struct rank rank;
  double before = mebibytes();
  fake_begin(&rank.log, 0, (uint32_t)size);
  fake_load(&rank.log, &rank.reader);
  rank.judge = mck_judge_index(&rank.reader, (uint32_t)size);
  mck_judge_parcels(rank.judge);
  double judge = mebibytes() - before;
  close_rank(&rank);
  double blocks = node_tables((uint32_t)size, false), turns = node_tables((uint32_t)size, true);
  printf("tables %21d ranks: judge of a rank %.2f MiB; watch of a node of %d ranks %.2f MiB, of rank 0 %.2f MiB more\n",
         size, judge, NODE_RANKS, NODE_RANKS * (sizeof(struct seen) + sizeof(void *)) / 1048576.0,
         blocks > turns ? blocks : turns);
}

// --- the report
// ------------------------------------------------------------------------------------------------------- Each rank has
// found the same.
static void report(int size) {
  struct mck_findings findings = {0};
  uint32_t site = stack_here();
  for (int r = size - 1; r >= 0; r--) {
    struct mck_finding *f = mck_findings_add(&findings, MCK_CHECK_TYPE_MISMATCH, r);
    mck_finding_text(f, "MPI_DOUBLE is sent where MPI_FLOAT is received");
    mck_finding_why(f, "element 0: the sender has MPI_DOUBLE, the receiver MPI_FLOAT");
    mck_finding_place(f, r, site, "MPI_Send from rank %d", r);
    mck_finding_place(f, (r + 1) % size, site, "MPI_Recv on rank %d", (r + 1) % size);
  }
  struct mck_report_run run = {.program = "./scale", .size = (uint32_t)size, .calls = 1};
  double begin = seconds(), before = mebibytes();
  int groups = mck_report_write(&findings, &stack_source, &run, &(struct mck_report_options){.text_path = "/dev/null"});
  printf("report %21d ranks: %7.3f s, findings of all ranks %.1f MiB, %d finding\n", size, seconds() - begin, before,
         groups);
  EXPECT(groups == 1);
  mck_findings_free(&findings);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    int size = atoi(argv[i]);
    if (size < 16 || size > 1000000) return 2;
    for (enum pattern p = 0; p < PATTERNS; p++) graph(p, size, false), graph(p, size, true);
    for (enum pattern p = 0; p < PATTERNS; p++) judge(p, size, false), judge(p, size, true);
    tables(size);
    nstacks = 0;
    report(size);
  }
  if (!is_wrong) printf("all verdicts right\n");
  return is_wrong;
}
