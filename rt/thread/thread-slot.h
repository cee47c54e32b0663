// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slot of each thread that is followed, and what it waits for (base/thread-slot.h). A wait costs two stores, and
// its end one.
#pragma once
#include <stdbool.h>
#include "base/thread-slot.h"

void mck_slot_claim(bool is_worker); // for the calling thread, if it has none; takes the room's lock
void mck_slot_release(void);         // the calling thread ends
// The slot of the calling thread, + 1; 0: it has none.
extern __thread uint32_t mck_slot_own __attribute__((tls_model("initial-exec")));
// From now on the slots are there (MPI_Init; once). What threads wait for now is not taken along.
void mck_slots_move(struct mck_thread_slot *slots);
void mck_slots_forked(void);

void mck_slot_note_handler(void); // the program has installed a signal handler

void mck_slot_begin(enum mck_slot_wait what, uint64_t object);
void mck_slot_end(void);
// For a thread that goes on with something else, and comes back to its wait: what it waits for, to be put back.
struct mck_slot_state {
  uint32_t what;
  uint64_t object;
};
struct mck_slot_state mck_slot_state(void);
void mck_slot_restore(struct mck_slot_state state);
