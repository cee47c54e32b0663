// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves parcels between ranks over PMPI. A rank sends to those that it has something for and is done when all that
// comes to it is there, though it does not know from whom: Hoefler, Siebert, Lumsdaine, "Scalable Communication
// Protocols for Dynamic Sparse Data Exchange" (NBX): synchronous sends, and a nonblocking barrier that a rank enters
// when its own have arrived. Work is that of the own partners and O(log P), not O(P) as in MPI_Alltoallv.
#pragma once
#include <mpi.h>
#include "judge/judge.h"

// Collective over comm. to: size parcels, or NULL: nothing; from: size, zeroed; allocated here (mck_parcels_free). A
// rank that could not take all of what came, or has is_complete false, makes it false on all of them. 0 or an MPI error
// code.
int mck_judge_move(const struct mck_parcel *to, struct mck_parcel *from, int size, MPI_Comm comm, bool *is_complete);

// Counted for the tests of scaling: pieces sent and received by this rank, their bytes.
struct mck_moved {
  uint64_t pieces, bytes;
};
struct mck_moved mck_judge_moved(void);
