// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: env OMP_NUM_THREADS=3 %expect66 %mpirun-check -n 2 %t region 2>&1 | FileCheck %s --check-prefix=REGION --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: env OMP_NUM_THREADS=3 %expect66 %mpirun-check -n 2 %t idle 2>&1 | FileCheck %s --check-prefix=IDLE --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: env OMP_NUM_THREADS=3 %expect66 %mpirun-check -n 2 %t tasks 2>&1 | FileCheck %s --check-prefix=TASKS --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: env OMP_NUM_THREADS=3 %expect66 %mpirun-check -n 2 %t critical 2>&1 | FileCheck %s --check-prefix=CRITICAL --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: env OMP_NUM_THREADS=3 %expect66 %mpirun-check -n 2 %t sections 2>&1 | FileCheck %s --check-prefix=SECTIONS --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=active %expect66 %mpirun-check -n 2 %t region 2>&1 | FileCheck %s --check-prefix=REGION --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %expect66 %mpirun-check -n 2 %t region 2>&1 | FileCheck %s --check-prefix=REGION --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: env OMP_NUM_THREADS=3 %expect66 %mpirun-check -n 2 %t masked 1 2>&1 | FileCheck %s --check-prefix=MASKED --implicit-check-not='{{ERROR|WARNING}} ['
// RUN: env OMP_NUM_THREADS=3 %expect66 %mpirun-check -n 2 %t masked 2 2>&1 | FileCheck %s --check-prefix=MASKED --implicit-check-not='{{ERROR|WARNING}} ['
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deadlocks in which threads of OpenMP wait for the one that is in MPI, also below MPI_THREAD_MULTIPLE (masked). The right twins are
// in deadlock-ok.c.
#include <mpi.h>
#include <omp.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static sem_t taken;
static int rank, other, y;
static void receive(int tag) { int in; MPI_Recv(&in, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
static void deliver(int tag) { MPI_Send(&y, 1, MPI_INT, other, tag, MPI_COMM_WORLD); }
// REGION: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// REGION-NEXT: ranks 0,1 wait with their 3 threads
// REGION-NEXT: OpenMP thread 1 of 3 of rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1 deadlock.c:[[#@LINE-4]] in receive
// REGION-NEXT: called from deadlock.c:[[#@LINE+7]] in region
// REGION: OpenMP thread 1 of 3 of rank 1 waits in MPI_Recv(source 0, tag 1) for rank 0 deadlock.c:[[#@LINE-6]] in receive
// REGION: in rank 0 the main thread waits at a barrier of OpenMP, 1 thread waits at a barrier of OpenMP
// REGION: in rank 1 the main thread waits at a barrier of OpenMP, 1 thread waits at a barrier of OpenMP
static void region(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 1) receive(1);
#pragma omp barrier
    if (omp_get_thread_num() == 0) deliver(1);
  }
}
// MASKED: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// MASKED: rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1 deadlock.c:[[#@LINE-18]] in receive
// MASKED-NEXT: called from deadlock.c:[[#@LINE+6]] in masked
// MASKED: rank 1 waits in MPI_Recv(source 0, tag 1) for rank 0 deadlock.c:[[#@LINE-20]] in receive
static void masked(void) {
#pragma omp parallel
  {
#pragma omp masked
    receive(1);
#pragma omp barrier
#pragma omp masked
    deliver(1);
  }
}
// IDLE: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// IDLE: the main thread of rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1 deadlock.c:[[#@LINE-32]] in receive
// IDLE-NEXT: called from deadlock.c:[[#@LINE+8]] in idle
// IDLE: in rank 0 2 threads wait at a barrier of OpenMP
static void idle(void) { // the pool is idle, main receives
#pragma omp parallel
  {
    if (omp_get_thread_num() == 2) deliver(3);
    if (omp_get_thread_num() == 1) receive(3);
  }
  receive(1);
  deliver(1);
}
// TASKS: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// TASKS-NEXT: ranks 0,1 wait with their 3 threads
// TASKS-NEXT: {{.*}} of rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1 deadlock.c:[[#@LINE-46]] in receive
// TASKS: {{.*}} of rank 1 waits in MPI_Recv(source 0, tag 1) for rank 0 deadlock.c:[[#@LINE-47]] in receive
static void tasks(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    receive(1);
#pragma omp taskwait
    deliver(1);
  }
}
// CRITICAL: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// CRITICAL-NEXT: ranks 0,1 wait with their 2 threads
// CRITICAL-NEXT: OpenMP thread 1 of 2 of rank 0 waits in MPI_Recv(source 1, tag 1) for rank 1 deadlock.c:[[#@LINE-60]] in receive
// CRITICAL: in rank 0 the main thread waits for a critical section or lock of OpenMP
// CRITICAL: in rank 1 the main thread waits for a critical section or lock of OpenMP
static void critical(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) {
#pragma omp critical
      {
        sem_post(&taken);
        receive(1);
      }
    } else {
      sem_wait(&taken);
#pragma omp critical
      deliver(1);
    }
  }
}
// SECTIONS: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
// SECTIONS-NEXT: ranks 0,1 wait with their 3 threads
// SECTIONS: rank 0 waits in MPI_Recv(source 1, tag {{[123]}}) for rank 1 deadlock.c:[[#@LINE-81]] in receive
static void sections(void) {
#pragma omp parallel sections
  {
#pragma omp section
    receive(1);
#pragma omp section
    receive(2);
#pragma omp section
    receive(3);
  }
  deliver(1), deliver(2), deliver(3);
}
int main(int argc, char **argv) {
  int provided, level = argc > 2 ? atoi(argv[2]) : MPI_THREAD_MULTIPLE;
  MPI_Init_thread(&argc, &argv, level, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  struct { const char *name; void (*run)(void); } cases[] = {
      {"region", region}, {"masked", masked}, {"idle", idle}, {"tasks", tasks}, {"critical", critical}, {"sections", sections}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc > 1 && !strcmp(argv[1], cases[i].name)) cases[i].run();
  MPI_Finalize();
  return 0;
}
