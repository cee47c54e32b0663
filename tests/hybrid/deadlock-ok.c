// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: env OMP_NUM_THREADS=3 %python %source/tests/threads/deadlock-ok.py %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: most threads of OpenMP wait for long, and one of them goes on in the end.
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static int rank, other, y;
static int z;
static void work(void) { for (volatile long i = 0; i < 150000000; i++) {} }
static void rest(void) { nanosleep(&(struct timespec){.tv_nsec = 400000000}, NULL); }
static void receive(int tag) {
  int x;
  MPI_Recv(&x, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void deliver(int tag) { MPI_Send(&y, 1, MPI_INT, other, tag, MPI_COMM_WORLD); }
static void swap(int tag) { // any library may make one that sends first wait
  if (rank) receive(tag), deliver(tag);
  else deliver(tag), receive(tag);
}
static void barrier(void) { // thread 1 receives, 2 works and sends, 0 waits
#pragma omp parallel
  {
    if (omp_get_thread_num() == 1) receive(1);
    if (omp_get_thread_num() == 2) {
      if (rank) work();
      else rest();
      deliver(1);
    }
#pragma omp barrier
  }
}
static void idle(void) { // the pool is idle, the main thread works
#pragma omp parallel
  { if (omp_get_thread_num() == 1) swap(3); }
  if (rank) work(), deliver(1), receive(1);
  else receive(1), deliver(1);
}
static void tasks(void) { // a task that is run by a thread at the barrier sends late
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      if (rank) work();
      else rest();
      deliver(1);
    }
#pragma omp task
    receive(1);
#pragma omp taskwait
  }
}
static void taskgroup(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
    {
      if (rank) work();
      if (i < 4) deliver(i);
      else receive(i - 4);
    }
  }
}
static void locked(void) { // behind the critical section of the one that receives
#pragma omp parallel
  {
    if (omp_get_thread_num() == 1) {
#pragma omp critical
      receive(1);
    } else if (omp_get_thread_num() == 2) {
      if (rank) work();
      deliver(1);
    } else {
#pragma omp critical
      z = 0;
    }
  }
}
static void nested_lock(void) { // the owner takes its lock again, and works
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    omp_set_nest_lock(&lock);
    omp_set_nest_lock(&lock);
    if (rank) work();
    else rest();
    if (omp_get_thread_num()) swap(1);
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
  }
  omp_destroy_nest_lock(&lock);
}
static void nested(void) { // a team within a team
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
    {
      int inner = omp_get_thread_num();
      if (outer && inner) receive(1);
      if (!outer && inner && rank) work();
      if (!outer && inner) deliver(1);
    }
  }
}
static void ordered(void) {
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < 6; i++) {
    if (i == 1) receive(1);
    if (i == 0 && rank) work();
    if (i == 0) deliver(1);
#pragma omp ordered
    y = 0;
  }
}
int main(int argc, char **argv) {
  int provided, level = argc > 2 ? atoi(argv[2]) : MPI_THREAD_MULTIPLE;
  MPI_Init_thread(&argc, &argv, level, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  struct { const char *name; void (*run)(void); } cases[] = {
      {"barrier", barrier}, {"idle", idle}, {"tasks", tasks}, {"taskgroup", taskgroup}, {"locked", locked},
      {"nested-lock", nested_lock}, {"nested", nested}, {"ordered", ordered}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc > 1 && !strcmp(argv[1], cases[i].name)) cases[i].run();
  MPI_Finalize();
  if (!rank) puts("done");
  return 0;
}
