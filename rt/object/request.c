// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests: from the call that made the handle to the completion that ends it. The entry of a completed request stays in the table as a
// stale handle, and is used again when the library gives the value out again: a steady state of posting and completing allocates
// nothing and changes no table.
//
// Open MPI gives one shared handle (ompi_request_empty) to every operation that is complete when its call returns, so small
// sends have equal handles. Such requests are told apart by the address of the user's variable. When one of them is completed through
// a copy of the handle elsewhere, nobody knows which it was: then all of them are forgotten, rather than one accused wrongly.
#include <stddef.h>
#include <string.h>
#include "object/table.h"

static struct mck_request *requests, *unused;
static struct mck_request *shared;   // live, doubly linked
static struct mck_overwritten *overwritten;
static MPI_Request shared_handle;
static size_t nshared_kept;          // entries in the table for variables that held the shared handle
enum { SHARED_KEPT = 1 << 16 };      // variables may be anywhere: beyond so many their entries go

void mck_request_init(MPI_Request shared) { shared_handle = shared; }
bool mck_request_is_shared(MPI_Request request) { return request == shared_handle; }

static struct mck_request *find(MPI_Request request, const MPI_Request *at) {
  struct mck_request *r;
  if (request == MPI_REQUEST_NULL) return NULL;
  TABLE_FIND(requests, handle, (uint64_t)(uintptr_t)(request == shared_handle ? (const void *)at : (const void *)request), r);
  return r;
}

struct mck_request *mck_request_find(MPI_Request request, const MPI_Request *at) {
  struct mck_request *r = find(request, at);
  return r && !r->is_freed ? r : NULL;
}

struct mck_request *mck_request_find_freed(MPI_Request request) {
  struct mck_request *r = request == shared_handle ? NULL : find(request, NULL);
  return r && r->is_freed && r->free_site != MCK_NONE ? r : NULL;
}

struct mck_request *mck_request_add(MPI_Request request, const MPI_Request *at) {
  if (request == MPI_REQUEST_NULL) return NULL;
  struct mck_request *r = find(request, at);
  bool is_new = !r;
  if (is_new && !unused) {
    enum { BATCH = 64 };
    struct mck_request *batch = calloc(BATCH, sizeof *batch);
    if (!batch) return NULL;
    for (int i = 0; i < BATCH; i++) batch[i].next = unused, unused = &batch[i];
  }
  if (is_new) r = unused, unused = r->next;
  bool was_shared = !is_new && r->is_shared;
  memset(r, 0, offsetof(struct mck_request, hh));
  for (int i = 0; i < 2; i++) r->buffers[i].low = NULL, r->buffers[i].window = NULL, r->buffers[i].is_active = r->buffers[i].is_marked = r->buffers[i].span.is_listed = false;
  r->handle = (uint64_t)(uintptr_t)(request == shared_handle ? (const void *)at : (const void *)request);
  r->at = at;
  r->event = r->overwritten = r->free_site = MCK_NONE;
  if (request == shared_handle) {
    r->is_shared = true;
    nshared_kept += !was_shared;
    r->previous = NULL, r->next = shared;
    if (shared) shared->previous = r;
    shared = r;
  }
  if (is_new) TABLE_ADD(requests, handle, r);
  return r;
}

static void unshare(struct mck_request *r) {
  if (r->previous) r->previous->next = r->next;
  else shared = r->next;
  if (r->next) r->next->previous = r->previous;
}

void mck_request_detach(struct mck_request *r) {
  if (r->is_detached || r->is_shared) return;   // the shared handle is not given out again: it was never given back
  r->is_detached = true;
  HASH_DEL(requests, r);
}

static void recycle(struct mck_request *r) { r->next = unused, unused = r; }

void mck_request_attach(struct mck_request *r) {
  struct mck_request *stale;
  if (!r->is_detached) return;
  TABLE_FIND(requests, handle, r->handle, stale);
  if (stale) {   // another thread got the value and has completed it
    HASH_DEL(requests, stale);
    recycle(stale);
  }
  r->is_detached = false;
  TABLE_ADD(requests, handle, r);
}

void mck_request_remove(struct mck_request *r, uint32_t site) {
  if (r->is_detached) { recycle(r); return; }
  if (r->is_shared) unshare(r);
  if (r->is_shared && nshared_kept > SHARED_KEPT) {
    HASH_DEL(requests, r);
    nshared_kept--;
    recycle(r);
  } else r->is_freed = true, r->free_site = site;
}

bool mck_request_see(struct mck_request *r, uint64_t look) {
  bool is_first = r->seen != look;
  r->seen = look;
  return is_first;
}

static void count_overwritten(const struct mck_request *r, uint32_t by) {
  uint64_t key = (uint64_t)r->site << 32 | by;
  struct mck_overwritten *o;
  TABLE_FIND(overwritten, key, key, o);
  if (!o) {
    o = calloc(1, sizeof *o);
    if (!o) return;
    *o = (struct mck_overwritten){.key = key, .site = r->site, .by = by, .fn = r->fn};
    TABLE_ADD(overwritten, key, o);
  }
  o->count++;
}

void mck_request_overwrite(struct mck_request *r, uint32_t by) {
  if (r->is_shared) count_overwritten(r, by);   // its entry goes to the new operation
  else if (r->overwritten == MCK_NONE) r->overwritten = by;
}

void mck_request_visit_overwritten(void (*visit)(const struct mck_overwritten *)) {
  for (struct mck_overwritten *o = overwritten; o; o = o->hh.next) visit(o);
}

void mck_request_drop_shared(void (*drop)(struct mck_request *)) {
  struct mck_overwritten *o, *after;
  HASH_ITER(hh, overwritten, o, after) {
    HASH_DEL(overwritten, o);
    free(o);
  }
  while (shared) {
    struct mck_request *r = shared;
    drop(r);
    if (shared == r) mck_request_remove(r, MCK_NONE);
  }
}

void mck_request_visit(void (*visit)(const struct mck_request *)) {
  for (struct mck_request *r = requests; r; r = r->hh.next) if (!r->is_freed) visit(r);
}
