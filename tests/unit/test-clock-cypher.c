// RUN: %unit/test-clock-cypher
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cypher and Leu's algorithm, the lazy clocks and the truth (small-mpi.h) on random executions, as far as the theory
// says (docs/design/clocks.md): there is a race for one exactly if there is for the others, also when the former keeps
// only what theorems 4.3 and 4.4 leave; the conflicts of its definition contain what the lazy clocks find, and with one
// tag name the same senders.
#include "small-mpi.h"
#include "clock/clock.h"
#include "clock/cypher-leu.h"

enum { ROUNDS = 13500, STATES_MAX = 20000 };

static uint64_t lazy[SMALL_ALL], all[SMALL_ALL], some[SMALL_ALL], *into;
static uint32_t index_of[SMALL_ALL];
static const struct small *program;

static int id_of(struct mck_pair at) { return small_id_of(program, index_of, at.log, at.index); }
static void note(void *context, struct mck_pair receive, struct mck_pair send) {
  (void)context;
  into[id_of(receive)] |= (uint64_t)1 << id_of(send);
}
static bool is_any(const uint64_t *set) {
  uint64_t bits = 0;
  for (int i = 0; i < SMALL_ALL; i++) bits |= set[i];
  return bits != 0;
}
static uint32_t senders(uint64_t set) {
  uint32_t bits = 0;
  for (int i = 0; i < SMALL_ALL; i++)
    if (set >> i & 1) bits |= 1u << i / SMALL_OPS;
  return bits;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : ROUNDS;
  uint64_t executions = 0, races = 0, stuck = 0, more = 0;
  size_t kept = 0, kept_all = 0;
  static struct small_truth x;
  for (uint64_t round = 0; round < rounds; round++) {
    small_seed = (seed + round) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 4; i++) small_below(2);
    struct small p;
    unsigned with = (unsigned)(round / 4 % 64) & ~(unsigned)SMALL_PROBES;
    if (round % 4 == 0) small_make(&p, with);
    else small_make_balanced(&p, with);
    small_run(&p);
    program = &p;
    bool is_partial = false;
    for (int id = 0; id < SMALL_ALL; id++)
      is_partial |= id % SMALL_OPS < p.end[id / SMALL_OPS] && small_is_wild(&p, id) && p.match[id] < 0;
    if (is_partial || !small_enumerate(&p, &x, STATES_MAX)) continue;
    struct fake logs[SMALL_PROCS];
    struct mck_reader readers[SMALL_PROCS];
    small_log(&p, logs, index_of);
    for (int q = 0; q < p.n; q++) fake_load(&logs[q], &readers[q]);
    struct mck_pairs pairs;
    if (!mck_pairs_make(&pairs, readers, (size_t)p.n, true)) abort();
    struct mck_clock_counts counts;
    struct mck_cypher_counts one, other;
    memset(lazy, 0, sizeof lazy), memset(all, 0, sizeof all), memset(some, 0, sizeof some);
    into = lazy;
    if (!mck_clock_find(readers, (size_t)p.n, &pairs, MCK_CLOCK_VECTOR, &(struct mck_clock_sink){.alternative = note},
                        &counts))
      abort();
    into = all;
    if (!mck_cypher_find(readers, (size_t)p.n, &pairs, true, &(struct mck_cypher_sink){.conflict = note}, &one))
      abort();
    into = some;
    if (!mck_cypher_find(readers, (size_t)p.n, &pairs, false, &(struct mck_cypher_sink){.conflict = note}, &other))
      abort();
    // A receive whose only wildcard is its tag gets its messages in one order: never in a conflict of two processes.
    bool is_wrong = is_any(lazy) != is_any(all) || is_any(all) != is_any(some) || is_any(x.could) != is_any(all);
    for (int id = 0; id < SMALL_ALL; id++) {
      is_wrong |= (lazy[id] & ~all[id]) || (some[id] & ~all[id]);
      if (!(with & (SMALL_TAGS | SMALL_ANYTAG))) is_wrong |= senders(lazy[id]) != senders(all[id]);
      more += (uint64_t)__builtin_popcountll(all[id] & ~lazy[id]);
    }
    if (is_wrong) {
      printf("seed %llu: lazy %d, all %d, some %d, truth %d\n", (unsigned long long)(seed + round), is_any(lazy),
             is_any(all), is_any(some), is_any(x.could));
      for (int id = 0; id < SMALL_ALL; id++)
        if (id % SMALL_OPS < p.end[id / SMALL_OPS])
          printf("%d: kind %d (%d,%d) match %d: truth %llx lazy %llx all %llx some %llx\n", id, small_at(&p, id)->kind,
                 small_at(&p, id)->peer, small_at(&p, id)->tag, p.match[id], (unsigned long long)x.could[id],
                 (unsigned long long)lazy[id], (unsigned long long)all[id], (unsigned long long)some[id]);
      return 1;
    }
    executions++, races += is_any(all), stuck += p.is_stuck;
    if (other.kept > kept) kept = other.kept;
    if (one.kept > kept_all) kept_all = one.kept;
    mck_pairs_free(&pairs);
    for (int q = 0; q < p.n; q++) fake_end(&logs[q], &readers[q]);
  }
  free(x.seen);
  free(x.slots);
  printf("%llu executions (%llu stuck), %llu with races: all agree; %llu conflicts are of messages that others stand "
         "before; at most %zu matches kept, %zu without deletion\n",
         (unsigned long long)executions, (unsigned long long)stuck, (unsigned long long)races, (unsigned long long)more,
         kept, kept_all);
  return executions < rounds * 2 / 3;
}
