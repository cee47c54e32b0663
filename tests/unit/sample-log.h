// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the log's tests: a directory of their own, a realistic log, and a walk that touches everything a reader offers.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "log/blocks.h"
#include "log/log.h"
#include "log/signature.h"

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))
static inline int verdict(void) {
  printf(failures ? "%d failures\n" : "all right\n", failures);
  return failures != 0;
}

// A fresh directory for the logs of this test; remove_logs empties and removes it.
static char log_dir[256];
static inline const char *make_log_dir(void) {
  const char *tmp = getenv("TMPDIR");
  snprintf(log_dir, sizeof log_dir, "%s/mck-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (mkdtemp(log_dir)) return log_dir;
  perror(log_dir);
  exit(1);
}
static inline const char *log_path(unsigned rank) {
  static char path[300];
  snprintf(path, sizeof path, "%s/rank-%u.log", log_dir, rank);
  return path;
}
static inline void remove_logs(void) {
  for (unsigned rank = 0; rank < 4; rank++) unlink(log_path(rank));
  rmdir(log_dir);
}

static inline struct mck_event *append(struct mck_log *log, uint8_t kind) {
  struct mck_event *e = mck_log_reserve(log, 1);
  if (!e) return NULL;
  memset(e, 0, sizeof *e);
  e->kind = kind;
  mck_log_commit(log, 1);
  return e;
}

static inline uint32_t define_stack(struct mck_log *log, uint32_t id, unsigned depth) {
  uint64_t frames[64];
  for (unsigned i = 0; i < depth; i++) frames[i] = (uint64_t)(i % 3) << 48 | (0x1000 + 16 * i + id);
  struct mck_event head = {.kind = MCK_EV_DEF_STACK, .site = MCK_NONE, .def = {.id = id, .a = depth}};
  return mck_log_append(log, &head, &(struct mck_piece){frames, depth * 8}, 1);
}
static inline uint32_t define_type(struct mck_log *log, uint32_t id, uint64_t size, const struct mck_type_part *parts,
                                   uint32_t nparts, const struct mck_block *blocks, uint32_t nblocks) {
  struct mck_type_body body = {size, 0, (int64_t)size};
  struct mck_event head = {.kind = MCK_EV_DEF_TYPE, .site = MCK_NONE, .def = {.id = id, .a = nparts, .b = nblocks}};
  struct mck_piece pieces[] = {{&body, sizeof body},
                               {parts, nparts * sizeof *parts},
                               {blocks, nblocks == MCK_NONE ? 0 : nblocks * sizeof *blocks}};
  return mck_log_append(log, &head, pieces, 3);
}
static inline uint32_t define_comm(struct mck_log *log, uint32_t id, uint32_t rank, uint32_t size, uint32_t remote,
                                   const struct mck_range *ranges, uint32_t nranges) {
  struct mck_comm_body body = {77 + id, MCK_NONE, 0};
  struct mck_event head = {
      .kind = MCK_EV_DEF_COMM, .site = 0, .def = {.id = id, .a = rank, .b = size, .c = remote, .d = nranges}};
  struct mck_piece pieces[] = {{&body, sizeof body}, {ranges, nranges * sizeof *ranges}};
  return mck_log_append(log, &head, pieces, 2);
}

// A rank of 8 with every kind of event; rounds of messages in between.
static inline void fill_sample(struct mck_log *log, unsigned rounds) {
  struct mck_event module = {.kind = MCK_EV_DEF_MODULE, .def = {.id = 1, .a = 12, .b = 20}};
  mck_log_append(log, &module, (struct mck_piece[]){{"/usr/bin/app", 12}, {"01234567890123456789", 20}}, 2);
  for (uint32_t id = 0; id < 5; id++) define_stack(log, id, 4 * id);
  define_comm(log, 0, 3, 8, 0, &(struct mck_range){0, 8}, 1);
  define_comm(log, 1, 1, 3, 4, (struct mck_range[]){{2, 2}, {7, 1}, {0, 2}, {5, 2}}, 4);
  define_type(log, 256, 24, (struct mck_type_part[]){{2, MCK_BASIC_DOUBLE, 0}, {2, MCK_BASIC_INT, 0}}, 2,
              &(struct mck_block){0, 24}, 1);
  define_type(log, 258, 240, &(struct mck_type_part){10, 256, 0}, 1, NULL, MCK_NONE);
  define_type(log, 257, 8, (struct mck_type_part[]){{1, MCK_BASIC_DOUBLE_INT, 0}, {1, 258, 0}}, 2,
              (struct mck_block[]){{-16, 8}, {0, 8}, {64, 16}}, 3);
  struct mck_win_body body = {99, 0x7f0000001000, 4096};
  int32_t neighbors[3] = {1, -1, 0};
  struct mck_event topology = {.kind = MCK_EV_DEF_TOPOLOGY, .def = {.id = 0, .a = 2, .b = 1}};
  mck_log_append(log, &topology, &(struct mck_piece){neighbors, sizeof neighbors}, 1);
  // 2 counts of MPI_INT sent; received: 1 run.
  uint32_t pieces[5] = {3, 4, MCK_NONE, MCK_BASIC_INT, 7};
  struct mck_event args = {.kind = MCK_EV_COLL_ARGS,
                           .flags = MCK_ARGS_SEND_COUNTS,
                           .args = {.nsend = 2, .nrecv = 1, .send_type = MCK_BASIC_INT}};
  struct mck_event *coll = append(log, MCK_EV_COLL);
  if (coll) coll->flags = MCK_COLL_HAS_ARGS;
  mck_log_append(log, &args, &(struct mck_piece){pieces, sizeof pieces}, 1);
  struct mck_event win = {.kind = MCK_EV_DEF_WIN, .def = {.id = 0, .a = 0, .b = 8, .c = 1, .d = 4}};
  mck_log_append(log, &win, (struct mck_piece[]){{&body, sizeof body}, {"halo", 4}}, 2);
  for (unsigned round = 0; round < rounds; round++) {
    uint32_t requests[20];
    for (uint32_t i = 0; i < 20; i++) {
      struct mck_event *e = append(log, i % 2 ? MCK_EV_SEND : MCK_EV_RECV);
      if (!e) return;
      requests[i] = (uint32_t)(e - log->first);
      e->msg.peer = (int32_t)i % 8, e->msg.tag = (int32_t)round, e->msg.type = 256 + i % 3, e->msg.count = i;
    }
    uint32_t count = round % 20 + 1;
    struct mck_event wait = {.kind = MCK_EV_WAIT, .site = 2, .wait = {.count = count}};
    for (uint32_t i = 0; i < 4; i++) wait.wait.request[i] = requests[i];
    mck_log_append(log, &wait, &(struct mck_piece){requests + 4, count > 4 ? (count - 4) * 4 : 0}, 1);
    for (uint8_t kind = MCK_EV_COLL; kind <= MCK_EV_CALL; kind++) append(log, kind);
    struct mck_event *probe = append(log, MCK_EV_MPROBE), *mrecv = append(log, MCK_EV_MRECV);
    if (mrecv) mrecv->mrecv.mprobe = (uint32_t)(probe - log->first);
    struct mck_event finding = {.kind = MCK_EV_FINDING, .def = {.id = 3, .a = 45}};
    mck_log_append(log, &finding, &(struct mck_piece){"a finding, packed, of exactly forty-five bytes", 45}, 1);
  }
}

// Reads everything; the sum keeps the compiler from leaving it out.
static inline uint64_t walk_log(const struct mck_reader *r) {
  uint64_t sum = r->header->rank;
  for (uint64_t i = 0; i < r->units; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    for (uint64_t u = 0; u < mck_event_units(e); u++)
      for (int w = 0; w < 6; w++) sum += e[u].word[w];
    if (e->kind == MCK_EV_WAIT || e->kind == MCK_EV_DONE)
      for (uint32_t k = 0; k < e->wait.count; k++) {
        uint32_t request = mck_wait_request(e, k);
        if (request != MCK_NONE) sum += r->events[request].kind;
      }
    struct mck_blocks blocks = {0};
    for (int side = 0; e->kind == MCK_EV_COLL && side < 2; side++)
      if (mck_blocks_read(&blocks, e, r->units - i, side) && mck_blocks_at(blocks.runs, blocks.count, 1))
        sum += blocks.runs[0].count;
    free(blocks.runs);
    if (e->kind == MCK_EV_MRECV && e->mrecv.mprobe != MCK_NONE) sum += r->events[e->mrecv.mprobe].kind;
  }
  for (uint32_t i = 0; i < r->ncomms; i++) {
    const struct mck_comm_def *c = &r->comms[i];
    if (!c->body) continue;
    for (uint32_t k = 0; c->neighbors && k < c->nsources + c->ndestinations; k++) sum += (uint32_t)c->neighbors[k];
    for (uint32_t k = 0; k < c->size && k < 100; k++) sum += (uint64_t)mck_comm_world_rank(c, (int)k, false);
    for (uint32_t k = 0; k < c->remote_size && k < 100; k++) sum += (uint64_t)mck_comm_world_rank(c, (int)k, true);
  }
  for (uint32_t i = 0; i < r->nmodules; i++) {
    const struct mck_module_def *m = &r->modules[i];
    if (m->path) sum += mck_base_hash(m->path, m->path_length, 0) + mck_base_hash(m->build_id, m->build_id_length, 0);
  }
  for (uint32_t i = 0; i < r->nstacks; i++)
    if (r->stacks[i].frames) sum += mck_base_hash(r->stacks[i].frames, r->stacks[i].depth * 8, 0);
  for (uint32_t i = 0; i < r->nwins; i++)
    if (r->wins[i].body) sum += r->wins[i].body->size + mck_base_hash(r->wins[i].name, r->wins[i].name_length, 0);
  struct mck_signatures types;
  if (!mck_signatures_load(&types, r)) return sum;
  for (uint32_t i = 0; i < r->ntypes; i++) {
    const struct mck_type_def *t = &r->types[i];
    if (!t->body) continue;
    if (t->nblocks != MCK_NONE) sum += mck_base_hash(t->blocks, t->nblocks * sizeof *t->blocks, 0);
    sum += mck_signature_of(&types, t->id, 3).hash + mck_signature_prefix(&types, t->id, 3, 7).hash;
    sum += mck_signature_element(&types, t->id, 5, 9) + mck_signature_is_all(&types, t->id, MCK_BASIC_INT);
  }
  mck_signatures_free(&types);
  return sum;
}
