// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes a collective takes from which place of a buffer, for whom. The form of a function is in rt/standard.
#include "record/content/collective-part.h"
#include "record/collective/topology.h"
#include "standard/collective.h"
#include "base/base.h"

enum { RAW_EACH = 4 << 20 }; // bytes of a reduction that are kept

// One side of the call: its buffer, in blocks for each of n ranks, or as a whole (n -1).
struct side {
  const char *buffer;
  MPI_Aint count;
  MPI_Datatype type;
  const int *counts;
  const void *displs;
  const MPI_Datatype *types;
  bool is_wide; // displs are MPI_Aint
  int n;
};

static struct side side_of(const struct mck_args *a, bool is_received, bool is_wide) {
  return is_received ? (struct side){a->recvbuf,
                                     a->recvcount,
                                     a->recvtype,
                                     a->recvcounts,
                                     a->recvcounts ? a->recvdispls : NULL,
                                     a->recvtypes,
                                     is_wide,
                                     -1}
                     : (struct side){
                           a->sendbuf,   a->sendcount, a->sendtype, a->sendcounts, a->sendcounts ? a->senddispls : NULL,
                           a->sendtypes, is_wide,      -1};
}

static int64_t extent_of(MPI_Datatype type) {
  const struct mck_type *t = mck_type_find(type);
  return t ? t->extent : 0;
}

static void add(struct mck_content_list *list, int peer, const char *address, int64_t count, MPI_Datatype type,
                uint32_t raw) {
  struct mck_content_part part = {.peer = peer, .address = address, .count = count, .type = type, .raw = raw};
  bool is_added = MCK_PUSH(list->items, list->n, list->capacity, part);
  (void)is_added; // without memory the part is not compared
}

// The block of rank i.
static void add_block(struct mck_content_list *list, const struct side *s, int i, int peer) {
  int64_t count = s->counts ? s->counts[i] : s->count;
  if (count <= 0) return;
  MPI_Datatype type = s->types ? s->types[i] : s->type;
  int64_t at = !s->displs   ? i * s->count
               : s->is_wide ? ((const MPI_Aint *)s->displs)[i]
                            : (int64_t)((const int *)s->displs)[i];
  if (!s->types) at *= extent_of(type); // the displacements of the w functions are bytes
  add(list, peer, s->buffer + at, count, type, 0);
}

static void add_blocks(struct mck_content_list *list, const struct side *s, int n) {
  for (int i = 0; i < n; i++) add_block(list, s, i, i);
}

// Reductions: one vector, whose values are kept.
static void add_vector(struct mck_content_list *list, const struct mck_args *a, const struct mck_comm *c,
                       enum mck_std_flow flow, bool is_received, bool is_root) {
  int64_t count = a->recvcount;
  if (flow == MCK_STD_FLOW_REDUCE_SCATTER) {
    if (a->recvcounts && is_received) count = a->recvcounts[c->rank];
    else if (a->recvcounts) {
      count = 0;
      for (int i = 0; i < c->size; i++) count += a->recvcounts[i];
    } else if (!is_received) count *= c->size;
  } else if (flow == MCK_STD_FLOW_REDUCE) {
    if (is_received && !is_root) return;
    if (a->sendcount) count = a->sendcount;
  }
  if (is_received && flow == MCK_STD_FLOW_EXSCAN && c->rank == 0) return; // undefined there (5.11.2)
  const void *from = is_received || a->sendbuf == MPI_IN_PLACE ? a->recvbuf : a->sendbuf;
  if (count > 0) add(list, -1, from, count, a->recvtype ? a->recvtype : a->sendtype, RAW_EACH);
}

static void add_neighbors(struct mck_content_list *list, const struct mck_args *a, const struct mck_comm *c,
                          const struct side *s, enum mck_std_flow flow, bool is_received) {
  const struct mck_topology *t = mck_topology_find(c, a->comm);
  if (!t) return;
  if (is_received) add_blocks(list, s, t->nsources);
  else if (flow == MCK_STD_FLOW_NEIGHBOR_ALL_TO_ALL) add_blocks(list, s, t->ndestinations);
  else if (s->count > 0) add(list, -1, s->buffer, s->count, s->type, 0);
}

void mck_content_list_parts(struct mck_content_list *list, uint16_t fn, const struct mck_args *a, bool is_received) {
  const struct mck_comm *c = mck_comm_find(a->comm);
  enum mck_std_flow flow = mck_std(fn)->flow;
  if (!c || !c->is_logged || a->root == MPI_PROC_NULL) return;
  bool is_root = mck_std_is_root(a->root == MPI_ROOT ? MCK_ROOT : a->root, (uint32_t)c->rank, (uint32_t)c->remote_size);
  bool is_in_place = is_received ? a->recvbuf == MPI_IN_PLACE : a->sendbuf == MPI_IN_PLACE;
  struct side s = side_of(a, is_received || is_in_place, mck_std_is_neighborhood(fn));
  s.is_wide &= s.types != NULL;
  int peers = c->remote_size ? c->remote_size : c->size;
  switch (flow) {
  case MCK_STD_FLOW_BROADCAST:
    if (is_root != is_received && s.count > 0) add(list, is_received ? a->root : -1, s.buffer, s.count, s.type, 0);
    break;
  case MCK_STD_FLOW_GATHER:
    if (is_received && is_root) add_blocks(list, &s, peers);
    else if (!is_received && is_in_place && is_root) add_block(list, &s, c->rank, -1);
    else if (!is_received && !(is_root && c->remote_size) && s.count > 0) add(list, -1, s.buffer, s.count, s.type, 0);
    break;
  case MCK_STD_FLOW_SCATTER:
    if (!is_received && is_root) add_blocks(list, &s, peers);
    else if (is_received && !is_in_place && !(is_root && c->remote_size) && s.count > 0)
      add(list, is_root ? c->rank : a->root, s.buffer, a->recvcount, s.type, 0);
    break;
  case MCK_STD_FLOW_ALL_GATHER:
    if (is_received) add_blocks(list, &s, peers);
    else if (is_in_place) add_block(list, &s, c->rank, -1);
    else if (s.count > 0) add(list, -1, s.buffer, s.count, s.type, 0);
    break;
  case MCK_STD_FLOW_ALL_TO_ALL: add_blocks(list, &s, peers); break;
  case MCK_STD_FLOW_NEIGHBOR_ALL_GATHER:
  case MCK_STD_FLOW_NEIGHBOR_ALL_TO_ALL: add_neighbors(list, a, c, &s, flow, is_received); break;
  case MCK_STD_FLOW_REDUCE:
  case MCK_STD_FLOW_REDUCE_ALL:
  case MCK_STD_FLOW_REDUCE_SCATTER:
  case MCK_STD_FLOW_SCAN:
  case MCK_STD_FLOW_EXSCAN:
    // Between two groups only the root gets something, and gives nothing (5.9.1).
    if (c->remote_size && flow == MCK_STD_FLOW_REDUCE && is_root && !is_received) break;
    add_vector(list, a, c, flow, is_received, is_root);
    break;
  default: break;
  }
}
