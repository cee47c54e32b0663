// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace: the movements of data below MPI that one process made, in a file rank-N.flow beside its log
// (docs/formats/trace.md). A header, then blocks of 64 KiB. A block belongs to one thread. It begins with a slot that
// says how many slots are used. A record is one slot of 32 bytes or several. A block that is full is packed
// (trace-pack.h) into a block of packed ones, and used again.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MCK_TRACE_MAGIC "MCKFLOW"
enum { MCK_TRACE_VERSION = 3, MCK_TRACE_HEADER = 64 << 10, MCK_TRACE_BLOCK = 64 << 10, MCK_TRACE_SLOT = 32 };
enum { MCK_TRACE_SLOTS = MCK_TRACE_BLOCK / MCK_TRACE_SLOT - 1 }; // of a block

struct mck_trace_header {
  char magic[8]; // written last
  uint32_t version, header_size, block_size, slot_size;
  uint32_t rank, pid;
  char host[64]; // ranks of one host have a common clock
  // Blocks taken; the time at which there was no room for one (0: there always was); whether the recorder has stopped.
  _Atomic uint64_t nblocks, full_at, stopped_at;
};

// state: how many slots (or bytes of packed blocks) behind this one are used, and above 32 bits how often the block was
// filled and packed. Both change at once, so no record is there twice, whenever the process dies.
struct mck_trace_block {
  _Atomic uint64_t state;
  uint32_t thread;    // from 1
  uint32_t is_packed; // struct mck_trace_chunk follow each other
  uint64_t unused[2];
};
#define MCK_TRACE_TURN (UINT64_C(1) << 32)
// A block of its thread, packed. The next one begins at the next multiple of 8.
struct mck_trace_chunk {
  uint32_t bytes, slots; // packed bytes behind this; slots in them
  uint32_t turn, unused; // of the block that was packed
};

// The numbers are the format. What follows the first slot is in braces.
enum mck_trace_kind {
  MCK_TRACE_NONE = 0,
  MCK_TRACE_COPY = 1,     // from, to: addresses
  MCK_TRACE_RUN = 2,      // a COPY that was repeated with constant steps {struct mck_trace_run}
  MCK_TRACE_SEND = 3,     // from: address {struct mck_trace_stream}
  MCK_TRACE_RECEIVE = 4,  // to: address {struct mck_trace_stream}
  MCK_TRACE_VM_READ = 5,  // from: address in the process {pid}, to: address
  MCK_TRACE_VM_WRITE = 6, // from: address, to: address in the process {pid}
  MCK_TRACE_READ = 7,     // to: address {struct mck_trace_object}
  MCK_TRACE_WRITE = 8,    // from: address {struct mck_trace_object}
  MCK_TRACE_CALL = 9,     // caller: enum mck_fn; what the thread moves from here on it moves in this call
  MCK_TRACE_MAP = 10,     // from: address {struct mck_trace_object}; these bytes of a file are mapped there, shared
  MCK_TRACE_UNMAP = 11,   // from: address {length}; no shared mapping is there any more
  MCK_TRACE_SOCKET = 12,  // {struct mck_trace_socket}
  MCK_TRACE_CALLER = 13,  // from: return address {load address, path of the library}
  MCK_TRACE_MISCOPY = 15, // from, to, length, caller: right after this copy both were not equal {function, its library}
  MCK_TRACE_LOST = 14,    // movements from {time} to time may be missing
};

// Of a movement the time is: when a copy or a send began, and when a receive was over. So what is read was written at
// an earlier time, and what is written is read at a later one.
struct mck_trace_slot {
  uint64_t time;
  uint64_t from;   // address: 48 bits; kind: 8; number of slots: 8
  uint64_t to;     // address: 48 bits; lower half of the length: 16
  uint64_t caller; // return address: 48 bits; upper half of the length: 16
};
struct mck_trace_run {
  uint64_t time, count;       // of the last copy; how many there are
  int64_t from_step, to_step; // from one copy to the next
};
struct mck_trace_stream {
  uint64_t socket, position; // the kernel's number (SO_COOKIE); of the first byte in this direction
  uint64_t unused[2];
};
struct mck_trace_object {
  uint64_t device, inode, offset, length; // length: of MAP only
};
struct mck_trace_socket {
  uint64_t socket;
  uint16_t family, local_port, peer_port, unused[5];
  uint64_t unused2;
  uint8_t local[16], peer[16];
};
_Static_assert(sizeof(struct mck_trace_slot) == MCK_TRACE_SLOT && sizeof(struct mck_trace_block) == MCK_TRACE_SLOT &&
                   sizeof(struct mck_trace_run) == MCK_TRACE_SLOT &&
                   sizeof(struct mck_trace_stream) == MCK_TRACE_SLOT &&
                   sizeof(struct mck_trace_object) == MCK_TRACE_SLOT &&
                   sizeof(struct mck_trace_socket) == 2 * MCK_TRACE_SLOT &&
                   sizeof(struct mck_trace_header) <= MCK_TRACE_HEADER,
               "whole slots");

#define MCK_TRACE_ADDRESS ((UINT64_C(1) << 48) - 1)
enum { MCK_TRACE_SYSV = 1 }; // device of a System V segment, whose number is the inode
// Of a record: bytes that it moves, in all its copies, and copies of a run. What is more is several records.
#define MCK_TRACE_LENGTH_MAX (UINT64_C(1) << 30)
#define MCK_TRACE_COUNT_MAX (UINT64_C(1) << 20)

static inline struct mck_trace_slot mck_trace_pack(enum mck_trace_kind kind, unsigned slots, uint64_t time,
                                                   uint64_t from, uint64_t to, uint64_t length, uint64_t caller) {
  return (struct mck_trace_slot){.time = time,
                                 .from = (from & MCK_TRACE_ADDRESS) | (uint64_t)kind << 48 | (uint64_t)slots << 56,
                                 .to = (to & MCK_TRACE_ADDRESS) | length << 48,
                                 .caller = (caller & MCK_TRACE_ADDRESS) | length >> 16 << 48};
}
// A COPY or RUN below 64 KiB may say which MPI function the thread is in, as a CALL does: the upper half of its length
// is the function.
#define MCK_TRACE_IN (UINT64_C(0x80) << 48)
static inline struct mck_trace_slot mck_trace_pack_in(uint64_t time, uint64_t from, uint64_t to, uint64_t length,
                                                      uint64_t caller, uint16_t fn) {
  struct mck_trace_slot s = mck_trace_pack(MCK_TRACE_COPY, 1, time, from, to, length, caller);
  s.from |= MCK_TRACE_IN, s.caller |= (uint64_t)fn << 48;
  return s;
}
static inline bool mck_trace_is_in(const struct mck_trace_slot *s) { return s->from & MCK_TRACE_IN; }
static inline uint16_t mck_trace_fn(const struct mck_trace_slot *s) { return (uint16_t)(s->caller >> 48); }
static inline enum mck_trace_kind mck_trace_kind(const struct mck_trace_slot *s) { return s->from >> 48 & 0x7f; }
static inline unsigned mck_trace_slots(const struct mck_trace_slot *s) { return (unsigned)(s->from >> 56); }
static inline uint64_t mck_trace_length(const struct mck_trace_slot *s) {
  return s->to >> 48 | (mck_trace_is_in(s) ? 0 : s->caller >> 48 << 16);
}
