// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses of all logs to files, and their bytes.
#include <stdlib.h>
#include <string.h>
#include "io/io-run.h"
#include "standard/file-size.h"

enum { PIECES_OF_ONE = 1 << 18, PIECES_OF_ALL = 1 << 22 }; // an access with more is left out

// What is known of the files of one log, by its id of the communicator.
struct handle {
  struct mck_file_view view;
  bool is_unknown;                   // its view is
  bool is_moved, is_set_back;        // the shared pointer was moved, and set back behind that
  uint32_t file, epoch, last, sizes; // as in struct mck_io_access
  uint64_t name;
};
struct numbered {
  uint32_t number, access;
};
struct list {
  struct mck_io_run *run;
  uint32_t log, cut; // cut: mck_order_cut, 0: none
  struct handle *handles;
  size_t first;             // of the log's accesses
  uint32_t next;            // the number of the next FILE_ACCESS
  struct numbered *pending; // ascending, as far as the log is not damaged
  size_t npending, pending_capacity;
};

static uint32_t file_of(struct mck_io_run *run, uint64_t key) {
  uint32_t at, id;
  uint64_t hash = mck_table_mix(key, 0);
  MCK_TABLE_EACH (&run->file_table, hash, at, id)
    if (run->keys[id] == key) return id;
  if (!MCK_PUSH(run->keys, run->nfiles, run->files_capacity, key) ||
      !mck_table_add(&run->file_table, hash, (uint32_t)run->nfiles - 1))
    run->is_short = true;
  return (uint32_t)run->nfiles - 1;
}

static struct handle *handle_of(struct list *l, uint32_t comm) {
  const struct mck_reader *r = &l->run->logs[l->log];
  if (!mck_order_comm(r, comm)) return NULL;
  struct handle *h = &l->handles[comm];
  if (h->file == MCK_NONE) h->file = file_of(l->run, r->comms[comm].body->key);
  return h;
}

static bool add_piece(void *context, uint64_t low, uint64_t high) {
  struct mck_io_run *run = context;
  struct mck_io_piece piece = {low, high, (uint32_t)run->naccesses};
  if (!MCK_PUSH(run->pieces, run->npieces, run->pieces_capacity, piece)) run->is_short = true;
  return !run->is_short;
}

// Adds the bytes of an access that is added next; false: they are too many.
static bool add_bytes(struct mck_io_run *run, const struct handle *h, uint64_t offset, uint64_t size) {
  size_t before = run->npieces, room = PIECES_OF_ALL - run->npieces;
  bool is_good = mck_file_bytes(&h->view, offset, size, room < PIECES_OF_ONE ? room : PIECES_OF_ONE, add_piece, run);
  if (!is_good) run->npieces = before, run->is_partial = true;
  return is_good;
}

static void add_new(struct list *l, const struct handle *h, const struct mck_event *e, uint32_t index, bool is_pending,
                    bool is_in_turn) {
  struct mck_io_run *run = l->run;
  struct mck_io_access new = {.log = l->log,
                              .comm = e->file.comm,
                              .event = index,
                              .file = h->file,
                              .done = is_pending ? MCK_NONE : index,
                              .epoch = h->epoch,
                              .transferred = MCK_NONE,
                              .last = h->last,
                              .name = h->name,
                              .sizes = h->sizes,
                              .is_size = e->flags & MCK_FILE_SIZE,
                              .is_write = e->flags & MCK_FILE_WRITE,
                              .is_atomic = e->flags & MCK_FILE_ATOMIC,
                              .is_in_turn = is_in_turn,
                              .is_old = index < l->cut};
  if (!MCK_PUSH(run->accesses, run->naccesses, run->accesses_capacity, new)) run->is_short = true;
}

static void add_access(struct list *l, const struct mck_event *e, uint32_t index) {
  struct handle *h = handle_of(l, e->file.comm);
  bool is_pending = e->flags & MCK_FILE_PENDING;
  struct numbered number = {l->next++, (uint32_t)l->run->naccesses};
  if (h && e->flags & MCK_FILE_SIZE) {
    if (add_piece(l->run, e->file.offset, e->file.offset + e->file.size)) add_new(l, h, e, index, false, false);
    return;
  }
  if (!h || h->is_unknown || !add_bytes(l->run, h, e->file.offset, e->file.size)) return;
  if (is_pending && !MCK_PUSH(l->pending, l->npending, l->pending_capacity, number)) l->run->is_short = true;
  add_new(l, h, e, index, is_pending, false);
}

// By the shared pointer. Where it is all logs say together.
static void add_shared(struct list *l, const struct mck_event *e, uint32_t index) {
  struct handle *h = handle_of(l, e->file.comm);
  if (!h) return;
  h->is_set_back |= h->is_moved && e->flags & MCK_POINTER_SET;
  h->is_moved |= !(e->flags & MCK_POINTER_SET);
  if (h->is_unknown || e->flags & (MCK_POINTER_SET | MCK_POINTER_ALONE) || !e->file.size) return;
  const struct mck_io_place *place = mck_io_place_of(l->run, l->log, index);
  if (l->run->is_alone ? !add_piece(l->run, 0, INT64_MAX)
                       : !place || !add_bytes(l->run, h, place->offset, e->file.size))
    return;
  add_new(l, h, e, index, false, !h->is_set_back);
}

static void set_view(struct list *l, const struct mck_event *e) {
  struct handle *h = handle_of(l, e->view.comm);
  const struct mck_reader *r = &l->run->logs[l->log];
  uint32_t type = e->view.type;
  if (!h) return;
  h->is_set_back |= h->is_moved; // 13.3
  bool is_defined = type >= MCK_TYPE_USER && type - MCK_TYPE_USER < r->ntypes;
  h->is_unknown = (type != MCK_NONE && !is_defined) ||
                  !mck_file_view_make(&h->view, e->view.disp, is_defined ? &r->types[type - MCK_TYPE_USER] : NULL);
}

static int compare_numbers(const void *x, const void *y) {
  const struct numbered *a = x, *b = y;
  return a->number < b->number ? -1 : a->number > b->number;
}

static void end_access(struct list *l, const struct mck_event *e, uint32_t index) {
  struct numbered key = {e->filedone.number, 0}, *n;
  if (e->flags & MCK_FILE_NEXT) l->next = e->filedone.number;
  else if (l->npending && (n = bsearch(&key, l->pending, l->npending, sizeof key, compare_numbers)) &&
           l->run->accesses[n->access].done == MCK_NONE) {
    struct mck_io_access *a = &l->run->accesses[n->access];
    a->done = index, a->is_late = a->is_old && index > l->cut;
  }
}

// Nothing is said of what comes behind a call of which the file is not known: it may have been a transfer.
static bool is_lost(const struct mck_event *e) { return e->kind == MCK_EV_CALL && mck_std_is_of_file(e->fn); }

static void list_log(struct list *l) {
  const struct mck_reader *r = &l->run->logs[l->log];
  struct handle *h;
  for (uint64_t i = 0; i < r->units && !l->run->is_short; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    if (is_lost(e)) return;
    switch (e->kind) {
    case MCK_EV_COLL:
      if (mck_std_is_of_file(e->fn) && mck_std_transfers_file(e->fn) && (h = handle_of(l, e->coll.comm)))
        h->epoch++, h->last = (uint32_t)i;
      if (mck_std_sets_file_size(e->fn) && (h = handle_of(l, e->coll.comm))) h->sizes++;
      break;
    case MCK_EV_DEF_COMM: // behind an open
      if (e->def.id < r->ncomms) l->handles[e->def.id].last = (uint32_t)i;
      break;
    case MCK_EV_FILE_NAME:
      if ((h = handle_of(l, e->filename.comm))) h->name = e->filename.key;
      break;
    case MCK_EV_FILE_VIEW: set_view(l, e); break;
    case MCK_EV_FILE_ACCESS: add_access(l, e, (uint32_t)i); break;
    case MCK_EV_FILE_POINTER: add_shared(l, e, (uint32_t)i); break;
    case MCK_EV_FILE_DONE: end_access(l, e, (uint32_t)i); break;
    default: break;
    }
  }
}

// Backwards, so that each access meets the next transfer of its file.
static void find_transfers(struct list *l) {
  struct mck_io_run *run = l->run;
  const struct mck_reader *r = &run->logs[l->log];
  size_t n = 0;
  uint32_t *calls = NULL;
  size_t capacity = 0;
  if (run->naccesses == l->first) return;
  for (uint64_t i = 0; i < r->units; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    if (e->kind == MCK_EV_COLL && mck_std_is_of_file(e->fn) && mck_std_transfers_file(e->fn) &&
        !MCK_PUSH(calls, n, capacity, (uint32_t)i))
      run->is_short = true;
  }
  for (size_t k = l->first; k < run->naccesses; k++) {
    struct mck_io_access *a = &run->accesses[k];
    size_t low = 0, high = n;
    while (low < high) {
      size_t middle = (low + high) / 2;
      if (calls[middle] < a->done) low = middle + 1;
      else high = middle;
    }
    while (low < n && r->events[calls[low]].coll.comm != a->comm) low++;
    if (a->done != MCK_NONE && low < n) a->transferred = calls[low];
  }
  free(calls);
}

static void find_sizes(struct list *l) {
  struct mck_io_run *run = l->run;
  for (size_t k = l->first; k < run->naccesses; k++) {
    struct mck_io_access *a = &run->accesses[k];
    const struct handle *h = &l->handles[a->comm]; // at the end of the log
    a->is_resized = h->sizes > a->sizes;
  }
}

void mck_io_list(struct mck_io_run *run) {
  if (!run->is_alone) mck_io_place(run);
  for (uint32_t i = 0; i < run->nlogs && !run->is_short; i++) {
    const struct mck_reader *r = &run->logs[i];
    uint32_t cut = mck_order_cut(r);
    struct list l = {.run = run, .log = i, .cut = cut == MCK_NONE ? 0 : cut, .first = run->naccesses};
    l.handles = calloc((size_t)r->ncomms + 1, sizeof *l.handles);
    if (!l.handles) run->is_short = true;
    for (uint32_t k = 0; l.handles && k < r->ncomms; k++) l.handles[k].file = MCK_NONE;
    if (l.handles) list_log(&l), find_transfers(&l), find_sizes(&l);
    free(l.handles), free(l.pending);
  }
}

void mck_io_free(struct mck_io_run *run) {
  for (size_t i = 0; i < run->naccesses; i++)
    mck_clock_drop(run->accesses[i].known), mck_clock_drop(run->accesses[i].current);
  free(run->accesses), free(run->pieces), free(run->keys), free(run->component), free(run->hidden), free(run->places);
  mck_table_free(&run->file_table);
}
