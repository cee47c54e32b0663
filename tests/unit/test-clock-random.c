// RUN: %unit/test-clock-random
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lazy clocks against the truth (small-mpi.h) on random executions: the vector clocks find exactly the messages
// that could have come, the Lamport clocks a part of them.
#include "small-mpi.h"
#include "clock/clock.h"

enum { ROUNDS = 13000, STATES_MAX = 20000 };

static uint64_t found[SMALL_ALL];
static uint32_t index_of[SMALL_ALL];
static const struct small *program;

static int id_of(struct mck_pair at) { return small_id_of(program, index_of, at.log, at.index); }
static void alternative(void *context, struct mck_pair receive, struct mck_pair send) {
  (void)context;
  uint64_t bit = (uint64_t)1 << id_of(send);
  MCK_CHECK(!(found[id_of(receive)] & bit));
  found[id_of(receive)] |= bit;
}

// The same by the numbers of the wildcards whose match is known.
static const struct mck_reader *logs_now;
static const struct mck_pairs *pairs_now;
static uint64_t widest;
static void range(void *context, uint32_t log, const struct mck_clock_wildcard *wilds, uint32_t first, uint32_t n,
                  struct mck_pair send) {
  const struct mck_reader *r = &logs_now[log];
  uint32_t number = 0;
  MCK_CHECK(n > 0);
  if (n > widest) widest = n;
  for (uint64_t i = 0; i < r->units; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    if (!mck_event_is_wild(e) || !mck_event_is_known(e) || pairs_now->of[log][i].log == MCK_NONE) continue;
    MCK_CHECK(wilds[number].index == i);
    if (number >= first && number - first < n) alternative(context, (struct mck_pair){log, (uint32_t)i}, send);
    number++;
  }
  MCK_CHECK(first + n <= number);
}

static void print(const struct small *p, const struct small_truth *x) {
  static const char *const names[] = {"send",  "ssend", "issend",  "recv",  "irecv", "mprobe",
                                      "probe", "wait",  "barrier", "bcast", "scan"};
  for (int q = 0; q < p->n; q++)
    for (int i = 0; i < p->count[q]; i++) {
      int id = q * SMALL_OPS + i;
      printf("P%d %2d %s(%d,%d) match %d truth %llx found %llx%s\n", q, id, names[p->ops[q][i].kind], p->ops[q][i].peer,
             p->ops[q][i].tag, p->match[id], (unsigned long long)x->could[id], (unsigned long long)found[id],
             i < p->end[q] ? "" : " (not reached)");
    }
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : ROUNDS;
  uint64_t executions = 0, stuck = 0, pairs_found = 0, missed = 0, skipped = 0, partial = 0;
  static struct small_truth x;
  for (uint64_t round = 0; round < rounds; round++) {
    small_seed = (seed + round) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 4; i++) small_below(2);
    struct small p;
    if (round % 4 == 0) small_make(&p, (unsigned)(round / 4 % 64));
    else small_make_balanced(&p, (unsigned)(round / 4 % 32));
    small_run(&p);
    program = &p;
    struct fake logs[SMALL_PROCS];
    struct mck_reader readers[SMALL_PROCS];
    if (!small_enumerate(&p, &x, STATES_MAX)) {
      skipped++;
      continue;
    }
    small_log(&p, logs, index_of);
    for (int q = 0; q < p.n; q++) fake_load(&logs[q], &readers[q]);
    struct mck_pairs pairs;
    if (!mck_pairs_make(&pairs, readers, (size_t)p.n, true)) abort();
    // A wildcard that never got a message may have taken one, which its log does not say: then nothing is told of
    // messages that nobody took, and of receives behind it.
    bool is_partial = false;
    uint64_t taken = 0;
    for (int id = 0; id < SMALL_ALL; id++) {
      if (id % SMALL_OPS < p.end[id / SMALL_OPS] && small_is_wild(&p, id) && p.match[id] < 0) is_partial = true;
      if (small_is_send(small_at(&p, id)->kind) && p.match[id] >= 0) taken |= (uint64_t)1 << id;
    }
    executions++, stuck += p.is_stuck, partial += is_partial;
    for (int kind = MCK_CLOCK_VECTOR; kind <= MCK_CLOCK_LAMPORT; kind++) {
      memset(found, 0, sizeof found);
      struct mck_clock_counts counts;
      logs_now = readers, pairs_now = &pairs;
      struct mck_clock_sink sink = {.alternative = alternative, .range = round % 8 < 6 ? range : NULL};
      if (!mck_clock_find(readers, (size_t)p.n, &pairs, (enum mck_clock_kind)kind, &sink, &counts)) abort();
      bool is_wrong = counts.left_out > 0;
      for (int id = 0; id < SMALL_ALL; id++) {
        if (kind == MCK_CLOCK_VECTOR && !is_partial) is_wrong |= found[id] != x.could[id];
        if (kind == MCK_CLOCK_VECTOR && !pairs.undecided) is_wrong |= (x.could[id] & taken & ~found[id]) != 0;
        is_wrong |= (found[id] & ~x.could[id]) != 0;
        if (kind == MCK_CLOCK_VECTOR) pairs_found += (uint64_t)__builtin_popcountll(found[id]);
        else missed += (uint64_t)__builtin_popcountll(x.could[id] & ~found[id]);
      }
      if (is_wrong) {
        printf("seed %llu, clock %d, left out %llu\n", (unsigned long long)(seed + round), kind,
               (unsigned long long)counts.left_out);
        print(&p, &x);
        return 1;
      }
    }
    mck_pairs_free(&pairs);
    for (int q = 0; q < p.n; q++) fake_end(&logs[q], &readers[q]);
  }
  free(x.seen);
  free(x.slots);
  printf("%llu executions (%llu stuck, %llu with an open wildcard; %llu more too large): %llu alternatives, all right; "
         "Lamport clocks miss %llu\n",
         (unsigned long long)executions, (unsigned long long)stuck, (unsigned long long)partial,
         (unsigned long long)skipped, (unsigned long long)pairs_found, (unsigned long long)missed);
  return executions < rounds * 5 / 6 || (rounds >= 1000 && widest < 2);
}
