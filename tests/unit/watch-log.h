// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the watch's tests: a world of hand-written logs in memory, and marks that stand in each rank's last call.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "log/log.h"
#include "watch/watch.h"

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (failures++, (void)printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

enum { WORLD = 0, OTHER = 1, WORLD_MAX = 64, UNITS_MAX = 1024 };
struct memory_log {
  struct mck_log_header header;
  char fill[MCK_LOG_HEADER - sizeof(struct mck_log_header)];
  struct mck_event events[UNITS_MAX];
};
static struct memory_log *memory[WORLD_MAX];
static struct mck_snapshot marks[WORLD_MAX];
static uint32_t world;

static inline struct mck_event *next_event(uint32_t rank, uint32_t units) {
  uint64_t n = atomic_load(&memory[rank]->header.units);
  if (n + units > UNITS_MAX) abort();
  atomic_store(&memory[rank]->header.units, n + units);
  return &memory[rank]->events[n];
}
static inline uint32_t index_of(uint32_t rank, const struct mck_event *e) {
  return (uint32_t)(e - memory[rank]->events);
}

static inline void define_comm(uint32_t rank, uint32_t id, uint64_t key, uint32_t own, uint32_t first, uint32_t count) {
  struct mck_event *e = next_event(rank, 2);
  *e = (struct mck_event){
      .kind = MCK_EV_DEF_COMM, .site = MCK_NONE, .def = {.extra = 1, .id = id, .a = own, .b = count, .d = 1}};
  struct mck_comm_body body = {key, MCK_NONE, 0};
  struct mck_range range = {first, count};
  memcpy(e + 1, &body, sizeof body);
  memcpy((char *)(e + 1) + sizeof body, &range, sizeof range);
}

// size ranks with MPI_COMM_WORLD and a duplicate of it, OTHER.
static inline void new_world(uint32_t size) {
  world = size;
  memset(marks, 0, sizeof marks);
  for (uint32_t r = 0; r < size; r++) {
    free(memory[r]);
    memory[r] = calloc(1, sizeof *memory[r]);
    if (!memory[r]) abort();
    struct mck_log_header *h = &memory[r]->header;
    memcpy(h->magic, MCK_LOG_MAGIC, 8);
    h->version = MCK_LOG_VERSION, h->header_size = MCK_LOG_HEADER, h->unit_size = MCK_UNIT, h->rank = r, h->size = size;
    atomic_store(&h->state, MCK_LOG_RUNNING);
    define_comm(r, WORLD, 7, r, 0, size);
    define_comm(r, OTHER, 8, r, 0, size);
  }
}

static inline uint32_t blocked(uint32_t rank, uint32_t event) {
  marks[rank] = (struct mck_snapshot){.wait = (uint64_t)event + 1};
  return event;
}
static inline uint32_t message(uint32_t rank, uint8_t kind, uint16_t fn, uint8_t flags, uint32_t comm, int peer,
                               int tag) {
  struct mck_event *e = next_event(rank, 1);
  *e = (struct mck_event){.kind = kind,
                          .flags = flags,
                          .fn = fn,
                          .site = 40 + rank,
                          .msg = {.comm = comm, .peer = peer, .tag = tag, .count = 1}};
  return index_of(rank, e);
}
static inline uint32_t send(uint32_t r, int to, int tag) {
  return message(r, MCK_EV_SEND, MCK_FN_MPI_Send, 0, WORLD, to, tag);
}
static inline uint32_t ssend(uint32_t r, int to, int tag) {
  return message(r, MCK_EV_SEND, MCK_FN_MPI_Ssend, MCK_FLAG_SYNC, WORLD, to, tag);
}
static inline uint32_t recv(uint32_t r, int from, int tag) {
  return message(r, MCK_EV_RECV, MCK_FN_MPI_Recv, 0, WORLD, from, tag);
}
static inline uint32_t recv_any(uint32_t r, int tag) {
  return message(r, MCK_EV_RECV, MCK_FN_MPI_Recv, MCK_FLAG_ANY_SOURCE | (tag < 0 ? MCK_FLAG_ANY_TAG : 0), WORLD, -1,
                 tag);
}
static inline uint32_t isend(uint32_t r, int to, int tag) {
  return message(r, MCK_EV_SEND, MCK_FN_MPI_Isend, MCK_FLAG_NONBLOCKING, WORLD, to, tag);
}
static inline uint32_t irecv(uint32_t r, int from, int tag) {
  return message(r, MCK_EV_RECV, MCK_FN_MPI_Irecv, MCK_FLAG_NONBLOCKING, WORLD, from, tag);
}
static inline uint32_t irecv_any(uint32_t r, int tag) {
  return message(r, MCK_EV_RECV, MCK_FN_MPI_Irecv, MCK_FLAG_NONBLOCKING | MCK_FLAG_ANY_SOURCE, WORLD, -1, tag);
}
static inline void match(uint32_t r, uint32_t event, int peer, int tag) {
  struct mck_event *e = &memory[r]->events[event];
  e->flags |= MCK_FLAG_MATCHED, e->msg.peer = peer, e->msg.tag = tag;
}
static inline uint32_t coll(uint32_t r, uint16_t fn, int root) {
  struct mck_event *e = next_event(r, 1);
  *e = (struct mck_event){.kind = MCK_EV_COLL,
                          .fn = fn,
                          .site = 40 + r,
                          .coll = {.comm = WORLD, .root = root, .count = fn != MCK_FN_MPI_Barrier}};
  return index_of(r, e);
}
static inline uint32_t wait_for(uint32_t r, uint8_t kind, uint8_t flags, uint32_t n, const uint32_t *requests) {
  uint32_t extra = n > 4 ? (n - 4 + 7) / 8 : 0;
  struct mck_event *e = next_event(r, 1 + extra);
  static const uint16_t fns[] = {MCK_FN_MPI_Waitall, MCK_FN_MPI_Waitany, MCK_FN_MPI_Waitsome};
  *e = (struct mck_event){.kind = kind,
                          .flags = flags,
                          .fn = kind == MCK_EV_DONE ? MCK_FN_MPI_Testany : fns[flags],
                          .site = 40 + r,
                          .wait = {.extra = extra, .count = n}};
  memcpy(e->wait.request, requests, (n < 4 ? n : 4) * 4);
  if (n > 4) memcpy(e + 1, requests + 4, (n - 4) * 4);
  return index_of(r, e);
}
// Runs proof on the world as it stands.
typedef bool prove_function(const struct mck_reader *logs, struct mck_findings *findings);
static inline bool prove_with(prove_function *prove, struct mck_findings *findings) {
  struct mck_reader logs[WORLD_MAX];
  const char *why = "";
  for (uint32_t r = 0; r < world; r++) {
    if (mck_log_load_memory(&logs[r], memory[r], sizeof *memory[r], &why)) {
      printf("cannot load: %s\n", why);
      failures++;
      memset(&logs[r], 0, sizeof logs[r]);
    }
  }
  bool is_proved = prove(logs, findings);
  for (uint32_t r = 0; r < world; r++) mck_log_unload(&logs[r]);
  return is_proved;
}
