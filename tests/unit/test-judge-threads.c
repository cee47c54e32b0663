// RUN: %unit/test-judge-threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random messages on one channel by several threads of a sender and of a receiver, against brute force: all orders of
// the sends, and of the receives, that the threads allow. What the judge says of types must hold in each of them; where
// there is one order only, it must say all that is wrong.
//   test-judge-threads [executions [seed]]
#include "fake-log.h"

enum { SIDES = 2, MESSAGES = 5, THREADS = 3, ORDERS = 120 }; // 5!

static uint64_t state;
static uint32_t below(uint32_t k) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % k;
}

struct side {
  int n, nthreads, thread[MESSAGES];
  uint32_t type[MESSAGES];
  bool is_before[MESSAGES][MESSAGES];
  int norders, orders[ORDERS][MESSAGES];
  struct fake log;
};

// --- threads ---------------------------------------------------------------------------------------------------------
// Each operation ends a moment of its thread; then the thread may learn all that another one did until now.
static void make(struct side *s, uint32_t rank) {
  uint32_t time[THREADS] = {0}, knows[THREADS][THREADS], told[THREADS][THREADS] = {{0}};
  memset(knows, 0, sizeof knows);
  fake_begin(&s->log, rank, SIDES);
  s->log.header->is_multiple = MCK_LOG_THREADS | MCK_LOG_STRANDS;
  s->n = 1 + (int)below(MESSAGES), s->nthreads = 1 + (int)below(THREADS);
  bool is_uniform = !below(3);
  int last[THREADS] = {-1, -1, -1};
  memset(s->is_before, 0, sizeof s->is_before);
  for (int i = 0; i < s->n; i++) {
    int t = (int)below((uint32_t)s->nthreads), other = (int)below((uint32_t)s->nthreads);
    if (other != t && below(2)) { // it learns of the other one
      if (knows[t][other] < time[other]) knows[t][other] = time[other];
      for (int k = 0; k < THREADS; k++)
        if (k != t && knows[t][k] < knows[other][k]) knows[t][k] = knows[other][k];
      if (last[other] >= 0) {
        s->is_before[last[other]][i] = true;
        for (int k = 0; k < i; k++) s->is_before[k][i] |= s->is_before[k][last[other]];
      }
    }
    if (last[t] >= 0) {
      s->is_before[last[t]][i] = true;
      for (int k = 0; k < i; k++) s->is_before[k][i] |= s->is_before[k][last[t]];
    }
    struct mck_event units[2] = {{.kind = MCK_EV_STRAND, .site = MCK_NONE}};
    struct mck_strand_news *news = (void *)&units[1];
    uint32_t n = 0;
    for (int k = 0; k < THREADS; k++)
      if (knows[t][k] > told[t][k])
        news[n++] = (struct mck_strand_news){(uint32_t)k + 5, (told[t][k] = knows[t][k]) - 1};
    units[0].strand.extra = n ? 1 : 0, units[0].strand.strand = (uint32_t)t + 5;
    units[0].strand.time = time[t]++, units[0].strand.n = n;
    fake_units(&s->log, units, 1 + units[0].strand.extra);
    s->thread[i] = t, last[t] = i;
    s->type[i] = is_uniform || below(2) ? MCK_BASIC_INT : MCK_BASIC_DOUBLE;
    uint32_t site = rank * 10 + (uint32_t)i + 1;
    if (rank) fake_recv(&s->log, MCK_FN_MPI_Recv, site, 0, 0, 3, s->type[i], 1);
    else fake_send(&s->log, MCK_FN_MPI_Send, site, 0, 1, 3, s->type[i], 1);
  }
}

// --- brute force -----------------------------------------------------------------------------------------------------
static void extend(struct side *s, int *order, int length, unsigned used) {
  if (length == s->n) {
    memcpy(s->orders[s->norders++], order, sizeof s->orders[0]);
    return;
  }
  for (int i = 0; i < s->n; i++) {
    bool is_ready = !(used >> i & 1);
    for (int k = 0; k < s->n && is_ready; k++) is_ready = !s->is_before[k][i] || used >> k & 1;
    if (!is_ready) continue;
    order[length] = i;
    extend(s, order, length + 1, used | 1u << i);
  }
}

static bool is_wrong(const struct side *s, const struct side *r, int send, int receive, int a, int b) {
  return s->orders[a][send] >= 0 && s->type[s->orders[a][send]] != r->type[r->orders[b][receive]];
}

// In each order one of the two operations (-1: any) has a partner of another type. is_all: how often at least.
static bool holds(const struct side *s, const struct side *r, int send, int receive) {
  int n = s->n < r->n ? s->n : r->n;
  for (int a = 0; a < s->norders; a++)
    for (int b = 0; b < r->norders; b++) {
      bool is_there = false;
      for (int k = 0; k < n; k++)
        is_there |= is_wrong(s, r, k, k, a, b) && (s->orders[a][k] == send || r->orders[b][k] == receive);
      if (!is_there) return false;
    }
  return true;
}

static int check(struct side *sides, int *nsaid, int *nexact) {
  struct side *s = &sides[0], *r = &sides[1];
  struct mck_findings found = {0};
  fake_judge((struct fake[]){s->log, r->log}, SIDES, true, &found);
  int errors = 0, nwrong = 0, nfound = 0, n = s->n < r->n ? s->n : r->n, nlost = 0, nunmatched = 0;
  for (size_t i = 0; i < found.count; i++) {
    const struct mck_finding *f = &found.items[i];
    if (f->check == MCK_CHECK_MESSAGE_LOST) nlost += (int)f->count;
    if (f->check == MCK_CHECK_MESSAGE_UNMATCHED_RECEIVE) nunmatched += (int)f->count;
    if (f->check != MCK_CHECK_TYPE_MISMATCH) continue;
    nfound += (int)f->count, (*nsaid)++;
    errors += !holds(s, r, (int)f->places[0].site - 1, (int)f->places[1].site - 11);
  }
  errors += nlost != (s->n > r->n ? s->n - r->n : 0);
  errors += nunmatched > (r->n > s->n ? r->n - s->n : 0);
  if (s->norders == 1 && r->norders == 1) {
    for (int k = 0; k < n; k++) nwrong += is_wrong(s, r, k, k, 0, 0);
    errors += nfound != nwrong || nunmatched != (r->n > s->n ? r->n - s->n : 0);
    (*nexact)++;
  }
  mck_findings_free(&found);
  return errors;
}

int main(int argc, char **argv) {
  long executions = argc > 1 ? atol(argv[1]) : 20000;
  state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  int errors = 0, nsaid = 0, nexact = 0;
  static struct side sides[SIDES];
  for (long i = 0; i < executions && errors < 10; i++) {
    uint64_t seed = state;
    for (uint32_t r = 0; r < SIDES; r++) {
      int order[MESSAGES];
      make(&sides[r], r);
      sides[r].norders = 0;
      extend(&sides[r], order, 0, 0);
    }
    int wrong = check(sides, &nsaid, &nexact);
    if (wrong) printf("execution %ld (seed %llu): wrong\n", i, (unsigned long long)seed);
    errors += wrong;
  }
  printf("%ld executions, %d of one order, %d findings of types, %d errors\n", executions, nexact, nsaid, errors);
  return errors != 0 || nsaid < 100 || nexact < 100;
}
