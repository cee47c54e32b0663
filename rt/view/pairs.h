// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs: which send met which receive, event by event. The rule and its limits are the judge's (docs/design/judge.md):
// the k-th send of a channel goes to the k-th posted receive that matched it; behind a wildcard receive whose match is
// not known nothing is said of the channels that it accepts. The judge itself keeps only runs of like messages, from
// which events cannot be named.
#pragma once
#include "view/view.h"

struct mck_pair {
  uint32_t log, index;
};  // of the other side; log MCK_NONE: none, or not known
struct mck_pairs {
  struct mck_pair **of;   // [log][index]; set for SEND, RECV, MPROBE
  uint64_t matched, lost;  // messages; sends whose receive was not found
};
// false: out of memory; free it all the same.
bool mck_pairs_make(struct mck_pairs *pairs, const struct mck_view *view);
void mck_pairs_free(struct mck_pairs *pairs, const struct mck_view *view);
