// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the room share: the strand of each thread, and the lock. Recorders of synchronization take the
// lock; questions about order (thread-order.h) need none.
#pragma once
#include <stdatomic.h>
#include "thread/strand.h"

// The strand that runs on this thread. NULL: a thread that the program did not start, or one that waits in OpenMP's
// library: nothing is known of its order.
extern __thread struct mck_strand *mck_strand_self __attribute__((tls_model("initial-exec")));

void mck_thread_begin(void); // the calling thread is the first one of the program; done once
// The calling thread has the lock.
extern __thread bool mck_thread_is_inside __attribute__((tls_model("initial-exec")));
void mck_thread_lock(void);
void mck_thread_unlock(void);
void mck_thread_forked(void); // this process is a copy with one thread, which may have been made while another held it
static inline bool mck_thread_is_several(void) {
  return MCK_UNLIKELY(atomic_load_explicit(&mck_thread_is_parallel, memory_order_relaxed));
}
