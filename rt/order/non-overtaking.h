// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Non-overtaking: messages do not overtake each other (MPI-3.1 3.5), so a match can prove that other matches came
// before it. Take matches (s1,r1) and (s2,r2) at one receiver, with r1 posted before r2. The first came before the
// second if r1 could have taken s2, or if one process sent s1 before s2 and r2 could have taken s1 (Cypher and Leu,
// relation R_m; by their theorem 3.5 there is no other reason). C3, C4 and CompleteNow (R4) of the lazy clocks are this
// relation. Here it is asked about actual matches, so MPI_ANY_TAG and specific receives need no rules of their own.
//
// Each log has the list of its receives that are posted and not known to be complete, in posted order.
#pragma once
#include "order/pairs.h"

struct mck_overtake_entry {
  uint32_t index;
  bool is_done;
};
struct mck_overtake_held { // the result at the time when a receive was posted, for operations of other logs that wait
                           // for it
  uint32_t receive, first, count;
};
struct mck_overtake {
  const struct mck_reader *log;
  const struct mck_pair *pairs; // the pairs of this log
  bool is_on;                   // the log has wildcard receives
  bool is_full;                 // ... with MPI_ANY_TAG: then specific receives count, too
  struct mck_overtake_entry *entries;
  size_t count, capacity, ndone;
  struct mck_overtake_held *held;
  size_t nheld, held_capacity;
  uint32_t *pool, *found;
  size_t npool, pool_capacity, nfound, found_capacity;
  bool is_short;
};

// R_m: must receive one have matched before the other, which was posted later? pairs: those of this log.
bool mck_overtake_comes_before(const struct mck_reader *log, const struct mck_pair *pairs, uint32_t one,
                               uint32_t other);

// number: the log's number in pairs.
void mck_overtake_open(struct mck_overtake *o, const struct mck_reader *log, const struct mck_pairs *pairs,
                       uint32_t number);
void mck_overtake_close(struct mck_overtake *o);
void mck_overtake_post(struct mck_overtake *o, uint32_t index);
void mck_overtake_complete(struct mck_overtake *o, uint32_t index);
// Finds the earlier receives that must have matched when this one (or this probe) did: o->found, nearest first.
void mck_overtake_find(struct mck_overtake *o, uint32_t index);
// Keeps that result for later, and restores it.
void mck_overtake_hold(struct mck_overtake *o, uint32_t index);
const uint32_t *mck_overtake_recall(const struct mck_overtake *o, uint32_t index, size_t *n);
