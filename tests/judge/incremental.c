// RUN: rm -rf %t.d && mkdir %t.d && %mpicc-check %s -o %t.d/run
// RUN: %expect66 %mpirun-check --check-options log_budget=4096:buffering=0:clocks=off:report=%t.d/whole -n 4 %t.d/run
// RUN: %expect66 %mpirun-check --keep-logs --check-options log_budget=0:buffering=0:clocks=off:log_dir=%t.d:report=%t.d/cut -n 4 %t.d/run
// RUN: %expect66 %mpirun-check --check-options buffering=0:clocks=off --judge %t.d/mpicc-check-* 2> %t.d/judged
// RUN: cmp %t.d/whole %t.d/cut && tail -n +2 %t.d/whole | cmp - %t.d/judged && FileCheck %s < %t.d/cut
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run whose logs are recycled at every barrier has the findings of a whole one, at the end and from the files. What is
// pending at a cut (requests of all kinds, wildcard receives, probed messages, open epochs) is found again behind it.
// Unsafe sends, of which it has some, are looked for in the first events of a log alone.
#include <mpi.h>

enum { TURNS = 40 };

int main(int argc, char **argv) {
  int rank, size, value[8] = {0}, got[8] = {0}, other[2] = {0}, five[5], memory[4] = {0}, flag = 0;
  _Alignas(float) char real[sizeof(float)] = {0};   // may hold anything
  MPI_Request requests[3], persistent;
  MPI_Message message;
  MPI_Status status;
  MPI_Win win;
  MPI_Comm side;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Comm_dup(MPI_COMM_WORLD, &side);
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Recv_init(got, 1, MPI_INT, left, 7, MPI_COMM_WORLD, &persistent);
  // CHECK-DAG: ERROR [message.lost] message of 3 MPI_INT is never received
  if (rank == 0) MPI_Send(value, 3, MPI_INT, 1, 99, MPI_COMM_WORLD);
  // CHECK-DAG: ERROR [message.lost] message of 5 MPI_INT is never received
  // CHECK-DAG: rank 3 posts only 40 receives from rank 2 with tag 5
  if (rank == 2) MPI_Send(value, 5, MPI_INT, 3, 5, MPI_COMM_WORLD);
  MPI_Win_fence(0, win);
  for (int turn = 0; turn < TURNS; turn++) {
    MPI_Start(&persistent);
    MPI_Irecv(got + 1, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(got + 2, 1, MPI_INT, left, MPI_ANY_TAG, side, &requests[1]);
    MPI_Isend(value, 1, MPI_INT, right, 9, side, &requests[2]);
    if (turn % 3 == 0) MPI_Put(&rank, 1, MPI_INT, right, rank, 1, MPI_INT, win);
    if (rank == 0) MPI_Send(value, 1, MPI_INT, 3, 6, MPI_COMM_WORLD);
    if (rank == 2) MPI_Send(value, 5, MPI_INT, 3, 5, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 3) {
      MPI_Mprobe(0, 6, MPI_COMM_WORLD, &message, &status);
      MPI_Recv(five, 5, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    // CHECK-DAG: ERROR [type.mismatch] MPI_FLOAT is sent where MPI_INT is received
    // CHECK-DAG: on rank 2, 2 times
    // CHECK-DAG: MPI_Send from rank 1  {{.*}}incremental.c:[[#@LINE+1]] in main
    if (turn == 0 || turn == TURNS - 1) MPI_Send(real, 1, rank == 1 ? MPI_FLOAT : MPI_INT, right, 8, MPI_COMM_WORLD);
    else MPI_Send(value, 1, MPI_INT, right, 8, MPI_COMM_WORLD);
    MPI_Send(value, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
    MPI_Allreduce(value + 1, other, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 3) MPI_Mrecv(got + 3, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    // CHECK-DAG: ERROR [rma.race]
    if (turn == TURNS / 2 && rank < 2) MPI_Put(&rank, 1, MPI_INT, 3, 1, 1, MPI_INT, win);
    if (turn % 3 == 0) MPI_Win_fence(0, win);
    MPI_Iprobe(left, 12, MPI_COMM_WORLD, &flag, &status);
  }
  MPI_Request_free(&persistent);
  MPI_Win_free(&win);
  MPI_Comm_free(&side);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 4 errors, 0 warnings, 0 notes
