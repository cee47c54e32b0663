// RUN: rm -rf %t.d && mkdir %t.d && %mpicc-check -g -O1 -Wno-mpicc-check %s -o %t.d/run
// RUN: %expect 0 %mpirun-check --check-options log_dir=%t.d -n 2 %t.d/run right %t.d > %t.d/right 2>&1
// RUN: FileCheck %s --check-prefix=RIGHT < %t.d/right
// RUN: %mpirun-check -n 2 %t.d/run wrong > %t.d/wrong 2>&1 || true
// RUN: FileCheck %s --check-prefix=WRONG < %t.d/wrong
// RUN: %mpirun-check -n 2 %t.d/run deadlock > %t.d/deadlock 2>&1 || true
// RUN: FileCheck %s --check-prefix=DEADLOCK < %t.d/deadlock
// RUN: %mpirun-check -n 2 %t.d/run killed > %t.d/killed 2>&1 || true
// RUN: FileCheck %s --check-prefix=KILLED < %t.d/killed
// RUN: mkdir %t.d/kept && %mpirun-check --check-options log_dir=%t.d/kept:keep_logs=1 -n 2 %t.d/run wrong \
// RUN:   > %t.d/wrong2 2>&1 || true
// RUN: %mpicc-check-log --verify %t.d/kept/mpicc-check-* && %mpicc-check-log %t.d/kept/mpicc-check-* > %t.d/events
// RUN: grep -c "^0:.*MPI_Isend.*peer=1 tag=5.* in main" %t.d/events | FileCheck %s --check-prefix=EVENTS
// RIGHT: both logs are small
// RIGHT: no errors found
// WRONG: ERROR [message.lost] message of 1 MPI_DOUBLE is never received
// WRONG-NEXT: MPI_Send from rank 0 repeats.c:[[#@LINE+95]] in main
// WRONG-NEXT: rank 1 posts only 59999 receives from rank 0 with tag 6
// WRONG: ERROR [type.mismatch] MPI_DOUBLE is sent where MPI_INT64_T is received
// WRONG-NEXT: MPI_Isend from rank 0 repeats.c:[[#@LINE+84]] in main
// WRONG-NEXT: MPI_Irecv on rank 1 repeats.c:[[#@LINE+85]] in main
// WRONG: 2 errors
// DEADLOCK: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Waitall on rank 0, MPI_Recv on rank 1
// DEADLOCK: rank 0 waits in MPI_Waitall(13 requests) for rank 1 repeats.c:[[#@LINE+31]] in exchange
// DEADLOCK: rank 1 waits in MPI_Recv(source 0, tag 8) for rank 0 repeats.c:[[#@LINE+92]] in main
// DEADLOCK: 1 error
// KILLED: ERROR [run.died] rank 1 was killed
// KILLED-NEXT: last recorded MPI call, MPI_Recv
// KILLED: ERROR [type.mismatch] MPI_DOUBLE is sent where MPI_FLOAT is received
// KILLED-NEXT: on rank 1, 30,000 times
// KILLED: 2 errors
// EVENTS: 30000
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events that repeat those of the turn before are left out of the log (log/log-repeat.h). What is found is the same,
// also by the watch and after a kill, and the log stays small.
#include <dirent.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { TURNS = 30000, INNER = 7 };
static int rank, peer;
static double values[2][INNER];

// A turn has loops of its own, requests that are completed together or one by one, and a reduction.
static void exchange(MPI_Request persistent[2]) {
  MPI_Request requests[2 * INNER];
  double sum;
  for (int i = 0; i < INNER; i++) {
    MPI_Irecv(&values[0][i], 1, MPI_DOUBLE, peer, i, MPI_COMM_WORLD, &requests[2 * i]);
    MPI_Isend(&values[1][i], 1, MPI_DOUBLE, peer, i, MPI_COMM_WORLD, &requests[2 * i + 1]);
  }
  MPI_Waitall(2 * INNER - 1, requests, MPI_STATUSES_IGNORE);
  MPI_Wait(&requests[2 * INNER - 1], MPI_STATUS_IGNORE);
  MPI_Startall(2, persistent);
  MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
  MPI_Allreduce(&values[1][0], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

// Is a receive that is posted and cancelled in each turn taken back in the log, though it repeats the one before?
static void cancel(void) {
  for (int turn = 0; turn < 6000; turn++) {
    MPI_Request request;
    MPI_Irecv(values[0], 1, MPI_DOUBLE, peer, 77, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static long log_bytes(const char *dir) {
  char path[4096];
  long bytes = 0;
  DIR *stream = opendir(dir);
  for (struct dirent *entry; stream && (entry = readdir(stream));) {
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
    if (stat(path, &st) || entry->d_name[0] == '.') continue;
    bytes += S_ISDIR(st.st_mode) ? log_bytes(path) : strstr(path, ".log") ? st.st_blocks * 512 : 0;
  }
  if (stream) closedir(stream);
  return bytes;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = 1 - rank;
  const char *mode = argv[1];
  MPI_Request persistent[2];
  MPI_Send_init(values[1], 2, MPI_DOUBLE, peer, 50, MPI_COMM_WORLD, &persistent[0]);
  MPI_Recv_init(values[0], 2, MPI_DOUBLE, peer, 50, MPI_COMM_WORLD, &persistent[1]);
  for (int turn = 0; turn < TURNS; turn++) exchange(persistent);
  if (!strcmp(mode, "right")) {
    cancel();
    MPI_Barrier(MPI_COMM_WORLD);
    long bytes = argc > 2 ? log_bytes(argv[2]) : 0;
    if (rank == 0 && bytes < 4 << 20) printf("both logs are small\n");
    else if (rank == 0) printf("both logs have %ld bytes\n", bytes);
  } else if (!strcmp(mode, "wrong")) {
    for (int turn = 0; turn < TURNS; turn++) {
      MPI_Request request;
      if (rank == 0) MPI_Isend(values[1], 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD, &request);
      // Out of 30,000 messages one is of another type.
      else if (turn == 20000) MPI_Irecv(values[0], 1, MPI_INT64_T, 0, 5, MPI_COMM_WORLD, &request);
      else MPI_Irecv(values[0], 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    // The last one is never received.
    for (int turn = 0; turn < TURNS; turn++)
      if (rank == 0) MPI_Send(values[1], 1, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD);
      else if (turn < TURNS - 1) MPI_Recv(values[0], 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (!strcmp(mode, "deadlock")) {
    // Both count to another number.
    for (int turn = 0; turn < TURNS + (rank == 0); turn++) exchange(persistent);
    if (rank == 1) MPI_Recv(values[0], 1, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (!strcmp(mode, "killed")) {
    for (int turn = 0; turn < TURNS; turn++) {
      if (rank == 0) MPI_Send(values[1], 1, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD);
      else MPI_Recv(values[0], 2, MPI_FLOAT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank == 1 && turn == TURNS - 1) raise(SIGKILL);
    }
  }
  for (int i = 0; i < 2; i++) MPI_Request_free(&persistent[i]);
  MPI_Finalize();
}
