// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that come from data: does what a receive brings name a rank, or decide whether a call that names one is made,
// in any recompiled module? The objects bring the edges of a graph (struct mck_rank_edge, rt/abi.h). It is followed
// when a call stack of a receive is defined, with mck_lock held; nothing is done for other calls.
#pragma once
#include "base/base.h"

// number: of the receive.
bool mck_rank_flow_names(uint32_t number);
