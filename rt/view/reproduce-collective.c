// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the collective of a finding: all members, with the function, counts, displacements and datatypes of each. The
// ranks are those of the communicator, which is MPI_COMM_WORLD of the program, or one with the same neighborhoods.
#include "view/reproduce-collective.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "log/content.h"
#include "standard/function.h"

// How a function gets the data of one side.
enum form { NO_SIDE, WHOLE, EACH, COUNTED, TYPED };
struct shape {
  enum form sent, received;
};

static struct shape shape_of(uint16_t fn) {
  switch (mck_std(fn)->blocking) {
  case MCK_FN_MPI_Bcast: return (struct shape){WHOLE, NO_SIDE};
  case MCK_FN_MPI_Gather: return (struct shape){WHOLE, EACH};
  case MCK_FN_MPI_Gatherv: return (struct shape){WHOLE, COUNTED};
  case MCK_FN_MPI_Scatter: return (struct shape){EACH, WHOLE};
  case MCK_FN_MPI_Scatterv: return (struct shape){COUNTED, WHOLE};
  case MCK_FN_MPI_Allgather:
  case MCK_FN_MPI_Neighbor_allgather: return (struct shape){WHOLE, EACH};
  case MCK_FN_MPI_Allgatherv:
  case MCK_FN_MPI_Neighbor_allgatherv: return (struct shape){WHOLE, COUNTED};
  case MCK_FN_MPI_Alltoall:
  case MCK_FN_MPI_Neighbor_alltoall: return (struct shape){EACH, EACH};
  case MCK_FN_MPI_Alltoallv:
  case MCK_FN_MPI_Neighbor_alltoallv: return (struct shape){COUNTED, COUNTED};
  case MCK_FN_MPI_Alltoallw:
  case MCK_FN_MPI_Neighbor_alltoallw: return (struct shape){TYPED, TYPED};
  default: return (struct shape){NO_SIDE, NO_SIDE};
  }
}

// One side of one member: its CONTENT events, and the lowest address.
struct side {
  const struct mck_event **parts;
  size_t n, capacity;
  uint64_t base;
};
static void add_part(struct side *s, const struct mck_event *e) {
  uint64_t address = mck_content_body(e)->address;
  if (!s->n || address < s->base) s->base = address;
  (void)!MCK_PUSH(s->parts, s->n, s->capacity, e);
}
static void read_sides(const struct mck_reader *r, uint32_t event, struct side *sent, struct side *received) {
  *sent = *received = (struct side){0};
  for (uint64_t k = event; k < r->units; k += mck_event_units(&r->events[k])) {
    const struct mck_event *e = &r->events[k];
    if (e->kind == MCK_EV_CONTENT && e->content.event == event)
      add_part(e->flags & MCK_CONTENT_RECEIVED ? received : sent, e);
  }
}

struct member {
  const struct mck_reader *reader;
  const struct mck_comm_def *comm;
  uint32_t log;
  struct side sides[2]; // sent, received
  bool is_in_place;     // what it sends lies where the result comes
};

static bool is_neighborhood(uint16_t fn) { return mck_std_is_neighborhood(fn); }

// The rank that a part is for, or comes from; of a neighborhood peer is a place in a list.
static int rank_of(const struct member *m, uint16_t fn, const struct mck_event *e, bool is_received) {
  int32_t peer = e->content.peer;
  if (peer < 0 || !is_neighborhood(fn)) return peer;
  uint32_t n = is_received ? m->comm->nsources : m->comm->ndestinations;
  if ((uint32_t)peer >= n) return -1;
  return m->comm->neighbors[(is_received ? 0 : m->comm->nsources) + (uint32_t)peer];
}

static int type_of(struct mck_reproduce *w, const struct member *m, const struct mck_event *e) {
  return mck_reproduce_type(&w->types, m->reader, m->log, e->content.type);
}

static void write_parts(struct mck_reproduce *w, const struct member *members, size_t n, uint16_t fn) {
  for (size_t rank = 0; rank < n; rank++)
    for (int side = 0; side < 2; side++) {
      const struct member *m = &members[rank];
      const struct side *s = &m->sides[side];
      for (size_t i = 0; i < s->n; i++) {
        const struct mck_content_body *b = mck_content_body(s->parts[i]);
        int type = type_of(w, m, s->parts[i]), peer = rank_of(m, fn, s->parts[i], side);
        uint64_t base = !side && m->is_in_place ? m->sides[1].base : s->base;
        uint64_t end = b->address - base + b->count * (uint64_t)mck_reproduce_extent(&w->types, type) +
                       mck_reproduce_span(&w->types, type);
        if (end > w->room) w->room = end;
        // To all means that each receiver expects the same.
        const struct side *other = side && peer >= 0 && (size_t)peer < n ? &members[peer].sides[0] : NULL;
        bool is_to_all = !other || !other->n || other->parts[0]->content.peer < 0;
        int to = !side ? peer : is_to_all ? -1 : (int)rank;
        fprintf(w->out, "    {%zu, %d, %d, %d, %" PRIu64 ", %" PRIu64 ", &map_%d},\n", rank, side, peer, to,
                b->address - base, b->count, type);
      }
    }
}

// --- the call of one member ---
// Declares the arrays of a side that has them.
static bool write_arrays(struct mck_reproduce *w, const struct member *m, bool is_received, enum form form, size_t n,
                         bool is_wide) {
  const struct side *s = &m->sides[is_received];
  const char *name = is_received ? "in" : "out";
  if (form != COUNTED && form != TYPED) return true;
  fprintf(w->out, "      int %s_counts[] = {", name);
  for (size_t peer = 0; peer < n; peer++) {
    uint64_t count = 0;
    for (size_t i = 0; i < s->n; i++)
      if (s->parts[i]->content.peer == (int32_t)peer) count = mck_content_body(s->parts[i])->count;
    fprintf(w->out, "%s%" PRIu64, peer ? ", " : "", count);
  }
  fprintf(w->out, "};\n      %s %s_at[] = {", is_wide ? "MPI_Aint" : "int", name);
  for (size_t peer = 0; peer < n; peer++) {
    uint64_t at = 0;
    for (size_t i = 0; i < s->n; i++) {
      if (s->parts[i]->content.peer != (int32_t)peer) continue;
      int64_t extent = mck_reproduce_extent(&w->types, type_of(w, m, s->parts[i]));
      at = mck_content_body(s->parts[i])->address - s->base;
      if (form == COUNTED && (extent <= 0 || at % (uint64_t)extent)) return false;
      if (form == COUNTED) at /= (uint64_t)extent;
    }
    fprintf(w->out, "%s%" PRIu64, peer ? ", " : "", at);
  }
  fprintf(w->out, "};\n");
  if (form != TYPED) return true;
  fprintf(w->out, "      MPI_Datatype %s_types[] = {", name);
  for (size_t peer = 0; peer < n; peer++) {
    int type = -1;
    for (size_t i = 0; i < s->n; i++)
      if (s->parts[i]->content.peer == (int32_t)peer) type = type_of(w, m, s->parts[i]);
    fprintf(w->out, type < 0 ? "%sMPI_BYTE" : "%stype_%d", peer ? ", " : "", type);
  }
  fprintf(w->out, "};\n");
  return true;
}

static void write_side(struct mck_reproduce *w, const struct member *m, bool is_received, enum form form) {
  const struct side *s = &m->sides[is_received];
  const char *name = is_received ? "in" : "out";
  int type = s->n ? type_of(w, m, s->parts[0]) : -1;
  uint64_t count = s->n ? mck_content_body(s->parts[0])->count : 0;
  if (!is_received && m->is_in_place) fprintf(w->out, "MPI_IN_PLACE, ");
  else fprintf(w->out, "%s, ", name);
  if (form == TYPED) fprintf(w->out, "%s_counts, %s_at, %s_types, ", name, name, name);
  else if (form == COUNTED) fprintf(w->out, "%s_counts, %s_at, ", name, name);
  else fprintf(w->out, "%" PRIu64 ", ", count);
  if (form != TYPED) fprintf(w->out, type < 0 ? "MPI_BYTE, " : "type_%d, ", type);
}

static bool write_member(struct mck_reproduce *w, const struct member *m, const struct mck_event *call, size_t rank,
                         size_t n) {
  struct shape shape = shape_of(call->fn);
  uint16_t blocking = mck_std(call->fn)->blocking;
  bool has_request = blocking != call->fn, is_near = is_neighborhood(call->fn),
       is_wide = is_near && shape.sent == TYPED;
  size_t out = is_near ? m->comm->ndestinations : n, in = is_near ? m->comm->nsources : n;
  fprintf(w->out, "    if (rank == %zu) {\n", rank);
  if (!write_arrays(w, m, false, shape.sent, out, is_wide) || !write_arrays(w, m, true, shape.received, in, is_wide))
    return false;
  fprintf(w->out, "      fill(%s, rank, round);\n      %s(", m->is_in_place ? "in" : "out", mck_fn_names[call->fn]);
  if (blocking == MCK_FN_MPI_Bcast) write_side(w, m, !m->sides[0].n, WHOLE);
  else if (shape.received == WHOLE && !m->sides[1].n && m->sides[0].n) { // the root has its part already
    write_side(w, m, false, shape.sent);
    fprintf(w->out, "MPI_IN_PLACE, 0, MPI_BYTE, ");
  } else {
    write_side(w, m, false, shape.sent);
    write_side(w, m, true, shape.received);
  }
  if (call->coll.root >= 0) fprintf(w->out, "%d, ", call->coll.root);
  fprintf(w->out, "%s%s);\n", is_near ? "near" : "MPI_COMM_WORLD", has_request ? ", &request" : "");
  if (has_request) fprintf(w->out, "      MPI_Wait(&request, MPI_STATUS_IGNORE);\n");
  fprintf(w->out, "      wrong += check(in, rank, round);\n    }\n");
  return true;
}

// A communicator in which each rank has its neighbors.
static void write_neighbors(FILE *out, const struct member *members, size_t n) {
  fprintf(out, "    MPI_Comm near = MPI_COMM_NULL;\n");
  for (size_t rank = 0; rank < n; rank++) {
    const struct mck_comm_def *c = members[rank].comm;
    fprintf(out, "    if (rank == %zu) {\n      int sources[] = {", rank);
    for (uint32_t i = 0; i < c->nsources; i++) fprintf(out, "%d, ", c->neighbors[i]);
    fprintf(out, "0}, destinations[] = {");
    for (uint32_t i = 0; i < c->ndestinations; i++) fprintf(out, "%d, ", c->neighbors[c->nsources + i]);
    fprintf(out,
            "0};\n      MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, %u, sources, sources, %u, destinations, "
            "destinations, MPI_INFO_NULL, 0, &near); // the weights do not matter\n    }\n",
            c->nsources, c->ndestinations);
  }
}

static const char *write_program(struct mck_reproduce *w, const struct mck_reproduce_meeting *meeting,
                                 struct member *members) {
  const struct mck_event *call = &members[0].reader->events[meeting->events[0]];
  bool is_near = is_neighborhood(call->fn);
  for (size_t k = 0; k < meeting->n; k++)
    for (int side = 0; side < 2; side++)
      for (size_t i = 0; i < members[k].sides[side].n; i++) type_of(w, &members[k], members[k].sides[side].parts[i]);
  mck_reproduce_write_types(&w->types, w->out);
  fprintf(w->out, "\nstatic const struct part {\n  int rank, is_received, peer, to, offset, count;\n"
                  "  const struct map *map;\n} parts[] = {\n");
  write_parts(w, members, meeting->n, call->fn);
  fprintf(w->out, "};\n%s", mck_reproduce_body);
  mck_reproduce_write_begin(&w->types, w->out, w->room, (uint32_t)meeting->n);
  // Ranks beyond these would be members, too.
  fprintf(w->out,
          "    MPI_Request request;\n    (void)request, memset(in, 0, %" PRIu64 ");\n    if (size != %zu) "
          "MPI_Abort(MPI_COMM_WORLD, 2);\n",
          w->room, meeting->n);
  if (is_near) write_neighbors(w->out, members, meeting->n);
  for (size_t k = 0; k < meeting->n; k++)
    if (!write_member(w, &members[k], &members[k].reader->events[meeting->events[k]], k, meeting->n))
      return "a displacement is no multiple of the datatype's extent";
  fprintf(w->out, "%s  }\n%s", is_near ? "    MPI_Comm_free(&near);\n" : "", mck_reproduce_tail);
  return NULL;
}

const char *mck_reproduce_collective(struct mck_reproduce *w, const struct mck_reproduce_meeting *meeting) {
  struct member *members = calloc(meeting->n, sizeof *members);
  const char *why = members ? NULL : "out of memory";
  for (size_t k = 0; !why && k < meeting->n; k++) {
    struct member *m = &members[k];
    m->log = meeting->logs[k], m->reader = &w->view->logs[m->log].reader;
    const struct mck_event *call = &m->reader->events[meeting->events[k]];
    m->comm = mck_view_comm_def(&w->view->logs[m->log], call->coll.comm);
    if (shape_of(call->fn).sent == NO_SIDE) why = "this collective cannot be reproduced so far";
    else if (is_neighborhood(call->fn) && !m->comm->neighbors) why = "the neighbors are not in the logs";
    read_sides(m->reader, meeting->events[k], &m->sides[0], &m->sides[1]);
    for (size_t i = 0; m->sides[0].n && i < m->sides[1].n; i++)
      m->is_in_place |= mck_content_body(m->sides[1].parts[i])->address ==
                        mck_content_body(m->sides[0].parts[0])->address;
  }
  if (!why) why = write_program(w, meeting, members);
  for (size_t k = 0; members && k < meeting->n; k++) free(members[k].sides[0].parts), free(members[k].sides[1].parts);
  free(members);
  return why;
}
