// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests: from the call that made the handle to the completion that ends it. Entries come from a free list,
// so a steady state of posting and completing allocates nothing.
//
// Open MPI gives one shared handle (ompi_request_empty) to every operation that is complete when its call returns, so small
// sends have equal handles. Such requests are told apart by the address of the user's variable. When one of them is completed through
// a copy of the handle elsewhere, nobody knows which it was: then all of them are forgotten, rather than one accused wrongly.
#include <string.h>
#include "object/table.h"

static struct mck_request *requests, *unused;
static MPI_Request shared_handle;
static size_t nshared;

void mck_request_init(MPI_Request shared) { shared_handle = shared; }
bool mck_request_is_shared(MPI_Request request) { return request == shared_handle; }

static uint64_t key_of(MPI_Request request, const MPI_Request *at) {
  return request == shared_handle ? (uint64_t)(uintptr_t)at : (uint64_t)(uintptr_t)request;
}

struct mck_request *mck_request_find(MPI_Request request, const MPI_Request *at) {
  struct mck_request *r;
  if (request == MPI_REQUEST_NULL) return NULL;
  TABLE_FIND(requests, handle, key_of(request, at), r);
  return r;
}

struct mck_request *mck_request_add(MPI_Request request, const MPI_Request *at) {
  if (request == MPI_REQUEST_NULL) return NULL;
  if (!unused) {
    enum { BATCH = 64 };
    struct mck_request *batch = calloc(BATCH, sizeof *batch);
    if (!batch) return NULL;
    for (int i = 0; i < BATCH; i++) batch[i].next = unused, unused = &batch[i];
  }
  struct mck_request *r = unused;
  unused = r->next;
  memset(r, 0, sizeof *r);
  r->handle = key_of(request, at);
  r->is_shared = request == shared_handle;
  nshared += r->is_shared;
  r->event = MCK_NONE;
  TABLE_ADD(requests, handle, r);
  return r;
}

void mck_request_detach(struct mck_request *r) {
  if (r->is_detached) return;
  r->is_detached = true;
  HASH_DEL(requests, r);
  nshared -= r->is_shared;
}

void mck_request_attach(struct mck_request *r) {
  if (!r->is_detached) return;
  r->is_detached = false;
  TABLE_ADD(requests, handle, r);
  nshared += r->is_shared;
}

void mck_request_remove(struct mck_request *r) {
  mck_request_detach(r);
  r->next = unused;
  unused = r;
}

void mck_request_drop_shared(void (*drop)(struct mck_request *)) {
  if (!nshared) return;
  struct mck_request *r, *next;
  HASH_ITER(hh, requests, r, next) if (r->is_shared) drop(r);
}

void mck_request_visit(void (*visit)(const struct mck_request *)) {
  for (struct mck_request *r = requests; r; r = r->hh.next) visit(r);
}
