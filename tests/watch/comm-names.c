// RUN: %mpicc-check -w -O0 %s -o %t
// RUN: %expect66 %mpirun-check -n 4 %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check -n 3 %t near 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NEAR --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check -n 3 %t odd 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ODD --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check -n 3 %t one 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ONE --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %expect66 %mpirun-check -n 3 %t wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where several communicators are in a deadlock, each is named: by its name, or by the call that made it. A message
// that nearly fits, and a request that nobody serves, have their lines. The one rank in another collective is in the
// headline. One communicator without a name has a line.
#include <mpi.h>
#include <string.h>

static void order(int rank) {
  MPI_Comm columns, other;
  // CHECK: ERROR [collective.comm-order] {{[34]}} ranks wait for each other in collectives of different communicators:
  // CHECK-SAME: {{^}} MPI_Barrier on rank 0 on communicator columns, MPI_Barrier on rank 1 on the communicator of
  // CHECK-SAME: {{^}} MPI_Comm_dup at comm-names.c:[[#@LINE+3]]
  // CHECK: rank 0 waits in MPI_Barrier on communicator columns for
  MPI_Comm_dup(MPI_COMM_WORLD, &columns);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Comm_set_name(columns, "columns");
  if (rank % 2) MPI_Barrier(other), MPI_Barrier(columns);
  else MPI_Barrier(columns), MPI_Barrier(other);
}

static void near_miss(int rank) {
  int number = 0;
  MPI_Request request;
  // NEAR: ==mpicc-check== ERROR [deadlock] deadlock: 2 ranks wait for each other
  // NEAR: rank 0's MPI_Wait lacks MPI_Irecv(source 1, tag 7), posted at comm-names.c:[[#@LINE+5]]
  // NEAR-NEXT: near miss: rank 1 has sent rank 0 a message with tag 8 that is not received; rank 0 asks for tag 7;
  // NEAR-SAME: it was sent at comm-names.c:[[#@LINE+6]]
  if (rank == 2) return;
  if (rank == 0) {
    MPI_Irecv(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&number, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    MPI_Recv(&number, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void odd(int rank) {
  MPI_Comm rows;
  int number = 0, sum;
  MPI_Comm_dup(MPI_COMM_WORLD, &rows);
  MPI_Comm_set_name(rows, "rows");
  // ODD: ==mpicc-check== ERROR [collective.call] ranks of one communicator call different collectives
  // ODD-SAME: (rank 1 in MPI_Barrier)
  // ODD: collective number 1 of the communicator rows: ranks 0,2 in MPI_Allreduce; rank 1 in MPI_Barrier
  if (rank == 1) MPI_Barrier(rows);
  else MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, rows);
  MPI_Comm_free(&rows);
}

static void one(int rank) {
  MPI_Comm half;
  int number = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
  // ONE: ==mpicc-check== ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Barrier on
  // ONE: {{^}}  all of them are on the communicator of MPI_Comm_split at comm-names.c:[[#@LINE-2]]{{$}}
  if (rank == 0) MPI_Recv(&number, 1, MPI_INT, 1, 7, half, MPI_STATUS_IGNORE);
  MPI_Barrier(half);
  MPI_Comm_free(&half);
}

static void wrong(int rank) {
  MPI_Comm rows;
  MPI_Comm_dup(MPI_COMM_WORLD, &rows);
  // WRONG: ERROR [collective.comm-order] {{[23]}} ranks wait for each other in collectives of different comm
  // WRONG: {{^}}  rank 2 alone is in a collective of its communicator: all others are in one of another
  // WRONG: {{^}}  help: let rank 2 pass the communicator that the other ranks pass, or call the collectives of both in
  MPI_Barrier(rank == 2 ? MPI_COMM_WORLD : rows);
  MPI_Comm_free(&rows);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 2) order(rank);
  else if (!strcmp(argv[1], "near")) near_miss(rank);
  else if (!strcmp(argv[1], "one")) one(rank);
  else if (!strcmp(argv[1], "wrong")) wrong(rank);
  else odd(rank);
  MPI_Finalize();
  return 0;
}
