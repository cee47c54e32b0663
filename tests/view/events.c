// RUN: rm -rf %t.d && mkdir %t.d && %mpicc-check %s -o %t.d/run
// RUN: %expect 0 %mpirun-check --check-options log_dir=%t.d:keep_logs=1:report=%t.d/report -n 3 %t.d/run > %t.d/out 2>&1
// RUN: mv %t.d/mpicc-check-* %t.d/logs
// RUN: %mpicc-check-log %t.d/logs > %t.d/events && FileCheck %s --check-prefix=EVENT < %t.d/events
// RUN: %mpicc-check-log --definitions %t.d/logs | FileCheck %s --check-prefix=DEFINITION
// RUN: %mpicc-check-log --summary %t.d/logs | FileCheck %s --check-prefix=SUMMARY
// RUN: %mpicc-check-log --messages %t.d/logs 2>&1 | FileCheck %s --check-prefix=MESSAGE
// RUN: %mpicc-check-log --verify %t.d/logs | FileCheck %s --check-prefix=VERIFY
// RUN: %mpicc-check-log --rank 1 --fn 'MPI_I[rs]*' %t.d/logs | FileCheck %s --check-prefix=FN --implicit-check-not=MPI_
// RUN: %mpicc-check-log --peer 0 --tag 3 --kind send,recv %t.d/logs | FileCheck %s --check-prefix=PEER --implicit-check-not=MPI_
// RUN: %mpicc-check-log --comm 2 --stacks %t.d/logs/rank-2.log | FileCheck %s --check-prefix=COMM --implicit-check-not=MPI_
// RUN: %mpicc-check-log --kind finding %t.d/logs | FileCheck %s --check-prefix=FINDING
// RUN: %mpicc-check-log --json %t.d/logs > %t.d/json && %python %S/check-json.py lines %t.d/json %t.d/events
// RUN: %mpicc-check-log --trace %t.d/trace %t.d/logs 2> %t.d/errors && FileCheck %s --check-prefix=SILENT --allow-empty < %t.d/errors
// RUN: %python %S/check-json.py trace %t.d/trace 3 3
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that mpicc-check-log shows of one run.
#include <mpi.h>

static void pass_on(int rank, MPI_Comm pair, MPI_Datatype mixed, double *pair_of) {
  MPI_Request requests[2];
  if (rank == 0) {
    // The world's rank 2 is rank 0 of the reversed communicator.
    // EVENT: 0:[[#]] {{ *}}MPI_Recv {{ *}}peer=0 world=2 tag=3 count=1 type=type 256 {1 MPI_INT, 1 MPI_DOUBLE} comm=comm 2 (MPI_Comm_split at events.c:[[#SPLIT:]] in main) flags=any-source,status-ignored,matched events.c:[[#@LINE+1]] in pass_on
    MPI_Recv(pair_of, 1, mixed, MPI_ANY_SOURCE, 3, pair, MPI_STATUS_IGNORE);
    // EVENT: 0:[[#]] {{ *}}MPI_Send {{ *}}peer=1 tag=4 count=2 type=MPI_DOUBLE comm=MPI_COMM_WORLD events.c:[[#@LINE+1]] in pass_on
    MPI_Send(pair_of, 2, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
  } else if (rank == 1) {
    // EVENT: 1:[[#RECV:]] {{ *}}MPI_Irecv {{ *}}peer=0 tag=4 count=2 type=MPI_DOUBLE comm=MPI_COMM_WORLD flags=nonblocking events.c:[[#@LINE+2]] in pass_on
    // FN: 1:[[#]] {{ *}}MPI_Irecv {{ *}}peer=0 tag=4 {{.*}} events.c:[[#@LINE+1]]
    MPI_Irecv(pair_of, 2, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, &requests[0]);
    // EVENT: 1:[[#SEND:]] {{ *}}MPI_Isend {{ *}}peer=1 tag=5 count=0 {{.*}} events.c:[[#@LINE+2]] in pass_on
    // FN: 1:[[#]] {{ *}}MPI_Isend {{ *}}peer=1 tag=5 {{.*}} events.c:[[#@LINE+1]]
    MPI_Isend(pair_of, 0, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[1]);
    // EVENT: 1:[[#]] {{ *}}MPI_Recv
    MPI_Recv(pair_of + 1, 0, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // EVENT: 1:[[#]] {{ *}}MPI_Waitall {{ *}}waits=[[#RECV]],[[#SEND]] events.c:[[#@LINE+1]] in pass_on
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    // EVENT: 2:[[#]] {{ *}}MPI_Send {{ *}}peer=2 world=0 tag=3 {{.*}} events.c:[[#@LINE+3]] in pass_on
    // PEER: 2:[[#]] {{ *}}MPI_Send {{ *}}peer=2 world=0 tag=3{{.*}}
    // COMM: 2:[[#]] {{ *}}MPI_Send {{.*}}
    MPI_Send(pair_of, 1, mixed, 2, 3, pair);
    // COMM-NEXT: function=pass_on file={{.*}}events.c line=[[#@LINE-1]]
    // COMM-NEXT: function=main file={{.*}}events.c line=
  }
}

int main(int argc, char **argv) {
  int rank, lengths[2] = {1, 1}, base[4] = {0}, value = 7;
  double pair_of[2] = {0, 0};
  MPI_Aint places[2] = {0, 8};
  MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE}, mixed;
  MPI_Comm reversed;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_struct(2, lengths, places, parts, &mixed);
  MPI_Type_commit(&mixed);
  // DEFINITION: 0:comm 2 {{ *}}me=2 size=3 members=2,1,0 key={{[0-9a-f]+}} parent=0 by=MPI_Comm_split at=events.c:[[#@LINE+1]] in main
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  pass_on(rank, reversed, mixed, pair_of);
  // DEFINITION: 0:type 256 {{ *}}size=12 lb=0 extent=16 parts=1 MPI_INT, 1 MPI_DOUBLE bytes=0+4,8+8 by=MPI_Type_create_struct
  // DEFINITION: 0:win 0 {{ *}}comm=MPI_COMM_WORLD base=0x{{.*}} size=16 unit=4 flavor=1 by=MPI_Win_create at=events.c:[[#@LINE+2]] in main
  // DEFINITION: 0:module 0 {{ *}}path={{.*}}run build=
  MPI_Win_create(base, sizeof base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  // EVENT: 2:[[#]] {{ *}}MPI_Accumulate {{ *}}target=1 disp=2 count=1 type=MPI_INT op=MPI_SUM win=window 0 {{.*}}events.c:[[#@LINE+1]] in main
  if (rank == 2) MPI_Accumulate(&value, 1, MPI_INT, 1, 2, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  // EVENT: 2:[[#]] {{ *}}MPI_Bcast {{ *}}root=1 count=1 type=MPI_INT comm=MPI_COMM_WORLD
  MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Type_free(&mixed);
  // Not freed: a finding.
  // FINDING: 0:[[#]] {{ *}}FINDING {{ *}}check=leak.comm text=
  MPI_Finalize();
  return 0;
}
// SUMMARY: run on 3 ranks, 3 logs, written by mpicc-check {{[0-9]+([.][0-9]+)+$}}
// SUMMARY: rank 0 {{ *}}end=finalized calls=
// SUMMARY: MPI_Send {{ *}}events=2 0=1 2=1
// SUMMARY: MPI_Win_fence {{ *}}events=6 0=2 1=2 2=2
// SUMMARY: channels with most messages
// SUMMARY: 0 -> 1 tag=4 comm=MPI_COMM_WORLD messages=1 bytes=16
// SUMMARY: 2 -> 0 tag=3 comm=comm 2 {{.*}} messages=1 bytes=12
// SUMMARY: bytes by kind of event
// SUMMARY: DEF_COMM {{ *}}bytes=
// MESSAGE: 0:[[#]] {{ *}}-> 1:[[#]] {{ *}}tag=4 {{.*}}sent=events.c:{{.*}} received=events.c:
// MESSAGE: 2:[[#]] {{ *}}-> 0:[[#]] {{ *}}tag=3
// MESSAGE: 3 messages matched, 0 sends without a known receive
// VERIFY: 3 logs are sound
// SILENT-NOT: {{.}}
