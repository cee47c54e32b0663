// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Space: the runs that were made and what they had of messages, and the runs that are still to be made. Knows no
// processes. A run still to be made is a set of decisions: what its parent had and that does not come after the
// wildcard that is now to get another message, and that. It is made only if no run had all of these: so each run is of
// other messages than all before it, and there are no more runs than there are ways in which messages can come.
#pragma once
#include "base/decision-list.h"

struct mck_decision {
  uint32_t rank, number;
  struct mck_message_name name;
};
struct mck_item {
  struct mck_decision *forced; // by rank, number
  size_t nforced;
  struct mck_decision last;    // what is new in it
  struct mck_message_name was; // ... what came in the parent instead
  long parent, depth;
};
struct mck_made { // a run
  long number, depth, parent;
  struct mck_choices choices;
  struct mck_decision last;
  struct mck_message_name was;
};
struct mck_space {
  struct mck_made *made;
  size_t nmade, made_capacity;
  struct mck_item *open; // a stack
  size_t nopen, open_capacity;
  uint64_t *tried; // hashes of decisions
  size_t ntried, tried_capacity;
  long max_depth, per_site, mixing; // 0: no bound
  uint64_t left_out;                // alternatives that a bound kept out
};
// A run with its choices, which the space takes over; its alternatives are open then. false: out of memory.
bool mck_space_add(struct mck_space *space, const struct mck_made *made);
// The next one to be made; to be freed. false: none is left.
bool mck_space_take(struct mck_space *space, struct mck_item *item);
void mck_space_note(struct mck_space *space, const struct mck_decision *forced, size_t n); // was made before
void mck_item_free(struct mck_item *item);
const struct mck_made *mck_space_find(const struct mck_space *space, long number);
