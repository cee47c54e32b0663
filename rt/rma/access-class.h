// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access class: what the accesses of one kind by one process from one place have in common. Findings are about classes:
// a loop that is wrong is one finding.
#pragma once
#include "log/event.h"
#include "standard/conflict.h"
#include "standard/function.h"

enum mck_access_end { MCK_END_NONE, MCK_END_FREE, MCK_END_UNMAP, MCK_END_RETURN, MCK_END_BLOCK }; // of memory
struct mck_access_class {
  struct mck_conflict_access what; // process and window: numbers of the finder
  bool is_change; // memory of a dynamic window comes or goes (MPI-3.1 11.2.4), or is freed: a store to all of it
  uint8_t end;    // enum mck_access_end: of memory that is freed
  uint16_t fn;    // the operation; of a load or store by MPI the one whose buffer it is; of a change that is no end the
                  // call; else 0
  uint32_t site;
};

_Static_assert((int)MCK_CONFLICT_SAME_OP == MCK_WIN_SAME_OP && (int)MCK_CONFLICT_NO_RAW == MCK_WIN_NO_RAW &&
                   (int)MCK_CONFLICT_NO_WAR == MCK_WIN_NO_WAR && (int)MCK_CONFLICT_NO_WAW == MCK_WIN_NO_WAW &&
                   (int)MCK_CONFLICT_SEPARATE == MCK_WIN_SEPARATE,
               "properties of windows are the log's");

// op: enum mck_op.
static inline uint8_t mck_access_op(uint8_t op) {
  return op == MCK_OP_NONE    ? MCK_CONFLICT_UNKNOWN_OP
         : op == MCK_OP_NO_OP ? MCK_CONFLICT_NO_OP
         : op == MCK_OP_CAS   ? MCK_CONFLICT_CAS
                              : (uint8_t)(MCK_CONFLICT_FIRST_OP + op);
}
static inline uint8_t mck_access_log_op(uint8_t op) { // the other way
  return op == MCK_CONFLICT_UNKNOWN_OP ? MCK_OP_NONE
         : op == MCK_CONFLICT_NO_OP    ? MCK_OP_NO_OP
         : op == MCK_CONFLICT_CAS      ? MCK_OP_CAS
                                       : (uint8_t)(op - MCK_CONFLICT_FIRST_OP);
}

// Must the walk judge the window of this ACCESS? It is in the memory of another rank (MPI-3.1 11.2.3), or lasts longer
// than the sweep over fence epochs knows.
static inline bool mck_access_is_walked(const struct mck_event *e) {
  return e->fn || (e->flags & MCK_ACCESS_BUFFER && e->flags & MCK_ACCESS_MESSAGE);
}
// The function that makes an ACCESS of a log; -1: none, the program does, or not known. An operation comes before its
// buffers.
static inline int mck_access_made_by(const struct mck_event *events, uint32_t event) {
  const struct mck_event *e = &events[event];
  if (e->flags & MCK_ACCESS_MESSAGE) return e->access.n == 1 ? (uint16_t)e->access.stride - 1 : -1;
  if (!(e->flags & MCK_ACCESS_BUFFER) || !event) return -1;
  const struct mck_event *of = e - 1;
  while (of->kind == MCK_EV_ACCESS && of > events) of--;
  return of->kind == MCK_EV_PUT || of->kind == MCK_EV_GET || of->kind == MCK_EV_ACC ? of->fn : -1;
}

// flags: MCK_ACCESS_*.
static inline uint8_t mck_access_end_of(uint8_t flags) {
  if (!(flags & MCK_ACCESS_FREED)) return MCK_END_NONE;
  switch (flags & (MCK_ACCESS_UNMAPPED | MCK_ACCESS_LEFT)) {
  case MCK_ACCESS_UNMAPPED | MCK_ACCESS_LEFT: return MCK_END_BLOCK;
  case MCK_ACCESS_UNMAPPED: return MCK_END_UNMAP;
  case MCK_ACCESS_LEFT: return MCK_END_RETURN;
  default: return MCK_END_FREE;
  }
}

// Where the elements of an accumulate lie: the first byte of a piece modulo the size of an element. Of types with gaps,
// or of several basic types, it is not known.
enum { MCK_ACCESS_ANYWHERE = UINT8_MAX };
static inline uint8_t mck_access_position(uint64_t low, uint64_t high, uint64_t size) {
  bool is_known = size && size < MCK_ACCESS_ANYWHERE && !(size & (size - 1)) && (high - low) % size == 0;
  return is_known ? (uint8_t)(low % size) : MCK_ACCESS_ANYWHERE;
}
static inline bool mck_access_is_misaligned(uint8_t one, uint8_t other) {
  return one != other && one != MCK_ACCESS_ANYWHERE && other != MCK_ACCESS_ANYWHERE;
}

static inline bool mck_access_is_local(const struct mck_access_class *c) { return mck_conflict_is_local(&c->what); }
// Is a load or store by MPI one for an operation on a window, and not for a message?
static inline bool mck_access_is_of_operation(const struct mck_access_class *c) {
  return c->what.is_buffer && mck_std(c->fn)->access != MCK_STD_ACCESS_NONE;
}
static inline bool mck_access_is_same(const struct mck_access_class *a, const struct mck_access_class *b) {
  const struct mck_conflict_access *x = &a->what, *y = &b->what;
  return a->site == b->site && a->fn == b->fn && a->is_change == b->is_change && a->end == b->end &&
         x->process == y->process && x->window == y->window && x->kind == y->kind && x->op == y->op &&
         x->lock == y->lock && x->type == y->type && x->is_polling == y->is_polling &&
         x->is_fetching == y->is_fetching && x->is_buffer == y->is_buffer;
}
