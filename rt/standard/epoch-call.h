// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that synchronize a window (MPI-3.1 11.5), by what they do to epochs.
#pragma once
#include "standard/constants.h"
#include "standard/function.h"

// All of these values of the set `epoch`?
static inline bool mck_std_does(uint16_t fn, unsigned effects) { return (mck_std(fn)->epoch & effects) == effects; }
static inline bool mck_std_is_passive(uint16_t fn) { return mck_std(fn)->targeting == MCK_STD_TARGETING_PASSIVE; }
static inline bool mck_std_is_to_one(uint16_t fn) { return mck_std(fn)->scope == MCK_STD_SCOPE_ONE; }
static inline bool mck_std_is_to_all(uint16_t fn) { return mck_std(fn)->scope == MCK_STD_SCOPE_ALL; }
static inline bool mck_std_is_to_group(uint16_t fn) { return mck_std(fn)->scope == MCK_STD_SCOPE_GROUP; }

enum mck_std_epoch_call {
  MCK_STD_CALL_OTHER,    // no call of an epoch
  MCK_STD_CALL_FENCE,    // 11.5.1
  MCK_STD_CALL_START,    // 11.5.2
  MCK_STD_CALL_COMPLETE, // 11.5.2
  MCK_STD_CALL_POST,     // 11.5.2
  MCK_STD_CALL_WAIT,     // 11.5.2: MPI_Win_test, too
  MCK_STD_CALL_LOCK,     // 11.5.3: of one target or of all; see scope
  MCK_STD_CALL_UNLOCK,   // 11.5.3
  MCK_STD_CALL_FLUSH,    // 11.5.4: operations are complete, and the epoch goes on
};
static inline enum mck_std_epoch_call mck_std_epoch_call(uint16_t fn) {
  bool opens = mck_std_does(fn, MCK_STD_EPOCH_OPENS_ACCESS), exposes = mck_std_does(fn, MCK_STD_EPOCH_OPENS_EXPOSURE),
       closes = mck_std_does(fn, MCK_STD_EPOCH_CLOSES_ACCESS), is_passive = mck_std_is_passive(fn);
  if (opens && exposes) return MCK_STD_CALL_FENCE;
  if (opens) return is_passive ? MCK_STD_CALL_LOCK : MCK_STD_CALL_START;
  if (exposes) return MCK_STD_CALL_POST;
  if (closes) return is_passive ? MCK_STD_CALL_UNLOCK : MCK_STD_CALL_COMPLETE;
  if (mck_std_does(fn, MCK_STD_EPOCH_CLOSES_EXPOSURE)) return MCK_STD_CALL_WAIT;
  return mck_std_does(fn, MCK_STD_EPOCH_COMPLETES_ORIGIN) ? MCK_STD_CALL_FLUSH : MCK_STD_CALL_OTHER;
}
static inline bool mck_std_is_lock(uint16_t fn) { return mck_std_epoch_call(fn) == MCK_STD_CALL_LOCK; }
static inline bool mck_std_is_unlock(uint16_t fn) { return mck_std_epoch_call(fn) == MCK_STD_CALL_UNLOCK; }
static inline bool mck_std_is_flush(uint16_t fn) { return mck_std_epoch_call(fn) == MCK_STD_CALL_FLUSH; }
// Only the origin's side is complete: buffers may be used again.
static inline bool mck_std_is_local_flush(uint16_t fn) {
  return mck_std_is_flush(fn) && !mck_std_does(fn, MCK_STD_EPOCH_COMPLETES_TARGET);
}
// Operations are complete at their targets as far as the origin can know (11.5.1, 11.5.3, 11.5.4).
static inline bool mck_std_completes_at_target(uint16_t fn) {
  return mck_std_does(fn, MCK_STD_EPOCH_COMPLETES_ORIGIN | MCK_STD_EPOCH_COMPLETES_TARGET);
}

// Post, start, complete and wait: a start waits for the posts of its targets, a wait for the completes of its origins.
static inline bool mck_std_tells_partners(uint16_t fn) {
  enum mck_std_epoch_call call = mck_std_epoch_call(fn);
  return call == MCK_STD_CALL_POST || call == MCK_STD_CALL_COMPLETE;
}
static inline bool mck_std_waits_for_partners(uint16_t fn) {
  enum mck_std_epoch_call call = mck_std_epoch_call(fn);
  return call == MCK_STD_CALL_START || call == MCK_STD_CALL_WAIT;
}
// With a group of targets or origins as its argument.
static inline bool mck_std_has_group(uint16_t fn) {
  enum mck_std_epoch_call call = mck_std_epoch_call(fn);
  return call == MCK_STD_CALL_START || call == MCK_STD_CALL_POST;
}

// A fence that is known not to end any epoch need not act as a barrier, and MPI_MODE_NOPRECEDE says so (11.5.1).
static inline bool mck_std_fence_may_skip(uint32_t assertion) { return assertion & MCK_MODE_NOPRECEDE; }
// What all processes of the window must give to a fence if one of them does (11.5.5).
static inline uint32_t mck_std_fence_common(uint32_t assertion) {
  return assertion & (MCK_MODE_NOPRECEDE | MCK_MODE_NOSUCCEED);
}
// With MPI_MODE_NOCHECK no other process may have the lock, so it need not be asked for (11.5.5).
static inline bool mck_std_lock_may_skip(uint32_t assertion) { return assertion & MCK_MODE_NOCHECK; }
// MPI_Win_lock_all takes shared locks only, and has no parameter that says so (11.5.3).
static inline bool mck_std_is_exclusive(uint16_t fn, int lock_type) {
  return mck_std_is_lock(fn) && mck_std_is_to_one(fn) && lock_type == MCK_LOCK_EXCLUSIVE;
}
