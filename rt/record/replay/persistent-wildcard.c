// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests that take the place of persistent wildcard receives whose match is decided.
#include "record/replay/persistent-wildcard.h"
#include <stdlib.h>
#include "record/replay/replay.h"
#include "record/call/call-args.h"

// What MPI_Recv_init was given. The program may free the datatype before a start (MPI-3.1 4.1.9): a copy is kept.
struct persistent {
  MPI_Request first, *old, now; // old: handles that variables may still hold, beside the first
  size_t nold, capacity;
  void *buffer;
  int count, source, tag;
  MPI_Datatype type;
  MPI_Comm comm;
};

bool mck_persistent_wildcard_is_on;
static struct persistent *wildcards;
static size_t nwildcards, capacity;

static struct persistent *find(MPI_Request now) {
  for (size_t i = 0; i < nwildcards; i++)
    if (wildcards[i].now == now) return &wildcards[i];
  return NULL;
}

void mck_persistent_wildcard_define(const struct mck_args *a, MPI_Request made) {
  struct persistent new = {.first = made,
                           .now = made,
                           .buffer = a->recvbuf,
                           .count = (int)a->recvcount,
                           .source = a->source,
                           .tag = a->recvtag,
                           .comm = a->comm};
  if (find(made) || PMPI_Type_dup(a->recvtype, &new.type) != MPI_SUCCESS) return;
  mck_persistent_wildcard_is_on |= MCK_PUSH(wildcards, nwildcards, capacity, new);
}

static void take_handle(struct mck_request *r, MPI_Request *request, MPI_Request now) {
  mck_request_detach(r);
  r->handle = (uint64_t)(uintptr_t)now;
  mck_request_attach(r);
  *request = now;
}

uint8_t mck_persistent_wildcard_start(struct mck_request *r, MPI_Request *request, int *source, int *tag) {
  struct persistent *n = find(*request);
  struct mck_args a = {0};
  struct mck_comm *comm = n ? mck_comm_find(n->comm) : NULL;
  if (!comm || comm->object.is_freed) {
    mck_replay_count();
    return 0;
  }
  a.comm = n->comm, a.source = n->source, a.recvtag = n->tag;
  uint8_t flags = mck_replay_force(&a);
  MPI_Request now = n->first;
  if (flags && PMPI_Recv_init(n->buffer, n->count, n->type, a.source, a.recvtag, n->comm, &now) != MPI_SUCCESS)
    return 0;
  MPI_Request before = n->now;
  if (now == before) return flags;
  take_handle(r, request, now);
  n->now = now;
  if (before == n->first) return *source = a.source, *tag = a.recvtag, flags;
  // The handle is not freed before the request is: no other request may get its value while a variable holds it.
  if (!MCK_PUSH(n->old, n->nold, n->capacity, before)) PMPI_Request_free(&before);
  *source = a.source, *tag = a.recvtag;
  return flags;
}

void mck_persistent_wildcard_renew(MPI_Request *requests, int n) {
  for (int k = 0; k < n; k++)
    for (size_t i = 0; i < nwildcards && requests[k] != MPI_REQUEST_NULL; i++) {
      bool is_old = wildcards[i].now != requests[k] && wildcards[i].first == requests[k];
      for (size_t o = 0; o < wildcards[i].nold && !is_old; o++) is_old = wildcards[i].old[o] == requests[k];
      if (is_old) requests[k] = wildcards[i].now;
    }
}

void mck_persistent_wildcard_free(MPI_Request request) {
  struct persistent *n = find(request);
  if (!n) return;
  if (n->first != n->now) PMPI_Request_free(&n->first);
  for (size_t o = 0; o < n->nold; o++) PMPI_Request_free(&n->old[o]);
  PMPI_Type_free(&n->type);
  free(n->old);
  *n = wildcards[--nwildcards];
  mck_persistent_wildcard_is_on = nwildcards > 0;
}
