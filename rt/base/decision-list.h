// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decision list: the reader of a file of decisions (docs/formats/decisions.md; judge/message/decision-file.c writes
// it). The runtime uses it for a replay, mpirun-check for an exploration.
#pragma once
#include "base/base.h"

struct mck_message_name {
  int source, tag; // source: rank in the communicator of the receive; tag -1: any
};
// One wildcard receive or probe: the message that it got, and those that it could have got.
struct mck_choice {
  uint32_t rank, number; // it is the number-th (from 1) that this rank posted
  struct mck_message_name got;
  uint32_t site;             // the place in the program, in this rank's log
  uint32_t component, value; // events with a clock above value in this component come after it ...
  uint32_t *witnesses;       // ... or above the second number of a pair, in the component that is the first
  size_t nwitnesses;
  uint32_t *clock; // nclock components: the clock of the events before its match
  uint32_t nclock;
  uint32_t *behind; // wildcards of this rank whose match came before this one, nearest first
  size_t nbehind;
  struct mck_message_name *others;
  size_t nothers;
};
enum { MCK_BEHIND_MAX = 256 }; // so many are listed; wildcards farther away count as behind
struct mck_choices {
  struct mck_choice *items;
  size_t count, capacity;
  uint32_t ranks;
  bool is_whole, is_incomplete, is_impossible; // is_whole: the last line is there
  bool has_orders;                             // requests could have completed in another order
};
// Returns 0 or an errno; EINVAL: this is no file of decisions.
int mck_choices_read(struct mck_choices *choices, const char *path);
void mck_choices_free(struct mck_choices *choices);
// Must other, of the same run, come after the match of one? Then other may differ in a run in which one gets another
// message.
bool mck_choices_is_after(const struct mck_choice *one, const struct mck_choice *other);
const struct mck_choice *mck_choices_find(const struct mck_choices *choices, uint32_t rank,
                                          uint32_t number); // NULL: there is none
// Parses "RANK:NUMBER=SOURCE[:TAG]"; end points behind it. Returns false where the text is something else.
bool mck_choices_parse(const char *text, struct mck_choice *choice, const char **end);
