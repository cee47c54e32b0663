// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Later receive: a wildcard receive that gets another message leaves the one that it got in the run to a later receive.
// That one has its own room and type. Source of the assumption that all ranks go on as in the run: prediction/
// (match-search.h).
#pragma once
#include "judge/whole/whole.h"
#include "log/signature.h"

struct mck_later {
  struct mck_pair receive, message; // this receive would get this message; receive.log MCK_NONE: all fit
  bool is_too_large;                // it has no room; else: it has another type
};
// receive got one message in the run, and could have got the other one. steps: how many calls may be looked at; those
// that were are taken from it.
struct mck_later mck_later_find(const struct mck_whole *whole, const struct mck_signatures *types,
                                struct mck_pair receive, struct mck_pair got, struct mck_pair other, uint32_t *steps);
