// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judge: functions from logs to findings, without MPI (except in transport). MPI_Finalize calls it through exchange.c;
// mpirun-check and the watch call it through log-files.c. The algorithm has three steps, whatever moves the bytes.
//
//   1 index    of each rank's log alone: channels with their sends and posted receives (run-length encoded), the
//              collectives of each communicator, RMA operations, window accesses. It makes a parcel for each rank.
//   2 move     brings the parcels to the ranks that decide, in memory or by messages
//   3 decide   at the receiver of a message, at the first member of a communicator, at the target of an RMA operation
//
// Matching: the k-th send of a channel goes to the k-th posted receive that matched it (MPI-3.1 3.5;
// docs/design/matching.md).
#pragma once
#include "log/log.h"
#include "report/finding.h"

// What is known of how the run ended. It decides what follows from an absent event.
struct mck_judge_run {
  uint32_t size;    // ranks in MPI_COMM_WORLD
  bool is_complete; // all ranks reached MPI_Finalize, and all logs are whole: an absent event never happened
};
// Steps 1 to 3 over all logs in this process. logs[i] may be of any rank. A rank may lack its log: then is_complete
// must be false.
void mck_judge_logs(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run,
                    struct mck_findings *findings);
// The same by several threads, with the same findings in the same order. Returns which analyses of the whole run are
// needed for what could not be decided here (enum mck_whole_need).
unsigned mck_judge_logs_with(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run,
                             unsigned nthreads, struct mck_findings *findings);

// The single steps, for exchange.c and the tests.
struct mck_parcel {
  uint8_t *data;
  size_t size, capacity;
};
// Parcels to ranks, or from them. A rank has to do with few others, so those that have nothing to say to each other are
// not in the list. data NULL: the rank has no log.
struct mck_parcel_of {
  int rank;
  struct mck_parcel parcel;
};
struct mck_parcels {
  struct mck_parcel_of *items; // ascending by rank
  size_t count, capacity;
};
struct mck_judge;                                                               // the index of one rank
struct mck_judge *mck_judge_index(const struct mck_reader *log, uint32_t size); // NULL: out of memory
// The same for a log that was only opened: it is read as far as it is sound.
struct mck_judge *mck_judge_index_open(struct mck_reader *log, uint32_t size);
const struct mck_parcels *mck_judge_parcels(struct mck_judge *judge); // judge owns them; NULL: out of memory
// Decides what concerns this rank. from: what the ranks have sent to it. A malformed parcel is ignored with a finding
// "incomplete".
void mck_judge_decide(struct mck_judge *judge, const struct mck_parcels *from, const struct mck_judge_run *run,
                      struct mck_findings *findings);
void mck_judge_free(struct mck_judge *judge);
