// RUN: %unit/test-rma-repeated
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The random executions of test-rma-random, in which some events of a rank's log are repeated as they are, as a loop
// does that polls: operations, loads and stores, flushes, locks that are given back. The record room leaves out all
// repetitions but two (record/rma/repeated-events.h), and all but one of loads with MPI_Win_sync. The findings must be
// those of a log that has all of them: the same places, the same texts.
//   test-rma-repeated [executions [seed]]
#define main random_main
#include "test-rma-random.c"
#undef main

enum { LONGEST = 12, TIMES = 6, SHORT = 10 };
static uint64_t stretches, findings_made;

static bool is_local(const struct mck_event *e) {
  bool is_sync = e->kind == MCK_EV_SYNC && e->fn != MCK_FN_MPI_Win_post && e->fn != MCK_FN_MPI_Win_start &&
                 e->fn != MCK_FN_MPI_Win_complete && e->fn != MCK_FN_MPI_Win_wait;
  return (e->kind == MCK_EV_ACCESS && e->flags < MCK_ACCESS_FREED) || e->kind == MCK_EV_PUT || e->kind == MCK_EV_GET ||
         e->kind == MCK_EV_ACC || is_sync;
}

// It ends as it begins: no lock is taken that is not given back, or given back that is not taken again.
static bool is_balanced(const struct mck_event *e, uint32_t length) {
  for (int r = 0; r < RANKS; r++) {
    int taken = 0, given = 0, type = 0;
    for (uint32_t i = 0; i < length; i++) {
      if (e[i].kind != MCK_EV_SYNC || e[i].sync.rank != r) continue;
      if (e[i].fn == MCK_FN_MPI_Win_unlock) given++;
      if (e[i].fn != MCK_FN_MPI_Win_lock) continue;
      if (taken++ && type != (int)e[i].sync.lock_type) return false; // of the other kind before
      type = (int)e[i].sync.lock_type;
    }
    if (taken != given) return false;
  }
  return true;
}

// A stretch of one rank's log, in units. Perhaps loads of it poll, with a MPI_Win_sync behind them.
static bool find_stretch(int *rank, uint32_t *first, uint32_t *length) {
  for (int tries = 0; tries < 50; tries++) {
    *rank = (int)below((uint32_t)nranks), *length = 1 + below(LONGEST);
    uint32_t end = logs[*rank].units, at = 0;
    uint32_t starts[EVENTS], nstarts = 0;
    for (; at < end; at += (uint32_t)mck_event_units(fake_at(&logs[*rank], at))) starts[nstarts++] = at;
    *first = starts[below(nstarts)];
    if (*first + *length > end) continue;
    const struct mck_event *e = fake_at(&logs[*rank], *first);
    bool is_good = !(e->kind == MCK_EV_ACCESS && e->flags & MCK_ACCESS_BUFFER) && is_balanced(e, *length);
    for (uint32_t i = 0; i < *length; i++) is_good = is_good && is_local(&e[i]);
    // The buffers of an operation belong to it.
    const struct mck_event *behind = e + *length;
    if (*first + *length < end && behind->kind == MCK_EV_ACCESS && behind->flags & MCK_ACCESS_BUFFER) is_good = false;
    if (is_good) return true;
  }
  return false;
}

static void copy_log(struct fake *to, struct fake *from, uint32_t first, uint32_t length, uint32_t times,
                     bool is_polling) {
  *to = (struct fake){0};
  fake_units(to, NULL, 0);
  memcpy(to->header, from->header, MCK_LOG_HEADER);
  if (first) fake_units(to, fake_at(from, 0), first);
  for (uint32_t k = 0; k < times; k++) {
    for (uint32_t i = 0; i < length; i++) {
      struct mck_event e = *fake_at(from, first + i);
      if (is_polling) e.flags |= MCK_ACCESS_VOLATILE;
      fake_event(to, e);
    }
    if (is_polling)
      fake_event(to, (struct mck_event){.kind = MCK_EV_SYNC,
                                        .fn = MCK_FN_MPI_Win_sync,
                                        .site = EVENTS,
                                        .sync = {fake_at(from, first)->access.win, -1, 0, 0, 0}});
  }
  uint32_t left = from->units - first - length;
  if (left) fake_units(to, fake_at(from, first + length), left);
}

static void judge_with(int rank, struct fake *repeated, struct mck_findings *found) {
  struct mck_reader readers[RANKS];
  struct mck_pairs pairs;
  for (int r = 0; r < nranks; r++) {
    struct fake *log = r == rank ? repeated : &logs[r];
    log->header->has_all_accesses = all_seen;
    fake_load(log, &readers[r]);
  }
  if (!mck_pairs_make(&pairs, readers, (size_t)nranks, true)) abort();
  mck_rma_judge(readers, (size_t)nranks, &pairs, 0, MCK_RMA_EPOCHS, found);
  mck_pairs_free(&pairs);
  for (int r = 0; r < nranks; r++) mck_log_unload(&readers[r]);
}

// Counts may differ, and what is said of the moments that are named.
static bool is_of_same_places(const struct mck_finding *a, const struct mck_finding *b) {
  bool is_same = a->check == b->check && a->rank == b->rank && a->nplaces > 1 && b->nplaces > 1;
  for (int i = 0; is_same && i < 2; i++)
    is_same = a->places[i].rank == b->places[i].rank && a->places[i].site == b->places[i].site &&
              !strcmp(a->places[i].label, b->places[i].label);
  return is_same && !strcmp(a->text, b->text);
}
static bool has_same(const struct mck_findings *some, const struct mck_findings *others) {
  for (size_t i = 0; i < some->count; i++) {
    bool is_there = false;
    for (size_t k = 0; k < others->count && !is_there; k++)
      is_there = is_of_same_places(&some->items[i], &others->items[k]);
    if (!is_there) return false;
  }
  return true;
}

static bool is_same_when_repeated(void) {
  int rank;
  uint32_t first, length;
  if (!find_stretch(&rank, &first, &length)) return true;
  bool is_polling = below(2);
  for (uint32_t i = 0; i < length; i++) {
    const struct mck_event *e = fake_at(&logs[rank], first + i);
    is_polling = is_polling && e->kind == MCK_EV_ACCESS && !e->flags;
  }
  struct fake few, many;
  struct mck_findings of_few = {0}, of_many = {0};
  copy_log(&few, &logs[rank], first, length, is_polling ? 1 : 2, is_polling);
  uint32_t times = 3 + below(TIMES);
  copy_log(&many, &logs[rank], first, length, times, is_polling);
  judge_with(rank, &few, &of_few), judge_with(rank, &many, &of_many);
  // Of many accesses to the same bytes only some stay on record (rma/completed-before.c): some races may not be found.
  bool is_short = length * times < SHORT;
  bool is_same = has_same(&of_many, &of_few) && (!is_short || has_same(&of_few, &of_many));
  if (!is_same) {
    printf("rank %d, units %u to %u%s: few\n", rank, first, first + length, is_polling ? ", polling" : "");
    fake_print(&of_few), printf("many\n"), fake_print(&of_many);
  }
  stretches++, findings_made += of_few.count;
  mck_findings_free(&of_few), mck_findings_free(&of_many);
  fake_end(&few, NULL), fake_end(&many, NULL);
  return is_same;
}

int main(int argc, char **argv) {
  uint64_t executions = argc > 1 ? strtoull(argv[1], NULL, 0) : 10000,
           seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) << 20;
  int bad = 0;
  printf("%llu executions from seed %llu\n", (unsigned long long)executions, (unsigned long long)seed);
  for (uint64_t i = 0; i < executions && bad < 3; i++) {
    state = (seed + i) * 0x9e3779b97f4a7c15u;
    below(2), below(2);
    execute();
    if (!is_same_when_repeated()) bad++, printf("seed %llu: not the same\n", (unsigned long long)(seed + i));
    for (int r = 0; r < nranks; r++) fake_end(&logs[r], NULL);
  }
  printf("%llu stretches, %llu findings\n", (unsigned long long)stretches, (unsigned long long)findings_made);
  return bad != 0 || !stretches;
}
