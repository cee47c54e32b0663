// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that test and probe, find nothing, and do nothing else. Such a loop is no wait: the program may leave it for
// reasons of its own. It is taken for one only when for long the process has made no other MPI call and has had no time
// for anything between two polls: who computes, reads, or looks at the clock by MPI_Wtime is not polling in
// this sense. Whoever sleeps between polls has shown that time is no matter: it must have done so six times as long,
// have read and written nothing, and never been seen in any other system call that waits.
#pragma once
#include "log/log.h"

struct mck_polling {
  uint64_t units, polls, others; // of the header, at the last look; others: calls that were no polls
  uint32_t npolls;
  uint32_t looks;           // that have seen it poll and do nothing else
  int64_t since_ns, cpu_ns; // when it began, what the process had computed then
  uint64_t polls_then;
  // Of one that sleeps between polls.
  int64_t sleeps;     // how often, when it began
  uint64_t transfers; // its reads and writes, then
  bool is_elsewhere;  // it was seen in a call that waits for something else than time
};
// One look; true: it has polled for limit_ns and done nothing else.
bool mck_polling_look(struct mck_polling *p, const struct mck_log_header *h, int64_t now_ns, int64_t limit_ns);
bool mck_polling_is_same(const struct mck_polling *p, const struct mck_log_header *h); // since the last look
