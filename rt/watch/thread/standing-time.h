// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a rank has stood still in one call, and what it did. The logs show for whom a call waits. Where the MPI
// library need not wait, only standing still shows that it does. The process must have had the chance to go on: it must
// have computed meanwhile. A process that is stopped, gets no processor, or waits for a page has not looked for its
// message.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum mck_patience {
  MCK_PATIENCE_NONE,
  MCK_PATIENCE_SHORT, // long enough for an eager message to leave: a standard send that stands still is not buffered
  MCK_PATIENCE_LONG,  // long enough for a collective over a file, and it read and wrote nothing meanwhile
};
struct mck_stillness {
  int64_t cpu_ns;     // of the main thread, at the first look that found it in the call
  uint64_t transfers; // reads and writes at that look
  bool is_known;
};
int64_t mck_patience_cpu(long pid);        // the processor time of the main thread in ns; -1: unknown
int64_t mck_patience_turns(long pid);      // how often it has got a processor; -1: unknown
uint64_t mck_patience_transfers(long pid); // its reads and writes so far, + 1; 0: unknown
int64_t mck_patience_sleeps(long pid);     // how often it has waited for something; -1: unknown
// The program handles signals, beside those that end a process. True also when unknown.
bool mck_patience_has_handlers(long pid);
// It runs, or is in a system call that only waits for time to pass. False also when unknown.
bool mck_patience_is_dozing(long pid);
bool mck_patience_is_asleep(long pid); // in a system call that lasts; not stopped, nor about to run
void mck_patience_begin(struct mck_stillness *still, long pid);
enum mck_patience mck_patience_of(struct mck_stillness *still, long pid, uint32_t looks);
enum { MCK_LOOKS_SHORT = 4, MCK_LOOKS_LONG = 20, MCK_LOOKS_ASLEEP = 40 };
