// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A right program that calls MPI all the time, for `rounds` rounds: it is ended, or runs short of something, anywhere.
// The kinds of calls take turns, so that each of them may be the last one.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static long exchange(MPI_Comm comm, int i) {
  int left = (rank + size - 1) % size, right = (rank + 1) % size, sent = i, got = -1;
  MPI_Request requests[2];
  MPI_Irecv(&got, 1, MPI_INT, left, i % 5, comm, &requests[0]);
  MPI_Isend(&sent, 1, MPI_INT, right, i % 5, comm, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  return got;
}

// Rank 0 takes what comes first; only the sum matters.
static long collect(MPI_Comm comm, int i) {
  int got = 0;
  long sum = 0;
  if (rank) MPI_Send(&i, 1, MPI_INT, 0, 9, comm);
  for (int k = 1; rank == 0 && k < size; k++)
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 9, comm, MPI_STATUS_IGNORE), sum += got;
  return sum;
}

static long put(MPI_Win win, int i) {
  int right = (rank + 1) % size, value = i;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
  MPI_Put(&value, 1, MPI_INT, right, rank, 1, MPI_INT, win);
  MPI_Win_unlock(right, win);
  return value;
}

static long reduce(MPI_Comm comm, int i) {
  long sum = i, all = 0;
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, copy);
  MPI_Comm_free(&copy);
  return all;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1000, *memory;
  long sum = 0;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(size * (MPI_Aint)sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  for (int i = 0; i < rounds; i++) {
    if (i % 16 < 12) sum += exchange(MPI_COMM_WORLD, i);
    else if (i % 16 < 14) sum += put(win, i);
    else if (i % 16 < 15) sum += collect(MPI_COMM_WORLD, i);
    else sum += reduce(MPI_COMM_WORLD, i);
  }
  MPI_Win_free(&win);
  if (rank == 0) printf("sum %ld\n", sum);
  MPI_Finalize();
}
