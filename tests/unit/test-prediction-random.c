// RUN: %unit/test-prediction-random
// Receives that all ask for the same, with another message: their program looks at the status.
// RUN: %unit/test-prediction-random 1700008711 230
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predicted deadlocks (rt/judge/prediction) against all executions of random programs (small-mpi.h).
//
// Of a program that makes the same calls whatever comes, a deadlock is predicted from one of its runs exactly if some
// execution deadlocks. Where the program ignores only some statuses, it is predicted only if some execution deadlocks.
// Of programs that adapt to what comes, with calls that name the sender or that depend on it, none is predicted if none
// of their executions deadlocks. That a status is ignored stands in the event, or the code of the call shows it. Some
// programs pass the source of a probe on to the receive behind it, and to nothing else.
#include "small-mpi.h"
#include "judge/prediction/match-search.h"

enum { ROUNDS = 4000, STATES_MAX = 30000, STEPS_MAX = 2000000 };

// --- programs that adapt ---
// A call may name the sender of an earlier wildcard's message, or be made for some senders only. The program knows the
// sender by the status, or by the data: of a call that is made for some senders only it is always the status.
struct adapted {
  int named;       // its peer is the sender of this operation's message; -1: it is as in the program
  bool is_other;   // ... or the other one of two
  int asked, from; // it is made only if the message of operation asked came from there; -1: in any case
  bool is_negated; // ... or if it did not
};
struct program {
  struct small small;
  struct adapted how[SMALL_ALL];
  bool is_blind[SMALL_ALL];  // of wildcards
  bool is_passed[SMALL_ALL]; // a probe, for the receive behind it
};

// The program as the matches make it.
static void resolve(const struct program *p, const int *match, struct small *out) {
  *out = p->small;
  for (int id = 0; id < SMALL_ALL; id++) {
    struct small_op *o = &out->ops[id / SMALL_OPS][id % SMALL_OPS];
    const struct adapted *a = &p->how[id];
    if (id % SMALL_OPS >= p->small.count[id / SMALL_OPS]) continue;
    if (a->asked >= 0 && match[a->asked] >= 0 && (match[a->asked] / SMALL_OPS == a->from) == a->is_negated)
      *o = (struct small_op){SMALL_WAIT, id % SMALL_OPS, 0}; // a wait for itself is over at once
    else if (a->named >= 0 && match[a->named] >= 0) {
      int who = match[a->named] / SMALL_OPS, me = id / SMALL_OPS;
      o->peer = who;
      for (int i = 0; i < p->small.n && a->is_other; i++)
        if (i != who && i != me) o->peer = i;
    }
  }
}

// --- all executions ---
struct full {
  struct small_state t;
  int8_t match[SMALL_ALL];
};
static struct full *seen;
static size_t nseen, seen_capacity;
static uint32_t slots[1 << 17];
static void add_state(const struct full *f) {
  size_t at = mck_base_hash(f, sizeof *f, 1) % (1 << 17);
  for (; slots[at]; at = (at + 1) % (1 << 17))
    if (!memcmp(&seen[slots[at] - 1], f, sizeof *f)) return;
  if (!MCK_PUSH(seen, nseen, seen_capacity, *f)) abort();
  slots[at] = (uint32_t)nseen;
}
static bool is_done(const struct small *p, const struct small_state *t) {
  for (int q = 0; q < p->n; q++)
    if (t->over[q] < p->count[q]) return false;
  return true;
}
// Returns false when there are too many. end: of some execution that ends well, picked at random.
static bool enumerate(const struct program *program, bool *deadlocks, struct full *end, bool *has_end) {
  struct full f;
  struct small p;
  uint32_t nends = 0;
  memset(&f, 0, sizeof f);
  memset(f.match, -1, sizeof f.match);
  memset(slots, 0, sizeof slots);
  nseen = 0;
  *deadlocks = *has_end = false;
  add_state(&f);
  for (size_t i = 0; i < nseen; i++) {
    if (nseen > STATES_MAX) return false;
    struct full here = seen[i], next;
    int match[SMALL_ALL];
    for (int k = 0; k < SMALL_ALL; k++) match[k] = here.match[k];
    resolve(program, match, &p);
    bool is_final = true;
    for (int q = 0; q < p.n; q++) {
      next = here;
      if (here.t.over[q] < here.t.at[q]) {
        if (small_is_over(&p, &here.t, match, q)) next.t.over[q] = here.t.at[q], add_state(&next), is_final = false;
      } else if (here.t.at[q] < p.count[q]) next.t.at[q]++, add_state(&next), is_final = false;
      for (int r = q * SMALL_OPS; r < q * SMALL_OPS + here.t.at[q]; r++) {
        enum small_kind k = small_at(&p, r)->kind;
        if ((!small_is_receive(k) && k != SMALL_PROBE) || here.t.matched >> r & 1) continue;
        for (int s = 0; s < p.n * SMALL_OPS; s++) {
          if (s % SMALL_OPS >= p.count[s / SMALL_OPS] || !small_is_send(small_at(&p, s)->kind) ||
              !small_can(&p, &here.t, match, s, r))
            continue;
          next = here;
          next.t.matched |= (uint64_t)1 << r;
          next.match[r] = (int8_t)s;
          if (k != SMALL_PROBE) next.match[s] = (int8_t)r;
          add_state(&next);
          is_final = false;
        }
      }
    }
    if (!is_final) continue;
    if (!is_done(&p, &here.t)) *deadlocks = true;
    else if (small_below(++nends) == 0) *end = here, *has_end = true;
  }
  return true;
}

// --- the log of an execution that ended well ---
static uint32_t told[SMALL_ALL]; // by site, which is the number of the operation in the log: MCK_TOLD_

// What the code of the calls shows. Of some receives behind a passed probe it does not show that they have its source.
static void tell(const struct program *program, const struct small *p, const struct small *q, const int *moved) {
  memset(told, 0, sizeof told);
  for (int id = 0; id < SMALL_ALL; id++) {
    if (moved[id] < 0) continue;
    enum small_kind kind = small_at(q, moved[id])->kind;
    bool is_shown = program->is_blind[id] && (id % 2 || kind == SMALL_MPROBE || program->is_passed[id]);
    if (program->is_passed[id]) {
      told[moved[id]] = MCK_TOLD_KNOWN | MCK_TOLD_PASSED | (uint32_t)id << MCK_TOLD_FUNCTION_SHIFT;
      if (id % SMALL_OPS + 1 < p->count[id / SMALL_OPS] && moved[id + 1] >= 0)
        told[moved[id + 1]] = MCK_TOLD_KNOWN | MCK_TOLD_NAMES | (uint32_t)id << MCK_TOLD_FUNCTION_SHIFT;
    } else if (kind == SMALL_WAIT) {
      int of = id / SMALL_OPS * SMALL_OPS + small_at(p, id)->peer;
      if (program->is_blind[of] && of % 2 && small_at(p, of)->kind == SMALL_IRECV) told[moved[id]] = MCK_TOLD_KNOWN;
    } else if (is_shown && small_is_wild(q, moved[id]) && kind != SMALL_IRECV) told[moved[id]] = MCK_TOLD_KNOWN;
  }
}
static void show(struct mck_reader *reader) {
  reader->stacks = calloc(SMALL_ALL, sizeof *reader->stacks);
  if (!reader->stacks) abort();
  reader->nstacks = SMALL_ALL;
  for (int id = 0; id < SMALL_ALL; id++) reader->stacks[id].status = told[id];
}

// Calls that were not made are left out.
static void log_of(const struct program *program, const struct full *end, struct fake *logs, bool is_single_path) {
  struct small p, q;
  int match[SMALL_ALL], moved[SMALL_ALL];
  uint32_t index[SMALL_ALL];
  for (int k = 0; k < SMALL_ALL; k++) match[k] = end->match[k], moved[k] = -1;
  resolve(program, match, &p);
  q = p;
  for (int i = 0; i < p.n; i++) {
    q.count[i] = 0;
    for (int k = 0; k < p.count[i]; k++) {
      const struct small_op *o = &p.ops[i][k];
      if (o->kind == SMALL_WAIT && o->peer == k) continue;
      moved[i * SMALL_OPS + k] = i * SMALL_OPS + q.count[i];
      q.ops[i][q.count[i]++] = *o;
    }
  }
  for (int i = 0; i < p.n; i++) q.end[i] = q.count[i];
  q.is_stuck = false;
  memset(q.match, 0xff, sizeof q.match);
  for (int id = 0; id < SMALL_ALL; id++) {
    if (moved[id] < 0) continue;
    struct small_op *o = &q.ops[moved[id] / SMALL_OPS][moved[id] % SMALL_OPS];
    if (o->kind == SMALL_WAIT) o->peer = moved[id / SMALL_OPS * SMALL_OPS + o->peer] % SMALL_OPS;
    if (match[id] >= 0) q.match[moved[id]] = moved[match[id]];
  }
  small_log(&q, logs, index);
  tell(program, &p, &q, moved);
  for (int id = 0; id < SMALL_ALL; id++) {
    if (moved[id] < 0 || !small_is_wild(&q, moved[id])) continue;
    struct mck_event *e = fake_at(&logs[id / SMALL_OPS], index[moved[id]]);
    unsigned any = e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG);
    bool is_shown = told[moved[id]] || (id % 2 && small_at(&q, moved[id])->kind == SMALL_IRECV);
    if (program->is_blind[id] && !is_shown && !is_single_path) e->flags |= (uint8_t)(any << MCK_FLAG_IGNORED_SHIFT);
  }
}

// --- one program ---
static uint64_t npredicted;
static void count(void *context, const struct mck_deadlock *d) {
  (void)context;
  MCK_CHECK(d->nmatches > 0);
  npredicted++;
}
// -1: nothing is known of it; else the number of deadlocks. most: units of the logs that are looked at.
static int predict(const struct program *program, const struct full *end, bool is_single_path, uint64_t most) {
  struct fake logs[SMALL_PROCS];
  struct mck_reader readers[SMALL_PROCS];
  uint32_t n = (uint32_t)program->small.n;
  log_of(program, end, logs, is_single_path);
  for (uint32_t q = 0; q < n; q++) fake_load(&logs[q], &readers[q]), show(&readers[q]);
  struct mck_pairs pairs;
  if (!mck_pairs_make(&pairs, readers, n, true)) abort();
  struct mck_whole whole = {.logs = readers, .n = n, .run = {n, true}, .pairs = &pairs};
  struct mck_model model;
  struct mck_search_counts counts = {.is_whole = true};
  const struct mck_search_sink sink = {.deadlock = count};
  npredicted = 0;
  enum mck_model_result made = mck_model_make(&model, &whole, is_single_path, most);
  if (made == MCK_MODEL_NO_MEMORY) abort();
  if (made == MCK_MODEL_MADE && !mck_search_run(&model, is_single_path, STEPS_MAX, &sink, &counts)) abort();
  mck_model_free(&model);
  mck_pairs_free(&pairs);
  for (uint32_t q = 0; q < n; q++) fake_end(&logs[q], &readers[q]);
  return made == MCK_MODEL_NOT_MADE || !counts.is_whole ? -1 : (int)npredicted;
}

static void print(const struct program *p, const struct full *end) {
  static const char *const names[] = {"send",  "ssend", "issend",  "recv",  "irecv", "mprobe",
                                      "probe", "wait",  "barrier", "bcast", "scan"};
  for (int q = 0; q < p->small.n; q++)
    for (int i = 0; i < p->small.count[q]; i++) {
      int id = q * SMALL_OPS + i;
      const struct adapted *a = &p->how[id];
      printf("P%d %2d %s(%d,%d) match %d%s", q, id, names[p->small.ops[q][i].kind], p->small.ops[q][i].peer,
             p->small.ops[q][i].tag, end->match[id], p->is_blind[id] ? " blind" : "");
      if (p->is_passed[id]) printf(" passed");
      if (a->named >= 0) printf(" peer %s%d", a->is_other ? "not of " : "of ", a->named);
      if (a->asked >= 0) printf(" if %d %s %d", a->asked, a->is_negated ? "is not from" : "is from", a->from);
      printf("\n");
    }
}

// The probe's source goes to the receive behind it.
static bool pass(struct program *p, int id) {
  int q = id / SMALL_OPS;
  struct small_op *o = &p->small.ops[q][id % SMALL_OPS], *next = o + 1;
  if (o->kind != SMALL_PROBE || o->peer != SMALL_ANY || id % SMALL_OPS + 1 >= p->small.count[q] ||
      next->kind != SMALL_RECV || small_below(4) == 0)
    return false;
  if (next->peer == SMALL_ANY) next->peer = q ? 0 : 1;
  next->tag = o->tag;
  p->is_passed[id] = p->is_blind[id] = true;
  p->how[id + 1].named = id;
  return true;
}

// Some calls name the sender of an earlier wildcard's message; some are made for one sender only.
static void adapt(struct program *p) {
  for (int q = 0; q < p->small.n; q++) {
    int wild[SMALL_OPS], nwild = 0;
    for (int i = 0; i < p->small.count[q]; i++) {
      int id = q * SMALL_OPS + i;
      const struct small_op *o = &p->small.ops[q][i];
      bool is_message = o->kind <= SMALL_PROBE, is_done = o->kind != SMALL_IRECV && o->kind != SMALL_ISSEND;
      int of = nwild ? wild[small_below((uint32_t)nwild)] : -1;
      bool is_passed = i && p->is_passed[id - 1];
      if (is_passed) {
      } else if (pass(p, id)) continue;
      else if (of >= 0 && is_message && o->peer != SMALL_ANY && small_below(2) == 0) {
        p->how[id].named = of;
        p->how[id].is_other = p->small.n == 3 && !p->is_blind[of] && small_below(2);
      } else if (of >= 0 && is_done && is_message && !p->is_blind[of] && small_below(3) == 0) {
        p->how[id].asked = of, p->how[id].from = (int)small_below((uint32_t)p->small.n);
        p->how[id].is_negated = small_below(2);
      }
      // What the program knows of a nonblocking receive it knows after its wait.
      if (o->kind == SMALL_WAIT && small_is_wild(&p->small, q * SMALL_OPS + o->peer))
        wild[nwild++] = q * SMALL_OPS + o->peer;
      // A probe leaves the data where they are.
      // The receive of a passed probe has the message's data.
      if (is_passed) wild[nwild++] = id - 1;
      bool is_told = o->kind == SMALL_RECV || o->kind == SMALL_MPROBE || (o->kind == SMALL_PROBE && !p->is_blind[id]);
      if (is_told && o->peer == SMALL_ANY) wild[nwild++] = id;
    }
  }
}

static void make(struct program *p, uint64_t round) {
  memset(p, 0, sizeof *p);
  if (round % 8 == 0) small_make(&p->small, (unsigned)(round / 8 % 64));
  else small_make_balanced(&p->small, (unsigned)(round / 8 % 32));
  for (int id = 0; id < SMALL_ALL; id++) {
    p->how[id] = (struct adapted){.named = -1, .asked = -1};
    p->is_blind[id] = small_below(3) > 0;
  }
}

static int fail(const char *what, uint64_t seed, const struct program *p, const struct full *end) {
  printf("seed %llu: %s\n", (unsigned long long)seed, what);
  print(p, end);
  return 1;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : ROUNDS;
  uint64_t programs = 0, dead = 0, unknown = 0, strict = 0, adaptive = 0, right = 0, found = 0, stuck = 0, passed = 0,
           parts = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    small_seed = (seed + round) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 4; i++) small_below(2);
    struct program p;
    struct full end;
    bool deadlocks, has_end;
    make(&p, round);
    if (enumerate(&p, &deadlocks, &end, &has_end) && has_end) {
      int n = predict(&p, &end, true, UINT64_MAX), m = predict(&p, &end, false, UINT64_MAX);
      programs++, dead += deadlocks, unknown += n < 0, strict += m > 0;
      if (n >= 0 && (n > 0) != deadlocks)
        return fail(deadlocks ? "a deadlock is not predicted" : "a wrong deadlock is predicted", seed + round, &p,
                    &end);
      if (m > 0 && !deadlocks) return fail("a wrong deadlock is predicted by statuses", seed + round, &p, &end);
      // The same from the beginnings of the logs: fewer, and no others.
      predict(&p, &end, true, 1 + (uint64_t)small_below(40));
      if (npredicted && !deadlocks) return fail("a wrong deadlock is predicted from a part", seed + round, &p, &end);
      parts += npredicted > 0;
    }
    adapt(&p);
    if (!enumerate(&p, &deadlocks, &end, &has_end) || !has_end) continue;
    adaptive++, stuck += deadlocks, right += !deadlocks;
    int n = predict(&p, &end, false, UINT64_MAX);
    if (n > 0 && !deadlocks) return fail("a deadlock of a program that adapts is predicted", seed + round, &p, &end);
    bool has_passed = false;
    for (int id = 0; id < SMALL_ALL; id++) has_passed |= p.is_passed[id];
    found += n > 0, passed += n > 0 && has_passed;
  }
  free(seen);
  printf("%llu programs, %llu of which can deadlock: all predicted, and no others (%llu with calls that are not "
         "followed); %llu by statuses; %llu that adapt: none of %llu right ones, %llu of %llu wrong ones, %llu "
         "of them with the source of a probe; %llu from a part of the logs\n",
         (unsigned long long)programs, (unsigned long long)dead, (unsigned long long)unknown,
         (unsigned long long)strict, (unsigned long long)adaptive, (unsigned long long)right, (unsigned long long)found,
         (unsigned long long)stuck, (unsigned long long)passed, (unsigned long long)parts);
  return programs < rounds / 4 || (rounds >= 1000 && (!dead || !parts || !strict || !found || !passed || right < 100));
}
