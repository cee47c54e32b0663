// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the events of files that stay at a cut (remaining-files.h).
#include "judge/cut/remaining-files.h"
#include <stdlib.h>
#include "api/fns.h"
#include "standard/function.h"

enum { ACCESSES_MAX = 1 << 16 }; // 2 MiB

struct handle {        // by communicator; events as index + 1, 0: none
  uint32_t transfer;   // the last settled call that transfers
  uint32_t view, name; // the last ones so far
  bool is_view_kept, is_closed;
  uint64_t collectives;
};
struct pending {
  uint32_t number, index;
  bool is_done;
};
struct chooser {
  const struct mck_judge *judge;
  struct mck_remaining_files *out;
  struct handle *handles;
  struct pending *pending; // ascending
  size_t npending, pending_capacity, at;
  uint64_t units; // of the log, up to a call of which the file is not known
  bool is_short;
};

static struct handle *handle_of(struct chooser *c, uint32_t comm) {
  return mck_judge_comm(c->judge, comm) ? &c->handles[comm] : NULL;
}

static bool is_lost(const struct mck_event *e) { return e->kind == MCK_EV_CALL && mck_std_is_of_file(e->fn); }

// As in remaining-log.c: the first ones of a communicator are settled.
static void add_collective(struct chooser *c, const struct mck_event *e, uint32_t index) {
  struct handle *h = mck_std_is_of_file(e->fn) ? handle_of(c, e->coll.comm) : NULL;
  if (!h) return;
  const struct mck_judge *j = c->judge;
  uint32_t at = j->of_comm[e->coll.comm];
  if (mck_judge_is_counted(mck_judge_comm(j, e->coll.comm), e->fn) &&
      (!at || h->collectives++ >= j->sequences[at - 1].settled))
    return;
  if (mck_std_transfers_file(e->fn)) h->transfer = index + 1;
  if (e->fn == MCK_FN_MPI_File_close) h->is_closed = true;
}

static int compare_numbers(const void *x, const void *y) {
  const struct pending *a = x, *b = y;
  return a->number < b->number ? -1 : a->number > b->number;
}

static void end_access(struct chooser *c, const struct mck_event *e) {
  struct pending key = {.number = e->filedone.number}, *p;
  p = c->npending ? bsearch(&key, c->pending, c->npending, sizeof key, compare_numbers) : NULL;
  if (p) p->is_done = true;
}

// Which calls are settled, and which accesses are over.
static void look(struct chooser *c) {
  const struct mck_reader *log = c->judge->log;
  uint32_t number = 0;
  for (uint64_t i = 0; i < log->units && !c->is_short; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    struct pending new = {number, (uint32_t)i, false};
    if (is_lost(e)) {
      c->units = i;
      break;
    }
    if (e->kind == MCK_EV_COLL) add_collective(c, e, (uint32_t)i);
    else if (e->kind == MCK_EV_FILE_DONE && e->flags & MCK_FILE_NEXT) number = e->filedone.number;
    else if (e->kind == MCK_EV_FILE_DONE) end_access(c, e);
    else if (e->kind == MCK_EV_FILE_ACCESS) {
      number++;
      if (e->flags & MCK_FILE_PENDING && !MCK_PUSH(c->pending, c->npending, c->pending_capacity, new))
        c->is_short = true;
    }
  }
}

static void keep(struct chooser *c, uint32_t index, bool is_done) {
  struct mck_remaining_file_event new = {index, is_done};
  if (!MCK_PUSH(c->out->kept, c->out->nkept, c->out->capacity, new)) c->is_short = true;
}

static void choose_access(struct chooser *c, const struct mck_event *e, uint32_t index, size_t *n) {
  struct handle *h = handle_of(c, e->file.comm);
  while (c->at < c->npending && c->pending[c->at].index < index) c->at++;
  bool is_pending = e->flags & MCK_FILE_PENDING && !c->pending[c->at].is_done;
  if (!h || index < h->transfer || e->flags & MCK_FILE_SIZE || !(e->flags & MCK_FILE_WRITE || is_pending)) return;
  if (h->view && !h->is_view_kept) keep(c, h->view - 1, false), h->is_view_kept = true;
  keep(c, index, !is_pending), ++*n;
}

static void choose(struct chooser *c, bool has_accesses, size_t *n) {
  const struct mck_reader *log = c->judge->log;
  for (uint64_t i = 0; i < c->units && !c->is_short; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    struct handle *h;
    switch (e->kind) {
    case MCK_EV_FILE_ACCESS:
      if (has_accesses) choose_access(c, e, (uint32_t)i, n);
      break;
    case MCK_EV_FILE_VIEW:
      if ((h = handle_of(c, e->view.comm))) h->view = (uint32_t)i + 1, h->is_view_kept = false;
      break;
    case MCK_EV_FILE_NAME:
      if ((h = handle_of(c, e->filename.comm))) h->name = (uint32_t)i + 1;
      break;
    default: break;
    }
  }
  if (c->units < log->units) keep(c, (uint32_t)c->units, false);
  for (uint32_t i = 0; i < log->ncomms; i++) {
    const struct handle *h = &c->handles[i];
    if (h->is_closed) continue;
    if (h->view && !h->is_view_kept) keep(c, h->view - 1, false);
    if (h->name) keep(c, h->name - 1, false);
  }
}

static int compare_events(const void *x, const void *y) {
  const struct mck_remaining_file_event *a = x, *b = y;
  return a->index < b->index ? -1 : a->index > b->index;
}

static void drop_accesses(struct chooser *c) {
  const struct mck_event *events = c->judge->log->events;
  for (size_t i = 0; i < c->out->nkept && !c->out->left_out; i++)
    if (events[c->out->kept[i].index].kind == MCK_EV_FILE_ACCESS) c->out->left_out = &events[c->out->kept[i].index];
  c->out->nkept = 0;
  for (uint32_t i = 0; i < c->judge->log->ncomms; i++) {
    struct handle *h = &c->handles[i];
    h->view = h->name = 0, h->is_view_kept = false;
  }
}

bool mck_remaining_files_make(const struct mck_judge *judge, struct mck_remaining_files *out) {
  struct chooser c = {.judge = judge, .out = out, .units = judge->log->units};
  size_t n = 0, none = 0;
  *out = (struct mck_remaining_files){0};
  c.handles = calloc((size_t)judge->log->ncomms + 1, sizeof *c.handles);
  c.is_short = !c.handles;
  if (!c.is_short) look(&c);
  if (!c.is_short) choose(&c, true, &n);
  if (!c.is_short && n > ACCESSES_MAX) drop_accesses(&c), choose(&c, false, &none);
  if (!c.is_short && out->nkept) qsort(out->kept, out->nkept, sizeof *out->kept, compare_events);
  free(c.handles), free(c.pending);
  return !c.is_short;
}

void mck_remaining_files_free(struct mck_remaining_files *files) {
  free(files->kept);
  *files = (struct mck_remaining_files){0};
}

static struct mck_event next_number(uint16_t fn, uint32_t number) {
  struct mck_event e = {.kind = MCK_EV_FILE_DONE, .flags = MCK_FILE_NEXT, .fn = fn, .site = MCK_NONE};
  e.filedone.number = number;
  return e;
}

size_t mck_remaining_files_put(struct mck_remaining_files *f, uint32_t index, const struct mck_event *e,
                               struct mck_event out[2]) {
  size_t n = 0;
  bool is_kept = f->at < f->nkept && f->kept[f->at].index == index;
  if (e->kind == MCK_EV_FILE_DONE && e->flags & MCK_FILE_NEXT) f->old = e->filedone.number;
  if (is_kept) {
    if (e->kind == MCK_EV_FILE_ACCESS && f->number != f->old) out[n++] = next_number(e->fn, f->number = f->old);
    out[n] = *e;
    if (e->kind == MCK_EV_FILE_ACCESS && f->kept[f->at].is_done) out[n].flags &= (uint8_t)~MCK_FILE_PENDING;
    if (e->kind == MCK_EV_FILE_ACCESS) f->number++;
    n++, f->at++;
  }
  if (e->kind == MCK_EV_FILE_ACCESS) f->old++;
  return n;
}

size_t mck_remaining_files_end(struct mck_remaining_files *f, struct mck_event out[1]) {
  if (f->number == f->old) return 0;
  out[0] = next_number(MCK_FN_MPI_File_close, f->number = f->old);
  return 1;
}
