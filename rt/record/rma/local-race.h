// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to buffers in use that may prove legal when the call completes (local-race.c). Under the lock.
#pragma once
#include "object/object.h"

extern unsigned mck_naccused;
void mck_accused_add(const struct mck_buffer *b, uint32_t site, uint32_t flags); // MCK_SIGNAL_*, MCK_PIECES_FREED
void mck_accused_end(const struct mck_buffer *b, uint32_t site, uint16_t fn);    // fn 0: a completion of requests
