// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An empty message down a wide tree: each level adds one sleep, so there are to be few (a barrier has one for each doubling).
#include "judge/rest.h"
#include <time.h>

enum { CHILDREN = 64, TAG = 5 };
enum { SHORTEST = 30 * 1000, LONGEST = 400 * 1000 };  // ns

int mck_judge_rest(MPI_Comm comm) {
  int rank, size, is_there = 0, rc = MPI_SUCCESS;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  MPI_Request parent = MPI_REQUEST_NULL;
  if (rank) rc = PMPI_Irecv(NULL, 0, MPI_BYTE, (rank - 1) / CHILDREN, TAG, comm, &parent);
  for (long sleep = SHORTEST; rank && rc == MPI_SUCCESS && !is_there;) {
    rc = PMPI_Test(&parent, &is_there, MPI_STATUS_IGNORE);
    if (!is_there) nanosleep(&(struct timespec){.tv_nsec = sleep}, NULL);
    sleep = sleep * 3 / 2 < LONGEST ? sleep * 3 / 2 : LONGEST;
  }
  for (long child = (long)rank * CHILDREN + 1; rc == MPI_SUCCESS && child < size && child <= ((long)rank + 1) * CHILDREN; child++)
    rc = PMPI_Send(NULL, 0, MPI_BYTE, (int)child, TAG, comm);
  return rc;
}
