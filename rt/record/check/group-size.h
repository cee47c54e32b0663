// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranks a call means, and lengths that no parameter gives. A length is 0 when the communicator is unknown or
// wrong.
#pragma once
#include "record/call/call-args.h"

bool mck_is_root(const struct mck_args *a);           // of comm; MPI_ROOT in an intercommunicator
bool mck_is_rank(const struct mck_args *a, int rank); // we are rank of comm
int mck_peers(const struct mck_args *a);              // ranks that one can send to
int mck_members(const struct mck_args *a);            // of our own group
int mck_sources(const struct mck_args *a);            // neighbors of comm's topology
int mck_destinations(const struct mck_args *a);
// Of those neighbors, a bit each: the ones beyond the border of a grid are MPI_PROC_NULL, and their blocks "neither
// communicated nor updated" (MPI-3.1 7.6).
uint64_t mck_absent(MPI_Comm comm);
bool mck_is_sending(const struct mck_args *a); // to any neighbor
int mck_cartdims(const struct mck_args *a);
