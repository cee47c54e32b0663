// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the memory of a window lives. Memory that the program gave to MPI_Win_create must stay until MPI_Win_free
// has returned (MPI-3.1 11.2.5), and memory that it attached to a dynamic window until MPI_Win_detach (11.2.4): heap
// blocks must not be freed (heap.c asks), mapped memory must not be unmapped (recompiled code says when it is), and
// functions whose local variables they are must not return (the next call by a function that goes on finds it;
// recompiled code says where blocks end). Many programs free the memory right before MPI_Win_free, when all is over. So
// it is an error when a window is synchronized again whose memory was freed, and a warning when only MPI_Win_free or
// MPI_Win_detach follows. If other ranks access it meanwhile or later, the judge says so (rt/rma/freed-memory.c).
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "record/call/call.h"

struct mck_window;
void mck_lifetime_begin(struct mck_call *call, const struct mck_window *w, const char *base, uint64_t size);
void mck_lifetime_check(struct mck_call *call, const struct mck_window *w);
// MPI_Win_free or MPI_Win_detach is about to end the window's use of its memory. base NULL: of all of it.
void mck_lifetime_check_end(struct mck_call *call, const struct mck_window *w, const char *base);
void mck_lifetime_end(const struct mck_window *w, const char *base); // NULL: all of its memory

// The heap blocks of windows begin in [low, low + span]; low UINTPTR_MAX: there are none. Each free reads this
// without the lock. watch_all: all frees are of interest (record/strand/lasting-memory.h).
extern uintptr_t mck_lifetime_low, mck_lifetime_span;
void mck_lifetime_watch_all(bool is_watching);
void mck_lifetime_freed(const void *block, const void *pc, const void *frame);
void mck_lifetime_freed_in(const struct mck_call *call, const void *block); // by MPI_Free_mem
// Local variables of the calling thread's functions. The call's frame lies above one that was the lowest: what belonged
// to a function that has returned is freed. Returns where the lowest one ends that is left, UINTPTR_MAX: there is none.
// call NULL: nothing is looked at but that.
uintptr_t mck_lifetime_leave(struct mck_call *call);
// The block of a local variable ends, which lies in [low, high); under the lock.
void mck_lifetime_block(const char *low, const char *high, const void *pc, const void *frame);
static inline bool mck_lifetime_is_near(const void *block) {
  return __builtin_expect((uintptr_t)block - __atomic_load_n(&mck_lifetime_low, __ATOMIC_RELAXED) <=
                              __atomic_load_n(&mck_lifetime_span, __ATOMIC_RELAXED),
                          0);
}
