// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: env LUCK=0 OMP_CANCELLATION=true %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// RUN: env LUCK=1 OMP_CANCELLATION=true %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The less usual constructs of OpenMP around operations, each wrong and right. LUCK says who comes first.
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

#define REGION _Pragma("omp parallel num_threads(2)")
#define ME omp_get_thread_num()
#define SELF MPI_COMM_SELF
#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int luck, rank;
#define FIRST if (luck) usleep(2000)
#define SECOND if (!luck) usleep(2000)
static int buf[64], out[64], rows[8][64];
static volatile int sink;
static MPI_Request sent;
static MPI_Comm own[2];

static void give(int *from, int n) { MPI_Isend(from, n, MPI_INT, 0, 1, SELF, &sent); }
static void take(int *to, int n) { MPI_Recv(to, n, MPI_INT, 0, 1, SELF, IGNORE); }
static void done(void) { MPI_Wait(&sent, IGNORE); }
static void swap_row(int *row, int tag) { // a row of one's own, sent and received
  MPI_Request r;
  row[0] = tag;
  MPI_Isend(row, 32, MPI_INT, 0, tag, SELF, &r);
  MPI_Recv(row + 32, 32, MPI_INT, 0, tag, SELF, IGNORE);
  MPI_Wait(&r, IGNORE);
  sink = row[40];
}

// case 1: thread.buffer
static void case1(void) { // two sections
  give(out, 64);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @1
#pragma omp section
    { SECOND; sink = buf[3]; } // @1
  }
  done();
}
// case 2: ok
static void case2(void) { // a construct each, with its barrier
  give(out, 64);
  REGION {
#pragma omp sections
    {
#pragma omp section
      take(buf, 64);
    }
#pragma omp sections
    {
#pragma omp section
      sink = out[3];
#pragma omp section
      sink = buf[3];
    }
  }
  done();
}
// case 3: thread.buffer
static void case3(void) { // the first one does not wait
  give(out, 64);
  REGION {
#pragma omp sections nowait
    {
#pragma omp section
      { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @3
#pragma omp section
      sink = out[3];
    }
    if (ME == 1) { SECOND; sink = buf[3]; } // @3
  }
  done();
}
// case 4: ok
static void case4(void) { // rows in a dynamic loop
  REGION {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 8; i++) swap_row(rows[i], 10 + i);
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < 8; i++) sink = out[i];
  }
}
// case 5: thread.buffer
static void case5(void) { // two static loops, and other threads for the iterations
  give(out, 64);
  REGION {
#pragma omp for schedule(static, 1) nowait
    for (int i = 0; i < 4; i++)
      if (i == 1) { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @5
#pragma omp for schedule(static, 2) nowait
    for (int i = 0; i < 4; i++)
      if (i == 1) { SECOND; sink = buf[3]; } // @5
  }
  done();
}
// case 6: ok
static void case6(void) { // the loop has its barrier
  give(out, 64);
  REGION {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 4; i++)
      if (i == 1) take(buf, 64);
#pragma omp for schedule(static, 2) nowait
    for (int i = 0; i < 4; i++) sink = buf[i];
  }
  done();
}
// case 7: ok
static void case7(void) { // detach: the event is fulfilled behind the receive
  omp_event_handle_t event;
  give(out, 64);
  REGION
#pragma omp single
  {
#pragma omp task detach(event) depend(out : buf)
    sink = out[1];
#pragma omp task firstprivate(event)
    {
      take(buf, 64);
      omp_fulfill_event(event);
    }
#pragma omp task depend(in : buf)
    sink = buf[3];
  }
  done();
}
// case 8: thread.buffer
static void case8(void) { // detach: the event is fulfilled before the receive
  omp_event_handle_t event;
  give(out, 64);
  REGION
#pragma omp single
  {
#pragma omp task detach(event) depend(out : buf)
    sink = out[1];
#pragma omp task firstprivate(event)
    {
      omp_fulfill_event(event);
      FIRST;
      MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @8
    }
#pragma omp task depend(in : buf)
    { SECOND; sink = buf[3]; } // @8
  }
  done();
}
// case 9: ok
static void case9(void) { // doacross
  give(out, 64);
  REGION
#pragma omp for ordered(1) schedule(static, 1)
  for (int i = 0; i < 4; i++) {
    if (i == 0) take(buf, 64);
#pragma omp ordered depend(sink : i - 1)
    if (i > 0) sink = buf[i];
#pragma omp ordered depend(source)
  }
  done();
}
// case 10: thread.buffer
static void case10(void) { // doacross: the source is before the receive
  give(out, 64);
  REGION
#pragma omp for ordered(1) schedule(static, 1)
  for (int i = 0; i < 2; i++) {
#pragma omp ordered depend(sink : i - 1)
    if (i == 1) { SECOND; sink = buf[i]; } // @10
#pragma omp ordered depend(source)
    if (i == 0) { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @10
  }
  done();
}
// case 11: ok
static void case11(void) { // a nested lock
  static omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
  give(out, 64);
  REGION {
    omp_set_nest_lock(&lock);
    omp_set_nest_lock(&lock);
    if (ME == 0) take(buf, 64);
    else sink = buf[3];
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
  }
  omp_destroy_nest_lock(&lock);
  done();
}
// case 12: thread.buffer
static void case12(void) { // two nested locks
  static omp_nest_lock_t locks[2];
  for (int i = 0; i < 2; i++) omp_init_nest_lock(&locks[i]);
  give(out, 64);
  REGION {
    omp_set_nest_lock(&locks[ME]);
    omp_set_nest_lock(&locks[ME]);
    if (ME == 0) { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @12
    else { SECOND; sink = buf[3]; } // @12
    omp_unset_nest_lock(&locks[ME]);
    omp_unset_nest_lock(&locks[ME]);
  }
  for (int i = 0; i < 2; i++) omp_destroy_nest_lock(&locks[i]);
  done();
}
// case 13: ok
static void case13(void) { // a cancelled region: its end orders all the same
  give(out, 64);
  REGION {
    if (ME == 0) {
      take(buf, 64);
#pragma omp cancel parallel
    }
#pragma omp barrier
    sink = out[1];
  }
  sink = buf[3];
  done();
}
// case 14: thread.buffer
static void case14(void) { // a cancelled loop has no barrier that is behind the receive
  give(out, 64);
  REGION {
#pragma omp for schedule(static, 1) nowait
    for (int i = 0; i < 2; i++) {
      if (i == 0) { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @14
    }
    if (ME == 1) {
      SECOND;
      sink = buf[3]; // @14
#pragma omp cancel parallel
    }
#pragma omp barrier
  }
  done();
}
// case 15: ok
static void case15(void) { // flush, a relaxed flag, flush: an order (OpenMP 5.2, 1.4.4)
  static int flag;
  give(out, 64);
  REGION {
    if (ME == 0) {
      take(buf, 64);
#pragma omp flush
#pragma omp atomic write
      flag = 1;
    } else {
      int is_set = 0;
      while (!is_set) {
#pragma omp atomic read
        is_set = flag;
      }
#pragma omp flush
      sink = buf[3];
    }
  }
  done();
}
// case 16: thread.buffer
static void case16(void) { // the flush is before the receive
  static int flag;
  give(out, 64);
  REGION {
    if (ME == 0) {
#pragma omp flush
#pragma omp atomic write
      flag = 1;
      FIRST;
      MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @16
    } else {
      int is_set = 0;
      while (!is_set) {
#pragma omp atomic read
        is_set = flag;
      }
#pragma omp flush
      SECOND;
      sink = buf[3]; // @16
    }
  }
  done();
}
// case 17: ok
static void case17(void) { // taskloop, with its group
  REGION
#pragma omp single
  {
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < 8; i++) swap_row(rows[i], 30 + i);
    for (int i = 0; i < 8; i++) sink = rows[i][40];
  }
}
// case 18: thread.buffer
static void case18(void) { // taskloop nogroup
  give(out, 64);
  REGION
#pragma omp single
  {
#pragma omp taskloop nogroup grainsize(1)
    for (int i = 0; i < 2; i++)
      if (i) { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @18
    SECOND;
    sink = buf[3]; // @18
  }
  done();
}
// case 19: thread.collective
static void case19(void) { // two sections, one communicator
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    { SECOND; MPI_Barrier(WORLD); } // @19
#pragma omp section
    { FIRST; MPI_Barrier(WORLD); } // @19
  }
}
// case 20: ok
static void case20(void) { // a communicator each
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    MPI_Barrier(own[0]);
#pragma omp section
    MPI_Bcast(&rows[0][0], 1, MPI_INT, 0, own[1]);
  }
}
// case 21: ok
static void case21(void) { // copyprivate
  REGION {
    int value = 0, sum = 0;
#pragma omp single copyprivate(value)
    MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, WORLD);
#pragma omp atomic
    sum += value;
    sink = sum;
  }
}
// case 22: ok
static void case22(void) { // a reduction, and its result in a collective
  static int sum, all;
  sum = 0;
  REGION {
#pragma omp for reduction(+ : sum) schedule(dynamic)
    for (int i = 0; i < 8; i++) sum += out[i];
#pragma omp single
    MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, WORLD);
    sink = all;
  }
}
// case 23: thread.buffer
static void case23(void) { // no barrier between the reduction and the collective
  static int sum, all;
  sum = 0;
  REGION {
    if (ME == 0) { FIRST; MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, SELF); } // @23
    else { SECOND; sum = 5; } // @23
  }
}
// case 24: ok
static void case24(void) { // mutexinoutset
  give(out, 64);
  REGION
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : buf)
    take(buf, 64);
#pragma omp task depend(mutexinoutset : buf)
    buf[2] = 1;
  }
  done();
}
// case 25: thread.buffer
static void case25(void) { // inoutset does not exclude
  give(out, 64);
  REGION
#pragma omp single
  {
#pragma omp task depend(inoutset : buf)
    { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @25
#pragma omp task depend(inoutset : buf)
    { SECOND; buf[2] = 1; } // @25
  }
  done();
}
// case 26: ok
static void case26(void) { // taskwait depend
  give(out, 64);
  REGION
#pragma omp single
  {
#pragma omp task depend(out : buf)
    take(buf, 64);
#pragma omp taskwait depend(in : buf)
    sink = buf[3];
  }
  done();
}
// case 27: thread.buffer
static void case27(void) { // taskwait depend on something else
  give(out, 64);
  REGION
#pragma omp single
  {
#pragma omp task depend(out : buf)
    { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @27
#pragma omp taskwait depend(in : rows)
    SECOND;
    sink = buf[3]; // @27
  }
  done();
}
// case 28: ok
static void case28(void) { // untied tasks that yield, each with its row
  REGION
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task untied firstprivate(i)
    {
      rows[i][1] = i;
#pragma omp taskyield
      swap_row(rows[i], 50 + i);
    }
  }
}
// case 29: ok
static void case29(void) { // nested regions: the inner one's end, then a barrier of the outer team
  REGION {
    int me = ME;
#pragma omp parallel num_threads(2)
    swap_row(rows[2 * me + ME], 60 + 2 * me + ME);
#pragma omp barrier
    sink = rows[3 - me][40];
  }
}
// case 30: thread.buffer
static void case30(void) { // nested regions: a barrier of the inner team does not stop the outer one
  give(out, 64);
  REGION {
    if (ME == 0) {
#pragma omp parallel num_threads(2)
      {
#pragma omp barrier
        if (ME == 1) { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @30
      }
    } else { SECOND; sink = buf[3]; } // @30
  }
  done();
}
// case 31: ok
static void case31(void) { // masked with a filter, and the implicit end
  give(out, 64);
  REGION {
#pragma omp masked filter(1)
    take(buf, 64);
#pragma omp barrier
    sink = buf[3];
  }
  done();
}
// case 32: ok
static void case32(void) { // the final part of an ordered loop, dynamic
  REGION
#pragma omp for ordered schedule(dynamic)
  for (int i = 0; i < 4; i++) {
    sink = out[i];
#pragma omp ordered
    MPI_Barrier(WORLD);
  }
}
// case 33: thread.request
static void case33(void) { // two sections complete it
  static MPI_Request r;
  MPI_Irecv(buf, 4, MPI_INT, 0, 9, SELF, &r);
  MPI_Send(out, 4, MPI_INT, 0, 9, SELF);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    { FIRST; MPI_Wait(&r, IGNORE); } // @33
#pragma omp section
    { SECOND; int flag; MPI_Test(&r, &flag, IGNORE); } // @33
  }
}
// case 34: ok
static void case34(void) { // a task of a pool waits for it, the group is awaited
  static MPI_Request r;
  MPI_Irecv(buf, 4, MPI_INT, 0, 9, SELF, &r);
  MPI_Send(out, 4, MPI_INT, 0, 9, SELF);
  REGION
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      MPI_Wait(&r, IGNORE);
    }
    MPI_Irecv(buf, 4, MPI_INT, 0, 9, SELF, &r);
    MPI_Send(out, 4, MPI_INT, 0, 9, SELF);
#pragma omp task
    MPI_Wait(&r, IGNORE);
  }
}
// case 35: ok
static void case35(void) { // scan of a lock that is tested
  static omp_lock_t lock;
  omp_init_lock(&lock);
  give(out, 64);
  REGION {
    while (!omp_test_lock(&lock)) usleep(10);
    if (ME == 0) take(buf, 64);
    else sink = buf[3];
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  done();
}
// case 36: ok
static void case36(void) { // if(0): one thread does it, undeferred tasks
  give(out, 64);
#pragma omp parallel if (0)
  {
#pragma omp task if (0)
    take(buf, 64);
    sink = buf[3];
  }
  done();
}
// case 37: ok
static void case37(void) { // a task reduction
  int sum = 0, all;
  REGION
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
      sum += out[i];
    }
    MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, WORLD);
  }
}
// case 38: ok
static void case38(void) { // requests that each thread has collected, in a dynamic loop
  REGION {
    MPI_Request mine[16];
    int n = 0;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 8; i++) {
      MPI_Irecv(rows[i], 4, MPI_INT, 0, 70 + i, SELF, &mine[n++]);
      MPI_Isend(out, 4, MPI_INT, 0, 70 + i, SELF, &mine[n++]);
    }
    MPI_Waitall(n, mine, MPI_STATUSES_IGNORE);
#pragma omp barrier
    sink = rows[3][1];
  }
}
// case 39: ok
static void case39(void) { // scratch memory of the thread, in a dynamic loop
  static int scratch[2][64];
  REGION {
    int *mine = scratch[ME], more[64];
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 8; i++) swap_row(mine, 80 + i), swap_row(more, 90 + i);
  }
}
// case 40: ok
static void case40(void) { // whoever was first in the single goes on with what it began
  MPI_Request r = MPI_REQUEST_NULL;
  REGION {
    int is_mine = 0;
#pragma omp single nowait
    {
      MPI_Irecv(buf, 4, MPI_INT, 0, 9, SELF, &r);
      MPI_Send(out, 4, MPI_INT, 0, 9, SELF);
      is_mine = 1;
    }
    if (is_mine) {
      MPI_Wait(&r, IGNORE);
      sink = buf[2];
    }
  }
}

int main(int argc, char **argv) {
  int given;
  if (getenv("LUCK")) luck = atoi(getenv("LUCK"));
  omp_set_max_active_levels(2);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(WORLD, &rank);
  for (int i = 0; i < 2; i++) MPI_Comm_dup(WORLD, &own[i]);
  void (*const cases[])(void) = {
      case1,  case2,  case3,  case4,  case5,  case6,  case7,  case8,  case9,  case10, case11, case12, case13, case14,
      case15, case16, case17, case18, case19, case20, case21, case22, case23, case24, case25, case26, case27, case28,
      case29, case30, case31, case32, case33, case34, case35, case36, case37, case38, case39, case40};
  int only = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
    if (!only || only == i + 1) cases[i]();
  for (int i = 0; i < 2; i++) MPI_Comm_free(&own[i]);
  MPI_Finalize();
}
