// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces made by hand, in memory: one block each, whose slots are filled one record after the other.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "flow/route-run.h"

enum { BUILD_RANKS = 4 };
static int nfailed;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (nfailed++, (void)printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

struct built {
  struct mck_trace_header *header;
  struct mck_trace_block *block;
  struct mck_trace_slot *slots; // behind the block's head
};
static struct built built[BUILD_RANKS];
static uint32_t nbuilt;

static inline void build_begin(uint32_t nranks) {
  nbuilt = nranks;
  for (uint32_t r = 0; r < nranks; r++) {
    if (!built[r].header) {
      built[r].header = aligned_alloc(64, MCK_TRACE_HEADER + MCK_TRACE_BLOCK);
      memset(built[r].header, 0, MCK_TRACE_HEADER + MCK_TRACE_BLOCK);
    }
    struct mck_trace_header *h = built[r].header;
    memcpy(h->magic, MCK_TRACE_MAGIC, sizeof h->magic);
    h->version = MCK_TRACE_VERSION, h->header_size = MCK_TRACE_HEADER;
    h->block_size = MCK_TRACE_BLOCK, h->slot_size = MCK_TRACE_SLOT;
    h->rank = r, h->pid = 1000 + r;
    strcpy(h->host, "one");
    atomic_store(&h->nblocks, 1);
    atomic_store(&h->full_at, 0);
    built[r].block = (struct mck_trace_block *)((char *)h + MCK_TRACE_HEADER);
    built[r].block->thread = 1;
    atomic_store(&built[r].block->state, 0);
    built[r].slots = (struct mck_trace_slot *)(built[r].block + 1);
  }
}

static inline void build(uint32_t rank, struct mck_trace_slot head, const void *more) {
  struct built *b = &built[rank];
  unsigned n = mck_trace_slots(&head);
  uint64_t used = b->block->state;
  b->slots[used] = head;
  if (more) memcpy(&b->slots[used + 1], more, (n - 1) * sizeof head);
  b->block->state = used + n;
}
static inline void build_copy(uint32_t rank, uint64_t time, uint64_t from, uint64_t to, uint64_t length) {
  build(rank, mck_trace_pack(MCK_TRACE_COPY, 1, time, from, to, length, 0x1000 + time), NULL);
}
static inline void build_run(uint32_t rank, uint64_t time, uint64_t from, uint64_t to, uint64_t length,
                             struct mck_trace_run run) {
  build(rank, mck_trace_pack(MCK_TRACE_RUN, 2, time, from, to, length, 0x1000 + time), &run);
}
static inline void build_map(uint32_t rank, uint64_t time, uint64_t address, uint64_t inode, uint64_t offset,
                             uint64_t length) {
  struct mck_trace_object object = {7, inode, offset, length};
  build(rank, mck_trace_pack(MCK_TRACE_MAP, 2, time, address, 0, 0, 0), &object);
}
// Both ends of a connection, which has the number of its ports.
static inline void build_connection(uint32_t a, uint32_t b, uint16_t number) {
  for (int end = 0; end < 2; end++) {
    struct mck_trace_socket s = {.socket = number + 100u * (unsigned)end, .family = 2};
    s.local_port = (uint16_t)(2 * number + end), s.peer_port = (uint16_t)(2 * number + 1 - end);
    build(end ? b : a, mck_trace_pack(MCK_TRACE_SOCKET, 3, 1, 0, 0, 0, 0), &s);
  }
}
// end 0: by the first rank of the connection.
static inline void build_stream(uint32_t rank, uint64_t time, bool is_out, uint16_t number, int end, uint64_t position,
                                uint64_t address, uint64_t length) {
  struct mck_trace_stream stream = {.socket = number + 100u * (unsigned)end, .position = position};
  build(rank,
        mck_trace_pack(is_out ? MCK_TRACE_SEND : MCK_TRACE_RECEIVE, 2, time, is_out ? address : 0, is_out ? 0 : address,
                       length, 0x1000 + time),
        &stream);
}
static inline void build_vm(uint32_t rank, uint64_t time, bool is_read, uint32_t other, uint64_t from, uint64_t to,
                            uint64_t length) {
  struct mck_trace_slot more = {.time = 1000 + other};
  build(rank,
        mck_trace_pack(is_read ? MCK_TRACE_VM_READ : MCK_TRACE_VM_WRITE, 2, time, from, to, length, 0x1000 + time),
        &more);
}
static inline void build_file(uint32_t rank, uint64_t time, bool is_out, uint64_t inode, uint64_t offset,
                              uint64_t address, uint64_t length) {
  struct mck_trace_object object = {7, inode, offset, 0};
  build(rank,
        mck_trace_pack(is_out ? MCK_TRACE_WRITE : MCK_TRACE_READ, 2, time, is_out ? address : 0, is_out ? 0 : address,
                       length, 0x1000 + time),
        &object);
}

// Answers for units, from what was built.
static inline void build_answer(const struct mck_route_unit *units, size_t count, struct mck_route *answers) {
  struct mck_trace *traces = calloc(nbuilt, sizeof *traces);
  const char *why = "";
  for (uint32_t r = 0; r < nbuilt; r++)
    EXPECT(mck_trace_load_memory(&traces[r], built[r].header, MCK_TRACE_HEADER + MCK_TRACE_BLOCK, &why) == 0);
  struct mck_routes *routes = mck_routes_of(traces, nbuilt);
  for (uint32_t r = 0; r < nbuilt; r++) EXPECT(!traces[r].is_damaged);
  EXPECT(routes && mck_routes_find(routes, units, count, answers));
  mck_routes_close(routes);
}
