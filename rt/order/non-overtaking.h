// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Overtaking: messages do not overtake each other (MPI-3.1 3.5), so one match can prove that others came before it. Of
// matches (s1,r1), (s2,r2) at one receiver, r1 posted before r2, the first came before the second if r1 could have
// taken s2, or if s1 was sent before s2 by the same process and r2 could have taken s1 (Cypher and Leu, relation R_m;
// their theorem 3.5: there is no other way round). The lazy clocks' C3, C4 and CompleteNow (R4) are this relation; it
// is asked here of what did match, so MPI_ANY_TAG and specific receives need no rules of their own.
//
// Kept per log: the receives that are posted and not known to be complete, in posted order.
#pragma once
#include "order/pairs.h"

struct mck_overtake_entry {
  uint32_t index;
  bool is_done;
};
struct mck_overtake_held { // what was computed when a receive was posted, for who waits for it from outside
  uint32_t receive, first, count;
};
struct mck_overtake {
  const struct mck_reader *log;
  const struct mck_pair *pairs; // of this log
  bool is_on;                   // the log has wildcard receives
  bool is_full;                 // ... of MPI_ANY_TAG: specific receives count, too
  struct mck_overtake_entry *entries;
  size_t count, capacity, ndone;
  struct mck_overtake_held *held;
  size_t nheld, held_capacity;
  uint32_t *pool, *found;
  size_t npool, pool_capacity, nfound, found_capacity;
  bool is_short;
};

// Could the receive have taken the message that matched (both of one log, both matched)?
bool mck_overtake_accepts(const struct mck_event *receive, const struct mck_event *matched);

// R_m: must receive one have matched before the other, which was posted later? pairs: of this log.
bool mck_overtake_comes_before(const struct mck_reader *log, const struct mck_pair *pairs, uint32_t one,
                               uint32_t other);

// number: of the log in pairs.
void mck_overtake_open(struct mck_overtake *o, const struct mck_reader *log, const struct mck_pairs *pairs,
                       uint32_t number);
void mck_overtake_close(struct mck_overtake *o);
void mck_overtake_post(struct mck_overtake *o, uint32_t index);
void mck_overtake_complete(struct mck_overtake *o, uint32_t index);
// The receives posted before this one (or this probe) that must have matched when it did: o->found, nearest first.
void mck_overtake_find(struct mck_overtake *o, uint32_t index);
// Keeps that for later; and gives it again.
void mck_overtake_hold(struct mck_overtake *o, uint32_t index);
const uint32_t *mck_overtake_recall(const struct mck_overtake *o, uint32_t index, size_t *n);
