// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collectives of reproduce.c.
#pragma once
#include "view/reproduce.h"

// The calls that belong together: by rank in the communicator.
struct mck_reproduce_meeting {
  size_t n;
  uint32_t *logs, *events;
};
// reproduce-meeting.c: the members of a COLL event. false: they are not all in the logs, or are two groups.
bool mck_reproduce_meeting_find(const struct mck_view *view, uint32_t log, uint32_t event,
                                struct mck_reproduce_meeting *meeting);
void mck_reproduce_meeting_free(struct mck_reproduce_meeting *meeting);
const char *mck_reproduce_collective(struct mck_reproduce *reproduce, const struct mck_reproduce_meeting *meeting);
const char *mck_reproduce_reduction(struct mck_reproduce *reproduce, const struct mck_reproduce_meeting *meeting);
