// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rerun: the logs of a run once more, in a world where standard sends wait for their receives as synchronous ones do
// (MPI-3.1 3.4: an implementation is free not to buffer). The matches are those of the run. Each log goes as far as it
// can; what waits for another log's event is resumed when that is entered. When nobody can go on, standstill.c says who
// waits for whom, and some standard sends are let go: any library may buffer them, so what follows is a run that may
// happen, too. Linear in events: each waits once.
//
// An event waits only for what it must wait for whatever the library does; where we do not know, it does not wait. So
// logs may get farther than they could, and a cycle that is found is one of true dependencies all the same
// (docs/design/unsafe-sends.md).
#pragma once
#include "judge/whole/whole.h"
#include "order/waiting-logs.h"

struct mck_rerun_met {
  uint32_t index;
  struct mck_pair met;
}; // nonblocking collective: where it is in its series
struct mck_rerun_log {
  const struct mck_reader *reader;
  uint64_t at;      // the event at hand
  uint64_t reached; // units of events that were entered; all when it is done
  uint32_t part;    // of it: what is asked next
  bool is_done;
  bool is_simple;      // a blocking send or receive: when it is woken it goes on
  bool is_free;        // standard sends that the event at hand waits for are buffered
  bool has_wild;       // wildcard receives or probes
  uint32_t unfinished; // the event within which the log ends
  uint32_t half;       // the SEND of the last MPI_Sendrecv
  uint32_t any;        // the last WAIT for any or some that was entered
  struct mck_pair met; // of the blocking collective at hand
  struct mck_rerun_met *met_later;
  size_t nmet, met_capacity; // by index
  bool is_waiting;           // in a list of waits
  uint32_t *buffered;
  size_t nbuffered, buffered_capacity; // sites whose sends are always let go, sorted
};
struct mck_rerun {
  const struct mck_whole *whole;
  struct mck_meet meet;
  struct mck_waits waits;
  struct mck_rerun_log *logs;
  size_t n;
  uint32_t *by_rank;
  uint32_t size; // [world rank]: log, or MCK_NONE
  uint32_t *ready;
  size_t nready;
  bool is_synchronizing; // blocking collectives end when all have entered (option)
  bool is_short;         // out of memory
  uint64_t steps;        // what the linearity test counts
};

// What an operation still lacks.
enum mck_rerun_lack {
  MCK_LACKS_NOTHING, // it can complete, or nothing is known
  MCK_LACKS_EVENT,   // the event *of must be entered
  MCK_LACKS_MEMBERS, // of the meeting *of: members that it needs have not entered
};
// op: event of log that was entered. is_standard: only because it is a standard send that waits.
enum mck_rerun_lack mck_rerun_ask(struct mck_rerun *rerun, uint32_t log, uint32_t op, struct mck_pair *of,
                                  bool *is_standard);
// The operations that end with the event at hand; op MCK_NONE: nothing is known of it. False: there is no k-th.
bool mck_rerun_part(const struct mck_rerun *rerun, uint32_t log, uint32_t k, uint32_t *op);
// Needed by the event, and not there: member in this slot of a series.
bool mck_rerun_misses(struct mck_rerun *rerun, uint32_t log, uint32_t op, struct mck_pair met, size_t slot);
static inline bool mck_rerun_is_entered(const struct mck_rerun *rerun, uint32_t log, uint32_t index) {
  return index < rerun->logs[log].reached;
}

// Runs until nobody can go on or all are done; then at (called with all who wait) lets some go, by mck_rerun_release,
// and returns whether it did.
typedef bool mck_rerun_stuck(struct mck_rerun *rerun, void *context);
bool mck_rerun_run(struct mck_rerun *rerun, const struct mck_whole *whole, bool is_synchronizing,
                   mck_rerun_stuck *stuck,
                   void *context);                             // false: out of memory
void mck_rerun_release(struct mck_rerun *rerun, uint32_t log); // the standard sends that its event waits for
bool mck_rerun_buffer(struct mck_rerun *rerun, uint32_t log,
                      uint32_t site); // all of this site from now on; false: known already
