// RUN: %unit/test-watch-threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deadlocks of ranks with several threads, on random worlds, against a reference that plays all matches. A thread waits
// in a receive, a synchronous send, or for another thread. A thread that goes on may do anything: so what waits for its
// rank may go on, too. The reference frees threads until nobody is left who may be freed; the proof must find a
// deadlock where, and only where, all threads of a rank are left.
#include "standard/constants.h"
#include "watch-log.h"
#include "watch/proof/proof.h"

enum { WORLDS = 20000, RANKS = 4, THREADS = 3, MESSAGES = 64, TAGS = 2, NEVER_SENT = 9 };
enum what { RECEIVES, RECEIVES_ANY, SENDS, JOINS, INSIDE };
struct thread {
  enum what what;
  int peer, tag; // of a message; JOINS: peer is the thread
  bool is_free;
};
static struct rank {
  int nthreads; // 0: it goes on
  bool is_ordered;
  struct thread threads[THREADS];
  struct mck_thread_wait waits[THREADS];
} ranks[RANKS];
static int nranks;
static struct message {
  int from, to, tag;
  struct thread *sender; // of a synchronous send; NULL: its call has returned
  bool is_taken;
} messages[MESSAGES];
static int nmessages;

static uint64_t state;
static int pick(int n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)n);
}

// --- the world -------------------------------------------------------------------------------------------------------
static void add_message(int from, int to, int tag, struct thread *sender) {
  if (nmessages == MESSAGES) abort();
  messages[nmessages++] = (struct message){from, to, tag, sender, false};
}

static uint64_t mark_of(int r, struct thread *t) {
  uint32_t rank = (uint32_t)r;
  switch (t->what) {
  case RECEIVES: return recv(rank, t->peer, t->tag) + 1ull;
  case RECEIVES_ANY: return recv_any(rank, NEVER_SENT) + 1ull;
  case SENDS: add_message(r, t->peer, t->tag, t); return ssend(rank, t->peer, t->tag) + 1ull;
  default: return 0;
  }
}

static void make_thread(int r, int i) {
  static const uint8_t inside[] = {MCK_SLOT_LOCK, MCK_SLOT_CONDITION, MCK_SLOT_SEMAPHORE, MCK_SLOT_BARRIER};
  struct rank *rank = &ranks[r];
  struct thread *t = &rank->threads[i];
  *t = (struct thread){(enum what)pick(5), pick(nranks), pick(TAGS), false};
  if (t->what == JOINS && !i) t->what = INSIDE;
  if (t->what == JOINS) t->peer = pick(i); // joins have no cycle: pthread_join fails there (EDEADLK)
  struct mck_thread_wait *w = &rank->waits[i];
  *w = (struct mck_thread_wait){.slot = (uint32_t)i + 1, .tid = (uint32_t)i + 1, .is_main = i == 0};
  w->wait = mark_of(r, t);
  if (t->what == JOINS) w->what = MCK_SLOT_JOIN, w->object = (uint64_t)t->peer + 1;
  if (t->what == INSIDE) w->what = inside[pick(4)], w->object = 4096;
}

static void make_world(uint64_t seed) {
  state = seed * 0x9e3779b97f4a7c15u + 1;
  for (int i = 0; i < 4; i++) pick(2);
  nranks = 1 + pick(RANKS), nmessages = 0;
  new_world((uint32_t)nranks);
  for (int r = 0; r < nranks; r++) {
    struct rank *rank = &ranks[r];
    rank->nthreads = pick(12) ? 1 + pick(THREADS) : 0;
    rank->is_ordered = rank->nthreads < 2;
    if (!rank->is_ordered) atomic_store(&memory[r]->header.is_multiple, MCK_LOG_THREADS);
    for (int n = pick(2); n > 0; n--) {
      int to = pick(nranks), tag = pick(TAGS);
      isend((uint32_t)r, to, tag);
      add_message(r, to, tag, NULL);
    }
    for (int i = 0; i < rank->nthreads; i++) make_thread(r, i);
    if (rank->nthreads)
      marks[r] = (struct mck_snapshot){
          .wait = rank->waits[0].wait, .threads = rank->waits, .nthreads = (uint32_t)rank->nthreads};
  }
}

// --- the reference ---------------------------------------------------------------------------------------------------
static bool may_act(int r) {
  bool may = !ranks[r].nthreads;
  for (int i = 0; i < ranks[r].nthreads; i++) may |= ranks[r].threads[i].is_free;
  return may;
}

static bool is_helped(int r, const struct thread *t) {
  bool is_any = false;
  for (int q = 0; q < nranks; q++) is_any |= may_act(q);
  switch (t->what) {
  case RECEIVES:
  case SENDS: return may_act(t->peer);
  case RECEIVES_ANY: return is_any;
  case JOINS: return ranks[r].threads[t->peer].is_free;
  default: return may_act(r);
  }
}

static void spread(void) {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (int r = 0; r < nranks; r++)
      for (int i = 0; i < ranks[r].nthreads; i++) {
        struct thread *t = &ranks[r].threads[i];
        if (!t->is_free && is_helped(r, t)) t->is_free = is_changed = true;
      }
  }
}

// Messages of one thread do not overtake each other (MPI-3.1 3.5).
static bool is_first(int m) {
  for (int i = 0; i < m && ranks[messages[m].from].is_ordered; i++)
    if (messages[i].from == messages[m].from && messages[i].to == messages[m].to &&
        messages[i].tag == messages[m].tag && !messages[i].is_taken)
      return false;
  return true;
}

// Plays each match that can come next; left[r] stays true where no play frees the rank.
static void play(bool *left) {
  struct rank before[RANKS];
  memcpy(before, ranks, sizeof before);
  spread();
  for (int r = 0; r < nranks; r++) left[r] &= !may_act(r);
  memcpy(ranks, before, sizeof before);
  for (int m = 0; m < nmessages; m++)
    for (int i = 0; i < ranks[messages[m].to].nthreads; i++) {
      struct thread *t = &ranks[messages[m].to].threads[i];
      if (messages[m].is_taken || t->is_free || t->what != RECEIVES || t->peer != messages[m].from ||
          t->tag != messages[m].tag || !is_first(m))
        continue;
      messages[m].is_taken = t->is_free = true;
      if (messages[m].sender) messages[m].sender->is_free = true;
      play(left);
      messages[m].is_taken = t->is_free = false;
      if (messages[m].sender) messages[m].sender->is_free = false;
    }
}

static bool prove_all(const struct mck_reader *logs, struct mck_findings *list) {
  uint8_t patience[WORLD_MAX];
  memset(patience, MCK_PATIENCE_LONG, sizeof patience);
  return mck_watch_prove_patiently(logs, marks, patience, world, list);
}

// Returns whether there is a deadlock.
static bool check(uint64_t seed) {
  make_world(seed);
  bool left[RANKS], is_stuck = false;
  for (int r = 0; r < nranks; r++) left[r] = ranks[r].nthreads > 0;
  play(left);
  for (int r = 0; r < nranks; r++) is_stuck |= left[r];
  struct mck_findings findings = {0};
  bool is_proved = prove_with(prove_all, &findings);
  for (size_t i = 0; i < findings.count; i++)
    for (uint32_t p = 0; p < findings.items[i].nplaces; p++) {
      int rank = findings.items[i].places[p].rank;
      if (rank >= 0 && !left[rank])
        printf("seed %llu: rank %d may go on\n", (unsigned long long)seed, rank), failures++;
    }
  if (is_proved != is_stuck)
    printf("seed %llu: %s, and the reference says otherwise\n", (unsigned long long)seed,
           is_proved ? "a deadlock" : "no deadlock"),
        failures++;
  mck_findings_free(&findings);
  return is_stuck;
}

int main(void) {
  int nstuck = 0;
  for (uint64_t seed = 0; seed < WORLDS && failures < 20; seed++) nstuck += check(seed);
  printf("%d worlds, %d with a deadlock, %d failures\n", WORLDS, nstuck, failures);
  return failures || nstuck < WORLDS / 10 || nstuck > WORLDS / 10 * 9;
}
