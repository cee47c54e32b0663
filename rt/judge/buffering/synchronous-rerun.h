// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rerun: passes over the logs of a run once more, as if each standard send waited for its receive like a synchronous
// one (MPI-3.1 3.4: an implementation is free not to buffer).
//
// The matches are those of the run. Each log goes as far as it can. A log that waits for an event of another log goes
// on when that event is entered. When no log can go on, standstill.c finds out who waits for whom, and some standard
// sends are released. Any library may buffer these, so the rest of the rerun is a possible run, too. Collectives are
// taken to synchronize (MPI-3.1 5.14), and released in the same way. The time is linear in the number of events,
// because each event waits once.
//
// An event waits only for what it must wait for with every library. Where that is not known, it does not wait. So logs
// may get farther than they could, but a cycle that is found consists of true dependencies
// (docs/design/unsafe-sends.md).
#pragma once
#include "judge/whole/whole.h"
#include "order/waiting-logs.h"

// The place of a nonblocking collective in its series.
struct mck_rerun_met {
  uint32_t index;
  struct mck_pair met;
};
struct mck_rerun_log {
  const struct mck_reader *reader;
  uint64_t at;      // the current event
  uint64_t reached; // units up to here are entered; UINT64_MAX when the log is done
  uint32_t part;    // the part of the current event that is asked next
  bool is_done;
  bool is_simple;      // a blocking send or receive: the log goes on when it is woken
  bool is_free;        // the standard sends that the current event waits for are buffered; a collective does not
                       // synchronize
  bool has_wild;       // the log has wildcard receives or probes
  uint32_t unfinished; // the event within which the log ends
  uint32_t half;       // the SEND of the last MPI_Sendrecv
  uint32_t any;        // the last entered WAIT for any or some
  struct mck_pair met; // the place of the current blocking collective
  struct mck_rerun_met *met_later;
  size_t nmet, met_capacity; // ascending by index
  bool is_waiting;           // the log is in a list of waiting logs
  uint32_t *buffered;
  size_t nbuffered, buffered_capacity; // the sites whose sends and collectives are always released, ascending
};
struct mck_rerun {
  const struct mck_whole *whole;
  struct mck_meetings meetings;
  struct mck_waiting_logs waits;
  struct mck_rerun_log *logs;
  size_t n;
  uint32_t *by_rank;
  uint32_t size; // [world rank]: log, or MCK_NONE
  uint32_t *ready;
  size_t nready;
  bool is_synchronizing; // blocking collectives end when all members have entered, as they may (MPI-3.1 5.14)
  bool is_short;         // out of memory
  uint64_t steps;        // counted for the test of linear time
};

// What an operation lacks.
enum mck_rerun_lack {
  MCK_LACKS_NOTHING, // nothing: it can complete, or nothing is known of it
  MCK_LACKS_EVENT,   // the event *of is not entered
  MCK_LACKS_MEMBERS, // members of the meeting *of that it needs are not there
};
// op: an entered event of the log. is_standard: it waits only because it is a standard send.
enum mck_rerun_lack mck_rerun_ask(struct mck_rerun *rerun, uint32_t log, uint32_t op, struct mck_pair *of,
                                  bool *is_standard);
// Does the log's event wait for members of a collective only because collectives are taken to synchronize?
bool mck_rerun_assumes(struct mck_rerun *rerun, uint32_t log);
// Is this a blocking collective that is taken to synchronize, and was not released?
bool mck_rerun_synchronizes(const struct mck_rerun *rerun, uint32_t log, uint32_t op);
// The k-th operation that ends with the current event; op MCK_NONE: nothing is known of it. Returns false when there is
// no k-th.
bool mck_rerun_part(const struct mck_rerun *rerun, uint32_t log, uint32_t k, uint32_t *op);
// Does the event need the member in this slot of a series, and is that member not there?
bool mck_rerun_misses(struct mck_rerun *rerun, uint32_t log, uint32_t op, struct mck_pair met, size_t slot);
static inline bool mck_rerun_is_entered(const struct mck_rerun *rerun, uint32_t log, uint32_t index) {
  return index < rerun->logs[log].reached;
}

// Runs until no log can go on, or all are done. When no log can go on, stuck is called. It releases some logs with
// mck_rerun_release, and returns whether it did. mck_rerun_run returns false when out of memory.
typedef bool mck_rerun_stuck(struct mck_rerun *rerun, void *context);
bool mck_rerun_run(struct mck_rerun *rerun, const struct mck_whole *whole, bool is_synchronizing,
                   mck_rerun_stuck *stuck, void *context);
// Releases the standard sends that the log's event waits for, or its collective.
void mck_rerun_release(struct mck_rerun *rerun, uint32_t log);
// Releases all sends and collectives of this site from now on. Returns false when they were released before.
bool mck_rerun_buffer(struct mck_rerun *rerun, uint32_t log, uint32_t site);
