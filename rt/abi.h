// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instrumented code and the runtime agree on. plugin/ sees only this header and the generated lists of MPI
// functions.
//
// Loads and stores. The filter has a byte for each page of 4 KiB: byte (uint32_t)a >> 12 for address a. A load (store)
// at a is signalled when this byte has MCK_WATCH_LOADS (MCK_WATCH_STORES), an atomic or volatile one when it has this
// bit << MCK_WATCH_ORDERED. A page that is watched for loads is watched for stores, too, unless stores to all of it are
// recorded already; that leaves the bits of atomic and volatile accesses, which may order others. The filter may say
// yes wrongly, since addresses 4 GiB apart share a byte; it never says no wrongly. An access that crosses a page tests
// the byte of its last page, too. The accesses of a loop are tested before the loop, as one range; those of them that
// are certain to be executed are signalled there, as a range, too.
//
// Every instrumented object defines, once per executable or shared library (linkonce_odr, hidden):
//
//   mck.nothing    1 MiB of zeroes; its pages take no memory until one is read
//   mck.pages      a pointer to a page filter; at first it points to mck.nothing, so that no page is watched
//   mck.seen       a pointer to what is recorded already (__mck_attach); at first to mck.nothing, too
//   mck.load4, mck.load8, mck.store4, mck.store8
//                  called for an access whose page is watched; they call the runtime unless it is recorded already
//   mck.access, mck.sweep, mck.grid
//                  called for all other accesses, and for the ranges before a loop
//   mck.map.load4, ...
//                  called for an access in a loop that has a pointer of its own (to struct mck_map), at first to
//                  mck.nothing, too
//
// On x86-64 the gates of accesses keep all registers, those of vectors too (preserve_all): then their names begin with
// mck. and the version, and an "a" where they keep ymm0 to ymm15 and not only xmm0 to xmm15. They call
// __mck_access_quick first, and __mck_access_at if that says so.
// The names of the first three have the version in them, so that objects of several versions can be linked together.
// A constructor calls __mck_attach with the addresses of mck.pages and mck.seen. The reference to __mck_attach is weak:
// the same object runs at no risk without the runtime.
//
// Calls. Objects that call MPI define two tables where they need them (docs/design/errors.md), and a constructor
// mck.attach.calls that calls __mck_attach_calls (weak) with the bounds of both:
//
//   mck_unused     struct mck_call_mark before and behind each MPI call whose result the source does not use
//   mck_profiled   struct mck_profiled of each PMPI_ function that is called or whose address is taken; at first it
//                  holds the address of libmpi's function, so that without the runtime nothing is redirected
//
// Loops. A loop that asks MPI again and again is closed when nothing but MPI can end it. Code in closed loops stores a
// mark before each call that asks, to *mck.closed (hidden, in each executable or library that has such a loop). A
// constructor mck.attach.closed passes its address to __mck_attach_closed (weak).
//
// Statuses. What code looks at of the status that an MPI call fills in is told by marks, too, in the section
// mck_statuses, before and behind each call of which it is known. A constructor mck.attach.statuses passes its bounds
// to __mck_attach_statuses (weak).
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The byte behind those of the pages is not zero while any page is watched, and the next one once several threads have
// lived whose order matters (__mck_atomic).
enum { MCK_ABI_VERSION = 9, MCK_PAGE_SHIFT = 12, MCK_PAGES = 1 << 20, MCK_FILTER_BYTES = MCK_PAGES + 64 };
enum { MCK_FILTER_THREADS = MCK_PAGES + 1 };

// Bits of a byte of the filter.
enum { MCK_WATCH_LOADS = 1, MCK_WATCH_STORES = 2, MCK_WATCH_ORDERED = 2 };

// Flags of __mck_object. MCK_OBJECT_CONSTANT: the bytes of the object are never written. MCK_OBJECT_TYPED: the object
// consists of numbers of one kind; the flags hold their class ('i' or 'f') << 8 and their bytes << 16, and the name
// is followed by its 0 and the name of the type. MCK_OBJECT_MEMBERS: it is a structure, or an array of them; the flags
// hold the size of the structure << 8 (0: it is too large), and the name of the type is followed by its 0 and the text
// of its members:
//
//   type      = number | unknown | array | structure
//   number    = CLASS BYTES " " NAME "\n"          class i, f, c (complex), p (a pointer): "f8 double"
//   unknown   = "?" BYTES "\n"                     no certain type: a union, a bit-field, bytes
//   array     = "[" COUNT " " STRIDE "\n" type     count 0: as many as the object holds (only outermost)
//   structure = "{" BYTES " " NAME "\n" {member} "}\n"
//   member    = OFFSET " " NAME "\n" type          no name: a base class, or an anonymous structure
enum { MCK_OBJECT_CONSTANT = 1, MCK_OBJECT_TYPED = 2, MCK_OBJECT_MEMBERS = 4 };

// Flags of an access. MCK_SIGNAL_STRING: of size bytes at most, those up to and with the first zero byte are
// accessed. MCK_SIGNAL_END: it is no access, the local variable ends here.
enum {
  MCK_SIGNAL_STORE = 1,
  MCK_SIGNAL_ATOMIC = 2,
  MCK_SIGNAL_VOLATILE = 4,
  MCK_SIGNAL_STRING = 8,
  MCK_SIGNAL_END = 16
};

// The functions below are exported by the runtime and referenced weakly by instrumented code. They are thread-safe,
// they are async-signal-safe as far as they only read, and they leave errno alone.
//
// The accesses of one place of the source that jumps about in a window: elements of the size of its access, from base
// on, and a byte of marks for each element, which instrumented code sets to 1 without reading it. elements 0: the
// access is signalled. marks is never unmapped, since another thread may still use what it read of the map earlier.
struct mck_map {
  uintptr_t base;
  uint64_t elements;
  uint8_t *marks;
};
// seen: what was recorded since the last event. There is a cell, a byte, for each 8 bytes of the memory: cell
// (uint32_t)a >> 3 for address a. Bit i says that bytes 2i and 2i + 1 were loaded or stored to, bit 4 + i that they
// were stored to. An access that is recorded need not be signalled again; a recorded store stands for a load, too. Only
// memory whose page is watched has such bits, and no other watched page shares its cells.
void __mck_attach(uint32_t abi_version, const uint8_t **pages, const uint8_t **seen);
enum { MCK_CELL_SHIFT = 3, MCK_CELLS = 1 << 29 };
// Code that accesses memory that MPI may be using and does not signal it: the strings of all objects, from names up
// to end (section mck_unseen). 'f' and the name of a function that is given such memory; 'p', that name, a blank and
// "VARIABLE at FILE:LINE" or "at FILE:LINE", for its first calls; 'a' and the place of inline assembly or of an
// instruction that the pass does not know.
void __mck_unseen_names(const char *names, const char *end);
// The call of MPI's fn that follows gets an address within the variable name as its argument number argument (from
// 0). The variable has size bytes at base.
void __mck_object(const char *fn, const char *name, const void *base, uint64_t size, uint32_t argument, uint32_t flags);
// size bytes at address are about to be unmapped (munmap).
void __mck_unmap(const volatile void *address, uint64_t size);
// The caller has just come back from functions that may have been left without their end: setjmp has returned, or an
// exception was caught.
void __mck_left(void);
// main returns, at the place that called this.
void __mck_main_returns(void);
// Sections of locks. Behind a call that takes a lock: until the lock is given back, each access to memory that other
// threads may use is told by __mck_section_access, behind a load and before a store. Without it, or where the thread
// calls something unknown meanwhile, a section counts as ordered behind all earlier ones of its lock.
void __mck_section(const volatile void *lock);
void __mck_section_access(const volatile void *address, uint64_t size, uint32_t is_store);
// size bytes at address are about to be read, or written with MCK_SIGNAL_STORE. place: the code address behind the
// signal; frame: the frame of the function that it is in.
void __mck_access_at(const volatile void *address, uint64_t size, uint32_t flags, const void *place, const void *frame);
// The short way of an access by such a gate; what: size << 8 | flags. False: it was not noted, and __mck_access_at is
// to be called. It uses no registers of vectors. It may be absent, beside __mck_access_at.
bool __mck_access_quick(uintptr_t address, uint64_t what, const void *place);
// The same as __mck_access_at for an access that may have a map: the runtime may set *map.
void __mck_access_mapped(const volatile void *address, uint64_t size, uint32_t flags, const void *place,
                         const void *frame, const struct mck_map **map);
// The same for count accesses that lie stride bytes apart (stride may be negative, or less than size). what: size <<
// 8 | flags.
void __mck_access_range_at(const volatile void *address, uint64_t what, int64_t stride, uint64_t count,
                           const void *place, const void *frame);
// The same for count2 such ranges that lie stride2 bytes apart.
void __mck_access_grid_at(const volatile void *address, uint64_t what, int64_t stride, uint64_t count, int64_t stride2,
                          uint64_t count2, const void *place, const void *frame);
// Whether any page of [low, high) has one of these MCK_WATCH_ bits, for ranges of several pages. It has no side
// effect. Nonzero: perhaps.
uint32_t __mck_watches(const volatile void *low, const volatile void *high, uint32_t bits);

// The same for all bytes of the object that a pointer points into: a heap block, a part of the stack, a variable. how:
// levels << 8 | MCK_WATCH_ bits. Levels 0: pointer is the pointer; 1: it is at this address; 2: it lies second bytes
// behind where the pointer at this address points to. Memory that is not known to exist is not read.
uint32_t __mck_watches_object(uintptr_t pointer, uint64_t second, uint32_t how);

// An atomic operation on this address; address NULL: a fence. It is called before an operation that may publish
// something (what: MCK_ATOMIC_STORE, and MCK_ATOMIC_RELEASE unless it is relaxed), and behind one that may have seen
// something (MCK_ATOMIC_LOAD, MCK_ATOMIC_ACQUIRE). A fence has only RELEASE or ACQUIRE. Address 1 stands for assembly
// that synchronizes in a way that is not known.
enum { MCK_ATOMIC_ACQUIRE = 1, MCK_ATOMIC_RELEASE = 2, MCK_ATOMIC_LOAD = 4, MCK_ATOMIC_STORE = 8 };
void __mck_atomic(const volatile void *address, uint32_t what);

// A mark: the number of the iteration of its closed loop, from 1 (the lowest 32 bits); for how many calls it holds, as
// a called function may ask several times; and whether the loop stays closed when null requests are tested. It does not
// hold for a call with any other success. The runtime sets *where to its variable; version is MCK_CLOSED_VERSION.
// An iteration settles what the next one begins with after at most MCK_CLOSED_SETTLED iterations.
#define MCK_CLOSED_NULLS (UINT64_C(1) << 63)
enum { MCK_CLOSED_VERSION = 1, MCK_CLOSED_COUNT_SHIFT = 32, MCK_CLOSED_MANY = 1 << 16, MCK_CLOSED_SETTLED = 8 };
void __mck_attach_closed(uint32_t version, uint64_t **where);

// place: the code address, relative to this field. what: mck_abi_hash of the function's name ("MPI_Send"), in which
// the lowest bit is replaced: 0 before the call, 1 behind it.
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

// The marks of a status. what: MCK_STATUS_KNOWN and the bits below; the number of the function that the call is in; and
// as the lowest bit 0 before the call, 1 behind it. The bits are what the program may look at before the status is
// filled in again. PASSED: the source, of a probe, is given to receives only, which are in the same function, look at
// no source or tag themselves and have NAMES: their source is that of a status that was passed. NAMES_TAG: their tag,
// too.
enum {
  MCK_STATUS_KNOWN = 2,
  MCK_STATUS_SOURCE = 4,
  MCK_STATUS_TAG = 8,
  MCK_STATUS_COUNT = 16,
  MCK_STATUS_ALL = 28,
  MCK_STATUS_PASSED = 32,
  MCK_STATUS_NAMES = 64,
  MCK_STATUS_NAMES_TAG = 128,
  MCK_STATUS_FUNCTION_SHIFT = 8
};
// The parts of MPI_Status (record/run/constant-audit.c asserts them): its size, and where MPI_SOURCE, MPI_TAG and
// MPI_ERROR lie; each has 4 bytes.
enum { MCK_STATUS_BYTES = 24, MCK_STATUS_SOURCE_AT = 0, MCK_STATUS_TAG_AT = 4, MCK_STATUS_ERROR_AT = 8 };
enum { MCK_STATUSES_VERSION = 1 };
void __mck_attach_statuses(uint32_t version, const struct mck_call_mark *marks, const struct mck_call_mark *marks_end);

// Functions of the type of MPI_User_function (void, four pointers) that may be called once more without anybody
// noticing: they read memory, write only through their first two arguments and into their own variables, and call
// nothing that does more. Their addresses are in the section mck_operations. A constructor mck.attach.operations passes
// its bounds to __mck_attach_operations (weak). Those of them that read through their arguments, their own variables
// and constants only, so that they give the same result at any time and in any process, are in the section
// mck_fixed_operations, too.
enum { MCK_OPERATIONS_VERSION = 1 };
void __mck_attach_operations(uint32_t version, void (*const *low)(void), void (*const *high)(void));
void __mck_attach_fixed_operations(uint32_t version, void (*const *low)(void), void (*const *high)(void));

// Ranks that come from data (plugin/RankFlow.h). Objects have edges of one graph in the section mck_ranks: if from may
// name a rank, to may. Nodes are hashes (plugin/RankNames.h) but for these: ALWAYS names one; LIBRARY is what functions
// that were not recompiled have kept; the lowest bits behind RECEIVE are the number of a receive, which the marks
// around its call have, too, in the section mck_received (what: number << 1, and the lowest bit as above). STARTED is
// the number of all calls that start persistent requests. unless: the edge is there if no object has an edge from this
// hash, mck_abi_hash_wide of the name of a function, to DEFINED. This hash is a node as well: true where such a
// function may call MPI. Constructors mck.attach.ranks and mck.attach.received pass the bounds (weak).
// An edge from GROUP is none: it begins a group of edges in its table, whose unless is to, if that is not 0 or BOTH.
// BOTH: the edges of the group lead both ways.
struct mck_rank_edge {
  uint64_t from, to;
};
enum { MCK_RANK_ALWAYS = 1, MCK_RANK_DEFINED = 2, MCK_RANK_LIBRARY = 3, MCK_RANK_GROUP = 4 };
enum { MCK_RANK_STARTED = 1, MCK_RANK_BOTH = 1 };
#define MCK_RANK_RECEIVE (UINT64_C(0x72656365) << 32)
enum { MCK_RANKS_VERSION = 1 };
void __mck_attach_ranks(uint32_t version, const struct mck_rank_edge *first, const struct mck_rank_edge *end);
void __mck_attach_received(uint32_t version, const struct mck_call_mark *marks, const struct mck_call_mark *marks_end);

static inline uint64_t mck_abi_hash_wide(const char *name) { // FNV-1a
  uint64_t hash = UINT64_C(14695981039346656037);
  while (*name) hash = (hash ^ (uint8_t)*name++) * UINT64_C(1099511628211);
  return hash;
}
static inline uint32_t mck_abi_hash(const char *name) { // FNV-1a
  uint32_t hash = 2166136261u;
  while (*name) hash = (hash ^ (uint8_t)*name++) * 16777619u;
  return hash;
}
