// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small MPI for the tests of the clocks: straight-line programs of a few processes, run in a random schedule; the
// logs that such a run leaves; and the truth, by enumeration: every state that an execution with the same matches can
// reach, and in each of them every other message that a wildcard could have got (Cypher and Leu, 2.4).
#pragma once
#include <stdlib.h>
#include "fake-log.h"

enum { SMALL_PROCS = 5, SMALL_OPS = 12, SMALL_ALL = SMALL_PROCS * SMALL_OPS, SMALL_ANY = -1 };
enum small_kind {
  SMALL_SEND,
  SMALL_SSEND,
  SMALL_ISSEND,
  SMALL_RECV,
  SMALL_IRECV,
  SMALL_MPROBE,
  SMALL_PROBE,
  SMALL_WAIT,
  SMALL_BARRIER,
  SMALL_BCAST,
  SMALL_SCAN
};
struct small_op {
  enum small_kind kind;
  int peer, tag; // WAIT: peer is the number of the operation; BCAST: the root
};
struct small {
  int n; // processes
  int count[SMALL_PROCS];
  struct small_op ops[SMALL_PROCS][SMALL_OPS];
  // The run: by operation (process * SMALL_OPS + number).
  int match[SMALL_ALL]; // of sends, receives, probes: the other side, -1: none
  int end[SMALL_PROCS]; // operations that were begun; all but the last are over
  bool is_stuck;
};
struct small_state {
  uint8_t at[SMALL_PROCS];   // operations begun
  uint8_t over[SMALL_PROCS]; // operations that are over: at, or one less
  uint64_t matched;          // by receive
};
_Static_assert(SMALL_ALL <= 64, "a bit each");

// The operation that left this event. index_of: of each operation, its event.
static inline int small_id_of(const struct small *p, const uint32_t *index_of, uint32_t log, uint32_t event) {
  for (int i = 0; i < p->end[log]; i++)
    if (index_of[(int)log * SMALL_OPS + i] == event) return (int)log * SMALL_OPS + i;
  abort();
}
static inline const struct small_op *small_at(const struct small *p, int id) {
  return &p->ops[id / SMALL_OPS][id % SMALL_OPS];
}
static inline bool small_is_send(enum small_kind k) { return k <= SMALL_ISSEND; }
static inline bool small_is_receive(enum small_kind k) {
  return k == SMALL_RECV || k == SMALL_IRECV || k == SMALL_MPROBE;
}
static inline bool small_is_wild(const struct small *p, int id) {
  const struct small_op *o = small_at(p, id);
  return (small_is_receive(o->kind) || o->kind == SMALL_PROBE) && (o->peer == SMALL_ANY || o->tag == SMALL_ANY);
}
static inline bool small_fits(const struct small *p, int s, int r) {
  const struct small_op *a = small_at(p, s), *b = small_at(p, r);
  return a->peer == r / SMALL_OPS && (b->peer == SMALL_ANY || b->peer == s / SMALL_OPS) &&
         (b->tag == SMALL_ANY || b->tag == a->tag);
}
static inline bool small_is_begun(const struct small_state *t, int id) {
  return id % SMALL_OPS < t->at[id / SMALL_OPS];
}
// Which send is taken, in this state: matches are of a table.
static inline bool small_is_taken(const struct small *p, const struct small_state *t, const int *match, int s) {
  (void)p;
  return match[s] >= 0 && t->matched >> match[s] & 1;
}
// Can this message go to this receive (or be seen by this probe) now, by 3.5? before: receives before this one only.
static inline bool small_can(const struct small *p, const struct small_state *t, const int *match, int s, int r) {
  if (!small_is_begun(t, s) || small_is_taken(p, t, match, s) || !small_fits(p, s, r)) return false;
  for (int i = s / SMALL_OPS * SMALL_OPS; i < s; i++)
    if (small_is_send(small_at(p, i)->kind) && !small_is_taken(p, t, match, i) && small_fits(p, i, r)) return false;
  for (int i = r / SMALL_OPS * SMALL_OPS; i < r; i++)
    if (small_is_receive(small_at(p, i)->kind) && !(t->matched >> i & 1) && small_fits(p, s, i)) return false;
  return true;
}
// Is the last operation that this process has begun over?
static inline bool small_is_over(const struct small *p, const struct small_state *t, const int *match, int proc) {
  int id = proc * SMALL_OPS + t->at[proc] - 1;
  const struct small_op *o = small_at(p, id);
  if (o->kind == SMALL_WAIT) id = proc * SMALL_OPS + o->peer, o = small_at(p, id);
  int bound = o->kind == SMALL_SCAN ? proc : p->n, nth = 0;
  switch (o->kind) {
  case SMALL_SSEND: return small_is_taken(p, t, match, id);
  case SMALL_ISSEND: return id != proc * SMALL_OPS + t->at[proc] - 1 ? small_is_taken(p, t, match, id) : true;
  case SMALL_RECV:
  case SMALL_MPROBE: return t->matched >> id & 1;
  case SMALL_IRECV: return id != proc * SMALL_OPS + t->at[proc] - 1 ? t->matched >> id & 1 : true;
  case SMALL_PROBE: return t->matched >> id & 1; // set when it has seen its message
  case SMALL_BARRIER:
  case SMALL_SCAN:
  case SMALL_BCAST:
    if (o->kind == SMALL_BCAST && o->peer == proc) return true;
    for (int i = 0; i < t->at[proc] - 1; i++) nth += p->ops[proc][i].kind >= SMALL_BARRIER;
    for (int q = 0; q < bound; q++) {
      if (q == proc || (o->kind == SMALL_BCAST && q != o->peer)) continue;
      int mine = 0;
      for (int i = 0; i < t->at[q]; i++) mine += p->ops[q][i].kind >= SMALL_BARRIER;
      if (mine <= nth) return false;
    }
    return true;
  default: return true;
  }
}

static uint64_t small_seed;
static inline uint32_t small_below(uint32_t n) {
  small_seed = small_seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(small_seed >> 33) % n;
}

// A random schedule: p->match, p->end.
static inline void small_run(struct small *p) {
  struct small_state t = {0};
  memset(p->match, 0xff, sizeof p->match);
  for (;;) {
    struct {
      int kind, a, b;
    } moves[256];
    int n = 0;
    for (int q = 0; q < p->n; q++) {
      if (t.over[q] < t.at[q]) {
        if (small_is_over(p, &t, p->match, q)) moves[n].kind = 1, moves[n++].a = q;
      } else if (t.at[q] < p->count[q]) moves[n].kind = 0, moves[n++].a = q;
      for (int r = q * SMALL_OPS; r < q * SMALL_OPS + t.at[q]; r++) {
        enum small_kind k = small_at(p, r)->kind;
        if ((!small_is_receive(k) && k != SMALL_PROBE) || t.matched >> r & 1) continue;
        for (int s = 0; s < p->n * SMALL_OPS && n < 250; s++)
          if (s % SMALL_OPS < p->count[s / SMALL_OPS] && small_is_send(small_at(p, s)->kind) &&
              small_can(p, &t, p->match, s, r))
            moves[n].kind = 2, moves[n].a = r, moves[n++].b = s;
      }
    }
    if (!n) break;
    int i = (int)small_below((uint32_t)n), a = moves[i].a;
    if (moves[i].kind == 0) t.at[a]++;
    else if (moves[i].kind == 1) t.over[a] = t.at[a];
    else {
      t.matched |= (uint64_t)1 << a;
      p->match[a] = moves[i].b;
      if (small_at(p, a)->kind != SMALL_PROBE) p->match[moves[i].b] = a;
    }
  }
  p->is_stuck = false;
  for (int q = 0; q < p->n; q++) {
    p->end[q] = t.at[q];
    p->is_stuck |= t.over[q] < p->count[q];
  }
}

// --- the truth ---
struct small_truth {
  uint64_t could[SMALL_ALL]; // by wildcard: the sends
  struct small_state *seen;
  uint32_t *slots;
  size_t nseen, capacity, nslots;
};
static inline bool small_add(struct small_truth *x, const struct small_state *t) {
  if (2 * x->nseen >= x->nslots) {
    x->nslots = x->nslots ? 4 * x->nslots : 1024;
    free(x->slots);
    if (!(x->slots = calloc(x->nslots, sizeof *x->slots))) abort();
    for (size_t i = 0; i < x->nseen; i++) {
      size_t at = mck_base_hash(&x->seen[i], sizeof *t, 1) % x->nslots;
      while (x->slots[at]) at = (at + 1) % x->nslots;
      x->slots[at] = (uint32_t)i + 1;
    }
  }
  size_t at = mck_base_hash(t, sizeof *t, 1) % x->nslots;
  for (; x->slots[at]; at = (at + 1) % x->nslots)
    if (!memcmp(&x->seen[x->slots[at] - 1], t, sizeof *t)) return false;
  if (!MCK_PUSH(x->seen, x->nseen, x->capacity, *t)) abort();
  x->slots[at] = (uint32_t)x->nseen;
  return true;
}
// All states that runs with p->match can reach; false: too many.
static inline bool small_enumerate(const struct small *p, struct small_truth *x, size_t max) {
  struct small_state t;
  memset(&t, 0, sizeof t);
  memset(x->could, 0, sizeof x->could);
  x->nseen = 0;
  if (x->nslots) memset(x->slots, 0, x->nslots * sizeof *x->slots);
  small_add(x, &t);
  for (size_t i = 0; i < x->nseen; i++) {
    if (x->nseen > max) return false;
    struct small_state here = x->seen[i], next;
    for (int q = 0; q < p->n; q++) {
      next = here;
      if (here.over[q] < here.at[q]) {
        if (small_is_over(p, &here, p->match, q)) next.over[q] = here.at[q], small_add(x, &next);
      } else if (here.at[q] < p->count[q]) next.at[q]++, small_add(x, &next);
      for (int r = q * SMALL_OPS; r < q * SMALL_OPS + here.at[q]; r++) {
        enum small_kind k = small_at(p, r)->kind;
        if ((!small_is_receive(k) && k != SMALL_PROBE) || here.matched >> r & 1) continue;
        int s = p->match[r];
        if (s >= 0 && small_can(p, &here, p->match, s, r)) {
          next = here;
          next.matched |= (uint64_t)1 << r;
          small_add(x, &next);
        }
        if (!small_is_wild(p, r)) continue;
        for (s = 0; s < p->n * SMALL_OPS; s++)
          if (s != p->match[r] && s % SMALL_OPS < p->count[s / SMALL_OPS] && small_is_send(small_at(p, s)->kind) &&
              small_can(p, &here, p->match, s, r))
            x->could[r] |= (uint64_t)1 << s;
      }
    }
  }
  return true;
}

// --- the logs ---
static inline void small_log(const struct small *p, struct fake *logs, uint32_t index[SMALL_ALL]) {
  for (int q = 0; q < p->n; q++) {
    struct fake *log = &logs[q];
    fake_begin(log, (uint32_t)q, (uint32_t)p->n);
    uint32_t last = MCK_NONE;
    for (int i = 0; i < p->end[q]; i++) {
      int id = q * SMALL_OPS + i;
      const struct small_op *o = &p->ops[q][i];
      uint8_t flags = 0;
      int peer = o->peer, tag = o->tag;
      if (!small_is_send(o->kind) && o->kind <= SMALL_PROBE) {
        if (peer == SMALL_ANY) flags |= MCK_FLAG_ANY_SOURCE;
        if (tag == SMALL_ANY) flags |= MCK_FLAG_ANY_TAG;
        if (p->match[id] >= 0) {
          if (flags) flags |= MCK_FLAG_MATCHED;
          peer = p->match[id] / SMALL_OPS, tag = small_at(p, p->match[id])->tag;
        }
      }
      uint32_t site = (uint32_t)id;
      switch (o->kind) {
      case SMALL_SEND:
        last = fake_message(log, MCK_EV_SEND, 0, MCK_FN_MPI_Send, site, 0, peer, tag, MCK_BASIC_INT, 1);
        break;
      case SMALL_SSEND:
        last = fake_message(log, MCK_EV_SEND, MCK_FLAG_SYNC, MCK_FN_MPI_Ssend, site, 0, peer, tag, MCK_BASIC_INT, 1);
        break;
      case SMALL_ISSEND:
        last = fake_message(log, MCK_EV_SEND, MCK_FLAG_SYNC | MCK_FLAG_NONBLOCKING, MCK_FN_MPI_Issend, site, 0, peer,
                            tag, MCK_BASIC_INT, 1);
        break;
      case SMALL_RECV:
        last = fake_message(log, MCK_EV_RECV, flags, MCK_FN_MPI_Recv, site, 0, peer, tag, MCK_BASIC_INT, 1);
        break;
      case SMALL_IRECV:
        last = fake_message(log, MCK_EV_RECV, flags | MCK_FLAG_NONBLOCKING, MCK_FN_MPI_Irecv, site, 0, peer, tag,
                            MCK_BASIC_INT, 1);
        break;
      case SMALL_MPROBE:
        last = fake_message(log, MCK_EV_MPROBE, flags, MCK_FN_MPI_Mprobe, site, 0, peer, tag, MCK_NONE, 0);
        break;
      case SMALL_PROBE:
        last = fake_message(log, MCK_EV_PROBE, flags, MCK_FN_MPI_Probe, site, 0, peer, tag, MCK_NONE, 0);
        break;
      case SMALL_WAIT: {
        struct mck_event e = {.kind = MCK_EV_WAIT, .flags = MCK_WAIT_ALL, .fn = MCK_FN_MPI_Wait, .site = site};
        e.wait.count = 1;
        e.wait.request[0] = index[q * SMALL_OPS + o->peer];
        for (int k = 1; k < 4; k++) e.wait.request[k] = MCK_NONE;
        last = fake_event(log, e);
        break;
      }
      case SMALL_BARRIER: last = fake_collective(log, MCK_FN_MPI_Barrier, site, 0, -1); break;
      case SMALL_BCAST:
      case SMALL_SCAN:
        last = fake_event(
            log,
            (struct mck_event){
                .kind = MCK_EV_COLL,
                .flags = MCK_COLL_SENDS | MCK_COLL_RECEIVES,
                .site = site,
                .fn = o->kind == SMALL_SCAN ? MCK_FN_MPI_Scan : MCK_FN_MPI_Bcast,
                .coll = {.comm = 0, .root = o->kind == SMALL_SCAN ? -1 : o->peer, .type = MCK_BASIC_INT, .count = 1}});
        break;
      }
      index[id] = last;
    }
    // Stuck within the last call?
    if (p->is_stuck && p->end[q]) {
      int id = q * SMALL_OPS + p->end[q] - 1;
      const struct small_op *o = small_at(p, id);
      int of = o->kind == SMALL_WAIT ? q * SMALL_OPS + o->peer : id;
      enum small_kind k = small_at(p, of)->kind;
      bool waits = o->kind == SMALL_WAIT || (k != SMALL_IRECV && k != SMALL_ISSEND);
      bool is_message = k == SMALL_SSEND || k == SMALL_ISSEND || small_is_receive(k) || k == SMALL_PROBE;
      if (k >= SMALL_BARRIER || (waits && is_message && p->match[of] < 0)) {
        log->header->wait = (uint64_t)last + 1;
        log->header->state = MCK_LOG_RUNNING;
      }
    }
  }
}

// --- random programs ---
// What a program is made of: a mask of kinds beside sends and receives.
enum { SMALL_SYNC = 1, SMALL_TAGS = 2, SMALL_ANYTAG = 4, SMALL_PROBES = 8, SMALL_COLLS = 16, SMALL_LOOSE = 32 };
static inline void small_make(struct small *p, unsigned with) {
  memset(p, 0, sizeof *p);
  p->n = 2 + (int)small_below(SMALL_PROCS - 1);
  int length = p->n <= 3 ? 4 + (int)small_below(4) : 3 + (int)small_below(3), tags = with & SMALL_TAGS ? 2 : 1;
  int colls = with & SMALL_COLLS ? (int)small_below(3) : 0;
  int kinds[3], roots[3];
  for (int i = 0; i < colls; i++)
    kinds[i] = SMALL_BARRIER + (int)small_below(3), roots[i] = (int)small_below((uint32_t)p->n);
  for (int q = 0; q < p->n; q++) {
    int *n = &p->count[q], open[SMALL_OPS], nopen = 0, done = 0;
    bool receives = small_below(3) < 2;
    for (int i = 0; i < length && *n < SMALL_OPS - 4; i++) {
      struct small_op *o = &p->ops[q][*n];
      int what = (int)small_below(10);
      int other = (int)small_below((uint32_t)p->n - 1);
      other += other >= q;
      if (done < colls && small_below((uint32_t)length) == 0) {
        *o = (struct small_op){(enum small_kind)kinds[done], roots[done], 0};
        done++;
        (*n)++;
        continue;
      }
      if (nopen && what == 0) {
        int k = (int)small_below((uint32_t)nopen);
        *o = (struct small_op){SMALL_WAIT, open[k], 0};
        open[k] = open[--nopen];
        (*n)++;
        continue;
      }
      if (what < (receives ? 4 : 8)) {
        enum small_kind k = SMALL_SEND;
        if (with & SMALL_SYNC && small_below(3) == 0) k = small_below(2) ? SMALL_SSEND : SMALL_ISSEND;
        *o = (struct small_op){k, other, (int)small_below((uint32_t)tags)};
        if (k == SMALL_ISSEND) open[nopen++] = *n;
      } else {
        enum small_kind k = small_below(2) ? SMALL_RECV : SMALL_IRECV;
        if (with & SMALL_PROBES && small_below(4) == 0) k = small_below(2) ? SMALL_PROBE : SMALL_MPROBE;
        bool is_wild = small_below(4) != 0;
        *o = (struct small_op){k, is_wild ? SMALL_ANY : other, (int)small_below((uint32_t)tags)};
        if (with & SMALL_ANYTAG && small_below(2) == 0) o->tag = SMALL_ANY;
        if (k == SMALL_IRECV) open[nopen++] = *n;
      }
      (*n)++;
    }
    for (; done < colls; done++) p->ops[q][(*n)++] = (struct small_op){(enum small_kind)kinds[done], roots[done], 0};
    while (nopen && *n < SMALL_OPS && (!(with & SMALL_LOOSE) || small_below(4)))
      p->ops[q][(*n)++] = (struct small_op){SMALL_WAIT, open[--nopen], 0};
  }
}

// Messages one after the other, each sent and then received: a program that mostly comes to its end.
static inline void small_make_balanced(struct small *p, unsigned with) {
  memset(p, 0, sizeof *p);
  p->n = 2 + (int)small_below(SMALL_PROCS - 2);
  int tags = with & SMALL_TAGS ? 2 : 1, open[SMALL_PROCS][SMALL_OPS], nopen[SMALL_PROCS] = {0};
  for (int m = 5 + (int)small_below(4); m > 0; m--) {
    int from = (int)small_below((uint32_t)p->n), to = small_below(3) ? 0 : (int)small_below((uint32_t)p->n);
    if (with & SMALL_COLLS && small_below(8) == 0) {
      enum small_kind k = SMALL_BARRIER + small_below(3);
      bool has_room = true;
      for (int q = 0; q < p->n; q++) has_room &= p->count[q] + nopen[q] + 2 < SMALL_OPS;
      for (int q = 0; has_room && q < p->n; q++) p->ops[q][p->count[q]++] = (struct small_op){k, from, 0};
    }
    if (from == to || p->count[from] + nopen[from] + 3 > SMALL_OPS || p->count[to] + nopen[to] + 3 > SMALL_OPS)
      continue;
    int tag = (int)small_below((uint32_t)tags);
    enum small_kind k = SMALL_SEND, r = small_below(3) ? SMALL_RECV : SMALL_IRECV;
    if (with & SMALL_SYNC && small_below(3) == 0) k = small_below(2) ? SMALL_SSEND : SMALL_ISSEND;
    if (k == SMALL_ISSEND) open[from][nopen[from]++] = p->count[from];
    p->ops[from][p->count[from]++] = (struct small_op){k, to, tag};
    struct small_op take = {r, small_below(4) ? SMALL_ANY : from,
                            with & SMALL_ANYTAG && small_below(2) ? SMALL_ANY : tag};
    if (with & SMALL_PROBES && small_below(4) == 0) {
      struct small_op probe = take;
      probe.kind = SMALL_PROBE;
      if (small_below(2)) p->ops[to][p->count[to]++] = probe;
      else take.kind = SMALL_MPROBE;
    }
    if (take.kind == SMALL_IRECV) open[to][nopen[to]++] = p->count[to];
    p->ops[to][p->count[to]++] = take;
    int some = (int)small_below((uint32_t)p->n);
    if (nopen[some] && small_below(2)) {
      int i = (int)small_below((uint32_t)nopen[some]);
      p->ops[some][p->count[some]++] = (struct small_op){SMALL_WAIT, open[some][i], 0};
      open[some][i] = open[some][--nopen[some]];
    }
  }
  for (int q = 0; q < p->n; q++)
    while (nopen[q]) p->ops[q][p->count[q]++] = (struct small_op){SMALL_WAIT, open[q][--nopen[q]], 0};
}
