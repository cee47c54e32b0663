// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: env LUCK=0 %python %source/tests/rma/cases.py --all 1 %mpirun-check %t %s
// RUN: env LUCK=1 %python %source/tests/rma/cases.py --all 1 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A load or store of one OpenMP thread or task and an operation of another one, with and without an order of the two.
// LUCK says which of them comes first; the findings do not depend on it.
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

#define REGION _Pragma("omp parallel num_threads(2)")
#define ME omp_get_thread_num()
#define SELF MPI_COMM_SELF
#define IGNORE MPI_STATUS_IGNORE
static int luck;
#define FIRST if (luck) usleep(3000)
#define SECOND if (!luck) usleep(3000)
static int buf[64], out[64], more[64];
static volatile int sink;
static MPI_Request sent, q;

static void give(int *from, int n, int tag) { MPI_Isend(from, n, MPI_INT, 0, tag, SELF, &sent); }
static void take(int *to, int n, int tag) { MPI_Recv(to, n, MPI_INT, 0, tag, SELF, IGNORE); }
static void done(void) { MPI_Wait(&sent, IGNORE); }

// case 1: thread.buffer
static void case1(void) { // a blocking receive, and a load
  give(out, 64, 1);
  REGION {
    if (ME == 0) { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @1
    else { SECOND; sink = buf[3]; } // @1
  }
  done();
}
// case 2: ok
static void case2(void) { // a barrier between them
  give(out, 64, 1);
  REGION {
    if (ME == 0) take(buf, 64, 1);
#pragma omp barrier
    if (ME == 1) sink = buf[3];
  }
  done();
}
// case 3: thread.buffer
static void case3(void) { // the barrier is before both
  give(out, 64, 1);
  REGION {
#pragma omp barrier
    if (ME == 0) { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @3
    else { SECOND; buf[60] = 1; } // @3
  }
  done();
}
// case 4: ok
static void case4(void) { // other elements
  give(out, 32, 1);
  REGION {
    if (ME == 0) take(buf, 32, 1);
    else buf[40] = 1, sink = buf[32];
  }
  done();
}
// case 5: ok
static void case5(void) { // both read
  REGION {
    if (ME == 0) { MPI_Request r; MPI_Isend(out, 64, MPI_INT, 0, 1, SELF, &r); take(buf, 64, 1); MPI_Wait(&r, IGNORE); }
    else sink = out[3];
  }
}
// case 6: thread.buffer
static void case6(void) { // a send, and a store
  REGION {
    if (ME == 0) {
      FIRST;
      MPI_Request r;
      MPI_Isend(out, 64, MPI_INT, 0, 1, SELF, &r); // @6
      take(buf, 64, 1);
      MPI_Wait(&r, IGNORE);
    } else { SECOND; out[5] = 1; } // @6
  }
}
// case 7: ok
static void case7(void) { // stored before the region
  out[5] = 2;
  REGION if (ME == 0) give(out, 64, 1), take(buf, 64, 1), done();
  out[5] = 1;
}
// case 8: thread.buffer
static void case8(void) { // nowait takes the barrier away
  give(out, 64, 1);
  REGION {
#pragma omp single nowait
    { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @8
    SECOND;
    sink = buf[7]; // @8
  }
  done();
}
// case 9: ok
static void case9(void) { // single has a barrier
  give(out, 64, 1);
  REGION {
#pragma omp single
    take(buf, 64, 1);
    sink = buf[7];
  }
  done();
}
// case 10: thread.buffer
static void case10(void) { // masked has none
  give(out, 64, 1);
  REGION {
#pragma omp masked
    { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @10
    if (ME) { SECOND; sink = buf[7]; } // @10
  }
  done();
}
// case 11: ok
static void case11(void) { // masked and a barrier
  give(out, 64, 1);
  REGION {
#pragma omp masked
    take(buf, 64, 1);
#pragma omp barrier
    sink = buf[7];
  }
  done();
}
// case 12: ok
static void case12(void) { // a critical section keeps the load out of the call
  give(out, 64, 1);
  REGION {
    if (ME == 0) {
#pragma omp critical(a)
      take(buf, 64, 1);
    } else {
#pragma omp critical(a)
      sink = buf[7];
    }
  }
  done();
}
// case 13: thread.buffer
static void case13(void) { // two different ones do not
  give(out, 64, 1);
  REGION {
    if (ME == 0) {
      FIRST;
#pragma omp critical(a)
      MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @13
    } else {
      SECOND;
#pragma omp critical(b)
      sink = buf[7]; // @13
    }
  }
  done();
}
// case 14: thread.buffer
static void case14(void) { // the tasks are not ordered
  give(out, 64, 1);
  REGION
#pragma omp single
  {
#pragma omp task
    { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @14
#pragma omp task
    { SECOND; buf[9] = 1; } // @14
  }
  done();
}
// case 15: ok
static void case15(void) { // they depend
  give(out, 64, 1);
  REGION
#pragma omp single
  {
#pragma omp task depend(out : buf)
    take(buf, 64, 1);
#pragma omp task depend(in : buf)
    sink = buf[9];
  }
  done();
}
// case 16: thread.buffer
static void case16(void) { // two that are read do not exclude a third
  give(out, 64, 1);
  REGION
#pragma omp single
  {
#pragma omp task depend(in : more)
    { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @16
#pragma omp task depend(in : more)
    { SECOND; sink = buf[9]; } // @16
  }
  done();
}
// case 17: ok
static void case17(void) { // taskwait
  give(out, 64, 1);
  REGION
#pragma omp single
  {
#pragma omp task
    take(buf, 64, 1);
#pragma omp taskwait
    sink = buf[9];
  }
  done();
}
// case 18: thread.buffer
static void case18(void) { // no taskwait: the task's creator goes on
  give(out, 64, 1);
  REGION
#pragma omp single
  {
#pragma omp task
    { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @18
    SECOND;
    sink = buf[9]; // @18
  }
  done();
}
// case 19: ok
static void case19(void) { // taskgroup, of a grandchild
  give(out, 64, 1);
  REGION
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task
        take(buf, 64, 1);
      }
    }
    sink = buf[9];
  }
  done();
}
// case 20: thread.buffer
static void case20(void) { // taskwait does not wait for grandchildren
  give(out, 64, 1);
  REGION
#pragma omp single
  {
#pragma omp task
    {
#pragma omp task
      { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @20
    }
#pragma omp taskwait
    SECOND;
    sink = buf[9]; // @20
  }
  done();
}
// case 21: buffer.read-in-use
static void case21(void) { // posted before the region, completed in it
  MPI_Irecv(buf, 64, MPI_INT, 0, 1, SELF, &q);
  give(out, 64, 1);
  REGION {
    if (ME == 0) { FIRST; MPI_Wait(&q, IGNORE); }
    else { SECOND; sink = buf[3]; } // @21
  }
  done();
}
// case 22: ok
static void case22(void) { // and read behind a barrier
  MPI_Irecv(buf, 64, MPI_INT, 0, 1, SELF, &q);
  give(out, 64, 1);
  REGION {
    if (ME == 0) MPI_Wait(&q, IGNORE);
#pragma omp barrier
    sink = buf[3];
  }
  done();
}
// case 23: thread.buffer
static void case23(void) { // posted in the region
  give(out, 64, 1);
  REGION {
    if (ME == 0) {
      FIRST;
      MPI_Irecv(buf, 64, MPI_INT, 0, 1, SELF, &q); // @23
      MPI_Wait(&q, IGNORE);
    } else { SECOND; sink = buf[3]; } // @23
  }
  done();
}
// case 24: thread.buffer
static void case24(void) { // a persistent one
  MPI_Recv_init(buf, 64, MPI_INT, 0, 1, SELF, &q);
  give(out, 64, 1);
  REGION {
    if (ME == 0) {
      FIRST;
      MPI_Start(&q); // @24
      MPI_Wait(&q, IGNORE);
    } else { SECOND; sink = buf[3]; } // @24
  }
  done();
  MPI_Request_free(&q);
}
// case 25: ok
static void case25(void) { // defined in the region, started behind it
  REGION {
    if (ME == 0) MPI_Recv_init(buf, 64, MPI_INT, 0, 1, SELF, &q);
    else sink = buf[3];
  }
  give(out, 64, 1);
  MPI_Start(&q);
  MPI_Wait(&q, IGNORE);
  done();
  MPI_Request_free(&q);
}
// case 26: thread.buffer
static void case26(void) { // a collective
  REGION {
    if (ME == 0) { FIRST; MPI_Allreduce(out, buf, 64, MPI_INT, MPI_SUM, SELF); } // @26
    else { SECOND; sink = buf[3]; } // @26
  }
}
// case 27: ok
static void case27(void) { // it only reads this one
  REGION {
    if (ME == 0) MPI_Allreduce(out, buf, 64, MPI_INT, MPI_SUM, SELF);
    else sink = out[3];
  }
}
// case 28: thread.buffer
static void case28(void) { // a column
  MPI_Datatype column;
  MPI_Type_vector(8, 1, 8, MPI_INT, &column);
  MPI_Type_commit(&column);
  give(out, 8, 1);
  REGION {
    if (ME == 0) { FIRST; MPI_Recv(buf, 1, column, 0, 1, SELF, IGNORE); } // @28
    else { SECOND; buf[16] = 1; } // @28
  }
  done();
  MPI_Type_free(&column);
}
// case 29: ok
static void case29(void) { // between the elements of a column
  MPI_Datatype column;
  MPI_Type_vector(8, 1, 8, MPI_INT, &column);
  MPI_Type_commit(&column);
  give(out, 8, 1);
  REGION {
    if (ME == 0) MPI_Recv(buf, 1, column, 0, 1, SELF, IGNORE);
    else buf[17] = 1;
  }
  done();
  MPI_Type_free(&column);
}
// case 30: thread.buffer
static void case30(void) { // a loop of the other thread
  give(out, 64, 1);
  REGION {
    if (ME == 0) { FIRST; MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); } // @30
    else {
      SECOND;
      for (int i = 0; i < 64; i++) more[i] = buf[i]; // @30
    }
  }
  done();
}
// case 31: ok
static void case31(void) { // nested regions, joined
  give(out, 64, 1);
  REGION {
    if (ME == 0) {
#pragma omp parallel num_threads(2)
      if (ME == 1) take(buf, 64, 1);
      sink = buf[3];
    }
  }
  done();
}
// case 32: ok
static void case32(void) { // iterations of one static schedule belong to one thread
  give(out, 64, 1);
  REGION {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 2; i++)
      if (i == 0) take(buf, 64, 1);
#pragma omp for schedule(static)
    for (int i = 0; i < 2; i++)
      if (i == 0) sink = buf[3];
  }
  done();
}
// case 33: ok
static void case33(void) { // ordered
  give(out, 64, 1);
  REGION
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < 2; i++) {
#pragma omp ordered
    {
      if (i == 0) take(buf, 64, 1);
      else sink = buf[3];
    }
  }
  done();
}
// case 34: ok
static void case34(void) { // release and acquire
  static int flag;
  give(out, 64, 1);
  REGION {
    if (ME == 0) {
      take(buf, 64, 1);
#pragma omp atomic write release
      flag = 1;
    } else {
      int is_set = 0;
      while (!is_set) {
#pragma omp atomic read acquire
        is_set = flag;
      }
      sink = buf[3];
    }
  }
  done();
}
// case 35: thread.buffer
static void case35(void) { // relaxed
  static int flag;
  give(out, 64, 1);
  REGION {
    if (ME == 0) {
      MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @35
#pragma omp atomic write relaxed
      flag = 1;
    } else {
      int is_set = 0;
      while (!is_set) {
#pragma omp atomic read relaxed
        is_set = flag;
      }
      sink = buf[3]; // @35
    }
  }
  done();
}
// case 36: ok
static void case36(void) { // tasks with copies and variables of their own
  REGION
#pragma omp single
  for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(i)
    {
      int mine = i, got;
      MPI_Request r;
      MPI_Isend(&i, 1, MPI_INT, 0, 100 + i, SELF, &r);
      MPI_Recv(&got, 1, MPI_INT, 0, 100 + i, SELF, IGNORE);
      MPI_Wait(&r, IGNORE);
      sink = mine + got;
    }
  }
}
// case 37: ok
static void case37(void) { // memory that goes from hand to hand
  REGION
#pragma omp single
  for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(i)
    {
      int *mine = malloc(64 * sizeof *mine);
      mine[3] = i;
      MPI_Request r;
      MPI_Isend(mine, 4, MPI_INT, 0, 200 + i, SELF, &r);
      MPI_Recv(mine + 8, 4, MPI_INT, 0, 200 + i, SELF, IGNORE);
      MPI_Wait(&r, IGNORE);
      sink = mine[11];
      free(mine);
    }
  }
}
// case 38: ok
static void case38(void) { // a part of the thread that runs the task
  static int scratch[2][64];
  REGION
#pragma omp single
  for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(i)
    {
      int *mine = scratch[ME];
      mine[3] = i;
      MPI_Request r;
      MPI_Isend(mine, 4, MPI_INT, 0, 300 + i, SELF, &r);
      MPI_Recv(mine + 8, 4, MPI_INT, 0, 300 + i, SELF, IGNORE);
      MPI_Wait(&r, IGNORE);
      sink = mine[11];
    }
  }
}
// case 39: ok
static void case39(void) { // tasks whose children use their variables
  REGION
#pragma omp single
  for (int i = 0; i < 30; i++) {
#pragma omp task firstprivate(i)
    {
      int mine[8] = {0};
      MPI_Request r;
      MPI_Isend(&i, 1, MPI_INT, 0, 400 + i, SELF, &r);
#pragma omp task shared(mine, i)
      MPI_Recv(mine, 1, MPI_INT, 0, 400 + i, SELF, IGNORE);
#pragma omp taskwait
      sink = mine[0];
      MPI_Wait(&r, IGNORE);
    }
  }
}

int main(int argc, char **argv) {
  int given;
  if (getenv("LUCK")) luck = atoi(getenv("LUCK"));
  omp_set_max_active_levels(2);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  void (*const cases[])(void) = {
      case1,  case2,  case3,  case4,  case5,  case6,  case7,  case8,  case9,  case10, case11, case12, case13,
      case14, case15, case16, case17, case18, case19, case20, case21, case22, case23, case24, case25, case26,
      case27, case28, case29, case30, case31, case32, case33, case34, case35, case36, case37, case38, case39};
  int only = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
    if (!only || only == i + 1) cases[i]();
  MPI_Finalize();
}
