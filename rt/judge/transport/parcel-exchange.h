// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parcel exchange: moves parcels between ranks over PMPI, by the algorithm NBX of Hoefler, Siebert, Lumsdaine,
// "Scalable Communication Protocols for Dynamic Sparse Data Exchange".
//
// A rank does not know which ranks send to it. It sends synchronously to those that it has something for. When its
// sends have arrived, it enters a nonblocking barrier, and it is done when the barrier is. The work grows with the
// number of partners and O(log P), not with O(P) as in MPI_Alltoallv.
#pragma once
#include <mpi.h>
#include "judge/judge.h"

// Collective over comm. to: NULL: nothing; from: empty; what has come (mck_parcels_free). If a rank could not receive
// all its parcels, or gives is_complete false, it becomes false on all ranks. Returns 0 or an MPI error code.
int mck_judge_move(const struct mck_parcels *to, struct mck_parcels *from, MPI_Comm comm, bool *is_complete);

// Counters for the tests of scaling: the pieces sent and received by this rank, and the bytes received.
struct mck_moved {
  uint64_t pieces, bytes;
};
struct mck_moved mck_judge_moved(void);
