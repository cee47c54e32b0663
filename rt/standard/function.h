// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MPI-3.1 says of each function, once. This room has no state and knows neither mpi.h nor logs. The rows are
// generated from rt/api/mpi.txt, which lists the properties and their values; docs/design/standard.md lists the rules.
// A room that must know how a function behaves asks here: it neither compares names nor lists functions itself.
// This header has the questions about one function, collective.h those about the members of a collective,
// constants.h the numbers that MPI's constants are in logs, conflict.h which accesses to window memory conflict.
#pragma once
#include "api/standard.h"

// The row of a function. A number that is no function (of a damaged log) has a row, too: nothing is known of it.
static inline const struct mck_std_fn *mck_std(uint16_t fn) {
  return &mck_std_fns[fn < MCK_FN_COUNT ? fn : MCK_FN_COUNT];
}

// --- twins ---
// The function that does the same and returns when it is done; the function itself where it has no such twin.
static inline uint16_t mck_std_blocking(uint16_t fn) {
  uint16_t blocking = mck_std(fn)->blocking;
  return blocking < MCK_FN_COUNT ? blocking : fn;
}
static inline bool mck_std_is_nonblocking_twin(uint16_t fn) {
  return fn < MCK_FN_COUNT && mck_std(fn)->nonblocking == fn;
}
// MPI_Rput and its kin: a request completes them, too (11.3.5).
static inline bool mck_std_is_request_based(uint16_t fn) { return fn < MCK_FN_COUNT && mck_std(fn)->request == fn; }

// --- families ---
static inline bool mck_std_is_file(uint16_t fn) { return mck_std(fn)->family == MCK_STD_FAMILY_FILE; }
static inline bool mck_std_is_neighborhood(uint16_t fn) { return mck_std(fn)->family == MCK_STD_FAMILY_NEIGHBORHOOD; }

// --- other worlds (10.3, 10.4) ---
// Collective over a communicator of one world. Only the root says what to start, or whom to wait for, so no other rank
// returns before the root has entered.
static inline bool mck_std_meets_world(uint16_t fn) { return mck_std(fn)->world == MCK_STD_WORLD_MEETS; }
// After it the other world may order what happens here; communication between worlds is not logged.
static inline bool mck_std_opens_world(uint16_t fn) { return mck_std(fn)->world != MCK_STD_WORLD_NONE; }

// --- one-sided communication ---
// It brings data from the target to the origin (11.3.2, 11.3.4).
static inline bool mck_std_is_fetching(uint16_t fn) {
  switch ((enum mck_std_access)mck_std(fn)->access) {
  case MCK_STD_ACCESS_GET:
  case MCK_STD_ACCESS_GET_ACCUMULATE:
  case MCK_STD_ACCESS_FETCH_AND_OP:
  case MCK_STD_ACCESS_COMPARE_AND_SWAP: return true;
  case MCK_STD_ACCESS_NONE:
  case MCK_STD_ACCESS_PUT:
  case MCK_STD_ACCESS_ACCUMULATE: return false;
  }
  return false;
}
// One element of a predefined type (11.3.4).
static inline bool mck_std_is_single_element(uint16_t fn) {
  return mck_std(fn)->access == MCK_STD_ACCESS_FETCH_AND_OP || mck_std(fn)->access == MCK_STD_ACCESS_COMPARE_AND_SWAP;
}

// --- epochs (11.5) ---
// All of these values of the set `epoch`?
static inline bool mck_std_does(uint16_t fn, unsigned effects) { return (mck_std(fn)->epoch & effects) == effects; }
static inline bool mck_std_is_passive(uint16_t fn) { return mck_std(fn)->targeting == MCK_STD_TARGETING_PASSIVE; }
// MPI_Win_lock and MPI_Win_lock_all.
static inline bool mck_std_is_lock(uint16_t fn) {
  return mck_std_is_passive(fn) && mck_std_does(fn, MCK_STD_EPOCH_OPENS_ACCESS);
}
static inline bool mck_std_is_unlock(uint16_t fn) {
  return mck_std_is_passive(fn) && mck_std_does(fn, MCK_STD_EPOCH_CLOSES_ACCESS);
}
// Operations are complete, and the epoch goes on (11.5.4).
static inline bool mck_std_is_flush(uint16_t fn) {
  return mck_std_does(fn, MCK_STD_EPOCH_COMPLETES_ORIGIN) && !mck_std_does(fn, MCK_STD_EPOCH_CLOSES_ACCESS);
}
// Only the origin's side is complete: buffers may be used again.
static inline bool mck_std_is_local_flush(uint16_t fn) {
  return mck_std_is_flush(fn) && !mck_std_does(fn, MCK_STD_EPOCH_COMPLETES_TARGET);
}
static inline bool mck_std_is_to_one(uint16_t fn) { return mck_std(fn)->scope == MCK_STD_SCOPE_ONE; }
static inline bool mck_std_is_to_all(uint16_t fn) { return mck_std(fn)->scope == MCK_STD_SCOPE_ALL; }
static inline bool mck_std_is_to_group(uint16_t fn) { return mck_std(fn)->scope == MCK_STD_SCOPE_GROUP; }
// With a group of targets: MPI_Win_start and MPI_Win_post.
static inline bool mck_std_has_group(uint16_t fn) {
  return mck_std_is_to_group(fn) && mck_std(fn)->epoch & (MCK_STD_EPOCH_OPENS_ACCESS | MCK_STD_EPOCH_OPENS_EXPOSURE);
}
