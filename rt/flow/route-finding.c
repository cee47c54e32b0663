// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where other bytes came, and the movements below MPI were recorded (mpirun-check --flow): which way did the bytes
// take? The tracker (route.h) answers for the units of the transfer, and the finding becomes flow.wrong or flow.broken.
// What the tracker cannot see leaves it flow.content.
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "flow/flow-run.h"
#include "flow/route.h"
#include "flow/unit.h"

enum { UNITS_EACH = 4096 };

struct asking {
  struct mck_route_unit *units;
  size_t nunits, capacity, first; // first: of the transfer at hand
};

static bool add_unit(void *context, const struct mck_flow_unit *u) {
  struct asking *a = context;
  const struct mck_flow_end *s = &u->transfer->source, *d = &u->transfer->dest;
  struct mck_route_unit unit = {
      {s->rank, u->from, s->begin, s->until}, {d->rank, u->to, d->begin, d->until}, u->length};
  return MCK_PUSH(a->units, a->nunits, a->capacity, unit) && a->nunits - a->first < UNITS_EACH;
}

static struct mck_flow_end end_of(const struct mck_flow_run *run, struct mck_flow_side side) {
  const struct mck_content_body *b = mck_content_body(side.content);
  return (struct mck_flow_end){run->logs[side.log].header->rank,
                               side.event,
                               b->address,
                               side.content->content.type,
                               b->count,
                               b->begin,
                               b->until};
}

static void add_units(struct mck_flow_run *run, const struct mck_flow_asked *asked, struct asking *a) {
  struct mck_flow_transfer transfer = {end_of(run, asked->sent), end_of(run, asked->received),
                                       mck_content_body(asked->sent.content)->length};
  a->first = a->nunits;
  mck_flow_units(&transfer, &run->logs[asked->sent.log], &run->logs[asked->received.log], add_unit, a);
}

// --- what the finding says ---
static const char *kind_of(const struct mck_route_step *step) {
  static const char *const names[] = {[MCK_MOVE_COPY] = "a copy",
                                      [MCK_MOVE_SEND] = "a write to a socket",
                                      [MCK_MOVE_RECEIVE] = "a read of a socket",
                                      [MCK_MOVE_VM] = "a copy between processes",
                                      [MCK_MOVE_READ] = "a read",
                                      [MCK_MOVE_WRITE] = "a write"};
  return step->kind < sizeof names / sizeof *names ? names[step->kind] : "a movement";
}

// "opal_convertor_unpack of libopen-pal.so.40": the exported function that the address lies in or behind, if the
// library is loaded here, too.
static void name_code(char *text, size_t size, const struct mck_routes *routes, uint32_t rank, uint64_t address) {
  const char *library;
  uint64_t offset;
  if (!address || !mck_routes_place(routes, rank, address, &library, &offset)) {
    snprintf(text, size, "unknown code");
    return;
  }
  const char *name = strrchr(library, '/') ? strrchr(library, '/') + 1 : library;
  struct link_map *map = dlopen(library, RTLD_NOLOAD | RTLD_LAZY);
  Dl_info info;
  if (map && dladdr((void *)(map->l_addr + offset), &info) && info.dli_sname)
    snprintf(text, size, "%s of %s", info.dli_sname, name);
  else snprintf(text, size, "%s+0x%" PRIx64, name, offset);
  if (map) dlclose(map);
}

static void say_step(struct mck_finding *f, const struct mck_routes *routes, const struct mck_route_step *step,
                     const char *lead) {
  char caller[200], callee[200] = "";
  name_code(caller, sizeof caller, routes, step->rank, step->caller);
  if (step->callee) name_code(callee, sizeof callee, routes, step->rank, step->callee);
  mck_finding_why(f, "%s%s of %" PRIu64 " bytes on rank %u in %s, by %s%s%s", lead, kind_of(step), step->length,
                  step->rank, step->fn < MCK_FN_COUNT ? mck_fn_names[step->fn] : "a thread of the library", caller,
                  *callee ? ", with " : "", callee);
}

static const char *const reasons[] = {
    [MCK_ROUTE_NO_TRACE] = "no movement of a rank was recorded",
    [MCK_ROUTE_INCOMPLETE] = "movements are missing from a trace",
    [MCK_ROUTE_NO_WINDOW] = "it is not known when the operation was complete",
    [MCK_ROUTE_UNSEEN_STEP] = "a step is not a recorded copy",
    [MCK_ROUTE_UNORDERED] = "two movements of the same bytes have no order in time",
    [MCK_ROUTE_OTHER_PLACE] = "from another place in the memory of the sender",
    [MCK_ROUTE_OTHER_RANK] = "from another rank",
    [MCK_ROUTE_STALE] = "as they were before the operation began",
    [MCK_ROUTE_LATE] = "as they were when the send was complete already",
    [MCK_ROUTE_MISCOPIED] = "from the right place, but a copy brought other bytes than it read",
};

static void say(struct mck_finding *f, const struct mck_routes *routes, const struct mck_route *r) {
  const char *reason = r->reason < sizeof reasons / sizeof *reasons && reasons[r->reason] ? reasons[r->reason] : "";
  if (r->verdict == MCK_ROUTE_HIDDEN) {
    mck_finding_why(f, "the way of these bytes is not visible: %s", reason);
    return;
  }
  if (r->verdict == MCK_ROUTE_SEEN) {
    mck_finding_why(f,
                    "the way of these bytes was seen, and each movement is right: a store by other code changed them");
    return;
  }
  f->check = r->verdict == MCK_ROUTE_BROKEN ? MCK_CHECK_FLOW_BROKEN : MCK_CHECK_FLOW_WRONG;
  if (r->verdict == MCK_ROUTE_BROKEN) mck_finding_why(f, "no movement brought these bytes to the receive buffer");
  else mck_finding_why(f, "the bytes that came were taken %s", reason);
  for (unsigned i = 0; i < r->nsteps && i < MCK_ROUTE_STEPS; i++)
    say_step(f, routes, &r->steps[i], (int)i == r->fault ? "here it goes wrong: " : "way: ");
}

static void answer(struct mck_flow_run *run, const struct mck_flow_asked *asked, const struct mck_routes *routes,
                   const struct mck_route *answers, size_t n) {
  const struct mck_route *worst = NULL;
  for (size_t i = 0; i < n; i++) {
    const struct mck_route *r = &answers[i];
    bool is_fault = r->verdict == MCK_ROUTE_WRONG || r->verdict == MCK_ROUTE_BROKEN;
    if (!worst || (is_fault && worst->verdict != MCK_ROUTE_WRONG && worst->verdict != MCK_ROUTE_BROKEN) ||
        (worst->verdict == MCK_ROUTE_SEEN && r->verdict != MCK_ROUTE_SEEN))
      worst = r;
  }
  if (worst && worst->reason != MCK_ROUTE_NO_TRACE) say(&run->findings->items[asked->finding], routes, worst);
}

void mck_flow_ask_routes(struct mck_flow_run *run, const char *dir) {
  struct asking a = {0};
  char why[256] = "";
  size_t *ends = run->nasked ? calloc(run->nasked, sizeof *ends) : NULL;
  uint32_t size = run->n ? run->logs[0].header->size : 0;
  if (!ends || !dir) {
    free(ends);
    return;
  }
  for (size_t i = 0; i < run->nasked; i++) add_units(run, &run->asked[i], &a), ends[i] = a.nunits;
  struct mck_routes *routes = a.nunits ? mck_routes_open(dir, size, why, sizeof why) : NULL;
  struct mck_route *answers = routes ? calloc(a.nunits, sizeof *answers) : NULL;
  if (*why) mck_base_warn("%s", why);
  if (answers && mck_routes_find(routes, a.units, a.nunits, answers))
    for (size_t i = 0, first = 0; i < run->nasked; first = ends[i++])
      answer(run, &run->asked[i], routes, answers + first, ends[i] - first);
  free(answers);
  if (routes) mck_routes_close(routes);
  free(a.units);
  free(ends);
}
