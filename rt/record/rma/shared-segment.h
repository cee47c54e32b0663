// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory windows: the segments of other ranks (shared-segment.c). Under the lock.
#pragma once
#include "object/object.h"

void mck_segments_share(struct mck_window *w, MPI_Win win, int rank); // w has just been made; rank: ours in it
void mck_segments_end(struct mck_window *w);
