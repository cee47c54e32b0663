// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a rank has stood still in one call, and doing what. That a call waits for somebody is known from the logs;
// that it waits at all, where the MPI library need not, is known only from its standing still while it has every chance
// to go on: it must have computed meanwhile (a process that is stopped, or gets no processor, or waits for a page of
// memory, has not looked for what it waits for).
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum mck_patience {
  MCK_PATIENCE_NONE,
  MCK_PATIENCE_SHORT, // long enough for an eager message to leave: a standard send that stands does not buffer
  MCK_PATIENCE_LONG,  // long enough for a collective over a file: and it read and wrote nothing meanwhile
};
struct mck_stillness {
  int64_t cpu_ns;     // of the process, when it was first seen in the call
  uint64_t transfers; // reads and writes, then
  bool is_known;
};
int64_t mck_patience_cpu(long pid);        // ns that the main thread has computed, -1: nobody knows
uint64_t mck_patience_transfers(long pid); // its reads and writes so far, + 1; 0: nobody knows
int64_t mck_patience_sleeps(long pid);     // how often it has waited for something, -1: nobody knows
// It runs, or is in a system call that does nothing but let time pass. False also when nobody knows.
bool mck_patience_is_dozing(long pid);
void mck_patience_begin(struct mck_stillness *still, long pid);
enum mck_patience mck_patience_of(struct mck_stillness *still, long pid, uint32_t looks);
enum { MCK_LOOKS_SHORT = 4, MCK_LOOKS_LONG = 20, MCK_LOOKS_ASLEEP = 40 };
