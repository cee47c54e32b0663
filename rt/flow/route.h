// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Routes: which way the bytes of a transmission unit took through the MPI library (FlowChecker, section III-D and E).
// The movements come from the traces that the recorder below MPI (flow/recorder) left beside the logs; the units come
// from the judge. Pure: there is no MPI here, and nothing but the traces is read.
//
// A byte is followed by its origin <rank, address, time of the first movement that read it>. Memory that no movement
// wrote is an origin. The source of a unit becomes an origin when its window begins, whatever was there before. So data
// of an earlier message from the same buffer, or of a read after the send was complete, has the wrong time.
//
// A store that is not made by a recorded function is not seen. So a route alone is no proof against the library where
// the bytes that arrived are those that were sent: report an answer other than SEEN only where the content differs,
// too, or where nothing can be known of the content. HIDDEN concludes nothing.
#pragma once
#include "base/base.h"

// One piece that is contiguous at both ends. The windows are in ticks of the time-stamp counter: from the begin of the
// call until the operation is complete at this end. until 0: unknown.
struct mck_route_end {
  uint32_t rank; // in MPI_COMM_WORLD
  uint64_t address;
  uint64_t begin, until;
};
struct mck_route_unit {
  struct mck_route_end source, dest;
  uint64_t length;
};

enum mck_route_verdict {
  MCK_ROUTE_HIDDEN, // not visible between two places: nothing is concluded
  MCK_ROUTE_SEEN,   // every byte came from its place in the source, within both windows
  MCK_ROUTE_BROKEN, // no movement wrote a part of the destination within its window
  MCK_ROUTE_WRONG,  // a part of the destination was written, with other bytes than those of the source
};
enum mck_route_reason {
  MCK_ROUTE_NO_REASON,
  // of HIDDEN
  MCK_ROUTE_NO_TRACE,    // an end has no trace (another node; the recorder could not begin)
  MCK_ROUTE_INCOMPLETE,  // movements are missing from a trace (its limit, a signal handler) in the time of the unit
  MCK_ROUTE_NO_WINDOW,   // it is not known when the operation was complete
  MCK_ROUTE_UNSEEN_STEP, // the bytes came from a place that no movement had filled: an inlined copy, the kernel
  MCK_ROUTE_UNORDERED,   // two movements of the same bytes have no order in time
  // of WRONG
  MCK_ROUTE_OTHER_PLACE, // from another place in memory of the source rank
  MCK_ROUTE_OTHER_RANK,
  MCK_ROUTE_STALE,     // from the source, but as it was before the operation began
  MCK_ROUTE_LATE,      // from the source, but read when the operation was complete there
  MCK_ROUTE_MISCOPIED, // from the source, but right after a copy both sides were not equal: the copying function is at
                       // fault
};

// A movement as the report names it.
enum mck_move_kind { MCK_MOVE_COPY, MCK_MOVE_SEND, MCK_MOVE_RECEIVE, MCK_MOVE_VM, MCK_MOVE_READ, MCK_MOVE_WRITE };
struct mck_route_step {
  uint32_t rank; // that made it
  uint8_t kind;  // enum mck_move_kind
  uint16_t fn;   // enum mck_fn of the MPI call in which it was made; UINT16_MAX: none (a thread of the library)
  uint64_t time;
  uint64_t from, to; // addresses in that process, or positions in a stream or file, of the byte that is followed
  uint64_t length;   // of the whole movement
  uint64_t offset;   // of the byte within it
  uint64_t caller;   // return address in that process: mck_routes_place names it
  uint64_t callee;   // of a copy that went wrong: the function that copied; else 0
};

enum { MCK_ROUTE_STEPS = 8 };
struct mck_route {
  uint8_t verdict, reason; // enum mck_route_verdict, mck_route_reason
  uint64_t position;       // of the first byte within the unit for which the verdict holds; SEEN: 0
  // WRONG: where that byte came from.
  uint32_t origin_rank;
  uint64_t origin_address, origin_time;
  // The way of that byte, from the source on (its end, if it had more steps). For BROKEN: the way of the byte that
  // was sent, as far as it is seen. steps[fault]: the first movement whose source disagrees; -1: not known.
  unsigned nsteps;
  int fault;
  struct mck_route_step steps[MCK_ROUTE_STEPS];
};

struct mck_routes;
// Opens the traces rank-N.flow of a directory. NULL: out of memory. A trace that is missing or damaged makes the units
// of its rank HIDDEN; why names the first one that is damaged ("" : none).
struct mck_routes *mck_routes_open(const char *dir, uint32_t nranks, char *why, size_t size);
// Answers for all units at once, in routes[]: the traces are walked once. Returns false when out of memory.
bool mck_routes_find(struct mck_routes *routes, const struct mck_route_unit *units, size_t count,
                     struct mck_route *answers);
// The library of an address in the code of a rank (a step's caller or callee), and the address within its file. false:
// unknown.
bool mck_routes_place(const struct mck_routes *routes, uint32_t rank, uint64_t address, const char **library,
                      uint64_t *offset);
// The same in words: "opal_unpack in libopen-pal.so.40"; without the function where the library does not name it.
// is_call: the address is a return address. false: unknown.
bool mck_routes_name(const struct mck_routes *routes, uint32_t rank, uint64_t address, bool is_call, char *text,
                     size_t size);
void mck_routes_close(struct mck_routes *routes);
