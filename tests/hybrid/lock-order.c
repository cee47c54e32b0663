// RUN: %mpicc-check -O1 -fopenmp %s -o %t -pthread
// RUN: env LUCK=0 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// RUN: env LUCK=1 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of locks: one comes behind another one in every run only if it loads what that one stored. LUCK says which
// comes first; the findings do not depend on it. It must be the same one on both ranks, though: where they differ, case 1
// really is a deadlock, and no other case is run. So the second one waits for a plain flag, which orders nothing.
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#define REGION _Pragma("omp parallel num_threads(2)")
#define CRITICAL _Pragma("omp critical")
#define ME omp_get_thread_num()
#define SELF MPI_COMM_SELF
#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int luck;
static volatile int nover; // parts of a region that are over
#define FIRST while (luck && !nover) sched_yield()
#define SECOND while (!luck && !nover) sched_yield()
#define OVER nover = 1
static int buf[64], out[64], copy[64], state, count;
static volatile int sink;
static MPI_Request sent;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static void give(void) { MPI_Isend(out, 64, MPI_INT, 0, 1, SELF, &sent), state = count = 0; }
static void done(void) { MPI_Wait(&sent, IGNORE); }
#define TAKE MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE)

// case 1: thread.collective
static void case1(void) { // a mutex does not say who is first
  REGION {
    if (ME) { FIRST; pthread_mutex_lock(&m); MPI_Barrier(WORLD); pthread_mutex_unlock(&m); } // @1
    else { SECOND; pthread_mutex_lock(&m); MPI_Bcast(out, 1, MPI_INT, 0, WORLD); pthread_mutex_unlock(&m); } // @1
    OVER;
  }
}
// case 2: ok
static void case2(void) { // a turn that is stored and loaded in the sections
  int turn = 0;
  REGION {
    for (int is_done = 0; !is_done;) CRITICAL {
      if (ME == 0 && turn == 0) MPI_Barrier(WORLD), turn = 1, is_done = 1;
      else if (ME == 1 && turn == 1) MPI_Bcast(out, 1, MPI_INT, 0, WORLD), turn = 2, is_done = 1;
    }
  }
}
// case 3: thread.buffer
static void case3(void) { // the sections only count, and say nothing of the receive
  give();
  REGION {
    if (ME) {
      FIRST;
      CRITICAL copy[1] = 1;
      TAKE; // @3
    } else {
      SECOND;
      CRITICAL copy[2] = 1;
      sink = buf[3]; // @3
    }
    OVER;
  }
  done();
}
// case 4: ok
static void case4(void) { // a flag in the section
  give();
  REGION {
    if (ME) {
      TAKE;
      CRITICAL state = 1;
    } else {
      int is_there = 0;
      while (!is_there) CRITICAL is_there = state;
      sink = buf[3];
    }
  }
  done();
}
// case 5: thread.buffer
static void case5(void) { // the receive is behind the section
  give();
  REGION {
    if (ME) {
      FIRST;
      pthread_mutex_lock(&m);
      state = 1;
      pthread_mutex_unlock(&m);
      TAKE; // @5
    } else {
      SECOND;
      pthread_mutex_lock(&m);
      sink = state;
      pthread_mutex_unlock(&m);
      sink = buf[3]; // @5
    }
    OVER;
  }
  done();
}
// case 6: ok
static void case6(void) { // what was received is copied, and the copy is looked at
  memset(buf, 0, sizeof buf), memset(copy, 0, sizeof copy), out[0] = 1;
  give();
  REGION {
    if (ME) {
      CRITICAL {
        TAKE;
        memcpy(copy, buf, sizeof copy);
      }
    } else {
      int is_there = 0;
      while (!is_there) CRITICAL is_there = copy[0];
      sink = buf[3];
    }
  }
  done();
}
// case 7: ok
static void case7(void) { // the receive itself is what is looked at
  memset(buf, 0, sizeof buf), out[0] = 1;
  give();
  REGION {
    if (ME) {
      CRITICAL TAKE;
    } else {
      int is_there = 0;
      while (!is_there) CRITICAL is_there = buf[0];
      sink = buf[3];
    }
  }
  done();
}
// case 8: ok
static void case8(void) { // a request that goes from hand to hand by a lock
  MPI_Request r = MPI_REQUEST_NULL;
  give();
  REGION {
    if (ME) {
      pthread_mutex_lock(&m);
      MPI_Irecv(buf, 64, MPI_INT, 0, 1, SELF, &r);
      pthread_mutex_unlock(&m);
    } else {
      MPI_Request mine = MPI_REQUEST_NULL;
      while (mine == MPI_REQUEST_NULL) {
        pthread_mutex_lock(&m);
        mine = r;
        pthread_mutex_unlock(&m);
      }
      MPI_Wait(&mine, IGNORE);
      sink = buf[3];
    }
  }
  done();
}
// case 9: ok
static void case9(void) { // a counter that tells who is last
  give();
  REGION {
    int mine;
    if (ME) TAKE;
    pthread_mutex_lock(&m);
    mine = ++count;
    pthread_mutex_unlock(&m);
    if (mine == 2) sink = buf[3];
  }
  done();
}
// case 10: ok
static void case10(void) { // a function in the section: what it does is not known
  give();
  REGION {
    if (ME) {
      TAKE;
      CRITICAL setenv("MCK_TEST_STATE", "there", 1);
    } else {
      int is_there = 0;
      while (!is_there) CRITICAL is_there = getenv("MCK_TEST_STATE") != NULL;
      sink = buf[3];
    }
  }
  CRITICAL unsetenv("MCK_TEST_STATE");
  done();
}
// case 11: thread.buffer
static void case11(void) { // two writers of a read-write lock that store different things
  give();
  REGION {
    if (ME) {
      FIRST;
      TAKE; // @11
      pthread_rwlock_wrlock(&rw);
      copy[4] = 1;
      pthread_rwlock_unlock(&rw);
    } else {
      SECOND;
      pthread_rwlock_wrlock(&rw);
      copy[5] = 1;
      pthread_rwlock_unlock(&rw);
      buf[3] = 1; // @11
    }
    OVER;
  }
  done();
}
// case 12: ok
static void case12(void) { // readers see what the writer has stored
  give();
  REGION {
    if (ME) {
      TAKE;
      pthread_rwlock_wrlock(&rw);
      state = 1;
      pthread_rwlock_unlock(&rw);
    } else {
      int is_there = 0;
      while (!is_there) pthread_rwlock_rdlock(&rw), is_there = state, pthread_rwlock_unlock(&rw);
      sink = buf[3];
    }
  }
  done();
}
// case 13: ok
static void case13(void) { // the first one does it, whoever it is
  give();
  REGION {
    CRITICAL {
      if (!state) TAKE, state = 1;
    }
    sink = buf[3];
  }
  done();
}
// case 14: ok
static void case14(void) { // a sum of what two threads have received
  MPI_Request r[2];
  int in[2], sum = 0;
  for (int i = 0; i < 2; i++) MPI_Isend(&out[i], 1, MPI_INT, 0, 20 + i, SELF, &r[i]);
  REGION {
    MPI_Recv(&in[ME], 1, MPI_INT, 0, 20 + ME, SELF, IGNORE);
    CRITICAL {
      sum += in[ME];
      if (++count == 2) MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, SELF);
    }
  }
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
// case 15: ok
static sem_t there;
static void case15(void) { // the last call of the region: a tail call would come from OpenMP's library
  give();
  sem_init(&there, 0, 0);
  REGION {
    if (ME) {
      TAKE;
      sem_post(&there);
    } else {
      sem_wait(&there);
      sink = buf[3];
    }
  }
  sem_destroy(&there);
  done();
}
// case 16: thread.buffer
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static volatile int is_waiting;
static void case16(void) { // a worker of a pool that waits at the lock first; its earlier receive orders nothing
  give();
  REGION {
    if (ME) {
      FIRST;
      TAKE; // @16
      pthread_mutex_lock(&m);
      is_waiting = 1;
      while (!state) pthread_cond_wait(&news, &m);
      pthread_mutex_unlock(&m);
    } else {
      while (!luck && !is_waiting) sched_yield();
      pthread_mutex_lock(&m);
      state = 1;
      pthread_cond_signal(&news);
      pthread_mutex_unlock(&m);
      sink = buf[3]; // @16
      OVER;
    }
  }
  done();
}
// case 17: ok
static void case17(void) { // the wait is for the receive
  give();
  REGION {
    if (ME) {
      TAKE;
      pthread_mutex_lock(&m);
      state = 1;
      pthread_mutex_unlock(&m);
      pthread_cond_broadcast(&news);
    } else {
      pthread_mutex_lock(&m);
      while (!state) pthread_cond_wait(&news, &m);
      pthread_mutex_unlock(&m);
      sink = buf[3];
    }
  }
  done();
}
// case 18: ok
static void case18(void) { // for one of two, with a time limit; what is looked for has changed in the section that waits
  give();
  REGION {
    if (ME) {
      TAKE;
      pthread_mutex_lock(&m);
      if (count) state = 1;
      else count = 1;
      pthread_cond_signal(&news);
      pthread_mutex_unlock(&m);
    } else {
      struct timespec until = {.tv_sec = 1};
      pthread_mutex_lock(&m);
      while (!state && !count) {
        count = 0;
        pthread_cond_timedwait(&news, &m, &until);
      }
      pthread_mutex_unlock(&m);
      sink = buf[3];
    }
  }
  done();
}
// case 19: thread.buffer
static mtx_t lock19;
static cnd_t news19;
static void case19(void) { // the pool with C11's calls
  mtx_init(&lock19, mtx_plain), cnd_init(&news19);
  give();
  REGION {
    if (ME) {
      FIRST;
      TAKE; // @19
      mtx_lock(&lock19);
      is_waiting = 1;
      while (!state) cnd_wait(&news19, &lock19);
      state = 0;
      mtx_unlock(&lock19);
    } else {
      while (!luck && !is_waiting) sched_yield();
      mtx_lock(&lock19);
      state = 1;
      cnd_signal(&news19);
      mtx_unlock(&lock19);
      sink = buf[3]; // @19
      OVER;
    }
  }
  cnd_destroy(&news19), mtx_destroy(&lock19);
  done();
}
// case 20: ok
static void case20(void) { // jobs and answers through one condition
  give();
  REGION {
    pthread_mutex_lock(&m);
    if (ME) {
      while (state != 1) pthread_cond_wait(&news, &m);
      pthread_mutex_unlock(&m);
      TAKE;
      pthread_mutex_lock(&m);
      state = 2;
    } else {
      state = 1;
      pthread_cond_broadcast(&news);
      do pthread_cond_wait(&news, &m);
      while (state != 2);
      sink = buf[3];
    }
    pthread_cond_broadcast(&news);
    pthread_mutex_unlock(&m);
  }
  done();
}
// case 21: thread.buffer
static void case21(void) { // posted and completed in sections, which tell the other thread nothing
  MPI_Request r;
  give();
  REGION {
    if (ME) {
      FIRST;
      CRITICAL MPI_Irecv(buf, 64, MPI_INT, 0, 1, SELF, &r); // @21
      CRITICAL MPI_Wait(&r, IGNORE);
    } else {
      SECOND;
      CRITICAL copy[2] = 1;
      sink = buf[3]; // @21
    }
    OVER;
  }
  done();
}
// case 22: ok
static void case22(void) { // whether the request is complete is asked in a section
  MPI_Request r = MPI_REQUEST_NULL;
  give();
  REGION {
    if (ME) {
      CRITICAL {
        MPI_Irecv(buf, 64, MPI_INT, 0, 1, SELF, &r);
        state = 1;
      }
      CRITICAL MPI_Wait(&r, IGNORE);
    } else {
      for (int is_over = 0; !is_over;) CRITICAL is_over = state && r == MPI_REQUEST_NULL;
      sink = buf[3];
    }
  }
  done();
}

// case 23: thread.buffer
static void case23(void) { // what a send reads in its section decides nothing about the send, which is over behind it
  MPI_Request receive;
  MPI_Irecv(copy, 64, MPI_INT, 0, 2, SELF, &receive);
  REGION {
    if (ME) {
      FIRST;
      for (int k = 0; k < 3; k++) {
        pthread_mutex_lock(&m);
        for (int i = 0; i < 64; i++) out[i] += k; // @23
        pthread_mutex_unlock(&m);
      }
    } else {
      MPI_Request r;
      SECOND;
      pthread_mutex_lock(&m);
      MPI_Isend(out, 64, MPI_INT, 0, 2, SELF, &r); // @23
      pthread_mutex_unlock(&m);
      MPI_Wait(&r, IGNORE);
    }
    OVER;
  }
  MPI_Wait(&receive, IGNORE);
}
// case 24: ok
static void case24(void) { // it is over in its section
  MPI_Request receive;
  MPI_Irecv(copy, 64, MPI_INT, 0, 2, SELF, &receive);
  REGION {
    if (ME) {
      FIRST;
      for (int k = 0; k < 3; k++) {
        pthread_mutex_lock(&m);
        for (int i = 0; i < 64; i++) out[i] += k;
        pthread_mutex_unlock(&m);
      }
    } else {
      MPI_Request r;
      SECOND;
      pthread_mutex_lock(&m);
      MPI_Isend(out, 64, MPI_INT, 0, 2, SELF, &r);
      MPI_Wait(&r, IGNORE);
      pthread_mutex_unlock(&m);
    }
    OVER;
  }
  MPI_Wait(&receive, IGNORE);
}
// case 25: ok
static void case25(void) { // loops of the sections copy what was received, and look at the copy
  memset(buf, 0, sizeof buf), memset(copy, 0, sizeof copy), out[63] = 1;
  give();
  REGION {
    if (ME) {
      TAKE;
      CRITICAL {
        for (int i = 0; i < 64; i++) copy[i] = buf[i];
      }
    } else {
      int is_there = 0;
      while (!is_there) CRITICAL {
        for (int i = 0; i < 64; i++) is_there |= copy[i];
      }
      sink = buf[3];
    }
  }
  done();
}
// case 26: thread.collective
static void case26(void) { // the second one reads what the first one has stored, but would come anyway
  int sum[64];
  REGION {
    if (ME) {
      FIRST;
      pthread_mutex_lock(&m);
      for (int i = 0; i < 64; i++) out[i] = i;
      MPI_Barrier(WORLD); // @26
      pthread_mutex_unlock(&m);
    } else {
      SECOND;
      pthread_mutex_lock(&m);
      MPI_Allreduce(out, sum, 64, MPI_INT, MPI_MAX, WORLD); // @26
      pthread_mutex_unlock(&m);
    }
    OVER;
  }
}
// case 27: thread.buffer
static void case27(void) { // posted in a section, over behind it, and another section loads
  MPI_Request r;
  give();
  REGION {
    if (ME) {
      FIRST;
      pthread_mutex_lock(&m);
      MPI_Irecv(buf, 64, MPI_INT, 0, 1, SELF, &r); // @27
      pthread_mutex_unlock(&m);
      pthread_mutex_lock(&m);
      MPI_Wait(&r, IGNORE);
      pthread_mutex_unlock(&m);
    } else {
      SECOND;
      pthread_mutex_lock(&m);
      sink = buf[3]; // @27
      pthread_mutex_unlock(&m);
    }
    OVER;
  }
  done();
}
int main(int argc, char **argv) {
  int given;
  if (getenv("LUCK")) luck = atoi(getenv("LUCK"));
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  void (*const cases[])(void) = {case1,  case2,  case3,  case4,  case5,  case6,  case7,  case8,  case9,  case10,
                                 case11, case12, case13, case14, case15, case16, case17, case18, case19, case20,
                                 case21, case22, case23, case24, case25, case26, case27};
  int only = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
    if (!only || only == i + 1) nover = is_waiting = 0, cases[i]();
  MPI_Finalize();
}
