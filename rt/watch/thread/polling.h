// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polling: ranks that test and probe, find nothing, and do nothing else. Such a loop is no wait, since the program may
// leave it for its own reasons. It counts as a wait only when, for long, the process has made no other MPI call and had
// no time for anything between two polls, and only for a note unless recompiled code says that nothing but MPI can end
// the loop (abi.h). A process that computes, reads, or calls MPI_Wtime is not polling in this
// sense. A process that sleeps between polls must have done so six times as long, must have read and written nothing,
// and must never have been found in another system call that waits.
#pragma once
#include "log/log.h"
#include "watch/watch.h"

struct mck_polling {
  uint64_t units, polls, others; // of the header at the last look; others: the calls that are no polls
  uint32_t npolls;
  uint32_t looks;           // looks that found it polling and doing nothing else
  int64_t since_ns, cpu_ns; // when it began; the processor time of the process then
  uint64_t polls_then;
  int64_t cpu_then;  // at the last look
  int64_t turns;     // how often the process had got a processor when it began
  uint64_t open;     // of the header, at the last look
  int64_t closed_ns; // since then it has been in one closed loop
  // For a process that sleeps between polls.
  int64_t sleeps;     // the number of sleeps when it began
  uint64_t transfers; // its reads and writes then
  bool is_elsewhere;  // it was found in a call that waits for something other than time
};
// Takes a look. The rank polls when it has polled for limit_ns and done nothing else.
enum mck_polls mck_polling_look(struct mck_polling *p, const struct mck_log_header *h, int64_t now_ns,
                                int64_t limit_ns);
// What has become of it since the last look, which found was.
enum mck_polls mck_polling_again(const struct mck_polling *p, const struct mck_log_header *h, enum mck_polls was);
