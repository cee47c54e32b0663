// RUN: %unit/test-judge-unsafe
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deadlock.buffering against an explicit-state machine (unsafe-model.h), on random programs. Without wildcards and
// MPI_Waitany a finding is there if and only if the run, with its matches and synchronous sends, stands still. With
// them: whenever there is a finding, the machine with synchronous sends and free matching can stand still, too. And
// some logs by hand.
#include <time.h>
#include "fake-log.h"
#include "judge/buffering/standstill.h"
#include "judge/whole/whole.h"
#include "unsafe-model.h"

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (failures++, (void)printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))
static uint64_t seed;
static uint32_t draw(uint32_t n) {
  return seed = seed * 6364136223846793005u + 1442695040888963407u, (uint32_t)((seed >> 33) % n);
}

// --- from a program and its run to logs ---
struct run {
  struct state end;
  uint32_t any[RANKS][OPS];
}; // any: what a WAITANY completed

static bool run_buffered(const struct program *p, struct run *run) {
  struct state *s = &run->end;
  uint32_t done[RANKS] = {0};
  state_begin(s);
  for (int idle = 0; idle < 200 && !is_over(p, s); idle++) {
    int r = (int)draw((uint32_t)p->nranks), sources[RANKS];
    if (rank_is_over(p, s, r)) continue;
    if (!s->is_entered[r]) {
      int n = count_choices(p, s, r, sources);
      enter_op(p, s, r, n ? sources[draw((uint32_t)n)] : -1);
      idle = 0;
    }
    if (!op_may_end(p, s, r, false)) continue;
    int i = s->at[r];
    const struct op *o = &p->ops[r][i];
    run->any[r][i] = NOBODY;
    if (o->kind == WAITANY) {
      uint32_t open = o->requests & ~done[r];
      for (int k = 0; k < i; k++)
        if (open >> k & 1 && part_is_complete(p, s, r, k, false)) {
          run->any[r][i] = (uint32_t)k;
          done[r] |= 1u << k;
          break;
        }
      if (open && run->any[r][i] == NOBODY) continue; // only those that were completed before are complete
    }
    s->at[r]++;
    s->is_entered[r] = 0;
    idle = 0;
  }
  // A message that is never received is another matter (message.lost).
  for (int r = 0; r < p->nranks; r++)
    for (int i = 0; i < p->nops[r]; i++)
      if (op_is_send(&p->ops[r][i]) && s->met_rank[r][i] == NOBODY) return false;
  return is_over(p, s);
}

static void fake_wait(struct fake *log, uint8_t kind, uint8_t flags, uint16_t fn, const uint32_t *requests,
                      uint32_t n) {
  struct mck_event units[8];
  memset(units, 0, sizeof units);
  uint32_t extra = n > 4 ? (n - 4 + 7) / 8 : 0;
  units[0] = (struct mck_event){
      .kind = kind, .flags = flags, .fn = fn, .site = MCK_NONE, .wait = {.extra = extra, .count = n}};
  for (uint32_t i = 0; i < n; i++) {
    if (i < 4) units[0].wait.request[i] = requests[i];
    else ((uint32_t *)(units + 1))[i - 4] = requests[i];
  }
  fake_units(log, units, 1 + extra);
}

static void write_rank(const struct program *p, const struct run *run, int r, struct fake *log) {
  uint32_t index[OPS], consumed = 0;
  fake_begin(log, (uint32_t)r, (uint32_t)p->nranks);
  for (int i = 0; i < p->nops[r]; i++) {
    const struct op *o = &p->ops[r][i];
    uint8_t flags = MCK_FLAG_MATCHED;
    int peer = o->peer, tag = o->tag;
    if (op_is_receive(o)) {
      int source = run->end.met_rank[r][i], send = run->end.met_op[r][i];
      flags |= (o->peer == WILD ? MCK_FLAG_ANY_SOURCE : 0) | (o->tag == WILD ? MCK_FLAG_ANY_TAG : 0);
      peer = source, tag = p->ops[source][send].tag;
    }
    switch (o->kind) {
    case SEND: index[i] = fake_send(log, MCK_FN_MPI_Send, MCK_NONE, 0, peer, tag, MCK_BASIC_INT, 1); break;
    case SSEND:
      index[i] = fake_message(log, MCK_EV_SEND, MCK_FLAG_SYNC, MCK_FN_MPI_Ssend, MCK_NONE, 0, peer, tag, MCK_BASIC_INT,
                              1);
      break;
    case BSEND:
      index[i] = fake_message(log, MCK_EV_SEND, MCK_FLAG_BUFFERED, MCK_FN_MPI_Bsend, MCK_NONE, 0, peer, tag,
                              MCK_BASIC_INT, 1);
      break;
    case ISEND:
      index[i] = fake_message(log, MCK_EV_SEND, MCK_FLAG_NONBLOCKING, MCK_FN_MPI_Isend, MCK_NONE, 0, peer, tag,
                              MCK_BASIC_INT, 1);
      break;
    case HALF_SEND:
      index[i] = fake_message(log, MCK_EV_SEND, MCK_FLAG_PART, MCK_FN_MPI_Sendrecv, MCK_NONE, 0, peer, tag,
                              MCK_BASIC_INT, 1);
      break;
    case RECV:
      index[i] = fake_message(log, MCK_EV_RECV, flags, MCK_FN_MPI_Recv, MCK_NONE, 0, peer, tag, MCK_BASIC_INT, 1);
      break;
    case IRECV:
      index[i] = fake_message(log, MCK_EV_RECV, flags | MCK_FLAG_NONBLOCKING, MCK_FN_MPI_Irecv, MCK_NONE, 0, peer, tag,
                              MCK_BASIC_INT, 1);
      break;
    case HALF_RECV:
      index[i] = fake_message(log, MCK_EV_RECV, flags | MCK_FLAG_PART, MCK_FN_MPI_Sendrecv, MCK_NONE, 0, peer, tag,
                              MCK_BASIC_INT, 1);
      break;
    case BARRIER: index[i] = fake_collective(log, MCK_FN_MPI_Barrier, MCK_NONE, 0, -1); break;
    case BCAST:
      index[i] = fake_event(log,
                            (struct mck_event){.kind = MCK_EV_COLL,
                                               .fn = MCK_FN_MPI_Bcast,
                                               .site = MCK_NONE,
                                               .coll = {.comm = 0, .root = peer, .type = MCK_BASIC_INT, .count = 1}});
      break;
    case WAITALL:
    case WAITANY: {
      uint32_t requests[OPS], n = 0;
      for (int k = 0; k < i; k++)
        if ((o->requests & ~consumed) >> k & 1) requests[n++] = index[k];
      if (!n) break;
      bool is_all = o->kind == WAITALL;
      fake_wait(log, MCK_EV_WAIT, is_all ? MCK_WAIT_ALL : MCK_WAIT_ANY,
                is_all ? MCK_FN_MPI_Waitall : MCK_FN_MPI_Waitany, requests, n);
      if (is_all) consumed |= o->requests;
      else if (run->any[r][i] != NOBODY) {
        consumed |= 1u << run->any[r][i];
        fake_wait(log, MCK_EV_DONE, 0, MCK_FN_MPI_Waitany, &index[run->any[r][i]], 1);
      }
      break;
    }
    }
  }
}

static void judge(struct fake *logs, uint32_t n, struct mck_findings *findings) {
  struct mck_reader readers[8] = {0};
  for (uint32_t i = 0; i < n; i++) fake_load(&logs[i], &readers[i]);
  struct mck_judge_run run = {n, true};
  mck_whole_judge(readers, n, &run, MCK_WHOLE_SENDS, findings);
  for (uint32_t i = 0; i < n; i++) fake_end(&logs[i], &readers[i]);
}
static size_t judge_run(const struct program *p, const struct run *run, struct mck_findings *findings) {
  struct fake logs[RANKS];
  for (int r = 0; r < p->nranks; r++) write_rank(p, run, r, &logs[r]);
  judge(logs, (uint32_t)p->nranks, findings);
  return findings->count;
}

static bool has(const struct mck_findings *findings, enum mck_check check) {
  for (size_t i = 0; i < findings->count; i++)
    if (findings->items[i].check == check) return true;
  return false;
}

// --- reference 1: the matches of the run, synchronous sends; whoever may go on does ---
static bool stands_still(const struct program *p, const struct run *run, struct state *end) {
  struct state s;
  state_begin(&s);
  for (bool is_moving = true; is_moving;) {
    is_moving = false;
    for (int r = 0; r < p->nranks; r++) {
      if (rank_is_over(p, &s, r)) continue;
      int i = s.at[r];
      if (!s.is_entered[r]) s.is_entered[r] = 1, is_moving = true;
      // What the run says has met, has met as soon as both are there.
      if (op_is_send(&p->ops[r][i]) || op_is_receive(&p->ops[r][i])) {
        int q = run->end.met_rank[r][i], k = run->end.met_op[r][i];
        if (q != NOBODY && op_was_entered(&s, q, k))
          meet(&s, op_is_send(&p->ops[r][i]) ? r : q, op_is_send(&p->ops[r][i]) ? i : k,
               op_is_send(&p->ops[r][i]) ? q : r, op_is_send(&p->ops[r][i]) ? k : i);
      }
      bool is_any = p->ops[r][i].kind == WAITANY && run->any[r][i] != NOBODY;
      if (is_any ? !part_is_complete(p, &s, r, (int)run->any[r][i], true) : !op_may_end(p, &s, r, true)) continue;
      s.at[r]++;
      s.is_entered[r] = 0;
      is_moving = true;
    }
  }
  if (end) *end = s;
  return !is_over(p, &s);
}

// --- reference 2: all executions with synchronous sends: can one of them stand still? ---
enum { SEEN = 1 << 17 };
static struct state seen[SEEN];
static uint32_t nseen, slots[2 * SEEN];
static bool is_new(const struct state *s) {
  uint64_t at = mck_base_hash(s, sizeof *s, 0) % (2 * SEEN);
  for (; slots[at]; at = (at + 1) % (2 * SEEN))
    if (!memcmp(&seen[slots[at] - 1], s, sizeof *s)) return false;
  if (nseen == SEEN) return false;
  seen[nseen++] = *s;
  slots[at] = nseen;
  return true;
}
static int can_stand_still(const struct program *p) { // 2: too many states to tell
  memset(slots, 0, sizeof slots);
  nseen = 0;
  struct state first;
  state_begin(&first);
  is_new(&first);
  for (uint32_t n = 0; n < nseen; n++) {
    struct state s = seen[n];
    bool is_stuck = !is_over(p, &s);
    for (int r = 0; r < p->nranks; r++) {
      if (rank_is_over(p, &s, r)) continue;
      if (s.is_entered[r]) {
        if (!op_may_end(p, &s, r, true)) continue;
        struct state next = s;
        next.at[r]++;
        next.is_entered[r] = 0;
        is_new(&next);
        is_stuck = false;
        continue;
      }
      int sources[RANKS], choices = count_choices(p, &s, r, sources);
      for (int c = 0; c < (choices ? choices : 1); c++) {
        struct state next = s;
        enter_op(p, &next, r, choices ? sources[c] : -1);
        is_new(&next);
      }
      is_stuck = false;
    }
    if (is_stuck) return 1;
    if (nseen == SEEN) return 2;
  }
  return 0;
}

// --- reference 3: who can go on from a state in which the run's matches stand still, whatever matches from there on?
// ---
static void add_next(const struct state *s) { is_new(s); }
static uint32_t find_movers(const struct program *p, const struct state *first) {
  uint32_t movers = 0;
  memset(slots, 0, sizeof slots);
  nseen = 0;
  add_next(first);
  for (uint32_t n = 0; n < nseen && nseen < SEEN; n++) {
    struct state s = seen[n];
    // Sends and receives that wait for each other's like, and whose partners of the run are not there: any may meet.
    bool is_forced = false;
    for (int r = 0; r < p->nranks; r++)
      for (int k = 0; k < p->nops[r]; k++) {
        const struct op *o = &p->ops[r][k];
        if (!op_is_receive(o) || !op_was_entered(&s, r, k) || s.met_rank[r][k] != NOBODY) continue;
        for (int q = 0; q < p->nranks; q++) {
          int send = first_send(p, &s, q, r, o);
          if (send < 0) continue;
          struct state next = s;
          meet(&next, q, send, r, k);
          add_next(&next);
          is_forced = true;
        }
      }
    if (is_forced) continue;
    for (int r = 0; r < p->nranks; r++) {
      if (s.at[r] > first->at[r]) movers |= 1u << r;
      if (rank_is_over(p, &s, r)) continue;
      if (s.is_entered[r]) {
        if (!op_may_end(p, &s, r, true)) continue;
        struct state next = s;
        next.at[r]++;
        next.is_entered[r] = 0;
        add_next(&next);
        continue;
      }
      int sources[RANKS], choices = count_choices(p, &s, r, sources);
      for (int c = 0; c < (choices ? choices : 1); c++) {
        struct state next = s;
        enter_op(p, &next, r, choices ? sources[c] : -1);
        add_next(&next);
      }
    }
  }
  return nseen < SEEN ? movers : UINT32_MAX;
}

// The ranks of the knots of the first standstill.
struct first {
  uint32_t members;
  uint64_t budget;
  bool is_there;
};
static bool note_first(struct mck_rerun *rerun, void *context) {
  struct first *f = context;
  struct mck_standstill s;
  f->is_there = mck_standstill_make(&s, rerun, &f->budget);
  for (uint32_t r = 0; f->is_there && r < rerun->n; r++)
    if (s.graph.knot[r] != UINT32_MAX) f->members |= 1u << r;
  mck_standstill_free(&s);
  return false;
}

// --- random programs: a sequence of messages, each sent before it is received, then receives moved forward ---
static void add(struct program *p, int r, struct op o) { p->ops[r][p->nops[r]++] = o; }

static bool is_crowded; // few tags, many early wildcards
static void make_program(struct program *p, int nmessages, bool is_wild) {
  memset(p, 0, sizeof *p);
  p->nranks = is_crowded ? 3 : 2 + (int)draw(is_wild ? 2 : RANKS - 1);
  uint32_t open[RANKS] = {0}, tried[RANKS] = {0}; // tried: in a WAITANY, which may have made it null
  struct {
    int from, to, tag;
  } under_way[16];
  int nunder_way = 0;
  for (int left = nmessages; left || nunder_way;) {
    bool is_full = false;
    for (int r = 0; r < p->nranks; r++) is_full |= p->nops[r] >= OPS - 5;
    if (is_full) break;
    uint32_t what = draw(20);
    int r = (int)draw((uint32_t)p->nranks), n = p->nops[r];
    if (what == 0 && !is_wild) {
      for (int q = 0; q < p->nranks; q++) add(p, q, (struct op){.kind = BARRIER});
    } else if (what == 1) {
      int root = (int)draw((uint32_t)p->nranks);
      for (int q = 0; q < p->nranks; q++) add(p, q, (struct op){.kind = BCAST, .peer = root});
    } else if (what < 4 && open[r]) {
      uint32_t some = what == 2 ? open[r] : open[r] & draw(1u << 16);
      bool is_any = is_wild && what == 3;
      if (is_any) some = open[r] & ~tried[r];
      add(p, r, (struct op){.kind = is_any ? WAITANY : WAITALL, .requests = some});
      if (is_any) tried[r] |= some;
      else open[r] &= ~some;
    } else if (what < 12 && left && nunder_way < 16) {
      int to = (int)draw((uint32_t)p->nranks), tag = is_crowded && draw(4) ? 0 : (int)draw(2);
      static const enum op_kind kinds[] = {SEND, SEND, SEND, ISEND, ISEND, SSEND, BSEND};
      enum op_kind kind = kinds[draw(7)];
      if (draw(6) == 0 &&
          nunder_way) { // an exchange in one call: receives what is under way to this rank, if anything is
        for (int k = 0; k < nunder_way; k++)
          if (under_way[k].to == r) {
            add(p, r, (struct op){.kind = HALF_SEND, .peer = to, .tag = tag});
            add(p, r, (struct op){.kind = HALF_RECV, .peer = under_way[k].from, .tag = under_way[k].tag});
            under_way[k].from = r, under_way[k].to = to, under_way[k].tag = tag;
            left--;
            break;
          }
        continue;
      }
      add(p, r, (struct op){.kind = kind, .peer = to, .tag = tag});
      if (kind == ISEND) open[r] |= 1u << n;
      under_way[nunder_way].from = r, under_way[nunder_way].to = to, under_way[nunder_way++].tag = tag;
      left--;
    } else if (nunder_way) {
      int k = (int)draw((uint32_t)nunder_way), to = under_way[k].to;
      struct op receive = {.kind = draw(3) ? RECV : IRECV, .peer = under_way[k].from, .tag = under_way[k].tag};
      if (is_crowded && draw(2)) receive.kind = IRECV;
      if (is_wild && draw(is_crowded ? 4 : 2)) receive.peer = WILD;
      if (is_wild && !draw(4)) receive.tag = WILD;
      // An early Irecv where there was something else: operations behind it move up by one.
      int place = p->nops[to];
      if (receive.kind == IRECV && draw(2)) {
        int earlier = (int)draw(is_crowded ? 7 : 4);
        place = place > earlier ? place - earlier : 0;
        if (place && p->ops[to][place - 1].kind == HALF_SEND) place--;
        memmove(&p->ops[to][place + 1], &p->ops[to][place], (size_t)(p->nops[to] - place) * sizeof(struct op));
        uint32_t low = (1u << place) - 1;
        for (int i = place + 1; i <= p->nops[to]; i++) {
          struct op *o = &p->ops[to][i];
          if (o->kind == WAITALL || o->kind == WAITANY) o->requests = (o->requests & low) | (o->requests & ~low) << 1;
        }
        open[to] = (open[to] & low) | (open[to] & ~low) << 1;
        tried[to] = (tried[to] & low) | (tried[to] & ~low) << 1;
      }
      p->ops[to][place] = receive;
      p->nops[to]++;
      if (receive.kind == IRECV) open[to] |= 1u << place;
      under_way[k] = under_way[--nunder_way];
    }
  }
  for (int r = 0; r < p->nranks; r++)
    if (open[r]) add(p, r, (struct op){.kind = WAITALL, .requests = open[r]});
}

static void print_program(const struct program *p) {
  static const char *names[] = {"SEND",      "SSEND",     "BSEND",   "ISEND",   "RECV",    "IRECV",
                                "HALF_SEND", "HALF_RECV", "WAITALL", "WAITANY", "BARRIER", "BCAST"};
  for (int r = 0; r < p->nranks; r++) {
    printf("  rank %d:", r);
    for (int i = 0; i < p->nops[r]; i++)
      printf(" %s(%d,%d,%x)", names[p->ops[r][i].kind], p->ops[r][i].peer, p->ops[r][i].tag, p->ops[r][i].requests);
    printf("\n");
  }
}

// The next random program that ends with buffers, and that run of it; the seed that it came from.
static uint64_t next_run(struct program *p, struct run *run, int least, int most, bool is_wild) {
  uint64_t at;
  do {
    at = seed;
    make_program(p, least + (int)draw((uint32_t)(most - least + 1)), is_wild);
  } while (!run_buffered(p, run));
  return at;
}

static void complain(const struct program *p, uint64_t at, const char *what, const struct mck_findings *findings) {
  if (failures++ >= 3) return;
  printf("seed %llu: %s\n", (unsigned long long)at, what);
  print_program(p);
  if (findings) fake_print(findings);
}

static void test_random(void) {
  uint32_t nruns = 0, nunsafe = 0, ncollective = 0;
  for (; nruns < 20000; nruns++) {
    struct program p;
    struct run run;
    uint64_t at = next_run(&p, &run, 1, 9, false);
    struct mck_findings findings = {0};
    judge_run(&p, &run, &findings);
    bool is_found = has(&findings, MCK_CHECK_DEADLOCK_BUFFERING), is_there = stands_still(&p, &run, NULL);
    nunsafe += is_there;
    if (is_found != is_there)
      complain(&p, at, is_found ? "found what the reference does not have" : "not found", &findings);
    // There may be some of both kinds. Those of collectives may hide behind those of sends, and not the other way.
    p.is_synchronizing = true;
    bool is_collective = !is_there && stands_still(&p, &run, NULL);
    ncollective += is_collective;
    is_found = has(&findings, MCK_CHECK_DEADLOCK_COLLECTIVE);
    if (!is_there && is_found != is_collective)
      complain(&p, at, is_found ? "found a collective that the reference does not have" : "no collective found",
               &findings);
    mck_findings_free(&findings);
  }
  printf("%u runs, %u of them unsafe, %u by collectives alone\n", nruns, nunsafe, ncollective);
  EXPECT(nunsafe > 1000 && nunsafe < 19000 && ncollective > 250);
}

static void test_wildcards(void) {
  uint32_t nruns = 0, nfound = 0, nthere = 0, nunknown = 0;
  for (; nruns < 3000; nruns++) {
    struct program p;
    struct run run;
    uint64_t at = next_run(&p, &run, 1, 5, true);
    struct mck_findings findings = {0};
    bool is_found = judge_run(&p, &run, &findings) > 0;
    if (has(&findings, MCK_CHECK_DEADLOCK_BUFFERING) && !can_stand_still(&p))
      complain(&p, at, "buffering found what cannot be", &findings);
    p.is_synchronizing = true;
    int is_there = can_stand_still(&p);
    nfound += is_found;
    nthere += is_there == 1;
    nunknown += is_there == 2;
    if (is_found && !is_there) complain(&p, at, "found what cannot be", &findings);
    mck_findings_free(&findings);
  }
  printf("%u runs with wildcards: %u found, %u can stand still, %u not known\n", nruns, nfound, nthere, nunknown);
  EXPECT(nfound > 100 && nunknown < 100);
}

// Who is in a knot cannot go on, whatever matches: the state is looked at directly.
static void test_standstills(void) {
  uint32_t nruns = 0, nknots = 0, nfree = 0, nunknown = 0;
  is_crowded = true;
  for (; nruns < 20000; nruns++) {
    struct program p;
    struct run run;
    struct state s;
    uint64_t at = next_run(&p, &run, 2, 7, true);
    struct fake logs[RANKS];
    struct mck_reader readers[RANKS] = {0};
    for (int r = 0; r < p.nranks; r++) write_rank(&p, &run, r, &logs[r]), fake_load(&logs[r], &readers[r]);
    struct mck_pairs pairs;
    struct mck_findings none = {0};
    if (!mck_pairs_make(&pairs, readers, (size_t)p.nranks, true)) abort();
    struct mck_whole whole = {readers, (size_t)p.nranks, {(uint32_t)p.nranks, true}, MCK_WHOLE_SENDS, &pairs, 0, &none};
    struct mck_rerun rerun;
    struct first first = {.budget = 1 << 20};
    p.is_synchronizing = draw(2);
    EXPECT(mck_rerun_run(&rerun, &whole, p.is_synchronizing, note_first, &first));
    EXPECT(first.is_there == stands_still(&p, &run, &s));
    if (first.is_there) {
      uint32_t movers = find_movers(&p, &s);
      nknots += first.members != 0;
      nunknown += movers == UINT32_MAX;
      nfree += movers != 0;
      if (movers != UINT32_MAX && movers & first.members)
        complain(&p, at, "some that are said to stand for ever can go on", NULL);
    }
    mck_pairs_free(&pairs);
    for (int r = 0; r < p.nranks; r++) fake_end(&logs[r], &readers[r]);
  }
  is_crowded = false;
  printf("%u runs with wildcards: %u with knots, in %u somebody can go on, %u not known\n", nruns, nknots, nfree,
         nunknown);
  EXPECT(nknots > 500 && nfree > 50 && nunknown < 200);
}

// --- by hand ---
static void test_hand(void) {
  struct fake logs[3];
  struct mck_findings f = {0};
  // Head to head, different sizes: both places, the smaller message.
  for (uint32_t r = 0; r < 2; r++) {
    fake_begin(&logs[r], r, 2);
    fake_send(&logs[r], MCK_FN_MPI_Send, 3 + r, 0, (int)(1 - r), 7, MCK_BASIC_INT, 100 - 50 * r);
    fake_recv(&logs[r], MCK_FN_MPI_Recv, 5 + r, 0, (int)(1 - r), 7, MCK_BASIC_INT, 100);
  }
  judge(logs, 2, &f);
  EXPECT(f.count == 1 && f.items[0].check == MCK_CHECK_DEADLOCK_BUFFERING && f.items[0].nplaces == 4);
  if (f.count == 1) {
    EXPECT(f.items[0].places[0].site == 3 && f.items[0].places[1].site == 4 && f.items[0].places[2].site == 6);
    EXPECT(strstr(f.items[0].why, "has 200 bytes") != NULL);
  }
  mck_findings_free(&f);
  // To itself.
  fake_begin(&logs[0], 0, 1);
  fake_send(&logs[0], MCK_FN_MPI_Send, MCK_NONE, 0, 0, 7, MCK_BASIC_INT, 1);
  fake_recv(&logs[0], MCK_FN_MPI_Recv, MCK_NONE, 0, 0, 7, MCK_BASIC_INT, 1);
  judge(logs, 1, &f);
  EXPECT(f.count == 1 && strstr(f.items[0].text, "1 rank waits for itself"));
  mck_findings_free(&f);
  // What was cancelled does not wait; nor what is ready, nor what MPI_Cancel came too late for (MPI-3.1 3.8.4).
  for (int mode = 0; mode < 3; mode++) {
    static const uint8_t flags[] = {MCK_FLAG_CANCELLED, MCK_FLAG_READY, MCK_FLAG_LOCAL};
    for (uint32_t r = 0; r < 2; r++) {
      fake_begin(&logs[r], r, 2);
      fake_message(&logs[r], MCK_EV_SEND, flags[mode], MCK_FN_MPI_Send, MCK_NONE, 0, (int)(1 - r), 7, MCK_BASIC_INT, 1);
      if (mode) fake_recv(&logs[r], MCK_FN_MPI_Recv, MCK_NONE, 0, (int)(1 - r), 7, MCK_BASIC_INT, 1);
    }
    judge(logs, 2, &f);
    EXPECT(f.count == 0);
    mck_findings_free(&f);
  }
  // A test that succeeded: it would have failed, and what the program does then nobody knows.
  for (uint32_t r = 0; r < 2; r++) {
    fake_begin(&logs[r], r, 2);
    uint32_t send = fake_message(&logs[r], MCK_EV_SEND, MCK_FLAG_NONBLOCKING, MCK_FN_MPI_Isend, MCK_NONE, 0,
                                 (int)(1 - r), 7, MCK_BASIC_INT, 1);
    fake_wait(&logs[r], MCK_EV_DONE, 0, MCK_FN_MPI_Test, &send, 1);
    fake_recv(&logs[r], MCK_FN_MPI_Recv, MCK_NONE, 0, (int)(1 - r), 7, MCK_BASIC_INT, 1);
  }
  judge(logs, 2, &f);
  EXPECT(f.count == 0);
  mck_findings_free(&f);
  // Several threads: their order is not in the log.
  for (uint32_t r = 0; r < 2; r++) {
    fake_begin(&logs[r], r, 2);
    logs[r].header->is_multiple = r ? MCK_LOG_THREADS : 0;
    fake_send(&logs[r], MCK_FN_MPI_Send, MCK_NONE, 0, (int)(1 - r), 7, MCK_BASIC_INT, 1);
    fake_recv(&logs[r], MCK_FN_MPI_Recv, MCK_NONE, 0, (int)(1 - r), 7, MCK_BASIC_INT, 1);
  }
  judge(logs, 2, &f);
  EXPECT(f.count == 0);
  mck_findings_free(&f);
  // Two causes, one after the other: sites tell them apart where there are stacks, here functions do.
  for (uint32_t r = 0; r < 2; r++) {
    fake_begin(&logs[r], r, 2);
    for (int i = 0; i < 30; i++) {
      fake_send(&logs[r], MCK_FN_MPI_Send, 1, 0, (int)(1 - r), 7, MCK_BASIC_INT, 10);
      fake_recv(&logs[r], MCK_FN_MPI_Recv, 2, 0, (int)(1 - r), 7, MCK_BASIC_INT, 10);
      uint32_t send = fake_message(&logs[r], MCK_EV_SEND, MCK_FLAG_NONBLOCKING, MCK_FN_MPI_Isend, 3, 0, (int)(1 - r), 8,
                                   MCK_BASIC_INT, 20);
      fake_wait(&logs[r], MCK_EV_WAIT, MCK_WAIT_ALL, MCK_FN_MPI_Wait, &send, 1);
      fake_recv(&logs[r], MCK_FN_MPI_Recv, 4, 0, (int)(1 - r), 8, MCK_BASIC_INT, 20);
    }
  }
  judge(logs, 2, &f);
  EXPECT(f.count == 2);
  mck_findings_free(&f);
  // A Bcast hands on the root's wait; a Reduce does not make anybody but the root wait, unless it synchronizes
  // (MPI-3.1 5.14): then it is a finding of its kind.
  for (int variant = 0; variant < 4; variant++) {
    bool is_bcast = variant < 2;
    mck_options.collectives_synchronize = variant % 2;
    for (uint32_t r = 0; r < 2; r++) {
      fake_begin(&logs[r], r, 2);
      if (r == 0) fake_send(&logs[0], MCK_FN_MPI_Send, MCK_NONE, 0, 1, 7, MCK_BASIC_INT, 1);
      fake_event(&logs[r], (struct mck_event){.kind = MCK_EV_COLL,
                                              .fn = is_bcast ? MCK_FN_MPI_Bcast : MCK_FN_MPI_Reduce,
                                              .site = MCK_NONE,
                                              .coll = {.root = 0, .type = MCK_BASIC_INT, .count = 1}});
      if (r == 1) fake_recv(&logs[1], MCK_FN_MPI_Recv, MCK_NONE, 0, 0, 7, MCK_BASIC_INT, 1);
    }
    judge(logs, 2, &f);
    EXPECT(f.count == (variant != 2) && has(&f, MCK_CHECK_DEADLOCK_COLLECTIVE) == (variant == 3));
    mck_findings_free(&f);
  }
  mck_options.collectives_synchronize = true;
}

// Linear: a loop of safe and one of unsafe exchanges, doubled.
static uint64_t count_steps(uint32_t n, bool is_unsafe) {
  struct fake logs[2];
  struct mck_reader readers[2];
  for (uint32_t r = 0; r < 2; r++) {
    fake_begin(&logs[r], r, 2);
    for (uint32_t i = 0; i < n; i++) {
      bool is_first = is_unsafe || r == 0;
      if (is_first) fake_send(&logs[r], MCK_FN_MPI_Send, 1, 0, (int)(1 - r), 7, MCK_BASIC_INT, 10);
      fake_recv(&logs[r], MCK_FN_MPI_Recv, 2, 0, (int)(1 - r), 7, MCK_BASIC_INT, 10);
      if (!is_first) fake_send(&logs[r], MCK_FN_MPI_Send, 1, 0, (int)(1 - r), 7, MCK_BASIC_INT, 10);
    }
    fake_load(&logs[r], &readers[r]);
  }
  struct mck_findings f = {0};
  struct mck_judge_run run = {2, true};
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  mck_whole_judge(readers, 2, &run, MCK_WHOLE_SENDS, &f);
  clock_gettime(CLOCK_MONOTONIC, &b);
  EXPECT(f.count == is_unsafe);
  mck_findings_free(&f);
  for (uint32_t r = 0; r < 2; r++) fake_end(&logs[r], &readers[r]);
  return (uint64_t)((b.tv_sec - a.tv_sec) * 1000000 + (b.tv_nsec - a.tv_nsec) / 1000);
}

int main(int argc, char **argv) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)t.tv_nsec;
  printf("seed %llu\n", (unsigned long long)seed);
  mck_options.buffering = mck_options.collectives_synchronize = true;
  test_hand();
  test_random();
  test_wildcards();
  test_standstills();
  for (int is_unsafe = 0; is_unsafe < 2; is_unsafe++)
    printf("1,000,000 messages, %s: %llu us\n", is_unsafe ? "unsafe" : "safe",
           (unsigned long long)count_steps(500000, is_unsafe));
  printf("%d failures\n", failures);
  return failures != 0;
}
