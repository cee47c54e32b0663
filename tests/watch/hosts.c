// REQUIRES: namespaces
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two hosts, each with a disk of its own for the logs (namespaces.sh). What ranks of both find, at once and in MPI_Finalize, is one report, and no log stays.
// When a host's rank crashes, the logs of one host say what they can and what is missing, and all of them together are judged on both.
// RUN: rm -rf %t && mkdir %t && %mpicc-check -w %s -o %t/run
// RUN: env MCK_LOCAL=%t/disk MPICC_CHECK_OPTIONS=log_dir=%t/disk/local %expect66 sh %S/namespaces.sh run %mpirun-check 4 --mca osc pt2pt %t/run report 2>&1 | FileCheck %s --check-prefix=REPORT --implicit-check-not=incomplete
// RUN: find %t/disk -name "rank-*" | count 0
// RUN: env MCK_LOCAL=%t/disk MPICC_CHECK_OPTIONS=log_dir=%t/disk/local %expect 66,139 sh %S/namespaces.sh run %mpirun-check 4 --mca osc pt2pt %t/run crash > %t/crash 2>&1
// RUN: FileCheck %s --check-prefix=ONE < %t/crash
// RUN: find %t/disk/a -name "rank-*" | count 2
// RUN: find %t/disk/b -name "rank-*" | count 2
// RUN: %python -c "import os, glob; [os.rename(d, os.path.dirname(d) + '/logs') for d in glob.glob('%t/disk/[ab]/mpicc-check-*')]"
// RUN: env MCK_LOCAL=%t/disk %expect66 sh %S/namespaces.sh run %mpirun 4 %mpicc-check-judge --json=%t/json %t/disk/local/logs 2>&1 | FileCheck %s --check-prefix=ALL --implicit-check-not=incomplete
// RUN: FileCheck %s --check-prefix=JSON < %t/json
// REPORT-DAG: ERROR [type.mismatch] MPI_DOUBLE is sent where MPI_FLOAT is received
// REPORT-DAG: MPI_Send from rank 0 hosts.c:[[# @LINE + 28]] in report
// REPORT-DAG: MPI_Recv on rank 1 hosts.c:[[# @LINE + 28]] in report
// REPORT-DAG: [leak.
// REPORT-DAG: hosts.c:[[# @LINE + 28]] in report
// REPORT-DAG: ERROR [rma.race] race on a window of rank 1
// REPORT-DAG: hosts.c:[[# @LINE + 29]] in report
// REPORT-DAG: hosts.c:[[# @LINE + 29]] in report
// REPORT: on 4 ranks
// ONE: ERROR [incomplete] the logs of 2 ranks are missing, the first is that of rank 1
// ONE: help: the ranks were on 2 nodes: judge the logs with mpicc-check-judge
// ONE: on 4 ranks {{.*}}, incomplete
// ONE: the logs are in [[DIR:.*]]
// ONE: mpirun ... mpicc-check-judge [[DIR]]
// ALL: the logs of 4 ranks, {{.*}} MiB, come from 4 processes
// ALL: ERROR [run.died] rank 1 was killed by SIGSEGV
// ALL: hosts.c:[[# @LINE + 27]] in crash
// ALL: 1 error, 0 warnings, 0 notes in {{.*}} on 4 ranks
// JSON: run.died
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, *memory;
static MPI_Win win;

static void report(void) {
  double sent = 1;
  float received[2];
  if (rank == 0) MPI_Send(&sent, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(received, 2, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Datatype type;
  if (rank == 3) MPI_Type_contiguous(2, MPI_INT, &type);
  int x = 1;
  MPI_Win_lock_all(0, win);
  if (rank == 2) MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  if (rank == 1) *memory = 7;
  MPI_Win_unlock_all(win);
}

static void crash(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  volatile int *none = NULL;
  if (rank == 1) *none = 1;
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  if (!strcmp(argv[1], "report")) report();
  if (!strcmp(argv[1], "crash")) crash();
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
