// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the tracker share (route.h): the traces, the order of their records, and the state of a walk.
#pragma once
#include "flow/byte-map.h"
#include "flow/route.h"
#include "flow/spaces.h"
#include "flow/trace-reader.h"

// What happens at a time. Of what happens at once, the lower kind comes first.
enum mck_route_event_kind {
  MCK_ROUTE_SOURCE, // the window of a unit begins at its source
  MCK_ROUTE_RECORD, // a record of a trace
  MCK_ROUTE_RUN_BEGIN,
  MCK_ROUTE_RUN_END,
  MCK_ROUTE_DEST, // the window of a unit ends at its destination
};
struct mck_route_event {
  uint64_t time;
  uint32_t rank, index; // index: slot, or unit
  uint16_t fn;
  uint8_t kind;
};
struct mck_route_events {
  struct mck_route_event *items;
  size_t count, capacity;
};
void mck_route_sort(struct mck_route_events *events);

struct mck_route_caller {
  uint64_t address, base;
  uint32_t rank;
  const char *path;
};
struct mck_route_loss {
  uint32_t host;
  uint64_t begin, end;
};
struct mck_routes {
  uint32_t nranks, nhosts;
  struct mck_trace *traces;         // by rank
  uint32_t *hosts;                  // of ranks, by number
  struct mck_route_events *events;  // by host
  struct mck_route_caller *callers; // by rank and address
  size_t ncallers, callers_capacity;
  struct mck_route_loss *losses;
  size_t nlosses, losses_capacity;
};
// traces: allocated, of each rank; taken over unless the result is NULL.
struct mck_routes *mck_routes_of(struct mck_trace *traces, uint32_t nranks);
static inline const struct mck_trace_slot *mck_route_slot(const struct mck_routes *r, uint32_t rank, uint32_t slot) {
  return &r->traces[rank].slots[slot];
}
static inline uint64_t mck_route_move(uint32_t rank, uint32_t slot) { return (uint64_t)rank << 32 | slot; }

// The movements that brought a byte, the last one first: a node is a movement and the node before it.
struct mck_route_node {
  uint64_t move;
  uint32_t before; // MCK_ROUTE_NO_NODE: it was read from its origin
  uint16_t fn;
};
#define MCK_ROUTE_NO_NODE UINT32_MAX
enum { MCK_ROUTE_NODES_MAX = 16 << 20 }; // then routes begin later

struct mck_route_part { // of what a movement takes
  uint64_t offset, length;
  struct mck_label label;
};
struct mck_route_walk {
  const struct mck_routes *routes;
  const struct mck_route_unit *units;
  size_t nunits;
  struct mck_route *answers;
  struct mck_spaces *spaces;
  struct mck_byte_map *map;
  struct mck_route_node *nodes;
  size_t nnodes, nodes_capacity;
  struct mck_route_part *parts; // of the movement under way
  size_t nparts, parts_capacity;
  struct mck_route_reads *runs; // what the runs under way have read
  struct mck_unit_index *index; // which units have a place as their source, or destination
  unsigned nsearches;
  bool is_short; // out of memory
};

// route-move.c
void mck_route_step_event(struct mck_route_walk *walk, const struct mck_route_event *event);
void mck_route_moves_end(struct mck_route_walk *walk); // frees runs
// Is this a receive of bytes that no process has sent yet, as far as the walk has come?
bool mck_route_is_early(const struct mck_route_walk *walk, const struct mck_route_event *event);
// route-unit.c
struct mck_unit_index *mck_unit_index_open(const struct mck_route_unit *units, size_t count);
void mck_unit_index_close(struct mck_unit_index *index);
void mck_route_source_event(struct mck_route_walk *walk, const struct mck_route_unit *unit);
void mck_route_dest_event(struct mck_route_walk *walk, size_t unit);
// route-chain.c: the steps of the byte at the destination's address, by its label, and which of them is at fault.
void mck_route_explain(struct mck_route_walk *walk, const struct mck_route_unit *unit, struct mck_route *answer,
                       const struct mck_label *label);
