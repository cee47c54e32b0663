// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Log collection: the processes of an MPI job, on the nodes where logs lie, bring them into one directory of process 0.
// Each log travels once, whatever number of processes see it (on one node, or on a disk that nodes share).
#pragma once
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct mck_collection {
  uint32_t nranks; // 1 + the highest rank that any process sees a log of
  uint32_t nlogs;  // ranks with a log
  uint64_t bytes;  // of all files that have come
  uint32_t nbad;   // processes that could not read or write a file
};

// Collective over comm. dirs: where this process looks; one that is not there has no logs. to: process 0's own, empty.
// max: bytes of all logs; with more none is moved. Returns whether files have come.
bool mck_collect_logs(char *const *dirs, const char *to, uint64_t max, MPI_Comm comm, struct mck_collection *result);
