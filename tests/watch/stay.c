// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=on_deadlock=2:exitcode=0 %expect 3 %mpirun-check -n 2 %t 2>&1 | FileCheck %s
// RUN: env MPICC_CHECK_OPTIONS=on_deadlock=1:exitcode=0 %expect 3 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefix=STAY
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After the report the run is left alone: here a signal ends it, as a user would.
// CHECK-DAG: ERROR [deadlock] deadlock: 2 ranks wait for each other
// CHECK-DAG: still there
// STAY-DAG: ERROR [deadlock] deadlock: 2 ranks wait for each other
// STAY-DAG: rank 0 is process {{[0-9]+}} on {{.*}}: gdb -p {{[0-9]+}}
// STAY-DAG: the run stays as it is
// STAY-DAG: still there
#include <mpi.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static void late(int number) {
  (void)number;
  (void)!write(STDOUT_FILENO, "still there\n", 12);
  _exit(3);
}

int main(int argc, char **argv) {
  int rank, x;
  struct itimerval timer = {.it_value = {.tv_sec = 3}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  signal(SIGALRM, late);
  setitimer(ITIMER_REAL, &timer, NULL);
  MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK-DAG: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
// STAY-DAG: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
