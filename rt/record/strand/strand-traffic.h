// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May messages have ordered two calls of different strands, which thread order leaves open (strand-traffic.c)? Under
// the lock.
#pragma once
#include "record/strand/strand-call.h"

uint64_t mck_traffic_tick(void);                          // the next moment in time
void mck_traffic_out(const struct mck_strand_call *call); // it may tell other processes something; now it begins
void mck_traffic_in(struct mck_moment moment);            // the calling strand may have been told something; just now
bool mck_traffic_is_out(uint16_t fn);
bool mck_traffic_is_in(uint16_t fn, const struct mck_args *a); // a: after the call
// May something that was sent out behind earlier have come in before now, the calling strand's call?
bool mck_traffic_may_order(const struct mck_strand_call *earlier, const struct mck_strand_call *now);
// The same where earlier must have returned: what its strand sends out next comes behind it.
bool mck_traffic_may_follow(const struct mck_strand_call *earlier, const struct mck_strand_call *now);
void mck_traffic_forget(void);
