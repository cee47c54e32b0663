// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the one-sided operation of a finding: a window over a buffer of the target, and the same function, datatypes,
// counts and displacement. What an operation adds to is 0, so that the sum is what was added.
#include <inttypes.h>
#include <string.h>
#include "api/fns.h"
#include "log/content.h"
#include "standard/function.h"
#include "view/reproduce.h"

// The part of a buffer that is compared: as write_part of reproduce.c.
static void write_part(const struct mck_reproduce *r, uint32_t rank, bool is_received, uint32_t peer, uint32_t to,
                       uint64_t offset, uint64_t count, int type) {
  fprintf(r->out, "    {%u, %d, %u, %u, %" PRIu64 ", %" PRIu64 ", &map_%d},\n", rank, is_received, peer, to, offset,
          count, type);
}

static const char *op_of(const struct mck_event *e, const struct mck_reproduce_types *types, int type) {
  bool is_integer = mck_reproduce_is_integer(types, type);
  if (e->kind == MCK_EV_ACC && e->flags == MCK_OP_NO_OP) return "MPI_NO_OP";
  if (is_integer && e->flags == MCK_OP_SUM) return "MPI_SUM";
  if (is_integer && e->flags == MCK_OP_BOR) return "MPI_BOR";
  return is_integer && e->flags == MCK_OP_BXOR ? "MPI_BXOR" : "MPI_REPLACE"; // keeps any bytes as they are
}

struct operation {
  const struct mck_event *event, *content; // content: of the origin's, or of the result's buffer
  uint32_t log, origin, target, disp_unit;
  uint64_t low, high; // bytes of the window that it touches at most
  int type, target_type;
};

static void write_call(const struct mck_reproduce *r, const struct operation *o, bool is_passive) {
  const char *fn = mck_fn_names[o->event->fn];
  bool is_fetching = mck_std_is_fetching(o->event->fn), has_request = mck_std(o->event->fn)->has_request;
  bool is_get = o->event->kind == MCK_EV_GET, is_accumulate = o->event->kind == MCK_EV_ACC;
  const char *op = op_of(o->event, &r->types, o->target_type);
  uint64_t count = mck_content_body(o->content)->count;
  FILE *out = r->out;
  fprintf(out, "    if (rank == %u) {\n", o->origin);
  if (is_passive) fprintf(out, "      MPI_Win_lock(MPI_LOCK_SHARED, %u, 0, win);\n", o->target);
  if (mck_std_is_single_element(o->event->fn)) // a comparison that fails changes nothing, and what was there comes back
    fprintf(out, "      MPI_Fetch_and_op(zero, in, type_%d, %u, %" PRIu64 ", %s, win);\n", o->type, o->target,
            o->event->rma.disp, op);
  else {
    fprintf(out, "      %s(", fn);
    if (is_fetching && !is_get) fprintf(out, "zero, %" PRIu64 ", type_%d, ", count, o->type);
    fprintf(out, "%s, %" PRIu64 ", type_%d, %u, %" PRIu64 ", %u, type_%d", is_fetching ? "in" : "out", count, o->type,
            o->target, o->event->rma.disp, o->event->rma.count, o->target_type);
    fprintf(out, "%s%s, win%s);\n", is_accumulate ? ", " : "", is_accumulate ? op : "",
            has_request ? ", &request" : "");
    if (has_request) fprintf(out, "      MPI_Wait(&request, MPI_STATUS_IGNORE);\n");
  }
  if (is_passive) fprintf(out, "      MPI_Win_unlock(%u, win);\n", o->target);
  fprintf(out, "    }\n");
}

// Is the first synchronization of the window behind the operation none of fences?
static bool is_passive(const struct mck_reader *r, uint32_t event) {
  uint32_t win = r->events[event].rma.win;
  for (uint64_t k = event; k < r->units; k += mck_event_units(&r->events[k])) {
    const struct mck_event *e = &r->events[k];
    if ((e->kind == MCK_EV_FENCE || e->kind == MCK_EV_SYNC) && e->sync.win == win) return e->kind == MCK_EV_SYNC;
  }
  return true;
}

static const struct mck_win_def *target_of(const struct mck_reproduce *r, uint32_t log, const struct mck_event *e,
                                           uint32_t *rank) {
  const struct mck_reader *own = &r->view->logs[log].reader;
  const struct mck_win_def *w = e->rma.win < own->nwins && own->wins[e->rma.win].body ? &own->wins[e->rma.win] : NULL;
  const struct mck_comm_def *comm = w ? mck_view_comm_def(&r->view->logs[log], w->comm) : NULL;
  int world = comm ? mck_comm_world_rank(comm, e->rma.target, false) : -1;
  if (world < 0) return NULL;
  *rank = (uint32_t)world;
  for (size_t i = 0; i < r->view->count; i++) {
    const struct mck_reader *there = &r->view->logs[i].reader;
    for (uint32_t k = 0; there->header->rank == *rank && k < there->nwins; k++)
      if (there->wins[k].body && there->wins[k].body->key == w->body->key) return &there->wins[k];
  }
  return NULL;
}

const char *mck_reproduce_operation(struct mck_reproduce *r, uint32_t log, uint32_t event) {
  const struct mck_reader *own = &r->view->logs[log].reader;
  struct operation o = {.event = &own->events[event], .log = log, .origin = own->header->rank};
  bool is_fetching = mck_std_is_fetching(o.event->fn);
  const struct mck_win_def *target = target_of(r, log, o.event, &o.target);
  o.content = mck_reproduce_part(own, event, is_fetching);
  if (!target || !o.content || o.event->rma.type == MCK_NONE) return "the content of the operation is not in the logs";
  o.type = mck_reproduce_type(&r->types, own, log, o.content->content.type);
  o.target_type = mck_reproduce_type(&r->types, own, log, o.event->rma.type);
  uint64_t offset = o.event->rma.disp * target->disp_unit, count = mck_content_body(o.content)->count;
  uint64_t here = count * (uint64_t)mck_reproduce_extent(&r->types, o.type) + mck_reproduce_span(&r->types, o.type);
  uint64_t there = offset + o.event->rma.count * (uint64_t)mck_reproduce_extent(&r->types, o.target_type) +
                   mck_reproduce_span(&r->types, o.target_type);
  r->room = (here > there ? here : there) + 64;
  mck_reproduce_write_types(&r->types, r->out);
  fprintf(r->out, "\nstatic const struct part {\n  int rank, is_received, peer, to, offset, count;\n"
                  "  const struct map *map;\n} parts[] = {\n");
  uint32_t from = is_fetching ? o.target : o.origin, to = is_fetching ? o.origin : o.target;
  if (is_fetching) write_part(r, from, false, to, to, offset, o.event->rma.count, o.target_type);
  else write_part(r, from, false, to, to, 0, count, o.type);
  if (is_fetching) write_part(r, to, true, from, to, 0, count, o.type);
  else write_part(r, to, true, from, to, offset, o.event->rma.count, o.target_type);
  fprintf(r->out, "};\n%s", mck_reproduce_body);
  mck_reproduce_write_begin(&r->types, r->out, r->room, o.origin > o.target ? o.origin + 1 : o.target + 1);
  bool passive = is_passive(own, event);
  const char *memory = is_fetching ? "out" : "in",
             *fence = passive ? "MPI_Barrier(MPI_COMM_WORLD)" : "MPI_Win_fence(0, win)";
  fprintf(r->out,
          "    MPI_Win win;\n    MPI_Request request;\n    char *zero = calloc(1, %" PRIu64 ");\n"
          "    (void)request, memset(in, 0, %" PRIu64 "), fill(out, rank, round);\n"
          "    MPI_Win_create(%s, %" PRIu64 ", %u, MPI_INFO_NULL, MPI_COMM_WORLD, &win);\n    %s;\n",
          r->room, r->room, memory, r->room, target->disp_unit, fence);
  write_call(r, &o, passive);
  fprintf(r->out,
          "    %s;\n    if (rank == %u) wrong += check(in, rank, round);\n    MPI_Win_free(&win);\n    free(zero);\n  "
          "}\n%s",
          fence, to, mck_reproduce_tail);
  return NULL;
}
