// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for requests and buffers in use (programs.py): wrong ones and their right twins.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int read_input(void);
void work(double *);
// So much that the function around it is not inlined.
#define WORK(t, k) (t = t * 1.5 * (t + k) - t / (k + 2))
#define LONG_WORK(t) \
  (WORK(t, 0), WORK(t, 1), WORK(t, 2), WORK(t, 3), WORK(t, 4), WORK(t, 5), WORK(t, 6), WORK(t, 7), WORK(t, 8), \
   WORK(t, 9), WORK(t, 10), WORK(t, 11))
// Its paths differ in more facts than a walk keeps.
static inline void manage(MPI_Comm comm, int size, int tasks) {
  int next = 0, out = 0, one = 1;
  double sum = 0;
  for (int w = 1; w < size && next < tasks; w++) {
    double a = next++;
    MPI_Send(&a, 1, MPI_DOUBLE, w, 1, comm);
    out++;
  }
  while (out > 0) {
    double r;
    MPI_Status st;
    MPI_Recv(&r, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 2, comm, &st);
    out--;
    sum += r;
    if (next < tasks) {
      double a = next++;
      MPI_Send(&a, 1, MPI_DOUBLE, st.MPI_SOURCE, 1, comm);
      out++;
    }
  }
  for (int w = 1; w < size; w++) MPI_Send(&one, 1, MPI_INT, w, 3, comm);
  printf("%g\n", sum);
}
//// early-return
int exchange(double *a, int n, int peer) {
  MPI_Request r;
  MPI_Isend(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r); // WARN request.not-completed
  if (read_input() < 0) // NOTE
    return -1;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return 0;
}
//// early-return-ok
int exchange(double *a, int n, int peer) {
  MPI_Request r;
  int failed = 0;
  MPI_Isend(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
  if (read_input() < 0) failed = -1;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return failed;
}
//// goto-error
int exchange(double *a, double *b, int n, int peer) {
  MPI_Request r[2];
  int rc = 0;
  MPI_Irecv(b, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r[0]); // WARN request.not-completed
  if (read_input()) { // NOTE
    rc = 1;
    goto out;
  }
  MPI_Isend(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
out:
  return rc;
}
//// goto-error-ok
int exchange(double *a, double *b, int n, int peer) {
  MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int rc = 0;
  MPI_Irecv(b, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r[0]);
  if (read_input()) {
    rc = 1;
    goto out;
  }
  MPI_Isend(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r[1]);
out:
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return rc;
}
//// condition-twice-ok
void exchange(double *a, int n, int left) {
  MPI_Request r;
  if (left >= 0) MPI_Isend(a, n, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r);
  work(a + n);
  if (left >= 0) MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// condition-other
void exchange(double *a, int n, int verbose) {
  MPI_Request r;
  MPI_Isend(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &r); // WARN request.not-completed
  work(a + n);
  if (verbose) { // NOTE
    printf("sent\n");
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
}
//// flag-ok
void exchange(double *a, int n, int left) {
  MPI_Request r;
  int sent = 0;
  if (left >= 0) {
    MPI_Isend(a, n, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r);
    sent = 1;
  }
  work(a + n);
  if (sent) MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// flag
void exchange(double *a, int n, int left) {
  MPI_Request r;
  int sent = 0;
  if (left >= 0) {
    MPI_Isend(a, n, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r); // WARN request.not-completed
    if (n > 4) sent = 1;
  }
  work(a + n);
  if (sent) MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// by-rank-ok
int main(int argc, char **argv) {
  int rank, size, x = 1, y;
  MPI_Request r;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0) MPI_Isend(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &r);
  if (rank < size - 1) MPI_Recv(&y, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank - 1 >= 0) MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// by-rank
int main(int argc, char **argv) {
  int rank, size, x = 1, y;
  MPI_Request r;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0) MPI_Isend(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &r); // WARN request.not-completed
  if (rank < size - 1) {
    MPI_Recv(&y, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 0) MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
//// overwritten-loop
void gather(int *x, int n) {
  MPI_Request r;
  for (int i = 0; i < n; i++) MPI_Irecv(&x[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &r); // WARN request.overwritten
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// overwritten-loop-ok
void gather(int *x, int n) {
  MPI_Request *r = malloc(n * sizeof *r);
  for (int i = 0; i < n; i++) MPI_Irecv(&x[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &r[i]);
  MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
  free(r);
}
//// overwritten-member
struct halo { MPI_Request send, receive; double in[8], out[8]; };
void swap(struct halo *h, int peer) {
  MPI_Irecv(h->in, 8, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &h->receive); // WARN request.overwritten
  MPI_Isend(h->out, 8, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &h->receive); // NOTE
}
//// overwritten-member-ok
struct halo { MPI_Request send, receive; double in[8], out[8]; };
void swap(struct halo *h, int peer) {
  MPI_Irecv(h->in, 8, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &h->receive);
  MPI_Isend(h->out, 8, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &h->send);
}
//// waitall-few
void all(int *x) {
  MPI_Request r[4];
  for (int i = 0; i < 4; i++)
    MPI_Irecv(&x[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &r[i]); // WARN request.not-completed
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
}
//// waitall-few-ok
void all(int *x) {
  MPI_Request r[4];
  for (int i = 0; i < 4; i++) MPI_Irecv(&x[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &r[i]);
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
}
//// counted-ok
void all(int *x, int up, int down) {
  MPI_Request r[2];
  int n = 0;
  if (up != MPI_PROC_NULL) MPI_Irecv(&x[0], 1, MPI_INT, up, 0, MPI_COMM_WORLD, &r[n++]);
  if (down != MPI_PROC_NULL) MPI_Irecv(&x[1], 1, MPI_INT, down, 0, MPI_COMM_WORLD, &r[n++]);
  if (n > 0) MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
}
//// helper
static void post(int *x, int peer, MPI_Request *r) {
  MPI_Irecv(x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, r); // WARN request.not-completed
}
int step(int *x, int peer) {
  MPI_Request r;
  post(x, peer, &r);
  if (read_input()) return 1; // NOTE
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return 0;
}
//// helper-ok
static void post(int *x, int peer, MPI_Request *r) { MPI_Irecv(x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, r); }
static void finish(MPI_Request *r) { MPI_Wait(r, MPI_STATUS_IGNORE); }
int step(int *x, int peer) {
  MPI_Request r;
  int rc;
  post(x, peer, &r);
  rc = read_input();
  finish(&r);
  return rc;
}
//// escapes-ok
void keep(MPI_Request *);
void step(int *x, int peer) {
  MPI_Request r;
  MPI_Irecv(x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &r);
  keep(&r);
}
//// returned-ok
MPI_Request post(int *x, int peer) {
  MPI_Request r;
  MPI_Irecv(x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &r);
  return r;
}
//// polling-ok
void poll(int *x, int peer) {
  MPI_Request r;
  int done = 0;
  MPI_Irecv(x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &r);
  while (!done) {
    work(NULL);
    MPI_Test(&r, &done, MPI_STATUS_IGNORE);
  }
  x[0]++;
}
//// polling-gives-up
int poll(int *x, int peer) {
  MPI_Request r;
  int done = 0;
  MPI_Irecv(x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &r); // WARN request.not-completed
  for (int i = 0; i < 100 && !done; i++) MPI_Test(&r, &done, MPI_STATUS_IGNORE);
  return done;
}
//// polling-gives-up-ok
int poll(int *x, int peer) {
  MPI_Request r;
  int done = 0;
  MPI_Irecv(x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &r);
  for (int i = 0; i < 100 && !done; i++) MPI_Test(&r, &done, MPI_STATUS_IGNORE);
  if (!done) {
    MPI_Cancel(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  return done;
}
//// persistent-twice
void iterate(double *a, int n, int peer) {
  MPI_Request r;
  MPI_Send_init(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
  for (int i = 0; i < 10; i++) {
    MPI_Start(&r); // WARN request.start-active
    if (i % 2) continue;
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Request_free(&r);
}
//// persistent-twice-ok
void iterate(double *a, int n, int peer) {
  MPI_Request r;
  MPI_Send_init(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
  for (int i = 0; i < 10; i++) {
    MPI_Start(&r);
    work(a + n);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    a[0] = i;
  }
  MPI_Request_free(&r);
}
//// persistent-never-started-ok
void once(double *a, int n, int peer) {
  MPI_Request r;
  MPI_Recv_init(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE); // legal: it returns at once (MPI-3.1 3.7.3)
  MPI_Request_free(&r);
}
//// persistent-leak
int once(double *a, int n, int peer) {
  MPI_Request r;
  MPI_Recv_init(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r); // WARN leak.request
  MPI_Start(&r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  if (a[0] < 0) return 1;
  MPI_Request_free(&r);
  return 0;
}
//// persistent-pending
int once(double *a, int n, int peer) {
  MPI_Request r;
  MPI_Recv_init(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r); // WARN request.not-completed
  MPI_Start(&r);
  if (read_input()) return 1; // NOTE
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Request_free(&r);
  return 0;
}
//// store-in-use
void send(double *a, int n, int peer) {
  MPI_Request r;
  MPI_Isend(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r); // NOTE
  for (int i = 0; i < n; i++)
    a[i] = 0; // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// store-in-use-ok
void send(double *a, int n, int peer) {
  MPI_Request r;
  MPI_Isend(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
  for (int i = n; i < 2 * n; i++) a[i] = a[i - n];
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++) a[i] = 0;
}
//// load-in-use
int receive(int peer) {
  MPI_Request r;
  int x, copy;
  MPI_Irecv(&x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &r); // NOTE
  copy = x; // WARN buffer.read-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return copy;
}
//// load-in-use-ok
int receive(int peer) {
  MPI_Request r;
  int x;
  MPI_Irecv(&x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return x;
}
//// dead-load
void receive(int *x, int peer) {
  MPI_Request r;
  MPI_Irecv(x, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, &r); // NOTE
  int unused = x[3]; // WARN buffer.read-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// dead-load-ok
void receive(int *x, int peer) {
  MPI_Request r;
  MPI_Irecv(x, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, &r);
  int unused = x[4];
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// interior-ok
void halo(double *u, int n, int left, int right) {
  MPI_Request r[2];
  MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(&u[n + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r[1]);
  for (int i = 1; i <= n; i++) u[i] = u[i] * 2;
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
//// interior
void halo(double *u, int n, int left, int right) {
  MPI_Request r[2];
  MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r[0]); // NOTE
  MPI_Irecv(&u[n + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r[1]);
  for (int i = 1; i <= n; i++)
    u[i] = u[i - 1] * 2; // WARN buffer.read-in-use
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
//// two-receives
void both(int *x, int peer) {
  MPI_Request r[2];
  MPI_Irecv(x, 2, MPI_INT, peer, 0, MPI_COMM_WORLD, &r[0]); // NOTE
  MPI_Irecv(x + 1, 2, MPI_INT, peer, 1, MPI_COMM_WORLD, &r[1]); // WARN buffer.overlap
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
//// two-receives-ok
void both(int *x, int peer) {
  MPI_Request r[2];
  MPI_Irecv(x, 2, MPI_INT, peer, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(x + 2, 2, MPI_INT, peer, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
//// collective
double sum(double x) {
  double y = 0;
  MPI_Request r;
  MPI_Iallreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r); // NOTE
  x = 0; // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return x + y;
}
//// collective-ok
double sum(double x) {
  double y = 0, z;
  MPI_Request r;
  MPI_Iallreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);
  z = x;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  x = 0;
  return x + y + z;
}
//// stack
static void post(int value, MPI_Request *r) {
  int copy = value + 1;
  MPI_Isend(&copy, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, r); // WARN buffer.modified-in-use
}
void step(int value) {
  MPI_Request r;
  post(value, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// stack-ok
static void post(int *value, MPI_Request *r) { MPI_Isend(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, r); }
void step(int value) {
  MPI_Request r;
  int copy = value + 1;
  post(&copy, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// stack-extern
void post(int value, MPI_Request *r) {
  int copy = value + 1;
  MPI_Isend(&copy, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, r); // WARN buffer.modified-in-use
}
//// stack-extern-ok
void post(int value, MPI_Request *r) {
  static int copy;
  copy = value + 1;
  MPI_Isend(&copy, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, r);
}
//// freed
void send(int n, int peer) {
  double *a = calloc(n, sizeof *a);
  MPI_Request r;
  MPI_Isend(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r); // NOTE
  free(a); // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// freed-ok
void send(int n, int peer) {
  double *a = calloc(n, sizeof *a);
  MPI_Request r;
  MPI_Isend(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  free(a);
}
//// memset
void send(char *a, int peer) {
  MPI_Request r;
  MPI_Isend(a, 64, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &r); // NOTE
  memset(a + 32, 0, 64); // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// memset-ok
void send(char *a, int peer) {
  MPI_Request r;
  MPI_Isend(a, 64, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &r);
  memset(a + 64, 0, 64);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// path
void send(double *a, int n, int peer, int again) {
  MPI_Request r;
  MPI_Isend(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r); // NOTE
  if (!again) MPI_Wait(&r, MPI_STATUS_IGNORE);
  a[0] = 1; // WARN buffer.modified-in-use
  if (again) MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// path-ok
void send(double *a, int n, int peer, int again) {
  MPI_Request r;
  MPI_Isend(a, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
  if (!again) MPI_Wait(&r, MPI_STATUS_IGNORE);
  if (!again) a[0] = 1;
  if (again) MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// put-origin
void put(MPI_Win win, int peer) {
  double x = 1;
  MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win);
  MPI_Put(&x, 1, MPI_DOUBLE, peer, 0, 1, MPI_DOUBLE, win); // NOTE
  x = 2; // WARN rma.race-local
  MPI_Win_unlock(peer, win);
}
//// put-origin-ok
void put(MPI_Win win, int peer) {
  double x = 1;
  MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win);
  MPI_Put(&x, 1, MPI_DOUBLE, peer, 0, 1, MPI_DOUBLE, win);
  MPI_Win_flush_local(peer, win);
  x = 2;
  MPI_Put(&x, 1, MPI_DOUBLE, peer, 1, 1, MPI_DOUBLE, win);
  MPI_Win_unlock(peer, win);
}
//// get-result
int get(MPI_Win win, int peer) {
  int x = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win);
  MPI_Get(&x, 1, MPI_INT, peer, 0, 1, MPI_INT, win); // NOTE
  if (x > 0) printf("%d\n", x); // WARN rma.race-local
  MPI_Win_unlock(peer, win);
  return x;
}
//// get-result-ok
int get(MPI_Win win, int peer) {
  int x = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win);
  MPI_Get(&x, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
  MPI_Win_flush(peer, win);
  if (x > 0) printf("%d\n", x);
  MPI_Win_unlock(peer, win);
  return x;
}
//// flush-other-target
int get(MPI_Win win, int peer) {
  int x = -1;
  MPI_Win_lock_all(0, win);
  MPI_Get(&x, 1, MPI_INT, peer, 0, 1, MPI_INT, win); // NOTE
  MPI_Win_flush(peer + 1, win);
  x++; // WARN rma.race-local
  MPI_Win_unlock_all(win);
  return x;
}
//// two-gets
void gets(MPI_Win win) {
  int x;
  MPI_Win_fence(0, win);
  MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win); // NOTE
  MPI_Get(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win); // WARN rma.race-local
  MPI_Win_fence(0, win);
}
//// two-gets-ok
void gets(MPI_Win win) {
  int x[2];
  MPI_Win_fence(0, win);
  MPI_Get(&x[0], 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Get(&x[1], 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
}
//// rget
int get(MPI_Win win, int peer) {
  int x;
  MPI_Request r;
  MPI_Rget(&x, 1, MPI_INT, peer, 0, 1, MPI_INT, win, &r); // NOTE
  x = 1; // WARN rma.race-local
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return x;
}
//// rget-ok
int get(MPI_Win win, int peer) {
  int x;
  MPI_Request r;
  MPI_Rget(&x, 1, MPI_INT, peer, 0, 1, MPI_INT, win, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  x++;
  return x;
}
//// beside-root-ok
void share(int *x, int rank, MPI_Comm both) {
  MPI_Request r;
  int root = rank == 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Ibcast(x, 4, MPI_INT, root, both, &r);
  if (rank == 1) x[1] = 1;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// beside-root
void share(int *x, int rank, MPI_Comm comm) {
  MPI_Request r;
  MPI_Ibcast(x, 4, MPI_INT, 1, comm, &r);
  if (rank == 0) x[1] = 1; // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// asked-for-null
int exchange(double *a, int peer) {
  MPI_Request r = MPI_REQUEST_NULL;
  MPI_Isend(a, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r); // WARN request.not-completed
  if (read_input() < 0) return -1; // NOTE
  if (r != MPI_REQUEST_NULL) MPI_Wait(&r, MPI_STATUS_IGNORE);
  return 0;
}
//// asked-for-null-ok
int exchange(double *a, int peer, int turns) {
  MPI_Request r = MPI_REQUEST_NULL, more[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  for (int i = 0; i < turns; i++) {
    MPI_Isend(a, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
    if (read_input() > i) MPI_Irecv(a + 1, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &more[1]);
    work(a + 2);
    if (r != MPI_REQUEST_NULL) MPI_Wait(&r, MPI_STATUS_IGNORE);
    for (int k = 0; k < 2; k++)
      if (more[k] != MPI_REQUEST_NULL) MPI_Wait(&more[k], MPI_STATUS_IGNORE);
    a[0] = a[1];
  }
  MPI_Isend(a, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
  while (r != MPI_REQUEST_NULL) {
    int flag;
    MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
  }
  a[0] = 0;
  return 0;
}
//// asked-the-wrong-way
int exchange(double *a, int peer) {
  MPI_Request r = MPI_REQUEST_NULL;
  MPI_Isend(a, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r); // WARN request.not-completed
  if (r == MPI_REQUEST_NULL) MPI_Wait(&r, MPI_STATUS_IGNORE);
  return 0;
}
//// count-beside-ok
struct exchange { MPI_Request r; int pending; };
static void post(struct exchange *e, double *a, int peer) {
  MPI_Irecv(a, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &e->r);
  e->pending++;
}
static void finish(struct exchange *e) {
  while (e->pending > 0) {
    MPI_Wait(&e->r, MPI_STATUS_IGNORE);
    e->pending--;
  }
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double a[2] = {0};
  struct exchange e = {MPI_REQUEST_NULL, 0};
  post(&e, a, 1 - argc);
  work(a + 1);
  finish(&e);
  a[0] = 1;
  MPI_Finalize();
  return 0;
}
//// double-buffer-ok
int exchange(double *a, double *b, int turns, int peer) {
  MPI_Request now = MPI_REQUEST_NULL, next;
  MPI_Irecv(a, 8, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &now);
  for (int i = 0; i < turns; i++) {
    if (i + 1 < turns) MPI_Irecv(b, 8, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &next);
    MPI_Wait(&now, MPI_STATUS_IGNORE);
    a[0] = 1;
    double *other = a;
    a = b, b = other;
    if (i + 1 < turns) now = next;
  }
  return 0;
}
//// persistent-turns-ok
int exchange(double *a, int turns, int peer) {
  MPI_Request r[2];
  int rc = 0;
  if ((rc = MPI_Send_init(a, 4, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r[0]))) goto failed;
  if ((rc = MPI_Recv_init(a + 4, 4, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r[1]))) goto failed;
  for (int i = 0; i < turns; i++) {
    if ((rc = MPI_Startall(2, r))) goto failed;
    work(a + 8);
    if ((rc = MPI_Waitall(2, r, MPI_STATUSES_IGNORE))) goto failed;
  }
  for (int i = 0; i < 2; i++)
    if ((rc = MPI_Request_free(&r[i]))) goto failed;
failed:
  return rc;
}
//// atomic-hand-over-ok
#include <stdatomic.h>
struct shared {
  MPI_Request r;
  atomic_int go, back;
};
void hand_over(struct shared *s, double *a, int n) { // another thread waits for the operation, and tells that it has
  MPI_Isend(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &s->r);
  atomic_store_explicit(&s->go, 1, memory_order_release);
  while (!atomic_load_explicit(&s->back, memory_order_acquire)) continue;
  a[0] = 1;
}
//// atomic-hand-over-put-ok
#include <stdatomic.h>
void hand_over(MPI_Win win, atomic_int *state, double *a, int n) { // another thread unlocks
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
  MPI_Put(a, n, MPI_DOUBLE, 1, 0, n, MPI_DOUBLE, win);
  atomic_store(state, 1);
  while (atomic_load(state) != 2) continue;
  a[0] = 1;
}
//// atomic-beside
#include <stdatomic.h>
void exchange(atomic_int *count, double *a, int n) { // nobody else knows the request
  MPI_Request r;
  MPI_Isend(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &r); // NOTE
  atomic_fetch_add(count, 1);
  a[0] = 1; // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// volatile-flag-ok
struct shared {
  MPI_Request r;
  volatile int go, back;
};
void hand_over(struct shared *s, double *a, int n) { // how older programs tell another thread
  MPI_Isend(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &s->r);
  s->go = 1;
  while (!s->back) continue;
  a[0] = 1;
}
//// openmp-lock-ok
struct lock;
extern void omp_set_lock(struct lock *), omp_unset_lock(struct lock *);
void hand_over(struct lock *l, MPI_Request *r, int *state, double *a, int n) {
  omp_set_lock(l);
  MPI_Isend(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, r);
  *state = 1;
  omp_unset_lock(l);
  omp_set_lock(l);
  if (*state == 2) a[0] = 1;
  omp_unset_lock(l);
}
//// root-reads-result
double sum(double mine) {
  double all = 0, twice = 0;
  int rank;
  MPI_Request r;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Ireduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD, &r); // NOTE
  if (rank == 0) twice = 2 * all;                                          // WARN buffer.read-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return twice;
}
//// root-reads-result-ok
double sum(double mine, MPI_Comm given) {
  double all = 0, twice = 0, other = 0;
  int rank, of_given;
  MPI_Request r[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_rank(given, &of_given);
  MPI_Ireduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Ireduce(&mine, &other, 1, MPI_DOUBLE, MPI_SUM, 0, given, &r[1]);
  if (rank != 0) twice = 2 * all;    // not the root
  if (of_given == 0) twice += other; // it may have two groups
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  if (rank == 0) twice = 2 * all;
  return twice;
}
//// root-and-gathered
void collect(int *all, int *table, int mine) {
  int rank;
  MPI_Comm half;
  MPI_Request r, s;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_rank(half, &rank);
  MPI_Igather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, half, &r); // NOTE
  if (rank == 0) all[0] = 0;                                    // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Iscatter(table, 1, MPI_INT, &mine, 1, MPI_INT, 1, half, &s); // NOTE
  if (rank == 1) {
    printf("%d\n", table[0]);
    table[0] = 7; // WARN buffer.modified-in-use
  }
  MPI_Wait(&s, MPI_STATUS_IGNORE);
  MPI_Comm_free(&half);
}
//// root-and-gathered-ok
void collect(int *all, int *table, int mine, int root) {
  int rank;
  MPI_Comm half;
  MPI_Request r, s;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_rank(half, &rank);
  if (rank == root) MPI_Igather(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, root, half, &r);
  else MPI_Igather(&mine, 1, MPI_INT, NULL, 0, MPI_INT, root, half, &r);
  if (rank == root) printf("%d\n", all[rank]); // its own part
  if (rank != root) all[0] = 0;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Iscatter(table, 1, MPI_INT, &mine, 1, MPI_INT, 1, half, &s);
  if (rank == 1) printf("%d\n", table[0]);
  if (rank != 1) table[0] = 7;
  MPI_Wait(&s, MPI_STATUS_IGNORE);
  if (rank == 1) table[0] = 7;
  MPI_Comm_free(&half);
}
//// broadcast-is-not-there
int settings(void) {
  int rank, n = 0, steps = 0;
  MPI_Request r;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) n = read_input();
  MPI_Ibcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD, &r); // NOTE
  if (rank > 0) steps = n;                           // WARN buffer.read-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return steps + n;
}
//// broadcast-is-not-there-ok
int settings(void) {
  int rank, n = 0, steps = 0;
  MPI_Request r;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) n = read_input();
  MPI_Ibcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD, &r);
  if (rank == 0) steps = n; // the root only sends
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return rank > 0 ? n : steps;
}
//// broadcast-is-not-there-yet
double settings(double start, int root) {
  double n = 0, m = 0;
  int rank;
  MPI_Request r, s;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == root) n = m = start;
  MPI_Ibcast(&n, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &r); // NOTE
  if (rank != 0) start += n;                            // WARN buffer.read-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Ibcast(&m, 1, MPI_DOUBLE, root, MPI_COMM_WORLD, &s); // NOTE
  if (rank != root) start += m;                            // WARN buffer.read-in-use
  MPI_Wait(&s, MPI_STATUS_IGNORE);
  return start;
}
//// broadcast-is-not-there-yet-ok
double settings(double start, int root) {
  double n = 0, m = 0;
  int rank;
  MPI_Request r, s;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == root) n = m = start;
  MPI_Ibcast(&n, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &r);
  if (rank == 0) start += n;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  if (rank != 0) start += n;
  MPI_Ibcast(&m, 1, MPI_DOUBLE, root, MPI_COMM_WORLD, &s);
  if (root == rank) start += m;
  if (rank != 1 && rank == root) start += m;
  MPI_Wait(&s, MPI_STATUS_IGNORE);
  return start;
}
//// tested-too-seldom
int probe(int *buf) {
  MPI_Request r;
  int flag = 0;
  MPI_Irecv(buf, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
  for (int i = 0; i < 100; ++i) {
    MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
    if (flag) break;
  }
  return buf[0]; // WARN buffer.read-in-use
}
//// tested-too-seldom-ok
int probe(int *buf) {
  MPI_Request r;
  int flag = 0;
  MPI_Irecv(buf, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
  for (int i = 0; i < 100; ++i) {
    MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
    if (flag) break;
  }
  if (!flag) MPI_Wait(&r, MPI_STATUS_IGNORE);
  return buf[0];
}
//// tested-return
int probe(int *buf) {
  MPI_Request r;
  int flag = 0;
  MPI_Irecv(buf, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r); // WARN request.not-completed
  for (int i = 0; i < 100; ++i) {
    MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
    if (flag) return 1;
  }
  return 0;
}
//// tested-return-ok
int probe(int *buf) {
  MPI_Request r;
  int flag = 0;
  MPI_Irecv(buf, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
  for (int i = 0; i < 100; ++i) {
    MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
    if (flag) return buf[0];
  }
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return 0;
}
//// tested-any-times
int probe(int *buf, int n) {
  MPI_Request r;
  int flag = 0;
  MPI_Irecv(buf, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r); // WARN request.not-completed
  for (int i = 0; i < n; ++i) {
    MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
    if (flag) return 1;
  }
  return 0;
}
//// tested-cancel-ok
int probe(int *buf, int n) {
  MPI_Request r;
  int flag = 0, tries = 0;
  MPI_Irecv(buf, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
  while (!flag && tries < 1000) {
    MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
    tries++;
  }
  if (!flag) { MPI_Cancel(&r); MPI_Wait(&r, MPI_STATUS_IGNORE); return 0; }
  return buf[0];
}
//// returned-request
MPI_Request post(int n) {
  int v = n;
  MPI_Request r;
  MPI_Isend(&v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r); // WARN buffer.modified-in-use
  return r;
}
//// returned-request-ok
MPI_Request post(int *v) {
  MPI_Request r;
  MPI_Isend(v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
  return r;
}
//// returned-to-caller
static MPI_Request post(int n) {
  int v[4] = {n};
  MPI_Request r;
  MPI_Isend(v, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &r); // WARN buffer.modified-in-use
  return r;
}
void run(int n) {
  MPI_Request r = post(n);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// returned-to-caller-ok
static MPI_Request post(int n) {
  static int v[4];
  v[0] = n;
  MPI_Request r;
  MPI_Isend(v, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
  return r;
}
void run(int n) {
  MPI_Request r = post(n);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// returned-in-structure
struct ex { MPI_Request r; int n; };
struct ex post(int n) {
  int v = n;
  struct ex e;
  MPI_Isend(&v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &e.r); // WARN buffer.modified-in-use
  e.n = 1;
  return e;
}
//// returned-perhaps
MPI_Request post(int n) {
  int v[64];
  for (int i = 0; i < 64; ++i) v[i] = n;
  MPI_Request r = MPI_REQUEST_NULL;
  if (n > 0) MPI_Irecv(v, 64, MPI_INT, 0, 1, MPI_COMM_WORLD, &r); // WARN buffer.modified-in-use
  return r;
}
//// returned-perhaps-ok
MPI_Request post(int n) {
  int v[64];
  for (int i = 0; i < 64; ++i) v[i] = n;
  MPI_Request r = MPI_REQUEST_NULL;
  if (n > 0) MPI_Irecv(v, 64, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
  if (r != MPI_REQUEST_NULL) MPI_Wait(&r, MPI_STATUS_IGNORE);
  return r;
}
//// kept-in-list
struct list {
  MPI_Request all[8];
  int count;
};
void post(struct list *l, int *v) {
  MPI_Request r;
  MPI_Irecv(v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
  l->all[l->count++] = r;
  *v = 0; // WARN buffer.modified-in-use
}
//// kept-in-list-ok
struct list {
  MPI_Request all[8];
  int count;
};
int post(struct list *l, int *v) {
  MPI_Request r;
  MPI_Irecv(v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
  l->all[l->count++] = r;
  if (l->count == 8) {
    MPI_Waitall(8, l->all, MPI_STATUSES_IGNORE);
    l->count = 0;
    return *v;
  }
  return 0;
}
//// kept-if-wanted-ok
int post(MPI_Request *list, int *count, int *v, int wait) {
  MPI_Request r;
  MPI_Irecv(v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
  list[(*count)++] = r;
  if (wait) MPI_Waitall(*count, list, MPI_STATUSES_IGNORE);
  if (wait) return *v;
  return 0;
}
//// tested-count-ok
void receive(double *b, int peer, int tries) {
  MPI_Request r;
  int done = 0, i;
  MPI_Irecv(b, 10, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
  for (i = 0; i < tries; ++i) {
    MPI_Test(&r, &done, MPI_STATUS_IGNORE);
    if (done) break;
  }
  if (i == tries) MPI_Wait(&r, MPI_STATUS_IGNORE);
  b[0] = 1;
}
//// tested-both-ok
void exchange(double *a, double *b, int peer) {
  MPI_Request send, receive;
  int sent = 0, received = 0, left = 2;
  MPI_Isend(a, 10, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &send);
  MPI_Irecv(b, 10, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &receive);
  while (left > 0) {
    if (!sent) {
      MPI_Test(&send, &sent, MPI_STATUS_IGNORE);
      if (sent) left--;
    }
    if (!received) {
      MPI_Test(&receive, &received, MPI_STATUS_IGNORE);
      if (received) left--;
    }
  }
  a[0] = b[0];
}
//// tested-in-helper
static int isThere(MPI_Request *r) {
  int flag;
  MPI_Test(r, &flag, MPI_STATUS_IGNORE);
  return flag;
}
double receive(int peer) {
  MPI_Request r;
  double b[10];
  MPI_Irecv(b, 10, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
  for (int i = 0; i < 50; ++i)
    if (isThere(&r)) break;
  return b[0]; // WARN buffer.read-in-use
}
//// large-callee
static double relax(double *u, double *v, int n, int m, double w) {
  double s = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      double d = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]) - u[i * m + j];
      v[i * m + j] = u[i * m + j] + w * d;
      s += d * d;
      if (s > 1e30) s = 1e30, v[i * m + j] = 0;
    }
  for (int i = 0; i < n; i++) v[i * m] = u[i * m], v[i * m + m - 1] = u[i * m + m - 1], s += v[i * m] * 1e-9;
  for (int i = 0; i < m; i++) v[i] = u[i], s += u[i] * 1e-9;
  return s;
}
int step(double *u, double *v, int n, int m, MPI_Comm c, int peer) {
  MPI_Request r; double s;
  MPI_Irecv(v, m, MPI_DOUBLE, peer, 0, c, &r);
  s = relax(u, v, n, m, 0.5); // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return s > 1;
}
//// large-callee-ok
static double relax(double *u, double *v, int n, int m, double w) {
  double s = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      double d = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]) - u[i * m + j];
      v[i * m + j] = u[i * m + j] + w * d;
      s += d * d;
      if (s > 1e30) s = 1e30, v[i * m + j] = 0;
    }
  for (int i = 0; i < n; i++) v[i * m] = u[i * m], v[i * m + m - 1] = u[i * m + m - 1], s += v[i * m] * 1e-9;
  for (int i = 0; i < m; i++) v[i] = u[i], s += u[i] * 1e-9;
  return s;
}
int step(double *u, double *v, int n, int m, MPI_Comm c, int peer) {
  MPI_Request r; double s;
  MPI_Irecv(v, m, MPI_DOUBLE, peer, 0, c, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  s = relax(u, v, n, m, 0.5);
  return s > 1;
}
//// large-mode-ok
static void mix(double *v, double *w, int mode, int n) {
  if (mode == 1)
    for (int i = 0; i < n; i++) v[i] = 0;
  for (int i = 0; i < n; i++) w[i] += w[i] * w[i] * 2 - w[i] / 3 + (w[i] > 3 ? w[i] * 7 - 3 : w[i] * w[i] * w[i] + 4);
  for (int i = 0; i < n; i++) w[i] += w[i] * w[i] * 3 - w[i] / 4 + (w[i] > 4 ? w[i] * 8 - 4 : w[i] * w[i] * w[i] + 5);
  for (int i = 0; i < n; i++) w[i] += w[i] * w[i] * 4 - w[i] / 5 + (w[i] > 5 ? w[i] * 9 - 5 : w[i] * w[i] * w[i] + 6);
}
void step(double *v, double *w, int n, MPI_Comm c, int peer) {
  MPI_Request r;
  MPI_Irecv(v, 8, MPI_DOUBLE, peer, 0, c, &r);
  mix(v, w, 2, n);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  mix(v, w, 1, n);
}
//// large-interior-ok
static double compute(int *b, int n, int level) {
  double t = n;
  LONG_WORK(t);
  for (int i = 0; i < n; i++)
    if (i > 0 && i < n - 1) b[i] += level;
  return t;
}
int step(MPI_Comm c, int peer) {
  int b[100] = {0};
  double t;
  MPI_Request r;
  MPI_Irecv(b, 1, MPI_INT, peer, 0, c, &r);
  t = compute(b, 100, 1);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return t + compute(b, 100, 2) > b[0];
}
//// large-behind-ok
static double compute(int *b, int n, int level) {
  double t = n;
  LONG_WORK(t);
  int i;
  for (i = 0; i < n; i++) t += i;
  b[i] = level;
  return t;
}
int step(MPI_Comm c, int peer) {
  int b[100] = {0};
  double t;
  MPI_Request r;
  MPI_Irecv(b, 1, MPI_INT, peer, 0, c, &r);
  t = compute(b, 50, 1);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return t + compute(b, 100, 2) > b[0];
}
//// large-level-ok
static double compute(int *b, int n, int level) {
  double t = n;
  LONG_WORK(t);
  if (level > 1)
    for (int i = 0; i < n; i++) b[i] += level;
  return t;
}
int step(MPI_Comm c, int peer) {
  int b[100] = {0};
  double t;
  MPI_Request r;
  MPI_Irecv(b, 100, MPI_INT, peer, 0, c, &r);
  t = compute(b, 100, 1);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return t + compute(b, 100, 2) > b[0];
}
//// large-early-ok
static double compute(int *b, int n, int level) {
  double t = n;
  LONG_WORK(t);
  if (n < 2) return t;
  for (int i = 1; i < n; i++) b[i] += b[i - 1];
  return t;
}
int step(MPI_Comm c, int peer) {
  int b[100] = {0};
  double t;
  MPI_Request r;
  MPI_Irecv(b, 100, MPI_INT, peer, 0, c, &r);
  t = compute(b, 1, 1);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return t + compute(b, 100, 2) > b[0];
}
//// large-whole
static double compute(int *b, int n, int level) {
  double t = n;
  LONG_WORK(t);
  for (int i = 0; i < n; i++) b[i] = level;
  return t;
}
int step(MPI_Comm c, int peer) {
  int b[100] = {0};
  double t;
  MPI_Request r;
  MPI_Irecv(b, 1, MPI_INT, peer, 0, c, &r);
  t = compute(b, 100, 1); // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return t + compute(b, 100, 2) > b[0];
}
//// large-other
static void mix(double *v, double *w, int mode, int n) {
  if (mode == 1)
    for (int i = 0; i < n; i++) v[i] = 0;
  for (int i = 0; i < n; i++) w[i] += w[i] * w[i] * 2 - w[i] / 3 + (w[i] > 3 ? w[i] * 7 - 3 : w[i] * w[i] * w[i] + 4);
  for (int i = 0; i < n; i++) w[i] += w[i] * w[i] * 3 - w[i] / 4 + (w[i] > 4 ? w[i] * 8 - 4 : w[i] * w[i] * w[i] + 5);
  for (int i = 0; i < n; i++) w[i] += w[i] * w[i] * 4 - w[i] / 5 + (w[i] > 5 ? w[i] * 9 - 5 : w[i] * w[i] * w[i] + 6);
}
void step(double *v, double *w, int n, MPI_Comm c, int peer) {
  MPI_Request r;
  MPI_Irecv(v, 8, MPI_DOUBLE, peer, 0, c, &r);
  mix(w, v, 2, n); // WARN buffer.read-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  mix(w, v, 2, n);
}
//// triple-loop
int step(double *u, double *a, double *b, int n, MPI_Comm c, int peer) {
  MPI_Request r;
  MPI_Irecv(u, n, MPI_DOUBLE, peer, 0, c, &r);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        if (a[k] > b[j]) a[i] += b[j] * a[k];
        else if (a[k] < b[k]) a[k] = 0;
  u[0] = a[0]; // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return u[0] > 0;
}
//// triple-loop-ok
int step(double *u, double *a, double *b, int n, MPI_Comm c, int peer) {
  MPI_Request r;
  MPI_Irecv(u, n, MPI_DOUBLE, peer, 0, c, &r);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        if (a[k] > b[j]) a[i] += b[j] * a[k];
        else if (a[k] < b[k]) a[k] = 0;
  a[0] = b[0];
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return u[0] > 0;
}
//// triple-count-ok
int step(double *u, double *a, double *b, int n, MPI_Comm c, int peer) {
  MPI_Request r;
  int many = 0;
  MPI_Irecv(u, 3, MPI_DOUBLE, peer, 0, c, &r);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < n; k++)
        if (a[k] > b[j]) a[i] += b[j] * a[k], many++;
        else many += 2;
  if (many >= 0) MPI_Wait(&r, MPI_STATUS_IGNORE);
  return u[0] > 0;
}
//// library-inuse
int main(int argc, char **argv) {
  char a[16] = "a", b[16] = "b";
  MPI_Request r;
  MPI_Init(&argc, &argv);
  MPI_Isend(a, 16, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &r);
  snprintf(a, 16, "%d", argc); // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  snprintf(a, 16, "%d", argc);
  MPI_Finalize();
}
//// library-inuse-ok
int main(int argc, char **argv) {
  char a[16] = "a", b[16] = "b";
  MPI_Request r;
  MPI_Init(&argc, &argv);
  MPI_Isend(a, 16, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &r);
  snprintf(b, 16, "%d", argc);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  snprintf(a, 16, "%d", argc);
  MPI_Finalize();
}
//// first-row
struct grid {
  int width, height;
  double *now, *next;
};
static double *row(const struct grid *g, int i) { return g->now + (size_t)i * g->width; }
static void relax(struct grid *g, int from, int to) {
  for (int i = from; i < to; i++)
    for (int j = 1; j < g->width - 1; j++)
      g->next[i * g->width + j] = row(g, i - 1)[j] + row(g, i + 1)[j]; // WARN buffer.read-in-use
}
int main(int argc, char **argv) {
  struct grid g = {.width = 16, .height = 18};
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  g.now = calloc(g.width * g.height, sizeof(double));
  g.next = calloc(g.width * g.height, sizeof(double));
  for (int t = 0; t < 5; t++) {
    MPI_Request r;
    MPI_Irecv(row(&g, 0), g.width, MPI_DOUBLE, rank ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r); // NOTE
    relax(&g, 1, g.height - 1);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    double *swap = g.now;
    g.now = g.next, g.next = swap;
  }
  free(g.now);
  free(g.next);
  MPI_Finalize();
}
//// first-row-ok
struct grid {
  int width, height;
  double *now, *next;
};
static double *row(const struct grid *g, int i) { return g->now + (size_t)i * g->width; }
static void relax(struct grid *g, int from, int to) {
  for (int i = from; i < to; i++)
    for (int j = 1; j < g->width - 1; j++)
      g->next[i * g->width + j] = row(g, i - 1)[j] + row(g, i + 1)[j];
}
int main(int argc, char **argv) {
  struct grid g = {.width = 16, .height = 18};
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  g.now = calloc(g.width * g.height, sizeof(double));
  g.next = calloc(g.width * g.height, sizeof(double));
  for (int t = 0; t < 5; t++) {
    MPI_Request r;
    MPI_Irecv(row(&g, 0), g.width, MPI_DOUBLE, rank ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
    relax(&g, 2, g.height - 1);
    for (int i = 0; i < g.height; i++)
      for (int j = 0; j < g.width; j++)
        if (i > 1 && row(&g, i)[j] > 1) g.next[j] += 1;
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    relax(&g, 1, 2);
    double *swap = g.now;
    g.now = g.next, g.next = swap;
  }
  free(g.now);
  free(g.next);
  MPI_Finalize();
}
//// buffers-change-places
struct field { double *now, *next; int at; double half[2][64]; };
void step(struct field *f, int to) {
  MPI_Request r;
  double *keep = f->now;
  f->now = f->next, f->next = keep;
  MPI_Isend(f->now, 8, MPI_DOUBLE, to, 1, MPI_COMM_WORLD, &r); // NOTE
  f->at = 1;
  f->now[0] = 1; // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// buffers-change-places-ok
struct field { double *now, *next; int at; double half[2][64]; };
static double *first, *second;
void step(struct field *f, int to) {
  MPI_Request r;
  MPI_Isend(f->now, 8, MPI_DOUBLE, to, 1, MPI_COMM_WORLD, &r);
  double *keep = f->now;
  f->now = f->next, f->next = keep;
  f->now[0] = 1;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
void halves(struct field *f, int to) {
  MPI_Request r;
  MPI_Isend(f->half[f->at], 8, MPI_DOUBLE, to, 1, MPI_COMM_WORLD, &r);
  f->at = 1 - f->at;
  f->half[f->at][0] = 1;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
void globals(int to) {
  MPI_Request r;
  MPI_Isend(first, 8, MPI_DOUBLE, to, 1, MPI_COMM_WORLD, &r);
  double *keep = first;
  first = second, second = keep;
  first[0] = 1;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
void renew(struct field *f, int to) {
  MPI_Request r;
  MPI_Isend(f->now, 8, MPI_DOUBLE, to, 1, MPI_COMM_WORLD, &r);
  f->next = f->now;
  f->now = malloc(64);
  f->now[0] = 1;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// counted-by-member
struct pending { MPI_Request all[16]; int open; MPI_Comm comm; };
static void post(struct pending *p, const double *x, int to) {
  MPI_Isend(x, 1, MPI_DOUBLE, to, 1, p->comm, &p->all[p->open++]); // WARN request.not-completed
}
static void finish(struct pending *p) {
  MPI_Waitall(p->open, p->all, MPI_STATUSES_IGNORE);
  p->open = 0;
}
int step(double *u, int n, int left, MPI_Comm comm) {
  struct pending p = {.comm = comm};
  post(&p, u, left);
  if (n < 4) // NOTE
    return -1;
  finish(&p);
  return 0;
}
//// counted-by-member-touched
struct pending { MPI_Request all[16]; int open; MPI_Comm comm; };
static void post(struct pending *p, const double *x, int to) {
  MPI_Isend(x, 1, MPI_DOUBLE, to, 1, p->comm, &p->all[p->open++]); // NOTE
}
void step(struct pending *p, double *u, int left) {
  post(p, u, left);
  u[0] = 0; // WARN buffer.modified-in-use
  MPI_Waitall(p->open, p->all, MPI_STATUSES_IGNORE);
}
//// counted-by-member-ok
struct pending { MPI_Request all[16]; int open; MPI_Comm comm; };
static void post(struct pending *p, const double *x, int to) {
  MPI_Isend(x, 1, MPI_DOUBLE, to, 1, p->comm, &p->all[p->open++]);
}
static void finish(struct pending *p) {
  MPI_Waitall(p->open, p->all, MPI_STATUSES_IGNORE);
  p->open = 0;
}
int step(double *u, int n, int left, int right, MPI_Comm comm) {
  struct pending p = {.comm = comm};
  post(&p, u, left);
  post(&p, u + n - 1, right);
  if (n < 4) {
    finish(&p);
    return -1;
  }
  finish(&p);
  u[0] = 0;
  return 0;
}
void two(struct pending *p, double *x, int to) {
  MPI_Irecv(x, 1, MPI_DOUBLE, to, 1, p->comm, &p->all[p->open]);
  p->open++;
  MPI_Irecv(x + 1, 1, MPI_DOUBLE, to, 1, p->comm, &p->all[p->open]);
  p->open++;
  finish(p);
}
//// broadcast-read-by-all
int main(int argc, char **argv) {
  int rank, n = 0;
  MPI_Request r;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) n = 7;
  MPI_Ibcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD, &r); // NOTE
  for (int i = 0; i < n; i++) printf("%d\n", i); // WARN buffer.read-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// broadcast-read-by-root-ok
int main(int argc, char **argv) {
  int rank, size, n = 0;
  MPI_Request r;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == size - 1) n = 7;
  MPI_Ibcast(&n, 1, MPI_INT, size - 1, MPI_COMM_WORLD, &r);
  if (rank + 1 == size) printf("%d\n", n);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// scatter-freed-early
int main(int argc, char **argv) {
  int rank, size;
  double b;
  MPI_Request r;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *a = malloc(size * sizeof *a);
  for (int i = 0; i < size; i++) a[i] = i;
  MPI_Iscatter(a, 1, MPI_DOUBLE, &b, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &r); // NOTE
  free(a); // WARN buffer.modified-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// scatter-freed-by-others-ok
int main(int argc, char **argv) {
  int rank, size;
  double b;
  MPI_Request r;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *a = malloc(size * sizeof *a);
  for (int i = 0; i < size; i++) a[i] = i;
  MPI_Iscatter(a, 1, MPI_DOUBLE, &b, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &r);
  if (rank > 0) free(a);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  if (rank == 0) free(a);
  MPI_Finalize();
}
//// gathered-by-unknown-root-ok
void gather(double *all, double *own, int root, MPI_Comm comm) {
  MPI_Request r;
  int rank;
  MPI_Comm_rank(comm, &rank);
  MPI_Igather(own, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, root, comm, &r);
  all[0] = 1; // who the root is only the caller knows
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
//// asked-for-its-status-ok
int main(int argc, char **argv) {
  int rank, x = 0, done = 0;
  MPI_Request q;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &q);
  MPI_Send(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
  while (!done) MPI_Request_get_status(q, &done, MPI_STATUS_IGNORE);
  if (x != rank) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// store-between-two-questions-ok
struct neighbor { int rank; MPI_Comm comm; double *left; };
double *values_of(void *v);
int apply(struct neighbor *n, void *in, void *out, int length);
int apply(struct neighbor *n, void *in, void *out, int length) {
  double *v = values_of(in), *z = values_of(out), from = 0;
  MPI_Request r;
  if (n->rank > 0) MPI_Irecv(&from, 1, MPI_DOUBLE, n->rank - 1, 0, n->comm, &r);
  for (int i = 1; i < length; i++) z[i] = v[i] - v[i - 1];
  if (n->rank > 0) MPI_Wait(&r, MPI_STATUS_IGNORE);
  z[0] = v[0] - from;
  return 0;
}
//// store-between-two-questions
struct neighbor { int rank, size; MPI_Comm comm; };
double *values_of(void *v);
int apply(struct neighbor *n, void *in, void *out, int length);
int apply(struct neighbor *n, void *in, void *out, int length) {
  double *v = values_of(in), *z = values_of(out), from = 0;
  MPI_Request r;
  MPI_Irecv(&from, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, n->comm, &r); // NOTE
  for (int i = 1; i < length; i++) z[i] = v[i] - v[i - 1];
  z[0] = v[0] - from; // WARN buffer.read-in-use
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return 0;
}
//// split-collective
int main(int argc, char **argv) {
  int x[8] = {0}, sum = 0;
  MPI_File f;
  MPI_Init(&argc, &argv);
  MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
  MPI_File_read_at_all_begin(f, 0, x, 8, MPI_INT); // NOTE
  for (int i = 0; i < 8; i++) sum += x[i]; // WARN buffer.read-in-use
  MPI_File_read_at_all_end(f, x, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  MPI_Finalize();
  return sum;
}
//// split-collective-write
int save(MPI_File f, int *x, int n);
int save(MPI_File f, int *x, int n) {
  MPI_File_write_all_begin(f, x, n, MPI_INT); // NOTE
  if (n > 4) x[0] = 7; // WARN buffer.modified-in-use
  return MPI_File_write_all_end(f, x, MPI_STATUS_IGNORE);
}
//// split-collective-ok
int main(int argc, char **argv) {
  int x[8] = {0}, y[8] = {0}, sum = 0, last = 0;
  MPI_File f, g;
  MPI_Init(&argc, &argv);
  MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
  MPI_File_open(MPI_COMM_WORLD, "more", MPI_MODE_RDONLY, MPI_INFO_NULL, &g);
  for (int k = 0; k < 3; k++) {
    MPI_File_read_at_all_begin(f, k * 32, x, 8, MPI_INT);
    for (int i = 0; i < 8; i++) sum += y[i];
    MPI_File_read_at_all_begin(g, k * 32, y, 8, MPI_INT);
    MPI_File_read_at_all_end(f, x, MPI_STATUS_IGNORE);
    sum += x[k];
    MPI_File_read_at_all_end(g, y, MPI_STATUS_IGNORE);
  }
  MPI_File_write_all_begin(f, x, 8, MPI_INT);
  last = x[7]; // the buffer of a write may be read (13.4.5)
  MPI_File_write_all_end(f, x, MPI_STATUS_IGNORE);
  MPI_File_read_all_begin(f, &last, 1, MPI_INT);
  MPI_File_read_all_end(f, &last, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  MPI_File_close(&g);
  MPI_Finalize();
  return sum + last;
}
//// behind-many-loops
static int worker(MPI_Comm comm) {
  MPI_Request stop;
  int token, flag = 0, n = 0;
  MPI_Irecv(&token, 1, MPI_INT, 0, 3, comm, &stop); // WARN request.not-completed
  while (!flag) {
    MPI_Status st;
    int have = 0;
    MPI_Iprobe(0, 1, comm, &have, &st);
    if (have) {
      double x;
      MPI_Recv(&x, 1, MPI_DOUBLE, 0, 1, comm, MPI_STATUS_IGNORE);
      if (x < 0) {
        fprintf(stderr, "a wrong task\n");
        return -1;
      }
      MPI_Send(&x, 1, MPI_DOUBLE, 0, 2, comm);
      n++;
    }
    MPI_Test(&stop, &flag, MPI_STATUS_IGNORE);
  }
  return n;
}
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) manage(MPI_COMM_WORLD, size, argc > 1 ? atoi(argv[1]) : 20);
  else if (worker(MPI_COMM_WORLD) < 0) fprintf(stderr, "%d gave up\n", rank);
  MPI_Finalize();
}
//// behind-many-loops-ok
static int worker(MPI_Comm comm) {
  MPI_Request stop;
  int token, flag = 0, n = 0;
  MPI_Irecv(&token, 1, MPI_INT, 0, 3, comm, &stop);
  while (!flag) {
    MPI_Status st;
    int have = 0;
    MPI_Iprobe(0, 1, comm, &have, &st);
    if (have) {
      double x;
      MPI_Recv(&x, 1, MPI_DOUBLE, 0, 1, comm, MPI_STATUS_IGNORE);
      if (x < 0) {
        fprintf(stderr, "a wrong task\n");
        MPI_Cancel(&stop);
        MPI_Wait(&stop, MPI_STATUS_IGNORE);
        return -1;
      }
      MPI_Send(&x, 1, MPI_DOUBLE, 0, 2, comm);
      n++;
    }
    MPI_Test(&stop, &flag, MPI_STATUS_IGNORE);
  }
  return n;
}
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) manage(MPI_COMM_WORLD, size, argc > 1 ? atoi(argv[1]) : 20);
  else if (worker(MPI_COMM_WORLD) < 0) fprintf(stderr, "%d gave up\n", rank);
  MPI_Finalize();
}
//// among-many-loops-ok
int main(int argc, char **argv) {
  int rank, size, n = argc > 1 ? atoi(argv[1]) : 7, pending = 0, x = 0, sum = 0;
  MPI_Request r;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  manage(MPI_COMM_WORLD, size, n);
  for (int i = 0; i < n; i++) {
    if (pending) {
      MPI_Wait(&r, MPI_STATUS_IGNORE);
      pending = 0;
      sum += x;
    }
    if (i % 3) {
      MPI_Irecv(&x, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &r);
      pending = 1;
    }
    manage(MPI_COMM_WORLD, size, i);
  }
  if (pending) MPI_Wait(&r, MPI_STATUS_IGNORE);
  printf("%d\n", sum);
  MPI_Finalize();
}
//// flag-set-behind-the-condition
struct patch {
  double u[10];
  int frozen;
};
static double sweep(struct patch *all, int left, int step) {
  double total = 0;
  for (int p = 0; p < 4; p++) {
    struct patch *q = &all[p];
    MPI_Request request;
    MPI_Irecv(&q->u[0], 1, MPI_DOUBLE, left, p, MPI_COMM_WORLD, &request); // WARN request.not-completed
    if (q->frozen) continue;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    total += q->u[0] - q->u[1];
    if (step > 10 && total < 1e-9) q->frozen = 1;
  } // NOTE
  return total;
}
int main(int argc, char **argv) {
  static struct patch patches[4];
  MPI_Init(&argc, &argv);
  for (int step = 0; step < argc; step++) sweep(patches, 0, step);
  MPI_Finalize();
}
//// flag-set-behind-the-condition-ok
struct patch {
  double u[10];
  int frozen;
};
static double sweep(struct patch *all, int left, int step) {
  double total = 0;
  for (int p = 0; p < 4; p++) {
    struct patch *q = &all[p];
    MPI_Request request;
    if (q->frozen) continue;
    MPI_Irecv(&q->u[0], 1, MPI_DOUBLE, left, p, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    total += q->u[0] - q->u[1];
    if (step > 10 && total < 1e-9) q->frozen = 1;
  }
  return total;
}
int main(int argc, char **argv) {
  static struct patch patches[4];
  MPI_Init(&argc, &argv);
  for (int step = 0; step < argc; step++) sweep(patches, 0, step);
  MPI_Finalize();
}
//// count-kept-before-the-start-ok
struct halo {
  int count;
  MPI_Request requests[8];
  double in[8];
};
void trace(const char *what);
static void post(struct halo *h, int from) {
  MPI_Request *next = &h->requests[h->count++];
  MPI_Irecv(&h->in[0], 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, next);
  trace("posted");
  if (h->count > 0) MPI_Waitall(h->count, h->requests, MPI_STATUSES_IGNORE);
  h->count = 0;
}
int main(int argc, char **argv) {
  static struct halo halo;
  MPI_Init(&argc, &argv);
  for (int step = 0; step < argc; step++) post(&halo, 0);
  MPI_Finalize();
}
//// flag-set-before-the-start-ok
struct line {
  int is_open;
  MPI_Request request;
  double in;
};
void trace(const char *what);
static void post(struct line *l, int from) {
  l->is_open = 1;
  MPI_Irecv(&l->in, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &l->request);
  trace("posted");
  if (l->is_open) MPI_Wait(&l->request, MPI_STATUS_IGNORE);
  l->is_open = 0;
}
int main(int argc, char **argv) {
  static struct line line;
  MPI_Init(&argc, &argv);
  for (int step = 0; step < argc; step++) post(&line, 0);
  MPI_Finalize();
}
//// buffer-filled-again-in-the-next-turn
static int pack(const double *x, int n, double *out) {
  int count;
  for (count = 0; count < n; count++) out[count] = x[count]; // WARN buffer.modified-in-use
  return count;
}
void send_all(const double *x, int n, const int *dest) {
  double buffer[128];
  MPI_Request requests[2];
  for (int d = 0; d < 2; d++) {
    int count = pack(x, n, buffer);
    MPI_Isend(buffer, count, MPI_DOUBLE, dest[d], d, MPI_COMM_WORLD, &requests[d]); // NOTE
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
//// buffer-of-its-own-in-each-turn-ok
static int pack(const double *x, int n, double *out) {
  int count;
  for (count = 0; count < n; count++) out[count] = x[count];
  return count;
}
void send_all(const double *x, int n, const int *dest) {
  double buffer[256];
  MPI_Request requests[2];
  for (int d = 0; d < 2; d++) {
    int count = pack(x, n, buffer + 128 * d);
    MPI_Isend(buffer + 128 * d, count, MPI_DOUBLE, dest[d], d, MPI_COMM_WORLD, &requests[d]);
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
//// nothing-sent-in-the-first-turn-ok
void send_second(const double *x, const int *dest) {
  double buffer[8] = {0};
  MPI_Request requests[2];
  for (int d = 0; d < 2; d++) {
    int count = d == 0 ? 0 : 8;
    for (int i = 0; i < count; i++) buffer[i] = x[i];
    MPI_Isend(buffer, count, MPI_DOUBLE, dest[d], d, MPI_COMM_WORLD, &requests[d]);
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
//// loop-left-before-the-wait
struct ring {
  int rank, size, before;
  MPI_Comm comm;
  MPI_Request requests[2];
};
int main(int argc, char **argv) {
  struct ring r;
  double in[10];
  MPI_Init(&argc, &argv);
  r.comm = MPI_COMM_WORLD;
  MPI_Comm_rank(r.comm, &r.rank);
  MPI_Comm_size(r.comm, &r.size);
  r.before = (r.rank + r.size - 1) % r.size;
  for (int turn = 1;; turn++) {
    MPI_Irecv(in, 10, MPI_DOUBLE, r.before, 3, r.comm, &r.requests[0]); // WARN request.not-completed
    if (turn == r.size) // NOTE
      break;
    MPI_Wait(&r.requests[0], MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
//// loop-left-behind-the-wait-ok
struct ring {
  int rank, size, before;
  MPI_Comm comm;
  MPI_Request requests[2];
};
int main(int argc, char **argv) {
  struct ring r;
  double in[10];
  MPI_Init(&argc, &argv);
  r.comm = MPI_COMM_WORLD;
  MPI_Comm_rank(r.comm, &r.rank);
  MPI_Comm_size(r.comm, &r.size);
  r.before = (r.rank + r.size - 1) % r.size;
  for (int turn = 1;; turn++) {
    MPI_Irecv(in, 10, MPI_DOUBLE, r.before, 3, r.comm, &r.requests[0]);
    MPI_Wait(&r.requests[0], MPI_STATUS_IGNORE);
    if (turn == r.size) break;
  }
  MPI_Finalize();
}
//// persistent-list-freed-in-a-loop-ok
int main(int argc, char **argv) {
  MPI_Request r[9];
  int x[9];
  MPI_Init(&argc, &argv);
  MPI_Send_init(&x[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Send_init(&x[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[1]);
  MPI_Send_init(&x[2], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[2]);
  MPI_Send_init(&x[3], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[3]);
  MPI_Send_init(&x[4], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[4]);
  MPI_Send_init(&x[5], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[5]);
  MPI_Send_init(&x[6], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[6]);
  MPI_Send_init(&x[7], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[7]);
  MPI_Send_init(&x[8], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[8]);
  for (int k = 0; k < 9; k++) MPI_Request_free(&r[k]);
  MPI_Finalize();
}
//// persistent-list-freed-in-a-loop
int main(int argc, char **argv) {
  MPI_Request r[9];
  int x[9];
  MPI_Init(&argc, &argv);
  for (int k = 0; k < 8; k++) MPI_Send_init(&x[k], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[k]);
  MPI_Send_init(&x[8], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[8]); // WARN leak.request
  for (int k = 0; k < 8; k++) MPI_Request_free(&r[k]);
  MPI_Finalize();
}
//// gets-in-batches-ok
struct reader {
  MPI_Win win;
  int limit, pending;
};
static void drain(struct reader *r) {
  if (r->pending == 0) return;
  MPI_Win_flush_local_all(r->win);
  r->pending = 0;
}
static void get(struct reader *r, int from, double *value) {
  MPI_Get(value, 1, MPI_DOUBLE, from, 0, 1, MPI_DOUBLE, r->win);
  if (++r->pending == r->limit) drain(r);
}
int main(int argc, char **argv) {
  struct reader r = {MPI_WIN_NULL, argc > 1 ? atoi(argv[1]) : 1, 0};
  double *part, values[16], sum = 0;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(sizeof *part, sizeof *part, MPI_INFO_NULL, MPI_COMM_WORLD, &part, &r.win);
  MPI_Win_lock_all(0, r.win);
  for (int k = 0; k < 16; k++) get(&r, k % size, &values[k]);
  drain(&r);
  for (int k = 0; k < 16; k++) sum += values[k];
  MPI_Win_unlock_all(r.win);
  MPI_Win_free(&r.win);
  printf("%f\n", sum);
  MPI_Finalize();
}
//// last-batch-of-gets
struct reader {
  MPI_Win win;
  int limit, pending;
};
static void drain(struct reader *r) {
  if (r->pending == 0) return;
  MPI_Win_flush_local_all(r->win);
  r->pending = 0;
}
static void get(struct reader *r, int from, double *value) {
  MPI_Get(value, 1, MPI_DOUBLE, from, 0, 1, MPI_DOUBLE, r->win); // NOTE
  if (++r->pending == r->limit) drain(r);
}
int main(int argc, char **argv) {
  struct reader r = {MPI_WIN_NULL, argc > 1 ? atoi(argv[1]) : 1, 0};
  double *part, values[16], sum = 0;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(sizeof *part, sizeof *part, MPI_INFO_NULL, MPI_COMM_WORLD, &part, &r.win);
  MPI_Win_lock_all(0, r.win);
  for (int k = 0; k < 16; k++) get(&r, k % size, &values[k]);
  for (int k = 0; k < 16; k++) sum += values[k]; // WARN rma.race-local
  MPI_Win_unlock_all(r.win);
  MPI_Win_free(&r.win);
  printf("%f\n", sum);
  MPI_Finalize();
}
//// list-by-pointer-ok
struct halo {
  int n;
  double edges[4];
  MPI_Request requests[4];
};
static void start(struct halo *h, int before, int after) {
  MPI_Request *r = h->requests;
  MPI_Irecv(&h->edges[0], 1, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, r++);
  MPI_Isend(&h->edges[1], 1, MPI_DOUBLE, after, 1, MPI_COMM_WORLD, r++);
  h->n = (int)(r - h->requests);
}
static void finish(struct halo *h) {
  MPI_Waitall(h->n, h->requests, MPI_STATUSES_IGNORE);
}
int main(int argc, char **argv) {
  struct halo h = {0};
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int step = 0; step < 9; step++) {
    double largest = rank * step, all;
    start(&h, (rank + size - 1) % size, (rank + 1) % size);
    MPI_Allreduce(&largest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (!(all < 1e6)) {
      finish(&h);
      break;
    }
    finish(&h);
  }
  MPI_Finalize();
}
//// list-by-pointer
struct halo {
  int n;
  double edges[4];
  MPI_Request requests[4];
};
static void start(struct halo *h, int before, int after) {
  MPI_Request *r = h->requests;
  MPI_Irecv(&h->edges[0], 1, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, r++); // WARN request.not-completed
  MPI_Isend(&h->edges[1], 1, MPI_DOUBLE, after, 1, MPI_COMM_WORLD, r++); // WARN request.not-completed
  h->n = (int)(r - h->requests);
}
static void finish(struct halo *h) {
  MPI_Waitall(h->n, h->requests, MPI_STATUSES_IGNORE);
}
int main(int argc, char **argv) {
  struct halo h = {0};
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int step = 0; step < 9; step++) {
    double largest = rank * step, all;
    start(&h, (rank + size - 1) % size, (rank + 1) % size);
    MPI_Allreduce(&largest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (!(all < 1e6)) {
      break;
    }
    finish(&h);
  }
  MPI_Finalize();
}
//// wait-by-pointer-ok
int main(int argc, char **argv) {
  int rank, size, x = 4, y;
  MPI_Request r[2], *all[2] = {&r[0], &r[1]};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int turn = 0; turn < 2; turn++) {
    MPI_Irecv(&y, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&x, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[1]);
    if (turn)
      for (MPI_Request *p = r; p < r + 2; p++) MPI_Wait(p, MPI_STATUS_IGNORE);
    else
      for (MPI_Request **p = all; p < all + 2; p++) MPI_Wait(*p, MPI_STATUS_IGNORE);
    x = y;
  }
  MPI_Finalize();
  return x != 4;
}
//// flags-of-both-ok
int main(int argc, char **argv) {
  int rank, size, x = 4, y, idx, n, ids[2], a = 0, b = 0;
  MPI_Request r[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int turn = 0; turn < 4; turn++) {
    int done[2] = {0, 0};
    MPI_Irecv(&y, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&x, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[1]);
    if (turn == 0)
      while (!done[0] || !done[1]) {
        MPI_Waitany(2, r, &idx, MPI_STATUS_IGNORE);
        done[idx] = 1;
      }
    else if (turn == 1)
      while (!(done[0] && done[1])) {
        MPI_Waitsome(2, r, &n, ids, MPI_STATUSES_IGNORE);
        for (int i = 0; i < n; i++) done[ids[i]] = 1;
      }
    else if (turn == 2) do {
        MPI_Test(&r[0], &a, MPI_STATUS_IGNORE);
        MPI_Test(&r[1], &b, MPI_STATUS_IGNORE);
      } while (!(a & b));
    else
      while (done[0] == 0 || done[1] == 0)
        for (int i = 0; i < 2; i++)
          if (!done[i]) MPI_Test(&r[i], &done[i], MPI_STATUS_IGNORE);
    x = y;
  }
  MPI_Finalize();
  return x != 4;
}
//// flag-of-one
int main(int argc, char **argv) {
  int rank, size, x = 4, y, a = 0, b = 0;
  MPI_Request r[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Irecv(&y, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[0]); // NOTE
  MPI_Isend(&x, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[1]);        // NOTE
  while (!a && !b) {
    MPI_Test(&r[0], &a, MPI_STATUS_IGNORE);
    MPI_Test(&r[1], &b, MPI_STATUS_IGNORE);
  }
  x = y; // WARN buffer.read-in-use WARN buffer.modified-in-use
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return x != 4;
}
//// either-flag
int main(int argc, char **argv) {
  int rank, size, x = 4, y, a, b;
  MPI_Request r[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Irecv(&y, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[0]); // NOTE
  MPI_Isend(&x, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[1]);        // NOTE
  do {
    MPI_Test(&r[0], &a, MPI_STATUS_IGNORE);
    MPI_Test(&r[1], &b, MPI_STATUS_IGNORE);
  } while (!(a | b));
  x = y; // WARN buffer.read-in-use WARN buffer.modified-in-use
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return x != 4;
}
//// requests-change-places-ok
int main(int argc, char **argv) {
  int rank, size, in[2], out[2], c = 0, ok = 1;
  MPI_Request x[2], y[2], *now = x, *old = y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  old[0] = old[1] = MPI_REQUEST_NULL;
  for (int k = 0; k < 6; k++, c ^= 1) {
    out[c] = k;
    MPI_Irecv(&in[c], 1, MPI_INT, (rank + size - 1) % size, k, MPI_COMM_WORLD, now);
    MPI_Isend(&out[c], 1, MPI_INT, (rank + 1) % size, k, MPI_COMM_WORLD, now + 1);
    MPI_Waitall(2, old, MPI_STATUSES_IGNORE);
    if (k) ok &= in[c ^ 1] == k - 1;
    MPI_Request *t = now;
    now = old, old = t;
  }
  MPI_Waitall(2, old, MPI_STATUSES_IGNORE);
  ok &= in[c ^ 1] == 5;
  MPI_Finalize();
  return !ok;
}
//// requests-change-places
int main(int argc, char **argv) {
  int rank, size, in = 0, out = 0;
  MPI_Request x, y, *now = &x, *old = &y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1) now = &y, old = &x;
  *old = MPI_REQUEST_NULL;
  MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, now); // NOTE
  MPI_Send(&out, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Wait(old, MPI_STATUS_IGNORE);
  out = in; // WARN buffer.read-in-use
  MPI_Wait(now, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return out;
}
//// address-as-a-number-ok
#include <stdint.h>
int main(int argc, char **argv) {
  int rank, size, x = 0, y = 3;
  MPI_Request r[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Irecv(&x, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(&y, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[1]);
  uintptr_t in = (uintptr_t)&r[0], out = (uintptr_t)&r[1];
  MPI_Wait((MPI_Request *)out, MPI_STATUS_IGNORE);
  y = 0;
  MPI_Wait((MPI_Request *)in, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return x - 3 + y;
}
//// nothing-comes-ok
int main(int argc, char **argv) {
  int rank, size, a = 3, c = 0, buf[8] = {1}, in[8];
  MPI_Request q = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Isend(buf, 8, MPI_INT, right, 0, MPI_COMM_WORLD, &q);
  MPI_Recv(in, 8, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(in, 0, MPI_INT, left, 1, buf, 0, MPI_INT, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  if (rank == 0 && size > 1) MPI_Isend(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &q);
  if (rank == 1) MPI_Recv(&c, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bcast(&a, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// something-comes
int main(int argc, char **argv) {
  int rank, size, a = 3, c = 0;
  MPI_Request q = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 1) MPI_Isend(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &q); // NOTE
  if (rank == 0 && size > 1) MPI_Recv(&c, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bcast(&a, 1, MPI_INT, 0, MPI_COMM_WORLD); // WARN buffer.modified-in-use
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return c;
}
//// searched-ok
static int used[6], box[6];
static int slot(void) {
  for (int i = 0; i < 6; i++)
    if (!used[i]) {
      used[i] = 1;
      return i;
    }
  MPI_Abort(MPI_COMM_WORLD, 3);
  return -1;
}
static int key(const char *const *keys, int n, const char *x) {
  for (int i = 0; i < n; i++)
    if (strcmp(keys[i], x) == 0) return i;
  return -1;
}
int main(int argc, char **argv) {
  static const char *const keys[3] = {"c", "a", "b"}, *const asked[3] = {"a", "b", "c"};
  int rank, size, in[3], out[3];
  MPI_Request q[6];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = (rank + size - 1) % size, right = (rank + 1) % size, a = slot();
  MPI_Irecv(&box[a], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &q[0]);
  int b = slot();
  box[b] = rank;
  MPI_Isend(&box[b], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &q[1]);
  MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
  for (int x = 0; x < 3; x++) {
    int i = key(keys, 3, asked[x]);
    MPI_Irecv(&in[i], 1, MPI_INT, left, x, MPI_COMM_WORLD, &q[i]);
    out[i] = x;
    MPI_Isend(&out[i], 1, MPI_INT, right, x, MPI_COMM_WORLD, &q[3 + i]);
  }
  MPI_Waitall(6, q, MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
//// searched
static int used[6], box[6];
int main(int argc, char **argv) {
  int rank, size, a = 0;
  MPI_Request q[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while (a < 5 && used[a]) a++;
  MPI_Irecv(&box[a], 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &q[0]); // NOTE
  box[a] = rank;                                                                       // WARN buffer.modified-in-use
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &q[1]);
  MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
//// never-reached-split-ok
static int make(int n, MPI_Comm *out) {
  if (n < 0) return -1;
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, out);
  return 0;
}
static void use(int n) {
  MPI_Comm c;
  if (make(n, &c)) return;
  MPI_Barrier(c);
  MPI_Comm_free(&c);
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  use(argc);
  use(-1);
  MPI_Finalize();
}
