// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judge: functions from logs to findings, without MPI (except exchange.c). Called in MPI_Finalize through exchange.c,
// by mpirun-check and the watch through log-files.c. One algorithm, three steps, whoever moves the bytes:
//   1 index    each rank's log, alone: channels with their sends and posted receives (run-length encoded), collectives
//   per communicator,
//              RMA operations and window accesses; makes one parcel of bytes per destination rank
//   2 move     parcels to the rank that decides (memory, or MPI_Alltoallv in bulk)
//   3 decide   at the receiver of a message, at a communicator's first member, at an RMA target
// Matching: the k-th send of a channel goes to the k-th posted receive that matched it (MPI-3.1 3.5; DESIGN section 1).
#pragma once
#include "log/log.h"
#include "report/finding.h"

// What is known of how the run ended; decides what absence of an event may mean.
struct mck_judge_run {
  uint32_t size;    // ranks in MPI_COMM_WORLD
  bool is_complete; // all ranks reached MPI_Finalize and all logs are whole: what is missing never happened
};
// Steps 1-3 over all logs in this process. logs[i] may be of any rank; a rank without a log is simply missing (then
// is_complete must be false).
void mck_judge_logs(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run,
                    struct mck_findings *findings);
// By several threads; the same findings in the same order.
void mck_judge_logs_with(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run, unsigned nthreads,
                         struct mck_findings *findings);

// Step by step, for exchange.c and the tests.
// data NULL: the rank has no log. Of one that has nothing to say it is mck_parcel_nothing (parcel.h).
struct mck_parcel {
  uint8_t *data;
  size_t size, capacity;
};
struct mck_judge;                                                               // one rank's index
struct mck_judge *mck_judge_index(const struct mck_reader *log, uint32_t size); // NULL: out of memory
struct mck_judge *mck_judge_index_open(struct mck_reader *log,
                                       uint32_t size); // of one that was only opened: it is read as far as it is sound
struct mck_parcel *mck_judge_parcels(struct mck_judge *judge); // size parcels, [rank]; owned by judge
// Decides what concerns this rank, given the parcels of all ranks for it (from[r], malformed ones are ignored with a
// finding "incomplete").
void mck_judge_decide(struct mck_judge *judge, const struct mck_parcel *from, const struct mck_judge_run *run,
                      struct mck_findings *findings);
void mck_judge_free(struct mck_judge *judge);
