// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes of which several threads may call MPI: does each of their threads wait? Their slots say for what
// (base/thread-slot.h). A thread that waits may have been woken already, and only not run yet. So each thread must be
// seen twice as one that is still waiting: it sleeps, or it has computed for long and found nothing. The second round
// begins when the first one is over. Then nobody can be about to wake another one (docs/design/watch.md).
#pragma once
#include "watch/watch.h"

enum { MCK_THREADS_MAX = MCK_THREAD_SLOTS + 1 };
struct mck_thread_looks { // of one process
  uint64_t picture;
  uint32_t rounds;
  bool is_progressing; // some thread has computed in its MPI call: the library has looked for messages
  struct mck_thread_round {
    int64_t cpu_ns, turns; // -1: unknown
    bool is_over;
  } of[MCK_THREADS_MAX];
};

// May other threads than the main one call MPI, or have they done so? Not below MPI_THREAD_MULTIPLE.
bool mck_threads_are_several(const struct mck_log_header *h);
uint32_t mck_threads_count(const struct mck_log_header *h); // those that are followed, but for the main one
// A number for what all threads wait for; 0: one of them does not wait.
uint64_t mck_threads_picture(const struct mck_log_header *h);
// Once a look, with the picture. Returns true when all threads have been seen waiting for long enough.
bool mck_threads_look(struct mck_thread_looks *looks, const struct mck_log_header *h, uint64_t picture);
// What they wait for. Returns the number; 0: something that is not a thread of the process may wake one of them.
uint32_t mck_threads_list(const struct mck_log_header *h, struct mck_thread_wait waits[MCK_THREADS_MAX]);
