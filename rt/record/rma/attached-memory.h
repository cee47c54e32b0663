// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is attached to dynamic windows (MPI-3.1 11.2.4). It is window memory from MPI_Win_attach until
// MPI_Win_detach, or until the window is freed. Loads and stores there are noted for the judge with their addresses,
// since these are the displacements in such windows. All calls are made under the lock.
#pragma once
#include <stdint.h>

struct mck_window;
struct mck_pieces;
extern unsigned mck_nattached;                            // pieces of memory in dynamic windows
void mck_attached_touch(const struct mck_pieces *pieces); // notes what of the pieces is attached
// Visits the parts of [low, high) that are attached to w, upwards.
void mck_attached_each(const struct mck_window *w, const char *low, const char *high,
                       void (*visit)(void *context, const char *low, const char *high), void *context);
void mck_attached_end(struct mck_window *w);
// The number of pieces that share memory with [low, high), without those that are watched as windows.
int mck_attached_in(const char *low, const char *high);
// shared-segment.c: a window that writes for another one; NULL: there are too many.
struct mck_window *mck_segment_take(const struct mck_window *of, char *base, uint64_t size);
void mck_segment_end(struct mck_window *segment);
