// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MPI-3.1 says of each function, once. This room has no state and knows neither mpi.h nor logs. The rows are
// generated from rt/api/mpi.txt, which lists the properties and their values; docs/design/standard.md lists the rules.
// A room that must know how a function behaves asks here: it neither compares names nor lists functions itself.
// This header has the questions about one function, epoch-call.h those about the synchronization of windows,
// collective.h those about the members of a collective, conflict.h those about accesses to window memory. constants.h
// has the numbers that MPI's constants are in logs.
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

// --- requests and probes ---
// Of several requests it completes those that it finds complete: which ones, depends on timing (3.7.5).
static inline bool mck_std_is_choosing(uint16_t fn) {
  return mck_std(fn)->completes == MCK_STD_COMPLETES_ANY || mck_std(fn)->completes == MCK_STD_COMPLETES_SOME;
}
static inline bool mck_std_is_choosing_wait(uint16_t fn) {
  return mck_std_is_choosing(fn) && mck_std(fn)->returns == MCK_STD_RETURNS_COMPLETED;
}
static inline bool mck_std_is_choosing_test(uint16_t fn) {
  return mck_std_is_choosing(fn) && mck_std(fn)->returns == MCK_STD_RETURNS_LOCAL;
}
// MPI_Iprobe and MPI_Improbe.
static inline bool mck_std_is_nonblocking_probe(uint16_t fn) {
  return mck_std_is_nonblocking_twin(fn) && mck_std(mck_std_blocking(fn))->returns == MCK_STD_RETURNS_MESSAGE &&
         mck_std(fn)->returns == MCK_STD_RETURNS_LOCAL;
}

// --- families ---
static inline bool mck_std_is_file(uint16_t fn) { return mck_std(fn)->family == MCK_STD_FAMILY_FILE; }
static inline bool mck_std_is_neighborhood(uint16_t fn) { return mck_std(fn)->family == MCK_STD_FAMILY_NEIGHBORHOOD; }

// --- files ---
// Collective over those that opened a file (13.6.4).
static inline bool mck_std_is_of_file(uint16_t fn) { return mck_std(fn)->collective == MCK_STD_COLLECTIVE_FILE; }
// MPI_File_sync, and what implies it: opening and closing (13.6.1).
static inline bool mck_std_transfers_file(uint16_t fn) { return mck_std(fn)->transfers == MCK_STD_TRANSFERS_YES; }

// --- collectives ---
static inline bool mck_std_moves_data(uint16_t fn) {
  uint8_t flow = mck_std(fn)->flow;
  return flow != MCK_STD_FLOW_NONE && flow != MCK_STD_FLOW_UNKNOWN && flow != MCK_STD_FLOW_ROOT_LEADS;
}

// MPI_Win_free, and no fence: both are collective over a window. A log that was cut has fences as plain calls, whose
// window is not known (judge/cut/remaining-log.c).
static inline bool mck_std_frees_window(uint16_t fn) {
  const struct mck_std_fn *row = mck_std(fn);
  return row->collective == MCK_STD_COLLECTIVE_WINDOW && row->sync == MCK_STD_SYNC_MEMBERS &&
         row->targeting == MCK_STD_TARGETING_NONE;
}

// Other calls than those of a communicator that synchronize: MPI_Win_free, MPI_Comm_create_group. Logs have them as
// plain calls.
static inline bool mck_std_is_beside_communicators(uint16_t fn) {
  const struct mck_std_fn *row = mck_std(fn);
  return row->sync == MCK_STD_SYNC_MEMBERS && row->targeting == MCK_STD_TARGETING_NONE &&
         (row->collective == MCK_STD_COLLECTIVE_WINDOW || row->collective == MCK_STD_COLLECTIVE_GROUP);
}

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
