// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instrumented code and the runtime agree on (plugin/ sees only this header, abi.inc and the list of MPI
// functions).
//
// Every instrumented object brings, once per executable or shared library (linkonce_odr, hidden; the first three with
// the version in their names, so that objects of several versions can be linked together):
//   mck.nothing    1 MiB of zeroes, of which pages that were never looked at cost nothing
//   mck.pages      a pointer to a page filter, at first mck.nothing: nothing is of interest
//   mck.seen       a pointer to what was signalled already (struct mck_seen), at first mck.nothing, too
//   mck.load4, mck.load8, mck.store4, mck.store8   where an access goes whose page is of interest: to __mck_access_at,
//   unless it was seen mck.access, mck.sweep, mck.grid   where all other accesses, and ranges of them before their
//   loop, go mck.map.load4 and so on   the same for an access in a loop, which brings a pointer of its own (to struct
//   mck_map), at first mck.nothing, too
// and a constructor that calls __mck_attach (weak) with the addresses of mck.pages and mck.seen, so the same object
// runs at no risk without the runtime. A load (store) at address a is signalled when byte (uint32_t)a >> 12 of the
// filter has MCK_WATCH_LOADS (MCK_WATCH_STORES). What is of interest when loaded is so when stored, unless all of it
// was signalled as stored already. The filter may say yes wrongly (addresses 4 GiB apart share a byte), never no
// wrongly. An access that crosses a page tests its last byte too. A loop's accesses are tested before the loop, as one
// range; what executes for certain is signalled there as a range, too.
//
// Objects that call MPI bring, where they need them, two tables (docs/design/errors.md), and a constructor
// mck.attach.calls that calls
// __mck_attach_calls (weak) with their bounds:
//   mck_unused     struct mck_call_mark before and behind each MPI call whose result the source does not use
//   mck_profiled   struct mck_profiled of each PMPI_ function that is called or whose address is taken; at first it is
//   libmpi's, so that
//                  without the runtime all is as if nothing had been redirected
#pragma once
#include <stdint.h>

enum { MCK_ABI_VERSION = 4, MCK_PAGE_SHIFT = 12, MCK_PAGES = 1 << 20 };

// In a byte of the filter.
enum { MCK_WATCH_LOADS = 1, MCK_WATCH_STORES = 2 };

// Flags of __mck_object.
enum {
  MCK_OBJECT_CONSTANT = 1, // its bytes are never written
  MCK_OBJECT_TYPED = 2
}; // it consists of numbers of one kind: class 'i' or 'f' << 8, bytes << 16; behind the name and its 0 stands its type

// Flags of accesses.
enum {
  MCK_SIGNAL_STORE = 1,
  MCK_SIGNAL_ATOMIC = 2,
  MCK_SIGNAL_VOLATILE = 4,
  MCK_SIGNAL_STRING = 8
}; // up to and with the first zero byte, in size bytes at most

// All are exported by the runtime and referenced weakly by instrumented code. Thread-safe, async-signal-safe as far as
// reading goes, never touch errno. What was signalled already since the last event, in the memory of one window from
// base on: a byte per cell of 8 bytes, of which bit i says that bytes 2i and 2i + 1 were loaded or stored to, bit 4 + i
// that they were stored to. What was seen need not be signalled again; a store stands for a load.
struct mck_seen {
  uintptr_t base;
  uint64_t ncells;
  const uint8_t *cells;
};
// Where one place of the source jumps about in a window: elements of the size of its access from base on, and a byte
// for each, which instrumented code sets to 1 without looking at it. No elements: the access is to be told. Never
// unmapped, so that what is read of it may be old.
struct mck_map {
  uintptr_t base;
  uint64_t elements;
  uint8_t *marks;
};
void __mck_attach(uint32_t abi_version, const uint8_t **pages, const struct mck_seen **seen);
// Who touches memory that MPI could be using without a signal: strings up to end, of all objects (section mck_unseen).
// 'f' and the name of a function that is given such memory; 'a' and the place of inline assembly, or of an instruction
// that is not known.
void __mck_unseen_names(const char *names, const char *end);
// The call of MPI's fn that follows gets, as its argument of that number (from 0), an address within the variable name,
// size bytes at base.
void __mck_object(const char *fn, const char *name, const void *base, uint64_t size, uint32_t argument, uint32_t flags);
// size bytes at address are about to be read or (MCK_SIGNAL_STORE) written, at this place (the code address behind the
// signal), below this frame.
void __mck_access_at(const volatile void *address, uint64_t size, uint32_t flags, const void *place, const void *frame);
// The same of an access that may have a map: the runtime may put one there.
void __mck_access_mapped(const volatile void *address, uint64_t size, uint32_t flags, const void *place,
                         const void *frame, const struct mck_map **map);
// The same count times, stride bytes apart (which may be negative, or less than size). what: size << 8 | flags.
void __mck_access_range_at(const volatile void *address, uint64_t what, int64_t stride, uint64_t count,
                           const void *place, const void *frame);
// All that again count2 times, stride2 bytes apart.
void __mck_access_grid_at(const volatile void *address, uint64_t what, int64_t stride, uint64_t count, int64_t stride2,
                          uint64_t count2, const void *place, const void *frame);
// Has any page of [low, high) one of these MCK_WATCH_ bits? For ranges of several pages; no side effect. Nonzero:
// perhaps.
uint32_t __mck_watches(const volatile void *low, const volatile void *high, uint32_t bits);

// place: the code address, relative to this field. what: mck_abi_hash of "MPI_Send", its lowest bit replaced: 0 before
// the call, 1 behind it.
struct mck_call_mark {
  int32_t place;
  uint32_t what;
};
struct mck_profiled {
  void (*entry)(void);
  const char *name;
}; // name: "MPI_Send"
void __mck_attach_calls(uint32_t abi_version, const struct mck_call_mark *marks, const struct mck_call_mark *marks_end,
                        struct mck_profiled *profiled, struct mck_profiled *profiled_end);
static inline uint32_t mck_abi_hash(const char *name) { // FNV-1a
  uint32_t hash = 2166136261u;
  while (*name) hash = (hash ^ (uint8_t)*name++) * 16777619u;
  return hash;
}
