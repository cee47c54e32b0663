// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices: a file of decisions, read (docs/formats/decisions.md; written by judge/message/decision-file.c). Used by the
// runtime that replays it and by mpirun-check that explores.
#pragma once
#include "base/base.h"

struct mck_message_name {
  int source, tag; // source: rank in the communicator of the receive; tag -1: any
};
// What came to one wildcard receive or probe, and what could have come.
struct mck_choice {
  uint32_t rank, number; // the number-th (from 1) that this rank posted
  struct mck_message_name got;
  uint32_t site;             // the place in the program, of this rank
  uint32_t component, value; // what has a clock above value there comes after it ...
  uint32_t *witnesses;       // ... or above the second of one of these pairs at the first
  size_t nwitnesses;
  uint32_t *clock; // nclock: of what came before its match
  uint32_t nclock;
  uint32_t *behind; // numbers of this rank whose match came before this one, nearest first
  size_t nbehind;
  struct mck_message_name *others;
  size_t nothers;
};
enum { MCK_BEHIND_MAX = 256 }; // so many are told; those that are farther away count as behind
struct mck_choices {
  struct mck_choice *items;
  size_t count, capacity;
  uint32_t ranks;
  bool is_whole, is_incomplete, is_impossible; // whole: the last line is there
  bool has_orders;                             // requests could have been found complete in another order
};
// 0, or an errno; EINVAL: not such a file.
int mck_choices_read(struct mck_choices *choices, const char *path);
void mck_choices_free(struct mck_choices *choices);
// Must other, of the same run, come after one has its message? Then a run in which one gets another message owes it
// nothing.
bool mck_choices_is_after(const struct mck_choice *one, const struct mck_choice *other);
const struct mck_choice *mck_choices_find(const struct mck_choices *choices, uint32_t rank,
                                          uint32_t number); // NULL: none
// "RANK:NUMBER=SOURCE[:TAG]"; end: behind it. false: not so.
bool mck_choices_parse(const char *text, struct mck_choice *choice, const char **end);
