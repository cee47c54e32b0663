// RUN: %unit/test-judge-agree
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random executions of collectives: what each rank sends and expects is made fitting, block by block, in types that are
// built in different ways, and then sometimes one thing is spoilt. The truth is found with signatures written out, pair
// by pair; the judge must say exactly that. usage: test-judge-agree [executions [seed]]
#include "fake-log.h"
#include "judge/collective/sequence-hash.h"
#include "judge/parcel/parcel.h"
#include "log/blocks.h"
#include "sent-parcels.h"
#include "sent-parcels.h"

enum { RANKS_MAX = 8, CALLS_MAX = 8, ELEMENTS_MAX = 64, RUNS = 12000 };
enum kind { INT, FLOAT, DOUBLE, BYTE, INT2, INT_FLOAT, NESTED, KINDS }; // NESTED: 2 of INT_FLOAT, 1 of INT2
enum { WORLD, PART, BETWEEN, COMMS };

struct block {
  enum kind kind;
  uint32_t n;
};
struct call {
  uint16_t fn;
  int root;
  uint32_t op;
  bool is_in_place, has_send, has_recv;
  struct block send[RANKS_MAX], recv[RANKS_MAX]; // by partner
};
struct comm {
  int size, remote, member[RANKS_MAX];
  bool edge[RANKS_MAX][RANKS_MAX];
}; // world ranks: first group, then second
static uint64_t state;
static uint32_t pick(uint32_t n) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)((state >> 20) % n);
}

// --- signatures, written out -----------------------------------------------------------------------------------------
static int expand(struct block b, uint32_t *out) {
  int n = 0;
  for (uint32_t i = 0; i < b.n && n < ELEMENTS_MAX - 8; i++) switch (b.kind) {
    case INT: out[n++] = MCK_BASIC_INT; break;
    case FLOAT: out[n++] = MCK_BASIC_FLOAT; break;
    case DOUBLE: out[n++] = MCK_BASIC_DOUBLE; break;
    case BYTE: out[n++] = MCK_BASIC_BYTE; break;
    case NESTED:
      for (int k = 0; k < 2; k++) out[n++] = MCK_BASIC_INT, out[n++] = MCK_BASIC_FLOAT;
      out[n++] = MCK_BASIC_INT, out[n++] = MCK_BASIC_INT;
      break;
    case INT2: out[n++] = MCK_BASIC_INT, out[n++] = MCK_BASIC_INT; break;
    case INT_FLOAT: out[n++] = MCK_BASIC_INT, out[n++] = MCK_BASIC_FLOAT; break;
    case KINDS: break;
    }
  return n;
}
enum { WELL, COUNT, TYPE };
static int compare(struct block a, struct block b) {
  uint32_t x[ELEMENTS_MAX], y[ELEMENTS_MAX], bytes[2] = {0, 0};
  int n = expand(a, x), m = expand(b, y);
  for (int i = 0; i < n; i++) bytes[0] += mck_basic_bytes(x[i]);
  for (int i = 0; i < m; i++) bytes[1] += mck_basic_bytes(y[i]);
  for (int i = 0; i < n && i < m; i++) {
    if (x[i] == y[i]) continue;
    if (x[i] != MCK_BASIC_BYTE && y[i] != MCK_BASIC_BYTE) return TYPE;
    break;
  }
  return bytes[0] == bytes[1] ? WELL : COUNT;
}
// The same elements in another way, if there is one.
static struct block rebuilt(struct block b) {
  if (!pick(3)) return b;
  if (b.kind == INT && b.n % 2 == 0) return (struct block){INT2, b.n / 2};
  if (b.kind == INT2) return (struct block){INT, 2 * b.n};
  return b;
}
static struct block random_block(void) { return (struct block){(enum kind)pick(KINDS), pick(4)}; }

// --- the functions
// ----------------------------------------------------------------------------------------------------
enum form { NONE, BCAST, ALIKE, BLOCKS, GATHER, SCATTER, ALLGATHER, ALLTOALL, NEIGHBORS };
static const struct function {
  uint16_t fn, twin;
  enum form form;
  bool has_root, has_op, in_place_all, in_place_any, is_uniform, is_intra;
} functions[] = {
    {MCK_FN_MPI_Barrier, MCK_FN_MPI_Ibarrier, NONE, .is_uniform = true},
    {MCK_FN_MPI_Bcast, MCK_FN_MPI_Ibcast, BCAST, .has_root = true, .is_uniform = true},
    {MCK_FN_MPI_Reduce, MCK_FN_MPI_Ireduce, ALIKE, .has_root = true, .has_op = true, .is_uniform = true},
    {MCK_FN_MPI_Allreduce, MCK_FN_MPI_Iallreduce, ALIKE, .has_op = true, .in_place_all = true, .is_uniform = true},
    {MCK_FN_MPI_Scan, MCK_FN_MPI_Iscan, ALIKE, .has_op = true, .in_place_any = true, .is_uniform = true,
     .is_intra = true},
    {MCK_FN_MPI_Reduce_scatter_block, MCK_FN_MPI_Ireduce_scatter_block, ALIKE, .has_op = true, .in_place_all = true,
     .is_uniform = true, .is_intra = true},
    {MCK_FN_MPI_Reduce_scatter, MCK_FN_MPI_Ireduce_scatter, BLOCKS, .has_op = true, .in_place_any = true,
     .is_intra = true},
    {MCK_FN_MPI_Gather, MCK_FN_MPI_Igather, GATHER, .has_root = true, .is_uniform = true},
    {MCK_FN_MPI_Gatherv, MCK_FN_MPI_Igatherv, GATHER, .has_root = true},
    {MCK_FN_MPI_Scatter, MCK_FN_MPI_Iscatter, SCATTER, .has_root = true, .is_uniform = true},
    {MCK_FN_MPI_Scatterv, MCK_FN_MPI_Iscatterv, SCATTER, .has_root = true},
    {MCK_FN_MPI_Allgather, MCK_FN_MPI_Iallgather, ALLGATHER, .in_place_all = true, .is_uniform = true},
    {MCK_FN_MPI_Allgatherv, MCK_FN_MPI_Iallgatherv, ALLGATHER, .in_place_all = true},
    {MCK_FN_MPI_Alltoall, MCK_FN_MPI_Ialltoall, ALLTOALL, .in_place_all = true, .is_uniform = true},
    {MCK_FN_MPI_Alltoallv, MCK_FN_MPI_Ialltoallv, ALLTOALL, .in_place_all = true},
    {MCK_FN_MPI_Alltoallw, MCK_FN_MPI_Ialltoallw, ALLTOALL, .in_place_all = true},
    {MCK_FN_MPI_Neighbor_alltoall, MCK_FN_MPI_Ineighbor_alltoall, NEIGHBORS, .is_uniform = true, .is_intra = true},
    {MCK_FN_MPI_Neighbor_alltoallw, MCK_FN_MPI_Ineighbor_alltoallw, NEIGHBORS, .is_intra = true},
};
enum { NFUNCTIONS = sizeof functions / sizeof *functions };
static const struct function *function_of(uint16_t fn) {
  for (int i = 0; i < NFUNCTIONS; i++)
    if (functions[i].fn == fn || functions[i].twin == fn) return &functions[i];
  return NULL;
}

static int total(const struct comm *c) { return c->size + c->remote; }
static bool is_second(const struct comm *c, int i) { return i >= c->size; }
static bool are_partners(const struct comm *c, int i, int k) {
  return !c->remote || is_second(c, i) != is_second(c, k);
}
static int own_rank(const struct comm *c, int i) { return is_second(c, i) ? i - c->size : i; } // in its group

// A right call of all members.
static void make_call(const struct comm *c, struct call *calls) {
  const struct function *f;
  do f = &functions[pick(NFUNCTIONS)];
  while (c->remote && f->is_intra);
  int n = total(c), root = (int)pick((uint32_t)n);
  bool is_twin = !pick(4), is_in_place = f->in_place_all && !c->remote && !pick(4);
  uint32_t op = MCK_OP_MAX + pick(4);
  struct block one = random_block(), table[RANKS_MAX][RANKS_MAX];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      table[i][k] = f->is_uniform || f->form == BCAST || f->form == ALIKE ? one : random_block();
  for (int i = 0; i < n; i++) // of one pair both ways; to each the same; for each the same
    for (int k = 0; k < n; k++) {
      if (f->form == ALLTOALL && is_in_place && k > i) table[k][i] = table[i][k];
      if (f->form == ALLGATHER) table[i][k] = table[i][0];
      if (f->form == BLOCKS) table[i][k] = table[0][k];
    }
  for (int i = 0; i < n; i++) {
    struct call *x = &calls[i];
    *x = (struct call){.fn = is_twin ? f->twin : f->fn, .root = -1, .has_send = true, .has_recv = true};
    bool is_root = i == root, is_beside = f->has_root && c->remote && is_second(c, i) == is_second(c, root) && !is_root;
    if (f->has_root) x->root = !c->remote ? root : is_root ? -4 : is_beside ? -2 : own_rank(c, root);
    if (f->has_op && !is_beside) x->op = op;
    x->is_in_place = is_in_place || (f->in_place_any && !pick(3));
    if (is_beside || f->form == NONE) {
      x->has_send = x->has_recv = false;
      continue;
    }
    struct block mine = rebuilt(one);
    for (int k = 0; k < n; k++) {
      if (!are_partners(c, i, k)) continue;
      int at = c->remote ? own_rank(c, k) : k;
      switch (f->form) {
      case BCAST:
      case ALIKE: x->send[at] = x->recv[at] = mine; break;
      case BLOCKS: x->recv[at] = table[0][k]; break;
      default: x->send[at] = table[i][k], x->recv[at] = table[k][i];
      }
    }
    if (f->form == BLOCKS) x->has_send = false;
    if (f->form == GATHER || f->form == SCATTER) { // one block beside the root
      bool is_gather = f->form == GATHER;
      x->has_send = is_gather ? !(is_root && c->remote) : is_root;
      x->has_recv = is_gather ? is_root : !(is_root && c->remote);
      if (is_gather && x->has_send)
        for (int k = 0; k < RANKS_MAX; k++) x->send[k] = table[i][root];
      if (!is_gather && x->has_recv)
        for (int k = 0; k < RANKS_MAX; k++) x->recv[k] = table[root][i];
      if (is_root && !c->remote && !pick(4)) {
        x->is_in_place = true;
        if (is_gather) x->has_send = false;
        else x->has_recv = false;
      }
    }
    if (x->is_in_place && (f->form == ALLGATHER || f->form == ALLTOALL)) x->has_send = false;
    if (f->form == ALLGATHER)
      for (int k = 0; k < RANKS_MAX; k++) x->send[k] = table[i][0];
  }
}

static void spoil(const struct comm *c, struct call *calls) {
  int n = total(c), who = (int)pick((uint32_t)n);
  struct call *x = &calls[who];
  const struct function *f = function_of(x->fn);
  switch (pick(6)) {
  case 0: x->fn = x->fn == f->fn ? f->twin : f->fn; break;
  case 1:
    x->fn = functions[pick(NFUNCTIONS)].fn;
    if (c->remote && function_of(x->fn)->is_intra) x->fn = MCK_FN_MPI_Barrier;
    break;
  case 2:
    if (f->has_root) x->root = (int)pick((uint32_t)(c->remote ? 1 : c->size));
    break;
  case 3:
    if (x->op) x->op = MCK_OP_MAX + pick(6);
    break;
  case 4:
    if (f->in_place_all && !c->remote && (f->form == ALIKE)) x->is_in_place = !x->is_in_place;
    break;
  default: {
    bool is_all = f->is_uniform || f->form == ALLGATHER || f->form == GATHER || f->form == SCATTER;
    struct block *side = pick(2) ? x->send : x->recv, other = random_block();
    if (f->form == BCAST || f->form == ALIKE) side = x->send;
    if (f->form == ALLGATHER && side == x->recv && !f->is_uniform) is_all = false;
    if ((f->form == GATHER && side == x->recv && !f->is_uniform) ||
        (f->form == SCATTER && side == x->send && !f->is_uniform))
      is_all = false;
    uint32_t at = pick((uint32_t)(c->remote ? (is_second(c, who) ? c->size : c->remote) : c->size));
    for (uint32_t k = 0; k < RANKS_MAX; k++)
      if (is_all || k == at) side[k] = other;
    if (f->form == BCAST || f->form == ALIKE) memcpy(x->recv, x->send, sizeof x->recv);
  }
  }
}

static uint64_t nedges; // executions in which an edge of a topology does not fit

// --- the truth
// --------------------------------------------------------------------------------------------------------
static int worst_pair(const struct comm *c, const struct call *calls, const struct function *f) {
  int n = total(c), worst = WELL, root = -1, first[2] = {-1, -1};
#define PAIR(a, b)                                                                                                     \
  do {                                                                                                                 \
    int fit = compare(a, b);                                                                                           \
    if (fit > worst) worst = fit;                                                                                      \
  } while (0)
  for (int i = 0; i < n; i++)
    if (c->remote ? calls[i].root == -4 : calls[i].root == i) root = i;
  for (int i = 0; i < n; i++) {
    const struct call *x = &calls[i];
    bool has = x->has_send || x->has_recv;
    switch (f->form) {
    case NONE: break;
    case BCAST:
      if (root >= 0 && has && are_partners(c, i, root)) PAIR(calls[root].send[0], x->send[0]);
      break;
    case ALIKE:
      if (has && first[0] < 0) first[0] = i;
      if (has) PAIR(calls[first[0]].send[0], x->send[0]);
      break;
    case NEIGHBORS:
      for (int k = 0; k < n; k++)
        if (c->edge[i][k]) PAIR(x->send[k], calls[k].recv[i]);
      break;
    case BLOCKS:
      for (int k = 0; k < n; k++) PAIR(calls[0].recv[k], x->recv[k]);
      break;
    case GATHER:
      if (root >= 0 && x->has_send && calls[root].has_recv && are_partners(c, i, root))
        PAIR(x->send[0], calls[root].recv[own_rank(c, i)]);
      break;
    case SCATTER:
      if (root >= 0 && x->has_recv && calls[root].has_send && are_partners(c, i, root))
        PAIR(calls[root].send[own_rank(c, i)], x->recv[0]);
      break;
    case ALLGATHER:
    case ALLTOALL:
      for (int k = 0; k < n; k++) {
        if (!are_partners(c, i, k)) continue;
        int there = own_rank(c, k), here = own_rank(c, i);
        PAIR(x->has_send ? x->send[there] : x->recv[f->form == ALLTOALL ? there : here], calls[k].recv[here]);
      }
    }
  }
  return worst;
}

static bool are_roots_right(const struct comm *c, const struct call *calls) {
  int n = total(c);
  if (!c->remote) {
    for (int i = 1; i < n; i++)
      if (calls[i].root != calls[0].root) return false;
    return true;
  }
  for (int root = 0; root < n; root++) { // is there a rank that all agree on?
    bool is_right = true;
    for (int i = 0; i < n; i++)
      is_right &= calls[i].root == (i == root ? -4 : is_second(c, i) == is_second(c, root) ? -2 : own_rank(c, root));
    if (is_right) return true;
  }
  return false;
}

static int truth(const struct comm *c, const struct call *calls) {
  int n = total(c);
  const struct function *f = function_of(calls[0].fn);
  bool is_twin = false;
  uint32_t op = 0;
  for (int i = 0; i < n; i++) {
    if (function_of(calls[i].fn) != f) return MCK_CHECK_COLLECTIVE_CALL;
    is_twin |= calls[i].fn != calls[0].fn;
  }
  if (is_twin) return MCK_CHECK_COLLECTIVE_BLOCKING;
  if (f->has_root && !are_roots_right(c, calls)) return MCK_CHECK_COLLECTIVE_ROOT;
  for (int i = 0; i < n; i++) {
    if (!op) op = calls[i].op;
    if (f->has_op && calls[i].op && calls[i].op != op) return MCK_CHECK_COLLECTIVE_OP;
  }
  for (int i = 1; i < n && f->in_place_all && !c->remote; i++)
    if (calls[i].is_in_place != calls[0].is_in_place) return MCK_CHECK_COLLECTIVE_IN_PLACE;
  int worst = worst_pair(c, calls, f);
  nedges += f->form == NEIGHBORS && worst != WELL;
  return worst == TYPE ? MCK_CHECK_COLLECTIVE_TYPE : worst == COUNT ? MCK_CHECK_COLLECTIVE_COUNT : MCK_CHECK_COUNT;
}

// --- the logs
// ---------------------------------------------------------------------------------------------------------
static struct fake logs[RANKS_MAX];
static uint32_t first_type[RANKS_MAX]; // each rank has other numbers for the types
static uint32_t id_of(int r, enum kind kind) {
  static const uint32_t basics[] = {MCK_BASIC_INT, MCK_BASIC_FLOAT, MCK_BASIC_DOUBLE, MCK_BASIC_BYTE};
  return kind < INT2 ? basics[kind] : first_type[r] + (uint32_t)kind - INT2;
}
static void define_types(int r) {
  first_type[r] = MCK_TYPE_USER + pick(3);
  struct mck_type_part two = {2, MCK_BASIC_INT, 0}, mixed[2] = {{1, MCK_BASIC_INT, 0}, {1, MCK_BASIC_FLOAT, 0}};
  struct mck_type_part nested[2] = {{2, id_of(r, INT_FLOAT), 0}, {1, id_of(r, INT2), 0}};
  struct mck_block block = {0, 8}, long_block = {0, 24};
  for (uint32_t i = MCK_TYPE_USER; i < first_type[r]; i++) fake_type(&logs[r], i, 8, &two, 1, 8, &block, 1);
  fake_type(&logs[r], id_of(r, INT2), 8, &two, 1, 8, &block, 1);
  fake_type(&logs[r], id_of(r, INT_FLOAT), 8, mixed, 2, 8, &block, 1);
  fake_type(&logs[r], id_of(r, NESTED), 24, nested, 2, 24, &long_block, 1);
}

static uint32_t put_side(int r, const struct block *blocks, int n, bool is_uniform, uint32_t *words, size_t *at,
                         uint32_t *type, bool *is_counts) {
  if (is_uniform) {
    words[(*at)++] = MCK_NONE, words[(*at)++] = id_of(r, blocks[0].kind), words[(*at)++] = blocks[0].n;
    return 1;
  }
  *is_counts = true;
  for (int i = 1; i < n; i++) *is_counts &= blocks[i].kind == blocks[0].kind;
  *is_counts &= pick(2);
  *type = id_of(r, blocks[0].kind);
  for (int i = 0; i < n; i++) {
    if (!*is_counts) words[(*at)++] = 1, words[(*at)++] = id_of(r, blocks[i].kind);
    words[(*at)++] = blocks[i].n;
  }
  return (uint32_t)n;
}

static void log_call(const struct comm *c, int i, uint32_t comm, const struct call *x, uint32_t site) {
  struct call compact;
  int r = c->member[i], nsend = 0, nrecv = 0, n = c->remote ? (is_second(c, i) ? c->size : c->remote) : c->size;
  const struct function *f = function_of(x->fn);
  if (f->form == NEIGHBORS) { // the neighbours only, in their order
    compact = *x;
    for (int k = 0; k < n; k++) {
      if (c->edge[i][k]) compact.send[nsend++] = x->send[k];
      if (c->edge[k][i]) compact.recv[nrecv++] = x->recv[k];
    }
    x = &compact;
  } else nsend = nrecv = n;
  struct mck_event e = {.kind = MCK_EV_COLL,
                        .fn = x->fn,
                        .site = site,
                        .flags = x->is_in_place ? MCK_COLL_IN_PLACE : 0,
                        .coll = {.comm = comm, .root = x->root, .op = x->op, .type = MCK_NONE}};
  bool is_send_one = true, is_recv_one = true; // uniform as far as the function goes
  for (int k = 1; k < nsend; k++) is_send_one &= x->send[k].kind == x->send[0].kind && x->send[k].n == x->send[0].n;
  for (int k = 1; k < nrecv; k++) is_recv_one &= x->recv[k].kind == x->recv[0].kind && x->recv[k].n == x->recv[0].n;
  bool is_same = is_send_one && is_recv_one && x->send[0].kind == x->recv[0].kind && x->send[0].n == x->recv[0].n;
  bool is_simple = (x->has_send && x->has_recv ? is_same
                    : x->has_send              ? is_send_one
                                               : is_recv_one) &&
                   (f->is_uniform || pick(2));
  if (is_simple || (!x->has_send && !x->has_recv)) {
    const struct block *b = x->has_send ? x->send : x->recv;
    e.flags |= (x->has_send ? MCK_COLL_SENDS : 0) | (x->has_recv ? MCK_COLL_RECEIVES : 0);
    if (x->has_send || x->has_recv) e.coll.type = id_of(r, b->kind), e.coll.count = b->n;
    fake_event(&logs[r], e);
    return;
  }
  struct mck_event units[2 + RANKS_MAX];
  memset(units, 0, sizeof units);
  uint32_t *words = (uint32_t *)&units[2], types[2] = {MCK_NONE, MCK_NONE};
  bool is_counts[2] = {false, false};
  size_t at = 0;
  e.flags |= MCK_COLL_HAS_ARGS;
  units[0] = e;
  units[1] = (struct mck_event){.kind = MCK_EV_COLL_ARGS, .fn = x->fn, .site = MCK_NONE};
  if (x->has_send) units[1].args.nsend = put_side(r, x->send, nsend, is_send_one, words, &at, &types[0], &is_counts[0]);
  if (x->has_recv) units[1].args.nrecv = put_side(r, x->recv, nrecv, is_recv_one, words, &at, &types[1], &is_counts[1]);
  units[1].flags = (is_counts[0] ? MCK_ARGS_SEND_COUNTS : 0) | (is_counts[1] ? MCK_ARGS_RECV_COUNTS : 0);
  units[1].args.send_type = types[0], units[1].args.recv_type = types[1];
  units[1].args.extra = (uint32_t)((at * 4 + MCK_UNIT - 1) / MCK_UNIT);
  fake_units(&logs[r], units, 2 + units[1].args.extra);
}

static void define_comm(const struct comm *c, uint32_t id, uint64_t key) {
  for (int i = 0; i < total(c); i++) {
    struct mck_range ranges[RANKS_MAX];
    bool is_other = is_second(c, i);
    for (int k = 0; k < total(c); k++) { // the own group first
      int from = !is_other ? k : k < c->remote ? c->size + k : k - c->remote;
      ranges[k] = (struct mck_range){(uint32_t)c->member[from], 1};
    }
    fake_comm(&logs[c->member[i]], id, key, (uint32_t)own_rank(c, i), ranges, (uint32_t)total(c),
              (uint32_t)(is_other ? c->remote : c->size), (uint32_t)(is_other ? c->size : c->remote));
  }
}

static void define_topology(const struct comm *c, int i, uint32_t id) {
  int32_t ranks[2 * RANKS_MAX];
  uint32_t nsources = 0, n = 0;
  for (int k = 0; k < c->size; k++)
    if (c->edge[k][i]) ranks[n++] = k;
  nsources = n;
  for (int k = 0; k < c->size; k++)
    if (c->edge[i][k]) ranks[n++] = k;
  fake_define(&logs[c->member[i]], MCK_EV_DEF_TOPOLOGY, id, nsources, n - nsources, 0, 0, ranks, n * sizeof *ranks,
              NULL, 0);
}

// Parcels with bytes put for others: whatever is then said, nothing is read that is not there (the sanitizers look).
static void judge_forged(uint32_t size) {
  struct mck_reader readers[RANKS_MAX];
  struct mck_judge *judges[RANKS_MAX];
  struct mck_judge_run how = {size, true};
  struct mck_findings found = {0};
  for (uint32_t r = 0; r < size; r++) {
    fake_load(&logs[r], &readers[r]);
    judges[r] = mck_judge_index(&readers[r], size);
    if (!judges[r] || !mck_judge_parcels(judges[r])) exit(1);
    const struct mck_parcel *parcel = mck_parcels_find(mck_judge_parcels(judges[r]), 0);
    for (uint32_t i = 1 + pick(3); parcel && parcel->size && i > 0; i--)
      parcel->data[pick((uint32_t)parcel->size)] ^= (uint8_t)(1 << pick(8));
  }
  struct mck_parcels from = sent_to(0, judges, (int)size);
  mck_judge_decide(judges[0], &from, &how, &found);
  mck_findings_free(&found);
  free(from.items);
  for (uint32_t r = 0; r < size; r++) {
    mck_judge_free(judges[r]);
    mck_log_unload(&readers[r]);
  }
}

// Do neighbours agree from one to the next (judge/collective/sequence-hash.h)?
static bool is_chain_alike(uint32_t size) {
  struct mck_reader readers[RANKS_MAX];
  struct mck_judge *judges[RANKS_MAX];
  struct mck_parcels told[RANKS_MAX] = {0};
  bool is_alike = true;
  for (uint32_t r = 0; r < size; r++) {
    fake_load(&logs[r], &readers[r]);
    judges[r] = mck_judge_index(&readers[r], size);
    if (!judges[r]) exit(1);
    is_alike &= mck_sequence_hash_make(judges[r], &told[r]);
  }
  for (uint32_t r = 0; r < size && is_alike; r++) {
    struct mck_parcels from = {0};
    for (uint32_t s = 0; s < size; s++)
      if (mck_parcels_find(&told[s], (int)r)) *mck_parcels_add(&from, (int)s) = *mck_parcels_find(&told[s], (int)r);
    is_alike &= mck_sequence_hash_is_alike(judges[r], &from);
    free(from.items);
  }
  for (uint32_t r = 0; r < size; r++) {
    mck_parcels_free(&told[r]);
    mck_judge_free(judges[r]);
    mck_log_unload(&readers[r]);
  }
  return is_alike;
}

static int failures;
static uint64_t nalike;
static uint64_t counts[MCK_CHECK_COUNT + 1]; // of what was to be said
static void run(uint64_t number) {
  int size = 2 + (int)pick(RANKS_MAX - 1);
  struct comm comms[COMMS] = {0};
  for (int r = 0; r < size; r++) {
    fake_begin(&logs[r], (uint32_t)r, (uint32_t)size);
    define_types(r);
    comms[WORLD].member[comms[WORLD].size++] = r;
  }
  int order[RANKS_MAX];
  for (int r = 0; r < size; r++) order[r] = r;
  for (int r = size - 1; r > 0; r--) {
    int k = (int)pick((uint32_t)r + 1), t = order[r];
    order[r] = order[k], order[k] = t;
  }
  comms[PART].size = 2 + (int)pick((uint32_t)size - 1);
  comms[BETWEEN].size = 1 + (int)pick((uint32_t)size - 1);
  comms[BETWEEN].remote = size - comms[BETWEEN].size;
  memcpy(comms[PART].member, order, sizeof order);
  memcpy(comms[BETWEEN].member, order, sizeof order);
  for (int i = 0; i < RANKS_MAX; i++)
    for (int k = 0; k < RANKS_MAX; k++)
      for (int w = WORLD; w <= PART; w++) comms[w].edge[i][k] = pick(2);
  define_comm(&comms[PART], PART, 200);
  define_comm(&comms[BETWEEN], BETWEEN, 300);

  for (uint32_t w = WORLD; w <= PART; w++)
    for (int i = 0; i < comms[w].size; i++) define_topology(&comms[w], i, w);
  int ncalls = 1 + (int)pick(CALLS_MAX), expected[COMMS][CALLS_MAX], n[COMMS] = {0}, ncall_errors[COMMS] = {0};
  bool is_complete = pick(4) > 0;
  uint32_t site = 0;
  for (int i = 0; i < ncalls; i++) {
    uint32_t comm = pick(COMMS);
    const struct comm *c = &comms[comm];
    struct call calls[RANKS_MAX];
    make_call(c, calls);
    if (!pick(3)) spoil(c, calls);
    uint32_t times = 1 + !pick(4);
    for (; times > 0 && n[comm] < CALLS_MAX; times--) {
      expected[comm][n[comm]] = truth(c, calls);
      ncall_errors[comm] += expected[comm][n[comm]++] == MCK_CHECK_COLLECTIVE_CALL;
      for (int k = 0; k < total(c); k++) log_call(c, k, comm, &calls[k], ++site);
    }
  }
  // After another call only what is certain (docs/design/judge.md).
  bool is_lost[COMMS] = {false};
  struct mck_findings found = {0};
  if (!pick(4)) judge_forged((uint32_t)size);
  bool is_alike = is_chain_alike((uint32_t)size);
  nalike += is_alike;
  fake_judge(logs, (uint32_t)size, is_complete, &found);
  int wanted = 0;
  for (uint32_t comm = 0; comm < COMMS; comm++)
    for (int i = 0; i < n[comm]; i++)
      if (is_alike && expected[comm][i] != MCK_CHECK_COUNT)
        failures++, printf("execution %llu: the chain sees nothing of %s\n", (unsigned long long)number,
                           mck_check_infos[expected[comm][i]].id);
  for (uint32_t comm = 0; comm < COMMS; comm++)
    for (int i = 0; i < n[comm]; i++) {
      int check = expected[comm][i];
      if (is_lost[comm] || check == MCK_CHECK_COUNT) continue;
      char text[64];
      snprintf(text, sizeof text, "number %d of", i + 1);
      bool is_there = false;
      for (size_t k = 0; k < found.count; k++)
        is_there |= (int)found.items[k].check == check && strstr(found.items[k].why, text);
      if (!is_there)
        failures++, printf("execution %llu: not said: %s %s communicator %u\n", (unsigned long long)number,
                           mck_check_infos[check].id, text, comm);
      wanted++;
      counts[check]++;
      if (check == MCK_CHECK_COLLECTIVE_CALL && (!is_complete || ncall_errors[comm] > 1)) is_lost[comm] = true;
    }
  if ((int)found.count != wanted) {
    failures++;
    printf("execution %llu: %zu findings, not %d\n", (unsigned long long)number, found.count, wanted);
  }
  if (failures && failures < 5) fake_print(&found);
  mck_findings_free(&found);
}

int main(int argc, char **argv) {
  uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : RUNS, seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
           said = 0;
  printf("seed %llu\n", (unsigned long long)seed);
  for (uint64_t i = 0; i < n && failures < 20; i++) {
    state = (seed << 32) + i * 0x9e3779b97f4a7c15u + 1;
    pick(1), pick(1), pick(1);
    run(i);
    said++;
  }
  // A test in which nothing happens proves nothing.
  static const int all[] = {MCK_CHECK_COLLECTIVE_CALL,    MCK_CHECK_COLLECTIVE_ROOT, MCK_CHECK_COLLECTIVE_OP,
                            MCK_CHECK_COLLECTIVE_COUNT,   MCK_CHECK_COLLECTIVE_TYPE, MCK_CHECK_COLLECTIVE_BLOCKING,
                            MCK_CHECK_COLLECTIVE_IN_PLACE};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    printf("%s: %llu\n", mck_check_infos[all[i]].id, (unsigned long long)counts[all[i]]);
    if (n >= RUNS && counts[all[i]] < 100) failures++;
  }
  printf("agreed from neighbour to neighbour: %llu\n", (unsigned long long)nalike);
  if (n >= RUNS && nalike < 300) failures++;
  printf("along edges: %llu\n", (unsigned long long)nedges);
  if (n >= RUNS && nedges < 100) failures++;
  return failures != 0 || said < n;
}
