// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of step 1: packs the index into one parcel for each rank. It sorts once to find what goes to a rank. A parcel
// contains only the types and shapes that it uses, so the work is proportional to the bytes that are sent.
#include "judge/index.h"
#include "judge/type-text.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// index: of a channel or sequence.
struct item {
  int32_t world;
  uint32_t index;
};
struct target {
  int32_t world;
  uint32_t win, op;
};
struct pack {
  struct mck_judge *judge;
  struct item *channels;
  size_t nchannels; // outgoing channels, by destination, key, tag
  struct item *sequences;
  size_t nsequences; // by home and key
  struct target *ops;
  size_t nops; // by target, window, time
  // What the current parcel uses. number[i] is valid where stamp[i] is that of the parcel.
  uint32_t stamp;
  uint32_t *shape_stamp, *shape_number, *type_stamp, *type_number;
  uint32_t *shapes;
  size_t nshapes, shapes_capacity;
  uint32_t *call_stamp, *call_number;
  uint32_t *calls;
  size_t ncalls, calls_capacity;
  uint32_t *types;
  size_t ntypes, types_capacity; // local ids, ascending: a part is defined before the whole
  bool is_short;
};

// qsort has no context; the watch may judge in a thread of its own.
static _Thread_local const struct mck_judge *sorted __attribute__((tls_model("initial-exec")));

static int compare_channels(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  const struct mck_channel *c = &sorted->channels[x->index], *d = &sorted->channels[y->index];
  if (x->world != y->world) return x->world < y->world ? -1 : 1;
  int order = mck_std_compare_ends(mck_judge_end(c), mck_judge_end(d)); // of equal peers: by communicator and tag
  if (order) return order;
  return x->index < y->index ? -1 : x->index > y->index;
}

static int compare_sequences(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  if (x->world != y->world) return x->world < y->world ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static int compare_ops(const void *a, const void *b) {
  const struct target *x = a, *y = b;
  if (x->world != y->world) return x->world < y->world ? -1 : 1;
  if (x->win != y->win) return x->win < y->win ? -1 : 1;
  return x->op < y->op ? -1 : x->op > y->op;
}

static void collect(struct pack *p) {
  struct mck_judge *j = p->judge;
  size_t nops = 0;
  for (uint32_t w = 0; w < j->nwins; w++) nops += j->windows[w].nops;
  p->channels = malloc((j->nchannels + 1) * sizeof *p->channels);
  p->sequences = malloc((j->nsequences + 1) * sizeof *p->sequences);
  p->ops = malloc((nops + 1) * sizeof *p->ops);
  p->shape_stamp = calloc(j->nshapes + 1, sizeof *p->shape_stamp);
  p->shape_number = malloc((j->nshapes + 1) * sizeof *p->shape_number);
  p->call_stamp = calloc(j->calls.count + 1, sizeof *p->call_stamp);
  p->call_number = malloc((j->calls.count + 1) * sizeof *p->call_number);
  p->type_stamp = calloc((size_t)j->log->ntypes + 1, sizeof *p->type_stamp);
  p->type_number = malloc(((size_t)j->log->ntypes + 1) * sizeof *p->type_number);
  if (!p->channels || !p->sequences || !p->ops || !p->shape_stamp || !p->shape_number || !p->type_stamp ||
      !p->type_number || !p->call_stamp || !p->call_number) {
    p->is_short = true;
    return;
  }
  for (size_t i = 0; i < j->nchannels; i++)
    if (j->channels[i].direction == MCK_OUT)
      p->channels[p->nchannels++] = (struct item){j->channels[i].world, (uint32_t)i};
  for (size_t i = 0; !j->is_agreed && i < j->nsequences; i++) {
    int home = mck_judge_home(mck_judge_comm(j, j->sequences[i].comm));
    if (home >= 0) p->sequences[p->nsequences++] = (struct item){home, (uint32_t)i};
  }
  for (uint32_t w = 0; w < j->nwins; w++) {
    const struct mck_win_def *win = mck_judge_win(j, w);
    const struct mck_comm_def *comm = win ? mck_judge_comm(j, win->comm) : NULL;
    // For a window that is judged elsewhere (rt/rma) only the first operation to each target is sent.
    bool is_locked = j->windows[w].is_locked;
    bool *is_packed = is_locked && comm ? calloc(comm->size, sizeof *is_packed) : NULL;
    if (is_locked && comm && !is_packed) p->is_short = true;
    for (size_t i = 0; i < j->windows[w].nops && !p->is_short; i++) {
      const struct mck_event *e = &j->log->events[j->windows[w].ops[i].event];
      if (is_packed && (uint32_t)e->rma.target < comm->size) {
        if (is_packed[e->rma.target]) continue;
        is_packed[e->rma.target] = true;
      }
      int world = comm ? mck_comm_world_rank(comm, e->rma.target, false) : -1;
      if (world >= 0) p->ops[p->nops++] = (struct target){world, w, (uint32_t)i};
    }
    free(is_packed);
  }
  sorted = j;
  qsort(p->channels, p->nchannels, sizeof *p->channels, compare_channels);
  qsort(p->sequences, p->nsequences, sizeof *p->sequences, compare_sequences);
  qsort(p->ops, p->nops, sizeof *p->ops, compare_ops);
}

static void need_type(struct pack *p, uint32_t type) {
  if (!mck_judge_type(p->judge, type) || p->type_stamp[type - MCK_TYPE_USER] == p->stamp) return;
  p->type_stamp[type - MCK_TYPE_USER] = p->stamp;
  if (!MCK_PUSH(p->types, p->ntypes, p->types_capacity, type)) p->is_short = true;
}

static void need_list(struct pack *p, uint32_t list) {
  const struct mck_block_list *l = list ? &p->judge->calls.lists[list - 1] : NULL;
  for (uint32_t i = 0; l && i < l->count; i++) need_type(p, l->runs[i].type);
}

static void need_calls(struct pack *p, const struct mck_runs *runs) {
  for (size_t i = 0; i < runs->count; i++) {
    uint32_t call = runs->items[i].shape;
    if (p->call_stamp[call] == p->stamp) continue;
    p->call_stamp[call] = p->stamp;
    p->call_number[call] = (uint32_t)p->ncalls;
    if (!MCK_PUSH(p->calls, p->ncalls, p->calls_capacity, call)) p->is_short = true;
    need_list(p, p->judge->calls.items[call].send);
    need_list(p, p->judge->calls.items[call].recv);
  }
}

static void need_runs(struct pack *p, const struct mck_runs *runs) {
  for (size_t i = 0; i < runs->count; i++) {
    uint32_t shape = runs->items[i].shape;
    if (p->shape_stamp[shape] == p->stamp) continue;
    p->shape_stamp[shape] = p->stamp;
    p->shape_number[shape] = (uint32_t)p->nshapes;
    if (!MCK_PUSH(p->shapes, p->nshapes, p->shapes_capacity, shape)) p->is_short = true;
    need_type(p, p->judge->shapes[shape].type);
  }
}

static int compare_ids(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static uint32_t type_number(const struct pack *p, uint32_t type) {
  if (type < MCK_TYPE_USER) return type;
  if (!mck_judge_type(p->judge, type) || p->type_stamp[type - MCK_TYPE_USER] != p->stamp) return MCK_NONE;
  return MCK_TYPE_USER + p->type_number[type - MCK_TYPE_USER];
}

// Where it was made, and its name, for reports.
static void put_origin(struct mck_parcel *out, const struct mck_type_def *type) {
  uint32_t length = type->name_length < MCK_TYPE_NAME_SHOWN ? type->name_length : MCK_TYPE_NAME_SHOWN;
  mck_parcel_put(out, type->fn);
  mck_parcel_put(out, type->site);
  mck_parcel_put(out, length);
  for (uint32_t k = 0; k < length; k++) mck_parcel_put(out, (uint8_t)type->name[k]);
}

static void put_types(struct pack *p, struct mck_parcel *out) {
  for (size_t i = 0; i < p->ntypes; i++) { // the list grows in the loop: types have parts that have parts
    const struct mck_type_def *type = mck_judge_type(p->judge, p->types[i]);
    for (uint32_t k = 0; k < type->nparts; k++)
      if (type->parts[k].type < type->id) need_type(p, type->parts[k].type);
  }
  if (p->ntypes) qsort(p->types, p->ntypes, sizeof *p->types, compare_ids);
  for (size_t i = 0; i < p->ntypes; i++) p->type_number[p->types[i] - MCK_TYPE_USER] = (uint32_t)i;
  mck_parcel_put(out, p->ntypes);
  for (size_t i = 0; i < p->ntypes; i++) {
    const struct mck_type_def *type = mck_judge_type(p->judge, p->types[i]);
    mck_parcel_put(out, type->nparts);
    for (uint32_t k = 0; k < type->nparts; k++) {
      // Only in a forged log a part is not older than the whole. Its type counts as unknown.
      uint32_t part = type->parts[k].type < type->id ? type_number(p, type->parts[k].type) : MCK_NONE;
      mck_parcel_put(out, type->parts[k].count);
      mck_parcel_put(out, part);
    }
    mck_parcel_put(out, type->body->size);
    mck_parcel_put_signed(out, type->body->extent);
    mck_parcel_put(out, type->nblocks == MCK_NONE ? 0 : (uint64_t)type->nblocks + 1);
    for (uint32_t k = 0; type->nblocks != MCK_NONE && k < type->nblocks; k++) {
      mck_parcel_put_signed(out, type->blocks[k].offset);
      mck_parcel_put(out, type->blocks[k].length);
    }
    put_origin(out, type);
  }
}

static void put_runs(struct mck_parcel *out, const struct mck_runs *runs, const uint32_t *number) {
  mck_parcel_put(out, runs->count);
  for (size_t i = 0; i < runs->count; i++) {
    mck_parcel_put(out, runs->items[i].n);
    mck_parcel_put(out, number[runs->items[i].shape]);
  }
}

static uint32_t number_of(void *context, uint32_t type) { return type_number(context, type); }

static void put_sequence(struct pack *p, struct mck_parcel *out, const struct mck_sequence *q) {
  const struct mck_comm_def *comm = mck_judge_comm(p->judge, q->comm);
  mck_parcel_put(out, q->key);
  if (p->judge->may_be_open) mck_parcel_put(out, q->is_open);
  mck_parcel_put(out, comm->neighbors ? comm->nsources : 0);
  mck_parcel_put(out, comm->neighbors ? comm->ndestinations : 0);
  for (uint32_t i = 0; comm->neighbors && i < comm->nsources + comm->ndestinations; i++)
    mck_parcel_put_signed(out, comm->neighbors[i]);
  mck_parcel_put(out, comm->has_own_neighbors ? (uint64_t)comm->neighbors_site + 1 : 0);
  put_runs(out, &q->runs, p->call_number);
}

static void put_windows(struct pack *p, struct mck_parcel *out, const struct target *ops, size_t n) {
  struct mck_judge *j = p->judge;
  size_t nwindows = 0;
  for (size_t i = 0; i < n; i++) nwindows += i == 0 || ops[i].win != ops[i - 1].win;
  mck_parcel_put(out, nwindows);
  for (size_t i = 0, end; i < n; i = end) {
    const struct mck_rma_window *w = &j->windows[ops[i].win];
    for (end = i; end < n && ops[end].win == ops[i].win;) end++;
    mck_parcel_put(out, mck_judge_win(j, ops[i].win)->body->key);
    mck_parcel_put(out, mck_rma_epoch(w));
    mck_parcel_put(out, w->is_locked);
    mck_parcel_put(out, end - i);
    for (size_t k = i; k < end; k++) {
      const struct mck_rma_op *op = &w->ops[ops[k].op];
      const struct mck_event *e = &j->log->events[op->event];
      mck_parcel_put(out, op->epoch);
      mck_parcel_put(out, e->rma.disp);
      mck_parcel_put(out, e->rma.count);
      mck_parcel_put(out, type_number(p, e->rma.type));
      mck_parcel_put(out, e->kind);
      mck_parcel_put(out, e->kind == MCK_EV_ACC ? e->flags : 0);
      mck_parcel_put(out, op->is_acquired);
      mck_parcel_put(out, e->site);
      mck_parcel_put(out, e->fn);
      mck_parcel_put(out, op->event);
    }
  }
}

// What goes to one rank, as ranges of the sorted lists.
struct slices {
  size_t c0, c1, s0, s1, o0, o1;
};

// The parcel stays until the end, so it gives back the room that it does not use.
static void trim(struct mck_parcel *parcel) {
  uint8_t *data = parcel->capacity != SIZE_MAX && parcel->size ? realloc(parcel->data, parcel->size) : NULL;
  if (data) parcel->data = data, parcel->capacity = parcel->size;
}

static void pack_one(struct pack *p, struct mck_parcel *out, const struct slices *s) {
  struct mck_judge *j = p->judge;
  p->stamp++;
  p->nshapes = p->ntypes = p->ncalls = 0;
  for (size_t i = s->c0; i < s->c1; i++) need_runs(p, &j->channels[p->channels[i].index].runs);
  for (size_t i = s->s0; i < s->s1; i++) need_calls(p, &j->sequences[p->sequences[i].index].runs);
  for (size_t i = s->o0; i < s->o1; i++)
    need_type(p, j->log->events[j->windows[p->ops[i].win].ops[p->ops[i].op].event].rma.type);
  mck_parcel_put(out, MCK_PARCEL_MAGIC);
  mck_parcel_put(out, (j->is_multiple ? MCK_PARCEL_IS_MULTIPLE : 0) | (j->is_partial ? MCK_PARCEL_IS_PARTIAL : 0) |
                          (j->may_be_open ? MCK_PARCEL_MAY_BE_OPEN : 0));
  put_types(p, out);
  mck_parcel_put(out, p->nshapes);
  for (size_t i = 0; i < p->nshapes; i++) {
    const struct mck_shape *shape = &j->shapes[p->shapes[i]];
    mck_parcel_put(out, type_number(p, shape->type));
    mck_parcel_put(out, shape->count);
    mck_parcel_put(out, shape->site);
    mck_parcel_put(out, shape->fn);
  }
  mck_parcel_put(out, s->c1 - s->c0);
  for (size_t i = s->c0; i < s->c1; i++) {
    const struct mck_channel *c = &j->channels[p->channels[i].index];
    mck_parcel_put(out, c->key);
    mck_parcel_put_signed(out, c->tag);
    if (j->may_be_open) mck_parcel_put(out, c->is_open);
    put_runs(out, &c->runs, p->shape_number);
  }
  mck_call_table_pack(&j->calls, p->calls, p->ncalls, (struct mck_type_map){number_of, p}, out);
  mck_parcel_put(out, s->s1 - s->s0);
  for (size_t i = s->s0; i < s->s1; i++) put_sequence(p, out, &j->sequences[p->sequences[i].index]);
  put_windows(p, out, p->ops + s->o0, s->o1 - s->o0);
  trim(out);
}

// The next rank that something goes to.
static bool next_slices(const struct pack *p, struct slices *s, int32_t *rank) {
  s->c0 = s->c1, s->s0 = s->s1, s->o0 = s->o1;
  int32_t next = INT32_MAX;
  if (s->c0 < p->nchannels && p->channels[s->c0].world < next) next = p->channels[s->c0].world;
  if (s->s0 < p->nsequences && p->sequences[s->s0].world < next) next = p->sequences[s->s0].world;
  if (s->o0 < p->nops && p->ops[s->o0].world < next) next = p->ops[s->o0].world;
  while (s->c1 < p->nchannels && p->channels[s->c1].world == next) s->c1++;
  while (s->s1 < p->nsequences && p->sequences[s->s1].world == next) s->s1++;
  while (s->o1 < p->nops && p->ops[s->o1].world == next) s->o1++;
  *rank = next;
  return next != INT32_MAX;
}

bool mck_judge_pack(struct mck_judge *j) {
  struct pack p = {.judge = j};
  collect(&p);
  struct slices s = {0};
  for (int32_t rank; !p.is_short && next_slices(&p, &s, &rank);) {
    if (rank < 0 || rank >= (int32_t)j->size) continue; // a forged log
    struct mck_parcel *parcel = mck_parcels_add(&j->parcels, rank);
    if (parcel) pack_one(&p, parcel, &s);
    p.is_short |= !parcel || parcel->capacity == SIZE_MAX;
  }
  // Where a parcel is missing, its reader would take for absent what is in it.
  if (p.is_short) mck_parcels_free(&j->parcels);
  free(p.channels);
  free(p.sequences);
  free(p.ops);
  free(p.shape_stamp);
  free(p.shape_number);
  free(p.type_stamp);
  free(p.type_number);
  free(p.shapes);
  free(p.call_stamp);
  free(p.call_number);
  free(p.calls);
  free(p.types);
  return !p.is_short;
}
