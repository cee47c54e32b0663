// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transmission units: what the program asked MPI to bring from one place to another (FlowChecker, section III), in
// pieces that are contiguous at both ends. They are made of exact matches (rt/order/pairs.h), flattened type maps and
// the addresses that the logs hold with flow on. The tracker of movements asks for them, and answers for each.
#pragma once
#include "log/content.h"
#include "order/order.h"

// One end of a transfer: the buffer of a call, or of the part of a call that is for one other rank.
struct mck_flow_end {
  uint32_t rank, event;  // world rank; the event of the call in its log: SEND, RECV, MPROBE, COLL
  uint64_t address;      // of the first element, in the process
  uint32_t type;         // id in that log
  uint64_t count;        // of elements
  uint64_t begin, until; // time-stamp counter: when the call began, and when it was complete at this end; 0: unknown.
                         // The library may read, or write, the buffer between the two only
};
struct mck_flow_transfer {
  struct mck_flow_end source, dest;
  uint64_t length; // packed bytes that move
};

// The bytes [from, from + length) of the source are to be at [to, to + length) of the destination when the receive is
// complete. position: of the first byte in the packed data of the transfer.
struct mck_flow_unit {
  const struct mck_flow_transfer *transfer;
  uint64_t from, to, length, position;
};

// Visits the units of a transfer in packed order; visit returns false to stop. Returns false where the map of a
// datatype is unknown or is not in the order of addresses: then nothing was visited.
typedef bool mck_flow_visit(void *context, const struct mck_flow_unit *unit);
bool mck_flow_units(const struct mck_flow_transfer *transfer, const struct mck_reader *source,
                    const struct mck_reader *dest, mck_flow_visit *visit, void *context);
