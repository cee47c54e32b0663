// RUN: %mpicc-check -O1 -fopenmp %s -o %t
// RUN: %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing but messages orders two threads: thread 0 tells the other rank, which tells thread 1 here. Both ranks do the
// same: what the other one's thread 0 tells says nothing of this one's, unless it comes behind a collective of both.
// Elsewhere a third thread passes on what it hears.
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
static volatile int is_over; // volatile: no order
#define PAUSE while (!is_over) usleep(10) // the other thread is the first one, and nothing says that it is
#define REGION _Pragma("omp parallel num_threads(2)")
#define REGION_OF_3 _Pragma("omp parallel num_threads(3)")
#define ME omp_get_thread_num()
// Two of them match each other in either order, so that no run fails by it.
#define share() MPI_Allreduce(MPI_IN_PLACE, (int[1]){0}, 1, MPI_INT, MPI_SUM, WORLD)
static int rank, in, out;
static MPI_Request q, sent;

// Thread 0 tells the other rank, and thread 1 is told by it.
static void tell(int tag) { MPI_Send(&rank, 1, MPI_INT, !rank, tag, WORLD); }
static void hear(int tag) {
  int x;
  MPI_Recv(&x, 1, MPI_INT, !rank, tag, WORLD, MPI_STATUS_IGNORE);
}
static void pass_on(int tag) {
  hear(100 + tag), tell(200 + tag);
}
static void begin(void) {
  MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &q);
  MPI_Isend(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &sent);
}
static void end(void) { MPI_Wait(&sent, MPI_STATUS_IGNORE), MPI_Wait(&q, MPI_STATUS_IGNORE); }

// case 1: ok
static void case1(void) { // two collectives
  REGION {
    if (ME == 0) MPI_Barrier(WORLD), tell(1);
    else hear(1), share();
  }
}
// case 2: ok
static void case2(void) { // two completions of one request
  begin();
  REGION_OF_3 {
    if (ME == 0) MPI_Wait(&q, MPI_STATUS_IGNORE), tell(102);
    else if (ME == 1) hear(202), MPI_Wait(&q, MPI_STATUS_IGNORE);
    else pass_on(2);
  }
  end();
}
// case 3: ok
static void case3(void) { // two receives of one channel
  MPI_Request r[2];
  int x[2];
  for (int i = 0; i < 2; i++) MPI_Isend(&out, 1, MPI_INT, !rank, 3, WORLD, &r[i]);
  REGION_OF_3 {
    if (ME == 0) MPI_Recv(&x[0], 1, MPI_INT, !rank, 3, WORLD, MPI_STATUS_IGNORE), tell(103);
    else if (ME == 1) hear(203), MPI_Recv(&x[1], 1, MPI_INT, !rank, 3, WORLD, MPI_STATUS_IGNORE);
    else pass_on(3);
  }
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
// case 4: ok
static void case4(void) { // by a probe
  REGION {
    if (ME == 0) MPI_Barrier(WORLD), tell(4);
    else {
      MPI_Probe(!rank, 4, WORLD, MPI_STATUS_IGNORE);
      share();
    }
  }
  hear(4);
}
// case 5: ok
static void case5(void) { // by a message to itself
  REGION {
    int x;
    if (ME == 0) MPI_Barrier(WORLD), MPI_Send(&out, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    else MPI_Recv(&x, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE), share();
  }
}
// case 6: thread.collective
static void case6(void) { // what thread 1 hears came before
  tell(6);
  hear(6);
  REGION {
    if (ME == 1) PAUSE;
    if (ME == 0) share(); // @6
    else share();         // @6
    is_over = 1;
  }
}
// case 7: thread.request
static void case7(void) { // thread 1 tells, which does not order it behind thread 0
  begin();
  REGION {
    if (ME == 0) {
      MPI_Wait(&q, MPI_STATUS_IGNORE); // @7
      is_over = 1;
    } else {
      tell(7);
      PAUSE;
      MPI_Wait(&q, MPI_STATUS_IGNORE); // @7
    }
  }
  hear(7);
  end();
}
// case 8: thread.collective
static void case8(void) { // thread 0 heard something, and thread 1 has heard nothing
  tell(8);
  REGION {
    if (ME == 1) PAUSE;
    if (ME == 0) hear(8), share(); // @8
    else share();                  // @8
    is_over = 1;
  }
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(WORLD, &rank);
  case1();
  case2();
  case3();
  case4();
  case5();
  is_over = 0, case6();
  is_over = 0, case7();
  is_over = 0, case8();
  MPI_Finalize();
  return level < MPI_THREAD_MULTIPLE;
}
