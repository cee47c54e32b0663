// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When all memory is watched. An access may come before the operation that it is in conflict with, so nothing is marked
// yet. While several strands live, all accesses are signalled therefore, as long as that is cheap: some ten thousand at
// the first parallel region, which is all that short programs have, and a sample of them later, twice a second.
#pragma once
#include "base/base.h"

extern _Atomic bool mck_access_sample_is_on;
void mck_access_sample_begin(void); // several strands live, or are about to; on any thread, without the room's lock
void mck_access_sample_spend(void); // an access was signalled; under the lock
void mck_access_sample_watch(void); // rt/thread tells from now on
