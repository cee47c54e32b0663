// RUN: grep -n '// closed$' %s | cut -d: -f1 > %t.wanted
// RUN: %mpicc-check -fcheck-explain -O0 -c %s -o %t.o 2>&1 | grep 'only MPI can end' | cut -d: -f2 | sort -nu > %t.0
// RUN: diff %t.wanted %t.0
// RUN: %mpicc-check -fcheck-explain -O2 -c %s -o %t.o 2>&1 | grep 'only MPI can end' | cut -d: -f2 | sort -nu > %t.2
// RUN: diff %t.wanted %t.2
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that nothing but MPI can end ("closed", in the line of the call), and loops that something else may end: the compiler tells them apart, with and without
// optimization.
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define P(f) MPI_Iprobe(1, 0, MPI_COMM_WORLD, f, MPI_STATUS_IGNORE)
#define I MPI_STATUS_IGNORE
struct context { int flag, done, n, tag; MPI_Comm comm; MPI_Request request; MPI_Status status; struct context *next; };
int global_flag, unknown(void);
extern int far;
extern const int fixed;
static int own_flag, set_by_handler, set_by_thread, set_here, tries;
static volatile int is_volatile;
static atomic_int is_atomic;
static _Thread_local int of_thread;
static void handler(int s) { (void)s, set_by_handler = 1; }
static void *thread(void *x) { set_by_thread = 1; return x; }
static void set(void) { set_here = 1; }
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return (double)t.tv_sec; }

// --- functions that ask ---
static int test_once(int *flag, MPI_Request *r) { MPI_Test(r, flag, I); return !*flag; }
static int is_done(void) { int f; P(&f); return f; }
static int is_done_or_late(double end) { int f; P(&f); return f || now() > end; }
static int is_done_or_tired(void) { int f; P(&f); return f || ++tries > 1000000; }
static void ask_two(int *a, int *b) { P(a); MPI_Iprobe(2, 0, MPI_COMM_WORLD, b, I); }
static int are_done(MPI_Request *r, int n) { int all = 1, f; for (int i = 0; i < n; i++) { MPI_Test(r + i, &f, I); if (!f) all = 0; } return all; }

void one_call(MPI_Request *request, struct context *c, MPI_Comm comm, int *array) {
  int flag = 0, n, x, index, indices[3];
  MPI_Request own[3];
  MPI_Status st;
  MPI_Message m;
  MPI_Win win;
  MPI_Irecv(&x, 1, MPI_INT, 1, 0, comm, own);
  MPI_Win_create(array, 4, 1, MPI_INFO_NULL, comm, &win);
  while (!flag)
    P(&flag);                                                    // closed
  do
    MPI_Test(own, &flag, &st);                                   // closed
  while (!flag);
  do
    P(&own_flag);                                                // closed
  while (!own_flag);
  do
    P(&global_flag);                                             // closed
  while (!global_flag);
  do
    MPI_Testany(3, own, &index, &flag, &st);                     // closed
  while (index == MPI_UNDEFINED);
  do
    MPI_Testsome(3, own, &n, indices, MPI_STATUSES_IGNORE);      // closed
  while (n == 0);
  for (flag = 0; flag == 0; sched_yield())
    MPI_Testall(3, request, &flag, MPI_STATUSES_IGNORE);         // closed
  do
    MPI_Improbe(0, 1, comm, &flag, &m, &st);                     // closed
  while (!flag);
  do
    MPI_Win_test(win, &flag);                                    // closed
  while (!flag);
  do
    MPI_Request_get_status(*own, &flag, &st);                    // closed
  while (!flag);
  do
    MPI_Iprobe(0, c->tag, c->comm, &flag, &c->status);           // closed
  while (!flag);
  do
    MPI_Test(&c->request, &c->flag, &c->status);                 // closed
  while (!c->flag);
again:
  P(&flag);                                                      // closed
  if (!flag) goto again;
  while (!flag && fixed)
    P(&flag);                                                    // closed
}

void several_calls(MPI_Request *r, MPI_Comm comm, int n) {
  int flag = 0, x, left, flags[8], done[4] = {0}, count;
  MPI_Request own[3];
  MPI_Status st;
  struct timespec t = {0, 1000};
  for (int i = 0; i < 3; i++) MPI_Irecv(&x, 1, MPI_INT, 1, i, comm, own + i);
  for (left = 3; left;)
    for (int i = 0; i < 3; i++) {
      MPI_Request was = own[i];
      MPI_Test(own + i, &flag, &st);                             // closed
      left -= flag && was != MPI_REQUEST_NULL;
    }
  for (int all = 0; !all;) {
    all = 1;
    for (int i = 0; i < n; i++) {
      MPI_Test(r + i, &flag, &st);                               // closed
      all &= flag;
    }
  }
  for (left = n; left > 0;)
    for (int i = 0; i < n; i++)
      if (r[i] != MPI_REQUEST_NULL) {
        MPI_Test(r + i, &flag, &st);                             // closed
        if (flag) printf("%d\n", st.MPI_TAG), left--;
      }
  memset(flags, 0, sizeof flags);
  do {
    count = 0;
    for (int i = 0; i < n; i++) {
      if (!flags[i])
        MPI_Test(r + i, flags + i, &st);                         // closed
      count += flags[i];
    }
  } while (count < n);
  for (count = 0; count < 4;)
    for (int i = 0; i < 4; i++)
      if (!done[i]) {
        MPI_Iprobe(i, 0, comm, &flag, &st);                      // closed
        if (flag) done[i] = 1, count++;
      }
  for (int i = 0; i < n; i++) // each is waited for by itself
    for (flag = 0; !flag;)
      MPI_Test(r + i, &flag, &st);                               // closed
  for (;;) { // what happens to a message does not matter while none comes
    int f;
    MPI_Iprobe(MPI_ANY_SOURCE, 1, comm, &f, &st);                // closed
    if (f) {
      MPI_Recv(&x, 1, MPI_INT, st.MPI_SOURCE, 1, comm, &st);
      if (x == 7) break;
      if (unknown()) exit(1);
    }
    MPI_Test(own, &f, &st);                                      // closed
    if (f) break;
  }
  while (!flag) {
    if (P(&flag) != MPI_SUCCESS) {                               // closed
      fprintf(stderr, "bad\n");
      MPI_Abort(comm, 1);
    }
  }
  for (int k = 0; !flag; k++) {
    P(&flag);                                                    // closed
    if (k % 1000 == 0) printf("waiting since %g\n", now());
    nanosleep(&t, NULL);
  }
  for (flag = 0; !flag; usleep(10)) {
    P(&flag);                                                    // closed
    __asm__ volatile("pause" ::: "memory");
  }
}

void functions(MPI_Request *r, int n) {
  int a, b;
  struct timespec t = {0, 1000};
  while (!is_done()) {}                                          // closed
  while (test_once(&a, r)) {}                                    // closed
  while (!are_done(r, n)) nanosleep(&t, 0);                      // closed
  do {
    ask_two(&a, &b);                                             // closed
  } while (!a && !b);
  while (!is_done_or_late(7)) {}
  while (!is_done_or_tired()) {}
}

void limits(MPI_Comm comm, int n, char **argv) {
  int flag = 0, state = 0;
  MPI_Status st;
  time_t begin = time(NULL);
  double end = now() + 5;
  while (!flag && now() < end) P(&flag);
  for (int i = 0; i < 1000000000 && !flag; i++) P(&flag);
  for (n = 100000000; n-- && !flag;) P(&flag);
  for (double w = 1; !flag && w > 1e-300; w *= 0.999999) P(&flag);
  for (unsigned char u = 1; !flag && u; u++) P(&flag);
  for (char *s = argv[0]; !flag && *s; s++) P(&flag);
  while (!flag) { P(&flag); if (difftime(time(0), begin) > 10) break; }
  while (!flag) { P(&flag); if (now() < end) continue; if (n == 5) break; }
  while (!flag) { int k = 0; P(&flag); while (now() < end - 1) k++; if (k == 3) break; }
  while (!flag && MPI_Wtime() < end) P(&flag);
  while (!flag) { P(&flag); switch (state) { case 0: state = 1; break; case 1: state = 2; break; default: if (clock() > 100) return; } }
  for (int a = 0, b = 1; !flag && a < 1000000;) { P(&flag); int sum = a + b; a = b; b = sum; }
  while (!flag) { P(&flag); __asm__ volatile("" : "+r"(n)); if (n) break; }
  while (!flag && __builtin_readcyclecounter() < 1000) P(&flag);
  int array[2] = {0, 0};
  while (!flag && array[1] < 100000) { P(&flag); array[n & 1]++; }
  while (!flag) { P(&flag); if (usleep(10)) break; }
  do MPI_Iprobe(1, 0, comm, &flag, &st); while (!flag && st.MPI_TAG != 5); // undefined
}

void others(struct context *c, int *out, int (*f)(void)) {
  int flag = 0, x = 0, n = 0, *heap = malloc(4), memory[4] = {0}, *p = &n;
  volatile int v = 0;
  pthread_t t;
  MPI_Win win;
  signal(SIGALRM, handler);
  pthread_create(&t, 0, thread, &x);
  MPI_Win_create(memory, 16, 1, MPI_INFO_NULL, c->comm, &win);
  while (!flag && !set_by_handler) P(&flag);
  while (!flag && !set_by_thread) P(&flag);
  while (!flag && !x) P(&flag);
  while (!flag && !memory[0]) P(&flag);
  while (!flag && !is_volatile) P(&flag);
  while (!flag && !v) P(&flag);
  while (!flag && !atomic_load(&is_atomic)) P(&flag);
  while (!flag && !of_thread) P(&flag);
  while (!flag && !far) P(&flag);
  while (!flag && !*out) P(&flag);
  while (!flag && !*heap) P(&flag);
  while (!flag && n < 100000000) { P(&flag); ++*p; }
  while (!flag && !set_here) { P(&flag); set(); }
  while (!c->flag && !c->done) P(&c->flag);
  for (struct context *q = c; q && !flag; q = q->next) P(&flag);
  while (!flag && f()) P(&flag);
  while (!flag) { P(&flag); f(); }
  while (!flag) { P(&flag); if (unknown()) break; }
  while (!flag && !getenv("STOP")) P(&flag);
}

void system_calls(MPI_Comm comm) {
  int flag = 0, n = 0;
  jmp_buf way_out;
  while (!flag) { char b; P(&flag); if (read(0, &b, 1) == 1) break; }
  while (!flag) { P(&flag); if (access("stop", 0) == 0) break; }
  while (!flag) { P(&flag); FILE *file = fopen("stop", "r"); if (file) break; }
  while (!flag) { struct timeval tv = {0, 1000}; fd_set s; P(&flag); FD_ZERO(&s); FD_SET(0, &s); if (select(1, &s, 0, 0, &tv)) break; }
  if (setjmp(way_out) == 0) while (!flag) { P(&flag); if (n++ > 1000) longjmp(way_out, 1); }
  while (!flag) { P(&flag); if (++n == 1000000) exit(0); }
  MPI_Barrier(comm);
}

void another_question(struct context *c) { // what is asked for changes
  int flag = 0;
  MPI_Status st;
  while (!flag) MPI_Iprobe(1, (int)now(), c->comm, &flag, &st);
  while (!flag) { P(&flag); if (time(0) > 5) MPI_Iprobe(2, 0, c->comm, &flag, &st); }
  for (int t = 0; !flag; t++) MPI_Iprobe(1, t / 1000000, c->comm, &flag, &st);
  do MPI_Iprobe(1, c->tag++, c->comm, &flag, &st); while (!flag);
}

int main(int argc, char **argv) {
  int flag = 0;
  static int starts;
  MPI_Init(&argc, &argv);
  starts = argc;
  while (!flag && starts)
    P(&flag);                                                    // closed
  MPI_Finalize();
  return 0;
}
