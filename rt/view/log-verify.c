// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that a log is as docs/formats/log.md says, for programs that write or move logs. The reader has checked what
// it relies on; this file checks everything else.
#include <stdarg.h>
#include <stdlib.h>
#include "api/fns.h"
#include "base/hash-table.h"
#include "log/window-bytes.h"
#include "report/finding.h"
#include "view/view.h"

enum { PROBLEMS_MAX = 100 }; // problems printed of one log; more say nothing new

struct verify {
  struct mck_view_log *log;
  FILE *out;
  uint64_t index;
  size_t problems;
};

__attribute__((format(printf, 2, 3))) static void complain(struct verify *v, const char *format, ...) {
  if (v->problems++ >= PROBLEMS_MAX) return;
  va_list arguments;
  va_start(arguments, format);
  fprintf(v->out, "%s: unit %llu: ", v->log->path, (unsigned long long)v->index);
  vfprintf(v->out, format, arguments);
  fputc('\n', v->out);
  va_end(arguments);
}

static uint64_t index_of(const struct verify *v, const void *body) {
  return (uint64_t)((const struct mck_event *)body - v->log->reader.events) - 1;
}

static bool is_before(struct verify *v, const void *body) { return body && index_of(v, body) < v->index; }

static void check_site(struct verify *v, uint32_t site) {
  const struct mck_reader *r = &v->log->reader;
  if (site != MCK_NONE && !(site < r->nstacks && is_before(v, r->stacks[site].frames)))
    complain(v, "call stack %u is not defined before its use", site);
}

static const struct mck_comm_def *check_comm(struct verify *v, uint32_t id) {
  const struct mck_comm_def *comm = mck_view_comm_def(v->log, id);
  if (comm && is_before(v, comm->body)) return comm;
  complain(v, "communicator %u is not defined before its use", id);
  return NULL;
}

static void check_type(struct verify *v, uint32_t id) {
  const struct mck_reader *r = &v->log->reader;
  if (id == MCK_NONE || id < MCK_TYPE_USER) return;
  if (id - MCK_TYPE_USER >= r->ntypes || !is_before(v, r->types[id - MCK_TYPE_USER].body))
    complain(v, "datatype %u is not defined before its use", id);
}

static const struct mck_win_def *check_win(struct verify *v, uint32_t id) {
  const struct mck_reader *r = &v->log->reader;
  if (id < r->nwins && is_before(v, r->wins[id].body)) return &r->wins[id];
  complain(v, "window %u is not defined before its use", id);
  return NULL;
}

static void check_fn(struct verify *v, const struct mck_event *e) {
  if (e->fn >= MCK_FN_COUNT) complain(v, "function %u is none of MPI's", e->fn);
}

static void check_message(struct verify *v, const struct mck_event *e) {
  const struct mck_comm_def *comm = check_comm(v, e->msg.comm);
  // Both flags: MPI_Cancel was called, and it is unknown whether it came in time.
  bool is_matched = e->kind == MCK_EV_SEND || (e->flags & MCK_FLAG_MATCHED && !(e->flags & MCK_FLAG_CANCELLED));
  bool may_be_any = !is_matched && e->flags & MCK_FLAG_ANY_SOURCE,
       may_be_any_tag = !is_matched && e->flags & MCK_FLAG_ANY_TAG;
  uint32_t members = !comm ? 0 : comm->remote_size ? comm->remote_size : comm->size;
  if (comm && !(may_be_any && e->msg.peer < 0) && (e->msg.peer < 0 || (uint32_t)e->msg.peer >= members))
    complain(v, "%s %d is no member of communicator %u, which has %u",
             e->kind == MCK_EV_SEND           ? "destination"
             : e->flags & MCK_FLAG_ANY_SOURCE ? "matched source"
                                              : "source",
             e->msg.peer, e->msg.comm, members);
  if (e->msg.tag < 0 && !may_be_any_tag) complain(v, "tag %d of a message whose tag is known", e->msg.tag);
  if (e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV) check_type(v, e->msg.type);
  if (e->kind == MCK_EV_SEND && e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG))
    complain(v, "a send with a wildcard");
}

// The events that start a request. PAD: a call that failed, or a message to MPI_PROC_NULL.
static bool is_start(const struct mck_event *e) {
  switch (e->kind) {
  case MCK_EV_SEND:
  case MCK_EV_RECV:
  case MCK_EV_COLL: return e->flags & MCK_FLAG_NONBLOCKING;
  case MCK_EV_PUT:
  case MCK_EV_GET:
  case MCK_EV_ACC:
  case MCK_EV_MRECV:
  case MCK_EV_PAD: return true;
  default: return false;
  }
}

static void check_requests(struct verify *v, const struct mck_event *e, const uint8_t *heads) {
  if (e->kind == MCK_EV_WAIT && e->flags > MCK_WAIT_SOME) complain(v, "flags %u of a wait", e->flags);
  for (uint32_t i = 0; i < e->wait.count; i++) {
    uint32_t request = mck_wait_request(e, i);
    if (request == MCK_NONE) continue;
    bool is_head = heads[request / 8] >> request % 8 & 1;
    if (!is_head || !is_start(&v->log->reader.events[request]))
      complain(v, "request %u is unit %u, which starts none", i, request);
  }
}

static void check_rma(struct verify *v, const struct mck_event *e) {
  const struct mck_win_def *win = check_win(v, e->word[0]);
  const struct mck_comm_def *comm = win ? mck_view_comm_def(v->log, win->comm) : NULL;
  if (e->kind <= MCK_EV_ACC) {
    check_type(v, e->rma.type);
    if (comm && (e->rma.target < 0 || (uint32_t)e->rma.target >= comm->size))
      complain(v, "target %d is no member of window %u", e->rma.target, e->rma.win);
  }
  if (e->kind == MCK_EV_ACC && e->flags > MCK_OP_USER) complain(v, "operation %u is unknown", e->flags);
  if (e->kind != MCK_EV_ACCESS || !win) return;
  // The last touched byte must lie in the window. Dynamic windows have addresses instead of offsets, and no size.
  int64_t last = 0;
  bool is_far = e->access.n == 0 || __builtin_mul_overflow((int64_t)e->access.n - 1, e->access.stride, &last) ||
                e->access.offset > INT64_MAX || __builtin_add_overflow(last, (int64_t)e->access.offset, &last) ||
                last < 0 || __builtin_add_overflow(last, (int64_t)e->access.size, &last);
  if (is_far || (win->body->size && (uint64_t)last > win->body->size))
    complain(v, "an access of window %u reaches out of it", e->access.win);
}

static void check_file(struct verify *v, const struct mck_event *e) {
  check_comm(v, e->file.comm);
  if (e->kind == MCK_EV_FILE_VIEW) check_type(v, e->view.type);
  if (e->kind == MCK_EV_FILE_ACCESS && e->file.offset + e->file.size < e->file.offset)
    complain(v, "an access to a file reaches beyond 2^64 bytes");
}

static void check_definition(struct verify *v, const struct mck_event *e) {
  const struct mck_reader *r = &v->log->reader;
  if (e->kind == MCK_EV_DEF_STACK)
    for (uint32_t i = 0; i < r->stacks[e->def.id].depth; i++) {
      uint64_t module = r->stacks[e->def.id].frames[i] >> 48;
      if (module >= r->nmodules || !is_before(v, r->modules[module].path))
        complain(v, "module %u of a call stack is not defined before its use", (unsigned)module);
    }
  if (e->kind == MCK_EV_DEF_COMM && r->comms[e->def.id].body->parent != MCK_NONE)
    check_comm(v, r->comms[e->def.id].body->parent);
  if (e->kind == MCK_EV_DEF_WIN) check_comm(v, r->wins[e->def.id].comm);
  struct mck_findings list = {0};
  if (e->kind == MCK_EV_FINDING && !mck_finding_unpack(&list, e + 1, e->def.a))
    complain(v, "a finding that cannot be read");
  for (size_t i = 0; i < list.count; i++)
    for (uint32_t k = 0; k < list.items[i].nplaces; k++)
      if (list.items[i].places[k].rank == (int32_t)r->header->rank) check_site(v, list.items[i].places[k].site);
  mck_findings_free(&list);
}

static void check_event(struct verify *v, const struct mck_event *e, const uint8_t *heads) {
  bool is_definition = e->kind >= MCK_EV_DEF_MODULE && e->kind <= MCK_EV_FINDING;
  if (e->kind == MCK_EV_PAD) return;
  if (!mck_view_kind(e->kind)) return; // an event of a later version
  if (!is_definition || (e->kind >= MCK_EV_DEF_COMM && e->kind <= MCK_EV_DEF_WIN)) check_site(v, e->site);
  if (!is_definition && e->kind != MCK_EV_ACCESS) check_fn(v, e);
  switch (e->kind) {
  case MCK_EV_SEND:
  case MCK_EV_RECV:
  case MCK_EV_PROBE:
  case MCK_EV_MPROBE: check_message(v, e); break;
  case MCK_EV_MRECV: {
    bool is_head = e->mrecv.mprobe != MCK_NONE && heads[e->mrecv.mprobe / 8] >> e->mrecv.mprobe % 8 & 1;
    if (e->mrecv.mprobe != MCK_NONE && (!is_head || v->log->reader.events[e->mrecv.mprobe].kind != MCK_EV_MPROBE))
      complain(v, "receives the message of unit %u, which is no matched probe", e->mrecv.mprobe);
    check_type(v, e->mrecv.type);
    break;
  }
  case MCK_EV_FILE_ACCESS:
  case MCK_EV_FILE_VIEW:
  case MCK_EV_FILE_POINTER:
  case MCK_EV_FILE_DONE:
  case MCK_EV_FILE_NAME: check_file(v, e); break;
  case MCK_EV_COLL:
    check_comm(v, e->coll.comm);
    check_type(v, e->coll.type);
    if (e->coll.op > MCK_OP_USER) complain(v, "operation %u is unknown", e->coll.op);
    break;
  case MCK_EV_PUT:
  case MCK_EV_GET:
  case MCK_EV_ACC:
  case MCK_EV_FENCE:
  case MCK_EV_SYNC:
  case MCK_EV_ACCESS: check_rma(v, e); break;
  case MCK_EV_WAIT:
  case MCK_EV_DONE: check_requests(v, e, heads); break;
  case MCK_EV_RETURN:
    if (!(heads[e->returned.event / 8] >> e->returned.event % 8 & 1))
      complain(v, "unit %u returned, which is no event", e->returned.event);
    break;
  case MCK_EV_STRAND: break;
  case MCK_EV_CONTENT:
    if (!(heads[e->content.event / 8] >> e->content.event % 8 & 1))
      complain(v, "has the content of unit %u, which is no event", e->content.event);
    check_type(v, e->content.type);
    break;
  case MCK_EV_WINDOW_BYTES: {
    const struct mck_win_def *win = check_win(v, e->looked.win);
    for (uint32_t i = 0; win && i < e->looked.n; i++)
      if (mck_window_runs(e)[i].offset > win->body->size ||
          mck_window_runs(e)[i].length > win->body->size - mck_window_runs(e)[i].offset)
        complain(v, "a look at window %u reaches out of it", e->looked.win);
    break;
  }
  default: check_definition(v, e);
  }
}

static void check_header(struct verify *v) {
  const struct mck_reader *r = &v->log->reader;
  const struct mck_log_header *h = r->header;
  uint32_t state = atomic_load(&h->state);
  v->index = 0;
  if (r->damaged != UINT64_MAX) {
    v->index = r->damaged;
    if (v->log->present < v->log->claimed)
      complain(v, "the file ends here, but %llu units were written", (unsigned long long)v->log->claimed);
    else {
      const char *kind = mck_view_kind(r->events[r->damaged].kind);
      complain(v, "a malformed event (kind %u, %s)", r->events[r->damaged].kind, kind ? kind : "unknown");
    }
    v->index = 0;
  }
  if (state < MCK_LOG_RUNNING || state > MCK_LOG_SIGNALLED) complain(v, "header: state %u is unknown", state);
  uint64_t wait = atomic_load(&h->wait);
  if (wait && mck_wait_event(wait) != MCK_NONE && wait - 1 >= r->units)
    complain(v, "header: waits in event %llu, which is not there", (unsigned long long)(wait - 1));
}

static size_t verify_log(struct mck_view_log *log, FILE *out) {
  struct verify v = {.log = log, .out = out};
  const struct mck_reader *r = &log->reader;
  check_header(&v);
  uint8_t *heads = calloc(r->units / 8 + 1, 1); // bits: an event begins here
  for (uint64_t k = 0; heads && k < r->units; k += mck_event_units(&r->events[k])) {
    v.index = k;
    heads[k / 8] |= (uint8_t)(1 << k % 8);
    check_event(&v, &r->events[k], heads);
  }
  if (!heads) complain(&v, "out of memory: not verified");
  free(heads);
  if (v.problems > PROBLEMS_MAX) fprintf(out, "%s: %zu more problems\n", log->path, v.problems - PROBLEMS_MAX);
  return v.problems;
}

// All members define a communicator equally.
struct known {
  const struct mck_comm_def *comm;
  const struct mck_view_log *log;
};

static size_t verify_comms(const struct mck_view *view, FILE *out) {
  struct known *items = NULL;
  size_t count = 0, capacity = 0, problems = 0;
  struct mck_table table = {0};
  for (size_t i = 0; i < view->count; i++) {
    struct mck_view_log *log = &view->logs[i];
    for (uint32_t k = 0; k < log->reader.ncomms; k++) {
      const struct mck_comm_def *c = &log->reader.comms[k];
      const struct known *other = NULL;
      if (!c->body) continue;
      struct verify v = {.log = log, .out = out};
      v.index = index_of(&v, c->body);
      int me = mck_comm_world_rank(c, (int)c->rank, false);
      if (me != -1 && me != (int)log->reader.header->rank)
        complain(&v, "communicator %u has rank %d in place of this one", c->id, me);
      uint64_t hash = mck_table_mix(c->body->key, 2);
      uint32_t at, id;
      MCK_TABLE_EACH (&table, hash, at, id)
        if (items[id].comm->body->key == c->body->key) {
          other = &items[id];
          break;
        }
      if (other && c->size + (uint64_t)c->remote_size != other->comm->size + (uint64_t)other->comm->remote_size)
        complain(&v, "communicator %u has another size than on rank %u", c->id, other->log->reader.header->rank);
      struct known new = {c, log};
      if (!other && MCK_PUSH(items, count, capacity, new) && !mck_table_add(&table, hash, (uint32_t)count - 1)) count--;
      problems += v.problems;
    }
  }
  free(items);
  mck_table_free(&table);
  return problems;
}

size_t mck_view_verify(const struct mck_view *view, FILE *out) {
  size_t problems = 0;
  for (size_t i = 0; i < view->count; i++) problems += verify_log(&view->logs[i], out);
  return problems + verify_comms(view, out);
}
