// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The space of decisions: the runs that were made, with the messages that each wildcard got in them, and the runs that
// are still open. It knows no processes.
//
// An open run is a set of decisions. One wildcard of its parent gets another message. Of the parent's other wildcards,
// those that do not come after this one keep their messages. The run is made only if no earlier run has all of these
// decisions. So each run differs from all before it in a message, and there are no more runs than there are ways in
// which messages can come.
#pragma once
#include "base/decision-list.h"

struct mck_decision {
  uint32_t rank, number;
  struct mck_message_name name;
};
struct mck_item {
  struct mck_decision *forced; // ordered by rank, then number
  size_t nforced;
  struct mck_decision last;    // the decision that the parent does not have
  struct mck_message_name was; // what this wildcard got in the parent
  long parent, depth;
};
struct mck_made { // a run that was made
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
  uint64_t left_out;                // how many other messages a bound has left out
};
// Adds a run with its choices, which the space owns from then on. Its other messages become open runs. Returns false
// when out of memory.
bool mck_space_add(struct mck_space *space, const struct mck_made *made);
// Takes the next open run, which the caller frees. Returns false when none is left.
bool mck_space_take(struct mck_space *space, struct mck_item *item);
void mck_space_note(struct mck_space *space, const struct mck_decision *forced, size_t n); // these were tried before
void mck_item_free(struct mck_item *item);
const struct mck_made *mck_space_find(const struct mck_space *space, long number);
