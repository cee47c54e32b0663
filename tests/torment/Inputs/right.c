// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A right program of many kinds of calls: a vector type, nonblocking and wildcard receives, a window with a lock and
// with fences, collectives. With an argument it is wrong: a message is never received.
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = (rank + size - 1) % size, right = (rank + 1) % size, x[8] = {0}, y[8] = {0}, *memory;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Datatype type;
  MPI_Type_vector(3, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Win win;
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, comm, &memory, &win);
  MPI_Request requests[2];
  MPI_Irecv(x, 1, type, left, 3, comm, &requests[0]);
  MPI_Isend(y, 1, type, right, 3, comm, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 1; rank == 0 && i < size; i++)
    MPI_Recv(x, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, MPI_STATUS_IGNORE);
  if (rank != 0) MPI_Send(y, 1, MPI_INT, 0, 1, comm);
  if (rank != 0 && argc > 1) MPI_Send(y, 1, MPI_INT, 0, 2, comm);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
  MPI_Put(y, 1, MPI_INT, right, rank, 1, MPI_INT, win);
  MPI_Win_unlock(right, win);
  MPI_Win_fence(0, win);
  memory[5] = 1;
  MPI_Win_fence(0, win);
  MPI_Allreduce(MPI_IN_PLACE, x, 2, MPI_INT, MPI_SUM, comm);
  if (rank == 0) printf("sum %d\n", x[0]);
  MPI_Win_free(&win);
  MPI_Type_free(&type);
  MPI_Comm_free(&comm);
  MPI_Finalize();
}
