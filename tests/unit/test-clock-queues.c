// RUN: %unit/test-clock-queues
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain runs (clock/plain-run-clock.h): small ones against the truth by enumeration (small-mpi.h), larger ones against
// clock.h, which finds the same by pairs and for all runs: the same ranges, and the same findings.
#include "small-mpi.h"
#include "clock/receive-class.h"
#include "judge/message/message-race.h"

enum { SMALL_ROUNDS = 12000, LARGE_ROUNDS = 1500, STATES_MAX = 20000, RANKS = 10, CHANNELS = RANKS * RANKS * 4 };

static void no_kind(void *context, uint32_t log, const struct mck_event *e) { (void)context, (void)log, (void)e; }
static void no_alternative(void *context, uint32_t kind, struct mck_pair receive, struct mck_pair got,
                           struct mck_pair send) {
  (void)context, (void)kind, (void)receive, (void)got, (void)send;
}
static void no_sum(void *context, uint32_t log, uint32_t kind, uint64_t n, uint64_t open, uint32_t others) {
  (void)context, (void)log, (void)kind, (void)n, (void)open, (void)others;
}

// --- small ones ---
// What is not plain becomes so; some receives are nonblocking, and completed by the next call.
static void simplify(struct small *p) {
  for (int q = 0; q < p->n; q++) {
    int n = 0;
    struct small_op ops[SMALL_OPS];
    for (int i = 0; i < p->count[q]; i++) {
      struct small_op o = p->ops[q][i];
      if (o.kind == SMALL_WAIT) continue;
      if (small_is_send(o.kind)) o.kind = SMALL_SEND;
      bool is_pair = small_is_receive(o.kind) && n + 1 + (p->count[q] - i) < SMALL_OPS && small_below(3) == 0;
      if (small_is_receive(o.kind)) o.kind = is_pair ? SMALL_IRECV : SMALL_RECV;
      ops[n++] = o;
      if (!is_pair) continue;
      ops[n] = (struct small_op){SMALL_WAIT, n - 1, 0};
      n++;
    }
    memcpy(p->ops[q], ops, (size_t)n * sizeof *ops);
    p->count[q] = n;
  }
}

static const struct small *program;
static uint32_t index_of[SMALL_ALL];
static uint64_t found[SMALL_ALL], told[SMALL_ALL];

static int id_of(struct mck_pair at) { return small_id_of(program, index_of, at.log, at.index); }
static void small_range(void *context, uint32_t log, uint32_t first, uint32_t n, struct mck_pair send) {
  (void)context;
  uint32_t number = 0;
  for (int i = 0; i < program->end[log]; i++) {
    int id = (int)log * SMALL_OPS + i;
    enum small_kind kind = small_at(program, id)->kind;
    if ((!small_is_receive(kind) && kind != SMALL_PROBE) || small_at(program, id)->peer != SMALL_ANY) continue;
    if (number >= first && number - first < n) {
      MCK_CHECK(!(found[id] >> id_of(send) & 1));
      found[id] |= (uint64_t)1 << id_of(send);
    }
    number++;
  }
  MCK_CHECK(first + n <= number);
}
// Each call is at a place of its own here, so each receive is a kind and each message looks like no other.
static void small_alternative(void *context, uint32_t kind, struct mck_pair receive, struct mck_pair got,
                              struct mck_pair send) {
  (void)context, (void)kind;
  MCK_CHECK(program->match[id_of(receive)] == id_of(got));
  told[id_of(receive)] |= (uint64_t)1 << id_of(send);
}

static bool is_small_right(uint64_t seed, uint64_t *plain, uint64_t *alternatives) {
  static struct small_truth x;
  static bool is_first = true;
  struct small p;
  struct fake logs[SMALL_PROCS];
  struct mck_reader readers[SMALL_PROCS];
  struct mck_plain_run plain_run;
  small_seed = seed * 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 4; i++) small_below(2);
  unsigned with = (seed % 5 == 0 ? SMALL_TAGS : 0) | (seed % 2 ? SMALL_COLLS : 0) | (seed % 3 == 0 ? SMALL_ANYTAG : 0) |
                  (seed % 7 < 3 ? SMALL_PROBES : 0);
  if (seed % 4 == 0) small_make(&p, with);
  else small_make_balanced(&p, with);
  simplify(&p);
  small_run(&p);
  program = &p;
  if (is_first) memset(&x, 0, sizeof x), is_first = false;
  if (!small_enumerate(&p, &x, STATES_MAX)) return true;
  small_log(&p, logs, index_of);
  for (int q = 0; q < p.n; q++) fake_load(&logs[q], &readers[q]);
  memset(found, 0, sizeof found), memset(told, 0, sizeof told);
  bool is_plain = mck_plain_run_read(&plain_run, readers, (size_t)p.n) == MCK_PLAIN_READ &&
                  mck_plain_run_join(&plain_run, readers) == MCK_PLAIN_READ;
  const struct mck_clock_plain_sink sink = {NULL, no_kind, small_alternative, no_sum, small_range};
  bool is_good = true;
  if (is_plain && mck_clock_find_plain(&plain_run, readers, &sink) == MCK_CLOCK_PLAIN_DONE) {
    ++*plain;
    for (int id = 0; id < SMALL_ALL; id++) {
      is_good &= found[id] == x.could[id] && told[id] == found[id];
      *alternatives += (uint64_t)__builtin_popcountll(found[id]);
      if (found[id] != x.could[id] || told[id] != found[id])
        printf("seed %llu, P%d %d: truth %llx found %llx told %llx\n", (unsigned long long)seed, id / SMALL_OPS,
               id % SMALL_OPS, (unsigned long long)x.could[id], (unsigned long long)found[id],
               (unsigned long long)told[id]);
    }
  }
  mck_plain_run_free(&plain_run);
  for (int q = 0; q < p.n; q++) fake_end(&logs[q], &readers[q]);
  return is_good;
}

// --- larger ones: a run as it goes, each rank doing something that it can do then ---
struct large {
  int n, sites;
  uint32_t room; // of the receives, or 1 more; with 2 a message may be left to one that it does not fit
  struct fake logs[RANKS];
  struct {
    uint32_t count;
    uint32_t sent[4096];
    uint32_t first;
  } channels[CHANNELS]; // sent: where
  struct {
    int comm, tag;
  } wild[RANKS]; // comm -1: none; tag -1: any
  uint64_t left, overtaken, probes, shared;
  bool has_wild[RANKS];
  bool is_over[RANKS][2][RANKS],
      is_ordered[RANKS][2][RANKS]; // [to][comm][from]: not taken in their order; received with any tag
};
static int channel_of(int comm, int from, int to, int tag) { return ((comm * 2 + tag) * RANKS + from) * RANKS + to; }
static uint32_t open_of(const struct large *l, int channel) {
  return l->channels[channel].count - l->channels[channel].first;
}

static void large_send(struct large *l, int from, int to, int comm, int tag) {
  int c = channel_of(comm, from, to, tag);
  if (l->channels[c].count == 4096) return;
  uint32_t count = 1 + (small_below(6) == 0) + (l->sites > 1 && small_below(200) == 0);
  uint8_t flags = small_below(10) == 0 ? MCK_FLAG_NONBLOCKING : small_below(10) == 0 ? MCK_FLAG_BUFFERED : 0;
  l->channels[c].sent[l->channels[c].count++] = fake_message(
      &l->logs[from], MCK_EV_SEND, flags, flags == MCK_FLAG_NONBLOCKING ? MCK_FN_MPI_Isend : MCK_FN_MPI_Send,
      small_below((uint32_t)l->sites), (uint32_t)comm, to, tag,
      l->sites == 1 || small_below(40) ? MCK_BASIC_INT : MCK_BASIC_DOUBLE, count);
  l->left++;
}

static uint32_t next_of(const struct large *l, int channel) {
  return open_of(l, channel) ? l->channels[channel].sent[l->channels[channel].first] : MCK_NONE;
}

// tag -1: any, the first that this sender has sent.
static int first_channel(const struct large *l, int comm, int from, int to, int tag) {
  int one = channel_of(comm, from, to, tag < 0 ? 0 : tag), two = channel_of(comm, from, to, tag < 0 ? 1 : tag);
  return next_of(l, two) < next_of(l, one) ? two : one;
}

// The next call completes what was begun at the event.
static void large_complete(struct large *l, int q, uint32_t event) {
  bool is_test = small_below(4) == 0;
  struct mck_event e = {.kind = is_test ? MCK_EV_DONE : MCK_EV_WAIT,
                        .flags = MCK_WAIT_ALL,
                        .fn = is_test ? MCK_FN_MPI_Test : MCK_FN_MPI_Wait,
                        .site = 300};
  e.wait.count = 1;
  for (int k = 0; k < 4; k++) e.wait.request[k] = k ? MCK_NONE : event;
  fake_event(&l->logs[q], e);
}

static void large_receive(struct large *l, int to, bool is_wild, int comm, int tag, bool is_probe) {
  int from = (int)small_below((uint32_t)l->n);
  for (int i = 0; i < l->n && !open_of(l, first_channel(l, comm, from, to, tag)); i++) from = (from + 1) % l->n;
  int c = first_channel(l, comm, from, to, tag), taken = c / RANKS / RANKS % 2;
  if (!open_of(l, c)) return;
  bool is_any = l->wild[to].comm == comm && l->wild[to].tag < 0;
  l->is_over[to][comm][from] |= c != first_channel(l, comm, from, to, -1);
  l->is_ordered[to][comm][from] |= !is_wild && tag < 0;
  l->channels[c].first += !is_probe;
  l->left -= !is_probe;
  l->probes += is_probe;
  l->has_wild[to] |= is_wild;
  uint8_t flags = is_wild   ? MCK_FLAG_ANY_SOURCE | MCK_FLAG_MATCHED | (tag < 0 ? MCK_FLAG_ANY_TAG : 0)
                  : tag < 0 ? MCK_FLAG_ANY_TAG | MCK_FLAG_MATCHED
                            : 0;
  // A place of both kinds is left to the general way.
  bool is_ordered = !is_wild && tag < 0, is_shared = is_ordered && small_below(2000) == 0;
  uint32_t site = small_below((uint32_t)l->sites) + (is_ordered && !is_shared ? 10000 : 0);
  l->shared += is_shared;
  if (is_probe)
    fake_message(&l->logs[to], MCK_EV_PROBE, flags, MCK_FN_MPI_Probe, 200 + site, (uint32_t)comm, from, taken, MCK_NONE,
                 0);
  else if (small_below(3))
    fake_message(&l->logs[to], MCK_EV_RECV, flags, MCK_FN_MPI_Recv, 100 + site, (uint32_t)comm, from, taken,
                 MCK_BASIC_INT, l->room + small_below(2));
  else {
    uint32_t at = fake_message(&l->logs[to], MCK_EV_RECV, flags | MCK_FLAG_NONBLOCKING, MCK_FN_MPI_Irecv, 100 + site,
                               (uint32_t)comm, from, taken, MCK_BASIC_INT, l->room + small_below(2));
    large_complete(l, to, at);
  }
  // What was probed is mostly what is received.
  if (is_probe && small_below(4) && (!is_any || c == first_channel(l, comm, from, to, -1))) {
    l->channels[c].first++;
    l->left--;
    fake_message(&l->logs[to], MCK_EV_RECV, 0, MCK_FN_MPI_Recv, 100 + small_below((uint32_t)l->sites), (uint32_t)comm,
                 from, taken, MCK_BASIC_INT, l->room + small_below(2));
  }
}

static void large_meet(struct large *l) {
  static const uint16_t fns[] = {MCK_FN_MPI_Barrier, MCK_FN_MPI_Bcast, MCK_FN_MPI_Allreduce, MCK_FN_MPI_Reduce,
                                 MCK_FN_MPI_Scan};
  uint32_t what = small_below(5);
  int root = what == 1 || what == 3 ? (int)small_below((uint32_t)l->n) : -1;
  for (int q = 0; q < l->n; q++)
    fake_event(&l->logs[q], (struct mck_event){.kind = MCK_EV_COLL,
                                               .fn = fns[what],
                                               .site = 90,
                                               .flags = MCK_COLL_SENDS | MCK_COLL_RECEIVES,
                                               .coll = {.comm = 0, .root = root, .type = MCK_BASIC_INT, .count = 1}});
}

static void large_make(struct large *l, uint64_t seed) {
  memset(l, 0, sizeof *l);
  small_seed = seed * 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 4; i++) small_below(2);
  l->n = 2 + (int)small_below(RANKS - 1);
  l->sites = seed % 100 ? 1 + (int)small_below(3) : 3000; // more kinds than there may be
  l->room = small_below(3) ? 8 : 2;
  int owners = 1 + (int)small_below(3), steps = 20 + (int)small_below(seed % 50 == 0 ? 20000 : 600);
  uint32_t colls = small_below(3) ? 0 : 60, others = small_below(3);
  for (int q = 0; q < l->n; q++) {
    struct mck_range world = {0, (uint32_t)l->n};
    fake_begin(&l->logs[q], (uint32_t)q, (uint32_t)l->n);
    fake_comm(&l->logs[q], 1, 101, (uint32_t)q, &world, 1, (uint32_t)l->n, 0);
    l->wild[q].comm = q < owners ? (int)small_below(2) : -1;
    l->wild[q].tag = (int)small_below(2);
    if (l->wild[q].comm >= 0 && small_below(4) == 0) l->wild[q].tag = -1;
  }
  bool is_lossy = small_below(20) == 0, is_orderly = small_below(3), is_probing = small_below(3) == 0;
  for (int left = steps; left > 0 || (l->left && !is_lossy); left--) {
    int q = (int)small_below((uint32_t)l->n), to = (int)small_below((uint32_t)l->n);
    bool is_wild = l->wild[q].comm >= 0 && small_below(4);
    if (left > 0 && colls && small_below(colls) == 0) large_meet(l);
    else if (left > 0 && small_below(3)) {
      if (small_below(3)) to = (int)small_below((uint32_t)owners < (uint32_t)l->n ? (uint32_t)owners : (uint32_t)l->n);
      bool is_theirs = l->wild[to].comm >= 0 && (!others || small_below(others + 1));
      large_send(l, q, to, is_theirs ? l->wild[to].comm : (int)small_below(2),
                 is_theirs && l->wild[to].tag >= 0 ? l->wild[to].tag : (int)small_below(2));
    } else if (is_wild) large_receive(l, q, true, l->wild[q].comm, l->wild[q].tag, is_probing && small_below(3) == 0);
    else if (!is_orderly || l->wild[q].tag >= 0)
      large_receive(l, q, false, (int)small_below(2), (int)small_below(2), is_probing && small_below(5) == 0);
    else if (small_below(3) == 0)
      large_receive(l, q, false, 1 - l->wild[q].comm, -1, is_probing && small_below(5) == 0);
    else large_receive(l, q, false, 1 - l->wild[q].comm, (int)small_below(2), is_probing && small_below(5) == 0);
  }
}

static void count_overtaken(struct large *l) {
  for (int to = 0; to < l->n; to++)
    for (int comm = 0; comm < 2; comm++)
      for (int from = 0; from < l->n; from++) {
        bool is_any = l->wild[to].comm == comm && l->wild[to].tag < 0 && l->has_wild[to];
        l->overtaken += l->is_over[to][comm][from] && (is_any || l->is_ordered[to][comm][from]);
      }
}

// Ranges of all logs, in the order of each, from their ends on: a hash. With MPI_ANY_TAG clock.h tells them one by one.
struct ranges {
  uint64_t hash[RANKS], n;
};
static uint32_t wild_index[RANKS][1 << 16]; // [log][number]: those from any source
static void find_wilds(const struct mck_reader *logs, size_t n) {
  for (size_t q = 0; q < n; q++)
    for (uint64_t i = 0, k = 0; i < logs[q].units; i += mck_event_units(&logs[q].events[i]))
      if (mck_event_is_wild(&logs[q].events[i]) && mck_event_any_source(&logs[q].events[i]))
        wild_index[q][k++ % (1 << 16)] = (uint32_t)i;
}
static void note(struct ranges *r, uint32_t log, uint32_t receive, struct mck_pair send) {
  r->hash[log] = mck_table_mix(mck_table_mix(r->hash[log], receive), (uint64_t)send.log << 32 | send.index);
  r->n++;
}
static void queued_range(void *context, uint32_t log, uint32_t first, uint32_t n, struct mck_pair send) {
  for (uint32_t k = first + n; k-- > first;) note(context, log, wild_index[log][k], send);
}
static void paired_range(void *context, uint32_t log, const struct mck_clock_wildcard *wilds, uint32_t first,
                         uint32_t n, struct mck_pair send) {
  for (uint32_t k = first + n; k-- > first;) note(context, log, wilds[k].index, send);
}

static bool are_same(const struct mck_findings *a, const struct mck_findings *b) {
  bool is_same = a->count == b->count;
  for (size_t i = 0; is_same && i < a->count; i++) {
    size_t sizes[2];
    void *one = mck_finding_pack(&a->items[i], &sizes[0]), *two = mck_finding_pack(&b->items[i], &sizes[1]);
    is_same = sizes[0] == sizes[1] && !memcmp(one, two, sizes[0]);
    free(one), free(two);
  }
  return is_same;
}

struct counts {
  uint64_t plain, other, full, overtaken, any_tag, probes, ranges, findings;
};

static bool is_large_right(uint64_t seed, struct counts *counts) {
  static struct large l;
  struct mck_reader readers[RANKS];
  struct mck_plain_run plain_run;
  struct mck_pairs pairs;
  struct mck_clock_counts clocks;
  struct ranges queued = {0}, paired = {0};
  large_make(&l, seed);
  size_t n = (size_t)l.n;
  for (size_t q = 0; q < n; q++) fake_load(&l.logs[q], &readers[q]);
  if (!mck_pairs_make(&pairs, readers, n, true)) abort();
  count_overtaken(&l), find_wilds(readers, n);
  bool is_plain = mck_plain_run_read(&plain_run, readers, n) == MCK_PLAIN_READ &&
                  mck_plain_run_join(&plain_run, readers) == MCK_PLAIN_READ;
  const struct mck_clock_plain_sink sink = {&queued, no_kind, no_alternative, no_sum, queued_range};
  const struct mck_clock_sink other = {.context = &paired, .range = paired_range};
  is_plain = is_plain && mck_clock_find_plain(&plain_run, readers, &sink) == MCK_CLOCK_PLAIN_DONE;
  if (!mck_clock_find(readers, n, &pairs, MCK_CLOCK_VECTOR, &other, &clocks)) abort();
  struct mck_findings one = {0}, two = {0};
  struct mck_whole whole = {
      .logs = readers, .n = n, .run = {(uint32_t)n, true}, .needs = MCK_WHOLE_WILDCARDS, .findings = &one};
  // Messages that nobody took or that were taken out of order with MPI_ANY_TAG, or too many kinds of them, and no other
  // reason.
  bool is_right = is_plain ? !l.left && !l.overtaken : l.left || l.overtaken || l.shared || l.sites > MCK_CLASSES_MAX;
  counts->full += !is_plain && !l.left && !l.overtaken && !l.shared;
  counts->overtaken += !is_plain && l.overtaken;
  for (int q = 0; q < l.n; q++) counts->any_tag += is_plain && plain_run.of[q].takes_any_tag;
  mck_plain_run_free(&plain_run);
  is_right &= mck_plain_run_read(&plain_run, readers, n) == MCK_PLAIN_READ;
  bool is_judged = mck_whole_judge_plain_races(&whole, &plain_run);
  is_right &= is_judged == is_plain || (is_plain && (l.probes || l.room == 2)); // something did not fit
  is_right &= is_judged || !one.count;
  counts->probes += is_judged && l.probes;
  if (is_plain) {
    whole.pairs = &pairs, whole.findings = &two;
    mck_whole_judge_races(&whole);
    is_right &= !memcmp(&queued, &paired, sizeof queued) && (!is_judged || are_same(&one, &two));
    counts->plain++, counts->ranges += queued.n, counts->findings += one.count;
  } else counts->other++;
  if (!is_right)
    printf("seed %llu: plain %d, judged %d, overtaken %llu, same %d %d, left %llu, ranges %llu and %llu, findings %zu "
           "and %zu\n",
           (unsigned long long)seed, is_plain, is_judged, (unsigned long long)l.overtaken,
           !memcmp(&queued, &paired, sizeof queued), are_same(&one, &two), (unsigned long long)l.left,
           (unsigned long long)queued.n, (unsigned long long)paired.n, one.count, two.count);
  mck_findings_free(&one), mck_findings_free(&two);
  mck_plain_run_free(&plain_run), mck_pairs_free(&pairs);
  for (size_t q = 0; q < n; q++) fake_end(&l.logs[q], &readers[q]);
  return is_right;
}

// --- logs of which others have told what is where: as rank 0 gets them ---
static struct mck_reader part_of(const struct fake *log, const struct mck_plain_log *t, uint64_t first, bool *is_good) {
  struct mck_reader r;
  const char *why;
  MCK_CHECK(mck_log_open_memory(&r, log->header, MCK_LOG_HEADER + (size_t)log->units * MCK_UNIT, &why) == 0);
  *is_good = mck_log_read_parts(&r, first, t->definitions, t->ndefinitions);
  return r;
}

static bool are_parts_right(uint64_t seed) {
  static struct large l;
  struct mck_reader readers[RANKS], parts[RANKS];
  struct mck_plain_run plain_run;
  bool is_right = true;
  large_make(&l, seed);
  for (int q = 0; q < l.n; q++) {
    // Something behind its first units that others need, too.
    struct mck_type_part ints = {3, MCK_BASIC_INT, 0};
    struct mck_block block = {0, 12};
    fake_type(&l.logs[q], MCK_TYPE_USER, 12, &ints, 1, 12, &block, 1);
    fake_load(&l.logs[q], &readers[q]);
  }
  MCK_CHECK(mck_plain_run_read(&plain_run, readers, (size_t)l.n) == MCK_PLAIN_READ);
  for (int q = 0; q < l.n; q++) {
    bool is_good;
    struct mck_plain_log *t = &plain_run.of[q];
    parts[q] = part_of(&l.logs[q], t, small_below(30), &is_good);
    is_right &= is_good && parts[q].units == readers[q].units && parts[q].ntypes == 1 && parts[q].types[0].body &&
                parts[q].ncomms == readers[q].ncomms;
    is_right &= mck_plain_log_is_sound(t, &parts[q]);
    // A plain log that says what is not so.
    uint64_t at = t->units - 1 - small_below(3);
    uint16_t code = t->codes[at];
    t->codes[at] = (uint16_t)t->nwords;
    is_right &= !mck_plain_log_is_sound(t, &parts[q]);
    t->codes[at] = MCK_CODE_MEETING;
    is_right &= mck_plain_log_is_sound(t, &parts[q]) == (readers[q].events[at].kind == MCK_EV_COLL);
    t->codes[at] = code;
    t->units--;
    is_right &= !mck_plain_log_is_sound(t, &parts[q]);
    t->units++;
    if (t->nwords > MCK_CODE_WORD) {
      t->words[MCK_CODE_WORD].flags |= MCK_FLAG_CANCELLED;
      is_right &= !mck_plain_log_is_sound(t, &parts[q]);
      t->words[MCK_CODE_WORD].flags &= (uint8_t)~MCK_FLAG_CANCELLED;
    }
    // Places where no definition is: then all of it is read, as if nothing had been said.
    uint32_t was = t->definitions[t->ndefinitions - 1];
    for (int i = 0; i < 3; i++) {
      t->definitions[t->ndefinitions - 1] = i == 0 ? was + 1 : i == 1 ? MCK_NONE : (uint32_t)t->units;
      struct mck_reader bad = part_of(&l.logs[q], t, 0, &is_good);
      is_right &= !is_good && mck_log_read_all(&bad) && bad.units == readers[q].units && bad.damaged == UINT64_MAX &&
                  bad.ntypes == 1;
      mck_log_unload(&bad);
    }
    t->definitions[t->ndefinitions - 1] = was;
  }
  struct mck_findings one = {0}, two = {0};
  struct mck_judge_run run = {(uint32_t)l.n, true};
  bool is_done = mck_whole_judge_plain_run(parts, (size_t)l.n, &run, MCK_WHOLE_WILDCARDS, &plain_run, &one);
  mck_whole_judge(readers, (size_t)l.n, &run, MCK_WHOLE_WILDCARDS | MCK_WHOLE_PAIRS, &two);
  is_right &= is_done ? are_same(&one, &two) : !one.count;
  if (!is_right) printf("seed %llu: parts\n", (unsigned long long)seed);
  mck_findings_free(&one), mck_findings_free(&two);
  mck_plain_run_free(&plain_run);
  for (int q = 0; q < l.n; q++) mck_log_unload(&parts[q]), fake_end(&l.logs[q], &readers[q]);
  return is_right;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, plain = 0, alternatives = 0, bad = 0;
  struct counts counts = {0};
  char error[100];
  mck_options_parse("", error, sizeof error);
  for (uint64_t i = 0; i < SMALL_ROUNDS; i++) bad += !is_small_right(seed + i, &plain, &alternatives);
  for (uint64_t i = 0; i < LARGE_ROUNDS; i++) bad += !is_large_right(seed + i, &counts);
  for (uint64_t i = 0; i < LARGE_ROUNDS / 5; i++) bad += !are_parts_right(seed + i);
  printf("small: %llu plain of %d, %llu alternatives; large: %llu plain, %llu not (%llu too many kinds, %llu out of "
         "order), %llu logs with MPI_ANY_TAG, %llu with probes, %llu alternatives, %llu findings\n",
         (unsigned long long)plain, SMALL_ROUNDS, (unsigned long long)alternatives, (unsigned long long)counts.plain,
         (unsigned long long)counts.other, (unsigned long long)counts.full, (unsigned long long)counts.overtaken,
         (unsigned long long)counts.any_tag, (unsigned long long)counts.probes, (unsigned long long)counts.ranges,
         (unsigned long long)counts.findings);
  return bad || plain < SMALL_ROUNDS / 10 || counts.plain < LARGE_ROUNDS / 2 || !counts.other || !counts.full ||
         !counts.overtaken || counts.any_tag < LARGE_ROUNDS / 20;
}
