// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For test-judge-unsafe.c: small programs, and an explicit-state machine of MPI that runs them, with standard sends
// buffered or synchronous, matching by MPI's rules or by the matches of an earlier run. No index, no list, no graph: a
// state is which operation each rank is in and what has met what, and everything is looked up in that.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { RANKS = 4, OPS = 24, NOBODY = 255, WILD = -1 };
enum op_kind {
  SEND,
  SSEND,
  BSEND,
  ISEND,
  RECV,
  IRECV,
  HALF_SEND,
  HALF_RECV, // of one MPI_Sendrecv, next to each other
  WAITALL,
  WAITANY,
  BARRIER,
  BCAST,
};
struct op {
  enum op_kind kind;
  int peer, tag;     // BCAST: peer is the root
  uint32_t requests; // WAITALL, WAITANY: bits of this rank's operations
};
struct program {
  bool is_synchronizing; // a collective ends when all have entered it
  int nranks;
  struct op ops[RANKS][OPS];
  int nops[RANKS];
};
struct state {
  uint8_t at[RANKS], is_entered[RANKS];
  uint8_t met_rank[RANKS][OPS], met_op[RANKS][OPS]; // NOBODY: not met
};

static inline bool op_is_send(const struct op *o) { return o->kind <= ISEND || o->kind == HALF_SEND; }
static inline bool op_is_receive(const struct op *o) {
  return o->kind == RECV || o->kind == IRECV || o->kind == HALF_RECV;
}

static inline void state_begin(struct state *s) {
  memset(s, 0, sizeof *s);
  memset(s->met_rank, NOBODY, sizeof s->met_rank);
  memset(s->met_op, NOBODY, sizeof s->met_op);
}
static inline bool op_was_entered(const struct state *s, int r, int i) {
  return i < s->at[r] || (i == s->at[r] && s->is_entered[r]);
}
static inline bool op_accepts(const struct op *receive, const struct op *send, int sender) {
  return (receive->peer == WILD || receive->peer == sender) && (receive->tag == WILD || receive->tag == send->tag);
}

static inline void meet(struct state *s, int sender, int send, int receiver, int receive) {
  s->met_rank[sender][send] = (uint8_t)receiver, s->met_op[sender][send] = (uint8_t)receive;
  s->met_rank[receiver][receive] = (uint8_t)sender, s->met_op[receiver][receive] = (uint8_t)send;
}

// A send takes the first posted receive that accepts it (MPI-3.1 3.5).
static inline void match_send(const struct program *p, struct state *s, int r, int i) {
  const struct op *send = &p->ops[r][i];
  int d = send->peer;
  for (int k = 0; k < p->nops[d]; k++)
    if (op_was_entered(s, d, k) && op_is_receive(&p->ops[d][k]) && s->met_rank[d][k] == NOBODY &&
        op_accepts(&p->ops[d][k], send, r)) {
      meet(s, r, i, d, k);
      return;
    }
}
// The first send of this source that the receive accepts, or -1.
static inline int first_send(const struct program *p, const struct state *s, int source, int r,
                             const struct op *receive) {
  for (int k = 0; k < p->nops[source]; k++) {
    const struct op *send = &p->ops[source][k];
    if (op_was_entered(s, source, k) && op_is_send(send) && send->peer == r && s->met_rank[source][k] == NOBODY &&
        op_accepts(receive, send, source))
      return k;
  }
  return -1;
}

// Enters the operation at hand. choice: which source a receive takes, of those that have something for it.
static inline int count_choices(const struct program *p, const struct state *s, int r, int *sources) {
  const struct op *o = &p->ops[r][s->at[r]];
  int n = 0;
  if (!op_is_receive(o)) return 0;
  for (int q = 0; q < p->nranks; q++)
    if (first_send(p, s, q, r, o) >= 0) sources[n++] = q;
  return n;
}
static inline void enter_op(const struct program *p, struct state *s, int r, int source) {
  int i = s->at[r];
  const struct op *o = &p->ops[r][i];
  if (op_is_send(o)) {
    s->is_entered[r] = 1;
    match_send(p, s, r, i);
  } else {
    int send = op_is_receive(o) && source >= 0 ? first_send(p, s, source, r, o) : -1;
    s->is_entered[r] = 1;
    if (send >= 0) meet(s, source, send, r, i);
  }
}

// A collective: how many of its kind came before on this rank.
static inline int ordinal(const struct program *p, int r, int i) {
  int n = 0;
  for (int k = 0; k < i; k++) n += p->ops[r][k].kind == BARRIER || p->ops[r][k].kind == BCAST;
  return n;
}
static inline bool has_arrived(const struct program *p, const struct state *s, int q, int nth) {
  for (int k = 0; k < p->nops[q]; k++)
    if ((p->ops[q][k].kind == BARRIER || p->ops[q][k].kind == BCAST) && ordinal(p, q, k) == nth)
      return op_was_entered(s, q, k);
  return false;
}

static inline bool part_is_complete(const struct program *p, const struct state *s, int r, int i, bool is_synchronous) {
  enum op_kind kind = p->ops[r][i].kind;
  bool is_met = s->met_rank[r][i] != NOBODY;
  switch (kind) {
  case SEND:
  case ISEND:
  case HALF_SEND: return is_met || !is_synchronous;
  case SSEND: return is_met;
  case BSEND: return true;
  case RECV:
  case IRECV:
  case HALF_RECV: return is_met;
  default: return true;
  }
}

// May the operation that was entered end?
static inline bool op_may_end(const struct program *p, const struct state *s, int r, bool is_synchronous) {
  int i = s->at[r];
  const struct op *o = &p->ops[r][i];
  switch (o->kind) {
  case ISEND:
  case IRECV:
  case HALF_SEND: return true;
  case HALF_RECV:
    return part_is_complete(p, s, r, i, is_synchronous) && part_is_complete(p, s, r, i - 1, is_synchronous);
  case WAITALL:
    for (int k = 0; k < i; k++)
      if (o->requests >> k & 1 && !part_is_complete(p, s, r, k, is_synchronous)) return false;
    return true;
  case WAITANY:
    for (int k = 0; k < i; k++)
      if (o->requests >> k & 1 && part_is_complete(p, s, r, k, is_synchronous)) return true;
    return !o->requests;
  case BARRIER:
    for (int q = 0; q < p->nranks; q++)
      if (!has_arrived(p, s, q, ordinal(p, r, i))) return false;
    return true;
  case BCAST:
    for (int q = 0; q < p->nranks && p->is_synchronizing && is_synchronous; q++)
      if (!has_arrived(p, s, q, ordinal(p, r, i))) return false;
    return has_arrived(p, s, o->peer, ordinal(p, r, i));
  default: return part_is_complete(p, s, r, i, is_synchronous);
  }
}
static inline bool rank_is_over(const struct program *p, const struct state *s, int r) {
  return s->at[r] >= p->nops[r];
}
static inline bool is_over(const struct program *p, const struct state *s) {
  for (int r = 0; r < p->nranks; r++)
    if (!rank_is_over(p, s, r)) return false;
  return true;
}
