// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the time line in Chrome's trace event format, for Perfetto and chrome://tracing: a process per rank, a slice
// per call, an arrow per message. A tick of order.h is 10 wide, so a slice ends before the next one begins, and arrows
// end inside slices.
#include <inttypes.h>
#include <stdlib.h>
#include "order/order.h"
#include "view/view.h"

enum { TICK = 10 };

struct trace {
  const struct mck_view *view;
  FILE *out;
  uint64_t *start;
  uint64_t arrows;
};

static uint32_t rank_of(const struct trace *t, struct mck_point at) {
  return t->view->logs[at.log].reader.header->rank;
}

static void enter(void *context, struct mck_point at) {
  struct trace *t = context;
  t->start[at.log] = at.time;
}

static void arrow(void *context, enum mck_arrow kind, struct mck_point from, struct mck_point to) {
  struct trace *t = context;
  const char *name = kind == MCK_ARROW_MESSAGE ? "message" : "collective";
  t->arrows++;
  fprintf(t->out,
          ",\n{\"ph\":\"s\",\"name\":\"%s\",\"cat\":\"%s\",\"id\":%" PRIu64 ",\"pid\":%u,\"tid\":0,\"ts\":%" PRIu64 "}",
          name, name, t->arrows, rank_of(t, from), TICK * from.time + 1);
  fprintf(t->out,
          ",\n{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"%s\",\"cat\":\"%s\",\"id\":%" PRIu64
          ",\"pid\":%u,\"tid\":0,\"ts\":%" PRIu64 "}",
          name, name, t->arrows, rank_of(t, to), TICK * to.time - 2);
}

static const char *category_of(unsigned kind) {
  switch (kind) {
  case MCK_EV_COLL: return "collective";
  case MCK_EV_WAIT:
  case MCK_EV_DONE: return "completion";
  case MCK_EV_PUT:
  case MCK_EV_GET:
  case MCK_EV_ACC:
  case MCK_EV_FENCE:
  case MCK_EV_SYNC: return "rma";
  case MCK_EV_ACCESS: return "access";
  case MCK_EV_CALL: return "call";
  default: return "message";
  }
}

static void leave(void *context, struct mck_point at, bool is_finished) {
  struct trace *t = context;
  struct mck_view_log *log = &t->view->logs[at.log];
  const struct mck_event *e = &log->reader.events[at.index];
  uint64_t start = TICK * t->start[at.log];
  fprintf(t->out,
          ",\n{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":%u,\"tid\":0,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
          ",\"args\":{",
          mck_view_fn(e), category_of(e->kind), rank_of(t, at), start, TICK * at.time - start - 1);
  struct mck_view_out out = {t->out, true, false};
  mck_view_put_number(&out, "index", at.index);
  mck_view_print_arguments(t->view, log, at.index, &out);
  const struct mck_view_place *place = mck_view_place(t->view, log, e->site);
  if (place->name.text) mck_view_put_name(&out, "at", (struct mck_view_name *)&place->name);
  if (!is_finished) mck_view_put_text(&out, "end", "the log ends within this call");
  fputs("}}", t->out);
}

static void put_process(const struct mck_view_log *log, FILE *out, bool is_first) {
  const struct mck_log_header *h = log->reader.header;
  char text[512], how[64];
  snprintf(text, sizeof text, "rank %u on %s (%s)", h->rank, h->host, mck_view_end(log, how, sizeof how));
  char *json = mck_view_json_string(text);
  fprintf(out, "%s{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"tid\":0,\"args\":{\"name\":%s}}",
          is_first ? "" : ",\n", h->rank, json ? json : "\"\"");
  free(json);
  fprintf(out, ",\n{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%u,\"tid\":0,\"args\":{\"sort_index\":%u}}",
          h->rank, h->rank);
  bool is_multiple = (atomic_load(&h->is_multiple) & MCK_LOG_THREADS) != 0;
  fprintf(out, ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":0,\"args\":{\"name\":\"%s\"}}", h->rank,
          is_multiple ? "MPI calls of all threads" : "MPI calls");
}

bool mck_view_trace(const struct mck_view *view, FILE *out) {
  struct trace t = {view, out, calloc(view->count + 1, sizeof *t.start), 0};
  if (!t.start) return false;
  const char *program = view->count ? view->logs[0].reader.header->program : "";
  char *json = mck_view_json_string(program);
  fprintf(out,
          "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"tool\":\"mpicc-check-log " MCK_VERSION "\",\"program\":%s,"
          "\"clock\":\"logical: a receive is behind its send, lengths mean nothing (the log has no "
          "clock)\"},\n\"traceEvents\":[\n",
          json ? json : "\"\"");
  free(json);
  for (size_t i = 0; i < view->count; i++) put_process(&view->logs[i], out, i == 0);
  struct mck_order_sink sink = {.context = &t, .enter = enter, .arrow = arrow, .leave = leave};
  struct mck_order_totals totals;
  bool is_good = mck_view_walk(view, &sink, &totals);
  fprintf(out, "\n]}\n");
  free(t.start);
  if (totals.left_out)
    fprintf(stderr,
            "mpicc-check-log: %" PRIu64
            " arrows are left out: their ends are not both in the logs, or threads made the calls in "
            "another order\n",
            totals.left_out);
  return is_good;
}
