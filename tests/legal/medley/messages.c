// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages: nonblocking and kept under way, blocking in all modes, persistent, probed, from any source.
#include <stdlib.h>
#include <string.h>
#include "medley.h"

enum { BYTES = 8, EXTENT = 64 };

// A shift by a drawn distance: whom this rank sends to, and from whom it gets something.
static void draw_partners(const struct group *g, int *to, int *from) {
  int distance = (int)draw(&shared_draws, (unsigned)g->size);
  *to = (g->rank + distance) % g->size;
  *from = (g->rank - distance + g->size) % g->size;
}

static void look_received(struct pending *p) {
  look_at(p->got, p->type, p->elements, BYTES, p->key, p->source, "a message");
  MPI_Type_free(&p->type);
}

static MPI_Request send_nonblocking(const struct group *g, const char *buffer, int elements, MPI_Datatype type, int to,
                                    int tag) {
  MPI_Request request;
  switch (draw(&own_draws, 3)) {
  case 0: MPI_Issend(buffer, elements, type, to, tag, g->comm, &request); break;
  default: MPI_Isend(buffer, elements, type, to, tag, g->comm, &request);
  }
  return request;
}

void step_exchange(struct group *g) {
  int to, from, tag = (int)draw(&shared_draws, 4), elements = 1 + (int)draw(&shared_draws, 2000);
  draw_partners(g, &to, &from);
  struct pending *p = begin_pending(step_number);
  MPI_Datatype sent = make_type(BYTES);
  p->type = make_type(BYTES);
  p->elements = elements;
  p->source = from;
  p->sent = calloc((size_t)elements, EXTENT);
  p->got = calloc((size_t)elements, EXTENT);
  p->look = look_received;
  fill(p->sent, sent, elements, BYTES, p->key, g->rank);
  bool is_receive_first = draw(&own_draws, 2);
  if (is_receive_first) MPI_Irecv(p->got, elements, p->type, from, tag, g->comm, &p->requests[p->count++]);
  p->requests[p->count++] = send_nonblocking(g, p->sent, elements, sent, to, tag + 10 * IS_WRONG(1));
  if (IS_WRONG(2)) p->sent[(elements - 1) * 2] = 1;
  if (!is_receive_first) MPI_Irecv(p->got, elements, p->type, from, tag, g->comm, &p->requests[p->count++]);
  if (IS_WRONG(3)) own_draws.state += (uint64_t)p->got[0];
  if (IS_WRONG(4)) p->count--;
  MPI_Type_free(&sent);
  keep_pending(p);
}

// Each rank sends in its own mode. Tag 4 is that of these steps alone: what is under way has other ones.
void step_blocking(struct group *g) {
  int to, from, elements = 1 + (int)draw(&shared_draws, 300);
  draw_partners(g, &to, &from);
  char *sent = calloc((size_t)elements, EXTENT), *got = calloc((size_t)elements, EXTENT);
  MPI_Datatype type = make_type(BYTES);
  MPI_Request request;
  MPI_Status status;
  fill(sent, type, elements, BYTES, step_number, g->rank);
  switch (draw(&own_draws, 3)) {
  case 0:
    MPI_Sendrecv(sent, elements + IS_WRONG(6), type, to, 4, got, elements, type, from, 4, g->comm, &status);
    break;
  case 1:
    MPI_Irecv(got, elements, type, from, 4, g->comm, &request);
    MPI_Send(sent, elements - IS_WRONG(5), type, to, 4, g->comm);
    MPI_Wait(&request, &status);
    break;
  default: {
    int size, room;
    MPI_Pack_size(elements, type, g->comm, &size);
    room = size + MPI_BSEND_OVERHEAD;
    char *attached = malloc((size_t)room);
    MPI_Buffer_attach(attached, room);
    MPI_Bsend(sent, elements, type, to, 4, g->comm);
    memset(sent, 0, (size_t)elements * EXTENT);
    MPI_Recv(got, elements, type, from, 4, g->comm, &status);
    MPI_Buffer_detach(&attached, &room);
    free(attached);
  }
  }
  int count;
  MPI_Get_elements(&status, MPI_BYTE, &count);
  expect(count == elements * BYTES && status.MPI_SOURCE == from && status.MPI_TAG == 4, "a status");
  look_at(got, type, elements, BYTES, step_number, from, "a blocking message");
  MPI_Type_free(&type);
  free(sent);
  free(got);
}

void step_persistent(struct group *g) {
  int to, from, rounds = 1 + (int)draw(&shared_draws, 4), sent[50], got[50];
  draw_partners(g, &to, &from);
  MPI_Request requests[2];
  MPI_Recv_init(got, 50, MPI_INT, from, 5, g->comm, &requests[0]);
  if (draw(&own_draws, 2)) MPI_Ssend_init(sent, 50, MPI_INT, to, 5, g->comm, &requests[1]);
  else MPI_Send_init(sent, 50, MPI_INT, to, 5, g->comm, &requests[1]);
  for (int k = 0; k < rounds; k++) {
    if (IS_WRONG(7)) MPI_Startall(1, &requests[1]);
    for (int i = 0; i < 50; i++) sent[i] = step_number * 1000 + g->rank * 100 + i + k;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 50; i++) expect(got[i] == step_number * 1000 + from * 100 + i + k, "a persistent message");
  }
  MPI_Request_free(&requests[0]);
  if (!IS_WRONG(8)) MPI_Request_free(&requests[1]);
}

void step_probe(struct group *g) {
  int to, from, most = 400, count;
  draw_partners(g, &to, &from);
  struct pending *p = begin_pending(step_number);
  // The receiver does not know how many come.
  int elements = 1 + (int)((unsigned)(step_number * 7 + g->rank * 13) % (unsigned)most);
  p->sent = malloc((size_t)elements);
  for (int i = 0; i < elements; i++) p->sent[i] = byte_of(step_number, g->rank, i);
  MPI_Isend(p->sent, elements, MPI_CHAR, to, 6, g->comm, &p->requests[p->count++]);
  MPI_Status status;
  MPI_Message message;
  bool is_matched = draw(&own_draws, 2);
  int flag = 0;
  if (is_matched) MPI_Mprobe(from, 6, g->comm, &message, &status);
  else if (draw(&own_draws, 2)) MPI_Probe(from, 6, g->comm, &status);
  else
    while (!flag) MPI_Iprobe(from, 6, g->comm, &flag, &status);
  MPI_Get_count(&status, MPI_CHAR, &count);
  expect(count == 1 + (int)((unsigned)(step_number * 7 + from * 13) % (unsigned)most), "a probe");
  char *got = malloc((size_t)count);
  if (is_matched) MPI_Mrecv(got, count - IS_WRONG(9), MPI_CHAR, &message, &status);
  else MPI_Recv(got, count, MPI_CHAR, from, 6, g->comm, &status);
  for (int i = 0; i < count; i++) expect(got[i] == byte_of(step_number, from, i), "a probed message");
  free(got);
  keep_pending(p);
}

// Rank 0 takes what comes first; which one that is says the message.
void step_any_source(struct group *g) {
  int sent[2] = {g->rank, step_number}, got[2];
  MPI_Status status;
  if (g->rank) MPI_Send(sent, 2, MPI_INT, 0, 7, g->comm);
  for (int i = 1; g->rank == 0 && i < g->size; i++) {
    MPI_Recv(got, 2, MPI_INT, MPI_ANY_SOURCE, 7, g->comm, &status);
    expect(got[0] == status.MPI_SOURCE && got[1] == step_number, "a message from any source");
  }
  MPI_Barrier(g->comm); // the next step's messages have the same tag
}
