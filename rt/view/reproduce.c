// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpicc-check reproduce: writes a program with the calls of one finding of flow.content, for a report to the makers of
// the library: the same function, ranks, counts, displacements and maps of datatypes. The numbers are made by a rule,
// so that the program knows what has to come; it needs nothing but an MPI library.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "flow/flow.h"
#include "log/content.h"
#include "log/signature.h"
#include "order/pairs.h"
#include "view/reproduce-collective.h"
#include "view/view.h"

static const struct mck_reader *log_of(const struct mck_reproduce *w, uint32_t log) {
  return &w->view->logs[log].reader;
}

static const char *const head = "#include <mpi.h>\n"
                                "#include <stdio.h>\n"
                                "#include <stdlib.h>\n"
                                "#include <string.h>\n\n"
                                "// Datatypes: the bytes of one element, in the order in which they are sent.\n"
                                "struct map {\n  int n, extent;\n  const int (*blocks)[2]; // offset, length\n};\n";

const char *const mck_reproduce_body =
    "\n// What rank `from` sends to rank `to` (-1: to all), byte by byte.\n"
    "static unsigned char byte_of(int from, int to, int i, int round) {\n"
    "  unsigned x = (unsigned)(i * 2654435761u) ^ (unsigned)(from * 40503 + to * 9176 + round * 31337);\n"
    "  return (unsigned char)(x >> 11);\n}\n\n"
    "// Fills the part, or compares it: returns the first byte that is wrong, or -1.\n"
    "static int visit(char *buffer, const struct part *p, int from, int to, int round, int is_check) {\n"
    "  int at = 0;\n"
    "  for (int k = 0; k < p->count; k++)\n"
    "    for (int b = 0; b < p->map->n; b++)\n"
    "      for (int i = 0; i < p->map->blocks[b][1]; i++, at++) {\n"
    "        char *x = buffer + p->offset + k * p->map->extent + p->map->blocks[b][0] + i;\n"
    "        if (!is_check) *x = (char)byte_of(from, to, at, round);\n"
    "        else if (*x != (char)byte_of(from, to, at, round)) return at;\n"
    "      }\n"
    "  return -1;\n}\n\n"
    "static void fill(char *buffer, int rank, int round) {\n"
    "  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)\n"
    "    if (parts[i].rank == rank && !parts[i].is_received)\n"
    "      visit(buffer, &parts[i], rank, parts[i].peer, round, 0);\n}\n\n"
    "static int check(char *buffer, int rank, int round) {\n"
    "  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {\n"
    "    if (parts[i].rank != rank || !parts[i].is_received) continue;\n"
    "    int at = visit(buffer, &parts[i], parts[i].peer, parts[i].to, round, 1);\n"
    "    if (at < 0) continue;\n"
    "    printf(\"round %d: rank %d: byte %d of what rank %d sent is wrong\\n\", round, rank, at, parts[i].peer);\n"
    "    return 1;\n  }\n  return 0;\n}\n";

const char
    *const mck_reproduce_tail = "  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n"
                                "  if (rank == 0) printf(wrong ? \"wrong data came\\n\" : \"all data is right\\n\");\n"
                                "  MPI_Finalize();\n  return wrong != 0;\n}\n";

// --- parts ---
static void write_part(struct mck_reproduce *w, uint32_t log, const struct mck_event *e, uint64_t base, int to,
                       int peer) {
  const struct mck_content_body *b = mck_content_body(e);
  int type = mck_reproduce_type(&w->types, log_of(w, log), log, e->content.type);
  int64_t extent = mck_reproduce_extent(&w->types, type);
  uint64_t end = b->address - base + b->count * (uint64_t)(extent > 0 ? extent : 1) +
                 mck_reproduce_span(&w->types, type);
  if (end > w->room) w->room = end;
  fprintf(w->out, "    {%u, %d, %d, %d, %" PRIu64 ", %" PRIu64 ", &map_%d},\n", log_of(w, log)->header->rank,
          e->flags & MCK_CONTENT_RECEIVED ? 1 : 0, peer, to, b->address - base, b->count, type);
}

// The parts of one call. sides: which are wanted.
const struct mck_event *mck_reproduce_part(const struct mck_reader *r, uint32_t event, bool is_received) {
  const struct mck_event *best = NULL;
  for (uint64_t k = event; k < r->units; k += mck_event_units(&r->events[k])) {
    const struct mck_event *e = &r->events[k];
    if (e->kind != MCK_EV_CONTENT || e->content.event != event || e->content.peer == MCK_CONTENT_PROBE) continue;
    if (!(e->flags & MCK_CONTENT_RECEIVED) == is_received) continue;
    if (!best || mck_content_body(e)->address < mck_content_body(best)->address) best = e;
  }
  return best;
}

static const char *name_of(uint32_t fn) { return fn < MCK_FN_COUNT && mck_fn_names[fn] ? mck_fn_names[fn] : ""; }

// --- messages ---
static bool is_ready_send(const char *fn) { return strstr(fn, "rsend") || strstr(fn, "Rsend"); }

// A call that sends and receives, of which the program has one half.
static bool write_half(FILE *out, const char *fn, bool is_send, uint64_t count, int type, int peer) {
  const char *status = is_send ? "MPI_STATUS_IGNORE" : "&status", *buffer = is_send ? "out" : "in";
  char half[80];
  snprintf(half, sizeof half, "%s, %" PRIu64 ", type_%d", buffer, count, type);
  if (!strcmp(fn, "MPI_Sendrecv_replace") && is_send)
    fprintf(out, "      %s(%s, %d, 0, MPI_PROC_NULL, 0, MPI_COMM_WORLD, %s);\n", fn, half, peer, status);
  else if (!strcmp(fn, "MPI_Sendrecv_replace"))
    fprintf(out, "      %s(%s, MPI_PROC_NULL, 0, %d, 0, MPI_COMM_WORLD, %s);\n", fn, half, peer, status);
  else if (!strcmp(fn, "MPI_Sendrecv") && is_send)
    fprintf(out, "      %s(%s, %d, 0, NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, %s);\n", fn, half, peer,
            status);
  else if (!strcmp(fn, "MPI_Sendrecv"))
    fprintf(out, "      %s(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, %s, %d, 0, MPI_COMM_WORLD, %s);\n", fn, half, peer,
            status);
  else return false;
  return true;
}

static void write_send(struct mck_reproduce *w, const char *fn, int type, uint64_t count, int dest) {
  FILE *out = w->out;
  bool is_buffered = strstr(fn, "bsend") || strstr(fn, "Bsend");
  char args[160];
  snprintf(args, sizeof args, "out, %" PRIu64 ", type_%d, %d, 0, MPI_COMM_WORLD", count, type, dest);
  fprintf(out, "    if (rank == %u) {\n      fill(out, rank, round);\n", w->types.rank_of_sender);
  if (is_buffered)
    fprintf(out, "      int room = 2 * bytes + 2 * MPI_BSEND_OVERHEAD;\n      char *space = malloc((size_t)room);\n"
                 "      MPI_Buffer_attach(space, room);\n");
  if (strstr(fn, "_init"))
    fprintf(out,
            "      %s(%s, &request);\n      MPI_Start(&request);\n      MPI_Wait(&request, MPI_STATUS_IGNORE);\n"
            "      MPI_Request_free(&request);\n",
            fn, args);
  else if (!strncmp(fn, "MPI_I", 5))
    fprintf(out, "      %s(%s, &request);\n      MPI_Wait(&request, MPI_STATUS_IGNORE);\n", fn, args);
  else if (!write_half(out, fn, true, count, type, dest)) fprintf(out, "      %s(%s);\n", fn, args);
  if (is_buffered) fprintf(out, "      MPI_Buffer_detach(&space, &room);\n      free(space);\n");
  fprintf(out, "    }\n");
}

// A ready send needs its receive first (MPI-3.1 3.4).
static void write_early_receive(FILE *out, uint64_t count, int type, int source, uint32_t rank) {
  fprintf(out,
          "    if (rank == %u) MPI_Irecv(in, %" PRIu64 ", type_%d, %d, 0, MPI_COMM_WORLD, &request);\n"
          "    MPI_Barrier(MPI_COMM_WORLD);\n",
          rank, count, type, source);
}

static void write_receive(struct mck_reproduce *w, const char *fn, int type, uint64_t count, int source, uint32_t rank,
                          bool is_early) {
  FILE *out = w->out;
  fprintf(out, "    if (rank == %u) {\n", rank);
  char args[160];
  snprintf(args, sizeof args, "in, %" PRIu64 ", type_%d, %d, 0, MPI_COMM_WORLD", count, type, source);
  if (is_early) fprintf(out, "      MPI_Wait(&request, &status);\n");
  else if (strstr(fn, "_init"))
    fprintf(out,
            "      MPI_Recv_init(%s, &request);\n      MPI_Start(&request);\n      MPI_Wait(&request, &status);\n"
            "      MPI_Request_free(&request);\n",
            args);
  else if (strstr(fn, "probe")) // its message is received as a matched one
    fprintf(out,
            "      MPI_Message message;\n      MPI_Mprobe(%d, 0, MPI_COMM_WORLD, &message, &status);\n"
            "      MPI_Mrecv(in, %" PRIu64 ", type_%d, &message, &status);\n",
            source, count, type);
  else if (!strncmp(fn, "MPI_I", 5))
    fprintf(out, "      MPI_Irecv(%s, &request);\n      MPI_Wait(&request, &status);\n", args);
  else if (!write_half(out, fn, false, count, type, source)) fprintf(out, "      MPI_Recv(%s, &status);\n", args);
  fprintf(
      out,
      "      MPI_Get_elements(&status, MPI_BYTE, &length);\n"
      "      if (length != bytes) printf(\"round %%d: the status tells %%d bytes, %%d were sent\\n\", round, length, "
      "bytes);\n"
      "      wrong += length != bytes;\n"
      "      if (status.MPI_SOURCE != %d || status.MPI_TAG != 0) {\n"
      "        printf(\"round %%d: the status tells source %%d, tag %%d\\n\", round, status.MPI_SOURCE, "
      "status.MPI_TAG);\n"
      "        wrong++;\n      }\n"
      "      wrong += check(in, rank, round);\n    }\n",
      source);
}

static bool write_message(struct mck_reproduce *w, const struct mck_flow_fault *f) {
  const struct mck_event *s = mck_reproduce_part(log_of(w, f->sender), f->send_event, false);
  const struct mck_event *r = mck_reproduce_part(log_of(w, f->receiver), f->receive_event, true);
  const struct mck_reader *receiver = log_of(w, f->receiver);
  for (uint64_t k = 0; !r && k < receiver->units; k += mck_event_units(&receiver->events[k])) // of a matched probe
    if (receiver->events[k].kind == MCK_EV_MRECV && receiver->events[k].mrecv.mprobe == f->receive_event)
      r = mck_reproduce_part(receiver, (uint32_t)k, true);
  if (!s || !r) return false;
  uint32_t from = log_of(w, f->sender)->header->rank, to = receiver->header->rank;
  int st = mck_reproduce_type(&w->types, log_of(w, f->sender), f->sender, s->content.type);
  int rt = mck_reproduce_type(&w->types, receiver, f->receiver, r->content.type);
  mck_reproduce_write_types(&w->types, w->out);
  fprintf(w->out, "\nstatic const struct part {\n  int rank, is_received, peer, to, offset, count;\n"
                  "  const struct map *map;\n} parts[] = {\n");
  write_part(w, f->sender, s, mck_content_body(s)->address, (int)to, (int)to);
  // What is compared is what was sent, which may be less than the buffer.
  fprintf(w->out, "    {%u, 1, %u, %u, 0, (int)(%" PRIu64 " / (%" PRIu64 " ? %" PRIu64 " : 1)), &map_%d},\n};\n", to,
          from, to, mck_content_body(s)->length, mck_reproduce_size(&w->types, rt), mck_reproduce_size(&w->types, rt),
          rt);
  uint64_t end = mck_content_body(r)->count * (uint64_t)mck_reproduce_extent(&w->types, rt) +
                 mck_reproduce_span(&w->types, rt);
  if (end > w->room) w->room = end;
  fputs(mck_reproduce_body, w->out);
  mck_reproduce_write_begin(&w->types, w->out, w->room, from > to ? from + 1 : to + 1);
  fprintf(w->out,
          "    const int bytes = %" PRIu64 ";\n    int length;\n    MPI_Status status;\n    MPI_Request request;\n"
          "    (void)request, (void)status, (void)length;\n",
          mck_content_body(s)->length);
  w->types.rank_of_sender = from;
  const char *send = name_of(log_of(w, f->sender)->events[f->send_event].fn);
  uint64_t count = mck_content_body(r)->count;
  if (is_ready_send(send)) write_early_receive(w->out, count, rt, (int)from, to);
  write_send(w, send, st, mck_content_body(s)->count, (int)to);
  write_receive(w, name_of(receiver->events[f->receive_event].fn), rt, count, (int)from, to, is_ready_send(send));
  fprintf(w->out, "  }\n%s", mck_reproduce_tail);
  return true;
}

static bool is_operation(const struct mck_event *e) {
  return e->kind == MCK_EV_PUT || e->kind == MCK_EV_GET || e->kind == MCK_EV_ACC;
}

static const char *write_collective(struct mck_reproduce *w, uint32_t log, uint32_t event) {
  struct mck_reproduce_meeting meeting;
  if (!mck_reproduce_meeting_find(w->view, log, event, &meeting))
    return "the collective has two groups, or members that are not in the logs";
  const struct mck_event *e = &log_of(w, log)->events[event];
  const char *why = e->coll.op == MCK_OP_NONE ? mck_reproduce_collective(w, &meeting)
                                              : mck_reproduce_reduction(w, &meeting);
  mck_reproduce_meeting_free(&meeting);
  return why;
}

static const char *write_program(const struct mck_view *view, const struct mck_flow_fault *f, FILE *out) {
  struct mck_reproduce w = {.view = view, .out = out, .room = 64};
  const struct mck_event *sent = &log_of(&w, f->sender)->events[f->send_event];
  const struct mck_event *received = &log_of(&w, f->receiver)->events[f->receive_event];
  bool is_message = sent->kind == MCK_EV_SEND, is_read = is_operation(received);
  bool is_collective = sent->kind == MCK_EV_COLL && received->kind == MCK_EV_COLL;
  bool is_file = received->kind == MCK_EV_FILE_ACCESS;
  if (!is_message && !is_read && !is_collective && !is_file && !is_operation(sent))
    return "these calls cannot be reproduced so far";
  fprintf(out,
          "// Written by mpicc-check reproduce: the calls of one finding of flow.content, with numbers made by a "
          "rule.\n// mpicc THIS.c && mpirun -n %u ./a.out [ROUNDS]: exit code 1 if the library brings wrong "
          "data.\n%s",
          view->size, head);
  const char *why = NULL;
  if (is_message) why = write_message(&w, f) ? NULL : "the content of the two calls is not in the logs";
  else if (is_collective) why = write_collective(&w, f->receiver, f->receive_event);
  else if (is_file) why = mck_reproduce_file(&w, f->receiver, f->receive_event);
  else if (is_read) why = mck_reproduce_operation(&w, f->receiver, f->receive_event);
  else why = mck_reproduce_operation(&w, f->sender, f->send_event);
  mck_reproduce_free(&w.types);
  return why;
}

static const char *place_of(const struct mck_view *view, uint32_t log, uint32_t event) {
  const struct mck_view_log *l = &view->logs[log];
  return mck_view_place(view, (struct mck_view_log *)l, l->reader.events[event].site)->name.text;
}

static void list_faults(const struct mck_view *view, const struct mck_flow_fault *faults, size_t n, FILE *out) {
  for (size_t i = 0; i < n; i++) {
    const struct mck_flow_fault *f = &faults[i];
    const struct mck_event *s = &view->logs[f->sender].reader.events[f->send_event];
    const struct mck_event *r = &view->logs[f->receiver].reader.events[f->receive_event];
    fprintf(out, "%zu: %s of rank %u %s", i + 1, name_of(s->fn), view->logs[f->sender].reader.header->rank,
            place_of(view, f->sender, f->send_event));
    fprintf(out, ", %s on rank %u %s\n", name_of(r->fn), view->logs[f->receiver].reader.header->rank,
            place_of(view, f->receiver, f->receive_event));
  }
}

const char *mck_view_reproduce(const struct mck_view *view, const char *place, FILE *out) {
  struct mck_reader *logs = calloc(view->count + 1, sizeof *logs);
  struct mck_pairs pairs = {0};
  struct mck_flow_fault faults[512], *fault = NULL;
  size_t n = 0;
  for (size_t i = 0; logs && i < view->count; i++) logs[i] = view->logs[i].reader;
  bool is_good = logs && mck_pairs_make(&pairs, logs, view->count, true);
  if (is_good) n = mck_flow_faults(logs, view->count, &pairs, faults, sizeof faults / sizeof *faults);
  // A number names one of them, in the order of --reproduce=list.
  char *end;
  unsigned long number = strtoul(place, &end, 10);
  bool is_list = !strcmp(place, "list");
  if (*place && !*end && number && number <= n) fault = &faults[number - 1];
  if (is_list) list_faults(view, faults, n, out);
  for (size_t i = 0; i < n && !fault; i++) {
    const struct mck_flow_fault *f = &faults[i];
    uint32_t sites[2] = {logs[f->sender].events[f->send_event].site, logs[f->receiver].events[f->receive_event].site};
    for (int k = 0; k < 2 && !fault; k++) {
      const char *text = mck_view_place(view, &view->logs[k ? f->receiver : f->sender], sites[k])->name.text;
      size_t length = strlen(place);
      if (text && !strncmp(text, place, length) && (text[length] == ' ' || !text[length])) fault = &faults[i];
    }
  }
  const char *why = !is_good ? "out of memory" : !n ? "there is no finding of flow.content in these logs" : NULL;
  if (!why && !fault && !is_list) why = "no finding of flow.content names this place";
  if (!why && !is_list) why = write_program(view, fault, out);
  mck_pairs_free(&pairs);
  free(logs);
  return why;
}
