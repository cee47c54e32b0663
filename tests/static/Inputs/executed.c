// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of which each process is executed (programs.py), wrong ones and right ones: ranks in the turns of loops,
// blocks of all ranks in memory of one, locks of another target, messages that are counted, numbers with a fraction.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 8 };
#define START \
  int rank, size; \
  MPI_Init(&argc, &argv); \
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); \
  MPI_Comm_size(MPI_COMM_WORLD, &size)
//// farm-one-worker-too-many
int main(int argc, char **argv) {
  START;
  int part[2] = {0, 0};
  if (rank == 0)
    for (int w = 1; w <= size; w++) MPI_Send(part, 2, MPI_INT, w, 1, MPI_COMM_WORLD); // WARN arg.rank
  else MPI_Recv(part, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// farm-ok
int main(int argc, char **argv) {
  START;
  int part[2] = {0, 0};
  if (rank == 0)
    for (int w = 1; w < size; w++) MPI_Send(part, 2, MPI_INT, w, 1, MPI_COMM_WORLD);
  else MPI_Recv(part, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// root-of-size
int main(int argc, char **argv) {
  START;
  int sum = 0, one = 1, writer = size;
  MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, writer, MPI_COMM_WORLD); // WARN arg.root
  MPI_Finalize();
  return sum > size;
}
//// root-of-large-world-ok
int main(int argc, char **argv) {
  START;
  int sum = 0, one = 1;
  MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 9, MPI_COMM_WORLD);
  MPI_Finalize();
  return sum > size;
}
//// for-two-ok
int main(int argc, char **argv) {
  START;
  double x = rank, y = 0;
  MPI_Sendrecv(&x, 1, MPI_DOUBLE, 1 - rank, 0, &y, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return y > size;
}
//// gather-into-one-block
int main(int argc, char **argv) {
  START;
  int *keys = malloc(N * sizeof *keys), *all = NULL;
  if (!keys) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < N; i++) keys[i] = rank * N + i;
  if (rank == 0 && !(all = malloc(N * sizeof *all))) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Gather(keys, N, MPI_INT, all, N, MPI_INT, 0, MPI_COMM_WORLD); // WARN arg.memory
  if (rank == 0) printf("%d\n", all[0]);
  free(all), free(keys);
  MPI_Finalize();
}
//// gather-into-all-blocks-ok
int main(int argc, char **argv) {
  START;
  int *keys = malloc(N * sizeof *keys), *all = NULL;
  if (!keys) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < N; i++) keys[i] = rank * N + i;
  if (rank == 0 && !(all = malloc((size_t)size * N * sizeof *all))) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Gather(keys, N, MPI_INT, all, N, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d\n", all[0]);
  free(all), free(keys);
  MPI_Finalize();
}
//// alltoall-of-one-block-each
struct buckets {
  int each;
  double *out, *in;
};
static void make(struct buckets *b, int size) {
  b->each = N;
  b->out = calloc((size_t)size * b->each, sizeof *b->out);
  b->in = calloc((size_t)size, sizeof *b->in);
  if (!b->out || !b->in) MPI_Abort(MPI_COMM_WORLD, 1);
}
int main(int argc, char **argv) {
  START;
  struct buckets b;
  make(&b, size);
  MPI_Alltoall(b.out, b.each, MPI_DOUBLE, b.in, b.each, MPI_DOUBLE, MPI_COMM_WORLD); // WARN arg.memory
  free(b.out), free(b.in);
  MPI_Finalize();
}
//// count-of-the-wrong-sign
int main(int argc, char **argv) {
  START;
  long n = 100;
  if (argc > 1) n = strtol(argv[1], NULL, 10);
  long low = n * rank / size, high = n * (rank + 1) / size;
  double *v = calloc((size_t)(high - low), sizeof *v), *all = calloc((size_t)n, sizeof *all);
  MPI_Allgather(v, (int)(low - high), MPI_DOUBLE, all, (int)(n / size), MPI_DOUBLE, MPI_COMM_WORLD); // WARN arg.count
  free(v), free(all);
  MPI_Finalize();
}
//// needs-arguments-ok
int main(int argc, char **argv) {
  START;
  int n = atoi(argv[1]) - argc;
  int *v = calloc((size_t)argc, sizeof *v);
  MPI_Bcast(v, 3, MPI_INT, 0, MPI_COMM_WORLD);
  free(v);
  MPI_Finalize();
  return n;
}
//// lock-of-another-target
static void look(MPI_Win win, int mine, int peer, long *value) {
  MPI_Win_lock(MPI_LOCK_SHARED, mine, 0, win);
  MPI_Get(value, 1, MPI_LONG, peer, 0, 1, MPI_LONG, win); // WARN rma.outside-epoch
  MPI_Win_unlock(mine, win);
}
int main(int argc, char **argv) {
  START;
  long cell = rank, value = 0;
  MPI_Win win;
  MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  look(win, rank, (rank + 1) % size, &value);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// lock-of-the-target-ok
static void look(MPI_Win win, int peer, long *value) {
  MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win);
  MPI_Get(value, 1, MPI_LONG, peer, 0, 1, MPI_LONG, win);
  MPI_Win_unlock(peer, win);
}
int main(int argc, char **argv) {
  START;
  long cell = rank, value = 0;
  MPI_Win win;
  MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  look(win, (rank + 1) % size, &value);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// own-cells-beside-window
struct field {
  double cell[N + 2], next[N + 2];
  MPI_Win win;
  int up, down;
};
static struct field f;
int main(int argc, char **argv) {
  START;
  f.up = rank == 0 ? MPI_PROC_NULL : rank - 1;
  f.down = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
  MPI_Win_create(f.cell, sizeof f.cell, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &f.win);
  for (int step = 0; step < 3; step++) {
    MPI_Win_fence(0, f.win);
    f.cell[0] = f.cell[N + 1] = 0;
    MPI_Put(&f.cell[1], 1, MPI_DOUBLE, f.up, N + 1, 1, MPI_DOUBLE, f.win); // WARN rma.race
    MPI_Put(&f.cell[N], 1, MPI_DOUBLE, f.down, 0, 1, MPI_DOUBLE, f.win);   // WARN rma.race
    MPI_Win_fence(0, f.win);
    for (int i = 1; i <= N; i++) f.next[i] = 0.5 * f.cell[i] + 0.25 * (f.cell[i - 1] + f.cell[i + 1]);
    memcpy(&f.cell[1], &f.next[1], N * sizeof(double));
  }
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// own-cells-before-fence-ok
struct field {
  double cell[N + 2], next[N + 2];
  MPI_Win win;
  int up, down;
};
static struct field f;
int main(int argc, char **argv) {
  START;
  f.up = rank == 0 ? MPI_PROC_NULL : rank - 1;
  f.down = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
  MPI_Win_create(f.cell, sizeof f.cell, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &f.win);
  for (int step = 0; step < 3; step++) {
    f.cell[0] = f.cell[N + 1] = 0;
    MPI_Win_fence(0, f.win);
    MPI_Put(&f.cell[1], 1, MPI_DOUBLE, f.up, N + 1, 1, MPI_DOUBLE, f.win);
    MPI_Put(&f.cell[N], 1, MPI_DOUBLE, f.down, 0, 1, MPI_DOUBLE, f.win);
    MPI_Win_fence(0, f.win);
    for (int i = 1; i <= N; i++) f.next[i] = 0.5 * f.cell[i] + 0.25 * (f.cell[i - 1] + f.cell[i + 1]);
    memcpy(&f.cell[1], &f.next[1], N * sizeof(double));
  }
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// own-bins-by-stores
int main(int argc, char **argv) {
  START;
  int bins[N] = {0}, one = 1, n = 1000;
  unsigned state = 17u + (unsigned)rank;
  MPI_Win win;
  if (argc > 1) n = atoi(argv[1]);
  MPI_Win_create(bins, sizeof bins, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < n; i++) {
    state = state * 1664525u + 1013904223u;
    int bin = (int)((state >> 8) % (unsigned)(size * N)), owner = bin / N;
    if (owner == rank) bins[bin % N]++;
    else MPI_Accumulate(&one, 1, MPI_INT, owner, bin % N, 1, MPI_INT, MPI_SUM, win); // WARN rma.race
  }
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// own-bins-by-accumulates-ok
int main(int argc, char **argv) {
  START;
  int bins[N] = {0}, one = 1, n = 1000;
  unsigned state = 17u + (unsigned)rank;
  MPI_Win win;
  if (argc > 1) n = atoi(argv[1]);
  MPI_Win_create(bins, sizeof bins, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < n; i++) {
    state = state * 1664525u + 1013904223u;
    int bin = (int)((state >> 8) % (unsigned)(size * N)), owner = bin / N;
    MPI_Accumulate(&one, 1, MPI_INT, owner, bin % N, 1, MPI_INT, MPI_SUM, win);
  }
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// receives-from-itself
int main(int argc, char **argv) {
  START;
  int best = rank, other;
  if (rank == 0) {
    for (int src = 0; src < size; src++) {
      MPI_Recv(&other, 1, MPI_INT, src, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN message.unmatched-receive
      if (other > best) best = other;
    }
  } else {
    MPI_Send(&best, 1, MPI_INT, 0, 21, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// receives-from-others-ok
int main(int argc, char **argv) {
  START;
  int best = rank, other;
  if (rank == 0) {
    for (int src = 1; src < size; src++) {
      MPI_Recv(&other, 1, MPI_INT, src, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (other > best) best = other;
    }
  } else {
    MPI_Send(&best, 1, MPI_INT, 0, 21, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// one-receive-too-many
int main(int argc, char **argv) {
  START;
  long total = 0, part = rank;
  if (rank == 0)
    for (int i = 0; i < size; i++) {
      MPI_Status status;
      MPI_Recv(&part, 1, MPI_LONG, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status); // WARN message.unmatched-receive
      total += part;
    }
  else MPI_Send(&part, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);
  MPI_Bcast(&total, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return total < 0;
}
//// one-message-too-many
int main(int argc, char **argv) {
  START;
  int token = 0, left = rank - 1, right = rank + 1;
  if (left >= 0) MPI_Recv(&token, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (right < size) MPI_Send(&token, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
  else MPI_Send(&token, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); // WARN message.lost
  MPI_Finalize();
}
//// ring-closes-ok
int main(int argc, char **argv) {
  START;
  int token = 0, left = rank - 1, right = rank + 1;
  if (left >= 0) MPI_Recv(&token, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (right < size) MPI_Send(&token, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
  else MPI_Send(&token, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&token, 1, MPI_INT, size - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// perhaps-another-program-ok
int main(int argc, char **argv) {
  START;
  int x = rank;
  if (rank > 0) MPI_Send(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// own-error-decides
int main(int argc, char **argv) {
  START;
  double x = rank + 1.0, most = 0;
  for (int it = 0; it < 500; it++) {
    x = sqrt(x) * 0.5;
    x = x * x;
    double error = fabs(x);
    MPI_Allreduce(&error, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (error < 1e-6) break;
  }
  MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// all-errors-decide-ok
int main(int argc, char **argv) {
  START;
  double x = rank + 1.0, most = 0;
  for (int it = 0; it < 500; it++) {
    x = sqrt(x) * 0.5;
    x = x * x;
    double error = fabs(x);
    MPI_Allreduce(&error, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (most < 1e-6) break;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// rows-of-a-matrix-ok
static double a[4][N];
static int after[2];
int main(int argc, char **argv) {
  START;
  after[0] = rank;
  for (int k = 0; k < 4 * N; k++) a[0][k] = k; // the rows lie one behind the other
  if (after[0] < 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(a, 4 * N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// pointers-that-move-ok
struct node {
  int value;
  struct node *next;
};
int main(int argc, char **argv) {
  START;
  struct node last = {rank, NULL}, first = {0, &last}, *p = &first;
  for (int i = 0; i < 200; i++) p->value = 1, p = p->next ? p->next : &first;
  if (last.value == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// last-request-of-an-array
enum { HEAD, BODY, COUNT };
struct report {
  int head[2];
  MPI_Request requests[COUNT];
  double values[N];
};
static struct report r;
static void post(struct report *p, MPI_Comm comm) {
  MPI_Isend(p->head, 2, MPI_INT, 0, 1, comm, &p->requests[HEAD]);
  MPI_Isend(p->values, N, MPI_DOUBLE, 0, 2, comm, &p->requests[BODY]); // WARN request.not-completed
}
static void finish(struct report *p) { MPI_Waitall(BODY, p->requests, MPI_STATUSES_IGNORE); }
int main(int argc, char **argv) {
  START;
  if (rank == 0)
    for (int from = 1; from < size; from++) {
      MPI_Recv(r.head, 2, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(r.values, N, MPI_DOUBLE, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  else post(&r, MPI_COMM_WORLD), finish(&r);
  MPI_Finalize();
}
//// all-requests-of-an-array-ok
enum { HEAD, BODY, COUNT };
struct report {
  int head[2];
  MPI_Request requests[COUNT];
  double values[N];
};
static struct report r;
static void post(struct report *p, MPI_Comm comm) {
  MPI_Isend(p->head, 2, MPI_INT, 0, 1, comm, &p->requests[HEAD]);
  MPI_Isend(p->values, N, MPI_DOUBLE, 0, 2, comm, &p->requests[BODY]);
}
static void finish(struct report *p) { MPI_Waitall(COUNT, p->requests, MPI_STATUSES_IGNORE); }
int main(int argc, char **argv) {
  START;
  if (rank == 0)
    for (int from = 1; from < size; from++) {
      MPI_Recv(r.head, 2, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(r.values, N, MPI_DOUBLE, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  else post(&r, MPI_COMM_WORLD), finish(&r);
  MPI_Finalize();
}
//// channel-that-is-not-freed
struct channel {
  double out[N], in[N];
  MPI_Request requests[2];
};
static void begin(struct channel *c, int from, int to) {
  MPI_Recv_init(c->in, N, MPI_DOUBLE, from, 9, MPI_COMM_WORLD, &c->requests[0]); // WARN leak.request
  MPI_Send_init(c->out, N, MPI_DOUBLE, to, 9, MPI_COMM_WORLD, &c->requests[1]);  // WARN leak.request
}
static void turn(struct channel *c) {
  MPI_Startall(2, c->requests);
  MPI_Waitall(2, c->requests, MPI_STATUSES_IGNORE);
}
int main(int argc, char **argv) {
  START;
  struct channel *c = calloc(1, sizeof *c);
  if (!c) MPI_Abort(MPI_COMM_WORLD, 1);
  begin(c, (rank + size - 1) % size, (rank + 1) % size);
  for (int t = 0; t < 3 * size; t++) turn(c);
  free(c);
  MPI_Finalize();
}
//// channel-that-is-freed-ok
struct channel {
  double out[N], in[N];
  MPI_Request requests[2];
};
static void begin(struct channel *c, int from, int to) {
  MPI_Recv_init(c->in, N, MPI_DOUBLE, from, 9, MPI_COMM_WORLD, &c->requests[0]);
  MPI_Send_init(c->out, N, MPI_DOUBLE, to, 9, MPI_COMM_WORLD, &c->requests[1]);
}
static void turn(struct channel *c) {
  MPI_Startall(2, c->requests);
  MPI_Waitall(2, c->requests, MPI_STATUSES_IGNORE);
}
int main(int argc, char **argv) {
  START;
  struct channel *c = calloc(1, sizeof *c);
  if (!c) MPI_Abort(MPI_COMM_WORLD, 1);
  begin(c, (rank + size - 1) % size, (rank + 1) % size);
  for (int t = 0; t < 3 * size; t++) turn(c);
  for (int i = 0; i < 2; i++) MPI_Request_free(&c->requests[i]);
  free(c);
  MPI_Finalize();
}
//// started-again-in-a-list
struct plan {
  int n;
  MPI_Request *requests;
  double *edge;
};
static void start(struct plan *p) {
  for (int i = 0; i < p->n; i++) MPI_Start(&p->requests[i]); // WARN request.start-active
}
int main(int argc, char **argv) {
  START;
  struct plan p = {2, malloc(2 * sizeof(MPI_Request)), calloc(2, sizeof(double))};
  MPI_Recv_init(&p.edge[0], 1, MPI_DOUBLE, (rank + size - 1) % size, 9, MPI_COMM_WORLD, &p.requests[0]);
  MPI_Send_init(&p.edge[1], 1, MPI_DOUBLE, (rank + 1) % size, 9, MPI_COMM_WORLD, &p.requests[1]);
  for (int t = 0; t < 3; t++) {
    start(&p);
    if (t > 1) MPI_Waitall(p.n, p.requests, MPI_STATUSES_IGNORE);
  }
  for (int i = 0; i < p.n; i++) MPI_Request_free(&p.requests[i]);
  free(p.requests), free(p.edge);
  MPI_Finalize();
}
//// stored-to-in-a-list
struct part {
  int n;
  double *data;
};
int main(int argc, char **argv) {
  START;
  struct part *parts = calloc((size_t)size, sizeof *parts);
  MPI_Request *requests = malloc((size_t)size * sizeof *requests);
  double back = 0;
  for (int i = 0; i < size; i++) {
    parts[i].n = 3, parts[i].data = calloc(3, sizeof(double));
    requests[i] = MPI_REQUEST_NULL;
  }
  if (rank == 0)
    for (int i = 1; i < size; i++)
      MPI_Isend(parts[i].data, parts[i].n, MPI_DOUBLE, i, 4, MPI_COMM_WORLD, &requests[i]); // NOTE
  else MPI_Recv(parts[0].data, 3, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < size; i++) parts[i].data[2] = 1; // WARN buffer.modified-in-use
  MPI_Waitall(size, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < size; i++) free(parts[i].data);
  free(parts), free(requests);
  MPI_Finalize();
  return back > 0;
}
//// stored-to-behind-the-wait-ok
struct part {
  int n;
  double *data;
};
int main(int argc, char **argv) {
  START;
  struct part *parts = calloc((size_t)size, sizeof *parts);
  MPI_Request *requests = malloc((size_t)size * sizeof *requests);
  for (int i = 0; i < size; i++) {
    parts[i].n = 3, parts[i].data = calloc(3, sizeof(double));
    requests[i] = MPI_REQUEST_NULL;
  }
  if (rank == 0)
    for (int i = 1; i < size; i++)
      MPI_Isend(parts[i].data, parts[i].n, MPI_DOUBLE, i, 4, MPI_COMM_WORLD, &requests[i]);
  else MPI_Recv(parts[0].data, 3, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  parts[0].data[2] = 1;
  MPI_Waitall(size, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < size; i++) parts[i].data[2] = 1;
  for (int i = 0; i < size; i++) free(parts[i].data);
  free(parts), free(requests);
  MPI_Finalize();
}
//// copied-and-completed-by-the-copy-ok
int main(int argc, char **argv) {
  START;
  double x = rank, y = 0;
  MPI_Request mine[2], all[2];
  MPI_Irecv(&y, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &mine[0]);
  MPI_Isend(&x, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &mine[1]);
  memcpy(all, mine, sizeof all);
  mine[0] = mine[1] = MPI_REQUEST_NULL;
  MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
  x = y;
  MPI_Finalize();
  return x < 0;
}
//// segments-without-synchronization
int main(int argc, char **argv) {
  START;
  MPI_Comm node;
  MPI_Win win;
  MPI_Aint bytes;
  int *mine, *theirs, unit, at, members, sum = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &at);
  MPI_Comm_size(node, &members);
  MPI_Win_allocate_shared(N * sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine, &win);
  MPI_Win_shared_query(win, (at + 1) % members, &bytes, &unit, &theirs);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < N; i++) mine[i] = 100 * at + i; // NOTE
  for (int i = 0; i < N; i++) sum += theirs[i];       // WARN rma.race
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Comm_free(&node);
  MPI_Finalize();
  return sum < size - rank;
}
//// segments-behind-a-barrier-ok
int main(int argc, char **argv) {
  START;
  MPI_Comm node;
  MPI_Win win;
  MPI_Aint bytes;
  int *mine, *theirs, unit, at, members, sum = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &at);
  MPI_Comm_size(node, &members);
  MPI_Win_allocate_shared(N * sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine, &win);
  MPI_Win_shared_query(win, (at + 1) % members, &bytes, &unit, &theirs);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < N; i++) mine[i] = 100 * at + i;
  MPI_Win_sync(win);
  MPI_Barrier(node);
  MPI_Win_sync(win);
  for (int i = 0; i < N; i++) sum += theirs[i];
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Comm_free(&node);
  MPI_Finalize();
  return sum < size - rank;
}
//// counter-under-shared-locks
static long take(MPI_Win win) {
  long mine = 0, next;
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Get(&mine, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win); // WARN rma.race
  MPI_Win_flush(0, win);
  next = mine + 1;
  MPI_Put(&next, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win); // WARN rma.race
  MPI_Win_unlock(0, win);
  return mine;
}
int main(int argc, char **argv) {
  START;
  long *counter, done = 0;
  MPI_Win win;
  MPI_Win_allocate(rank == 0 ? sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
  if (rank == 0) *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  while (take(win) < 100) done++;
  MPI_Win_free(&win);
  MPI_Finalize();
  return done < size;
}
//// counter-under-exclusive-locks-ok
static long take(MPI_Win win) {
  long mine = 0, next;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Get(&mine, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
  MPI_Win_flush(0, win);
  next = mine + 1;
  MPI_Put(&next, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
  MPI_Win_unlock(0, win);
  return mine;
}
int main(int argc, char **argv) {
  START;
  long *counter, done = 0;
  MPI_Win win;
  MPI_Win_allocate(rank == 0 ? sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
  if (rank == 0) *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  while (take(win) < 100) done++;
  MPI_Win_free(&win);
  MPI_Finalize();
  return done < size;
}
//// copy-of-a-freed-communicator
struct forest {
  MPI_Comm comm;
  int rank;
};
static void begin(struct forest *f, MPI_Comm grid) {
  f->comm = grid;
  MPI_Comm_rank(grid, &f->rank);
}
int main(int argc, char **argv) {
  START;
  static struct forest f;
  MPI_Comm grid;
  int dims[1] = {size}, periods[1] = {0}, all = rank;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
  begin(&f, grid);
  MPI_Comm_free(&grid); // NOTE
  MPI_Bcast(&all, 1, MPI_INT, 0, f.comm); // WARN handle.freed
  MPI_Finalize();
  return all;
}
//// copy-that-is-freed-ok
struct forest {
  MPI_Comm comm;
  int rank;
};
static void begin(struct forest *f, MPI_Comm grid) {
  f->comm = grid;
  MPI_Comm_rank(grid, &f->rank);
}
int main(int argc, char **argv) {
  START;
  static struct forest f;
  MPI_Comm grid;
  int dims[1] = {size}, periods[1] = {0}, all = rank;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
  begin(&f, grid);
  MPI_Bcast(&all, 1, MPI_INT, 0, f.comm);
  MPI_Comm_free(&f.comm);
  MPI_Finalize();
  return all;
}
//// with-an-option
int main(int argc, char **argv) {
  START;
  int lagged = argc > 1 && strcmp(argv[1], "-lagged") == 0;
  double out[2] = {0}, in[2] = {0};
  MPI_Request r[2];
  MPI_Recv_init(in, 2, MPI_DOUBLE, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &r[0]);
  MPI_Send_init(out, 2, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD, &r[1]); // NOTE
  for (int step = 0; step < 10; step++) {
    out[0] = step; // WARN buffer.modified-in-use
    MPI_Startall(2, r); // WARN request.start-active
    if (!lagged) MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  }
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; i++) MPI_Request_free(&r[i]);
  MPI_Finalize();
}
//// with-an-option-ok
int main(int argc, char **argv) {
  START;
  int lagged = argc > 1 && strcmp(argv[1], "-lagged") == 0;
  double out[2] = {0}, in[2] = {0};
  MPI_Request r[2];
  MPI_Recv_init(in, 2, MPI_DOUBLE, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &r[0]);
  MPI_Send_init(out, 2, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD, &r[1]);
  for (int step = 0; step < 10; step++) {
    if (lagged) MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    out[0] = step;
    MPI_Startall(2, r);
    if (!lagged) MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  }
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; i++) MPI_Request_free(&r[i]);
  MPI_Finalize();
}
//// channel-by-copies-ok
struct channel {
  double out[N], in[N];
  MPI_Request send, receive;
};
static struct channel *make(int to, int from) {
  struct channel *c = malloc(sizeof *c);
  if (!c) return NULL;
  MPI_Send_init(c->out, N, MPI_DOUBLE, to, 7, MPI_COMM_WORLD, &c->send);
  MPI_Recv_init(c->in, N, MPI_DOUBLE, from, 7, MPI_COMM_WORLD, &c->receive);
  return c;
}
static void finish(struct channel *c) {
  MPI_Request both[2] = {c->send, c->receive};
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}
int main(int argc, char **argv) {
  START;
  struct channel *c = make((rank + 1) % size, (rank + size - 1) % size);
  if (!c) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int step = 0; step < 10; step++) {
    for (int i = 0; i < N; i++) c->out[i] = step;
    MPI_Start(&c->receive);
    MPI_Start(&c->send);
    finish(c);
  }
  MPI_Request_free(&c->send);
  MPI_Request_free(&c->receive);
  free(c);
  MPI_Finalize();
}
//// gathers-into-its-own-part
struct problem {
  int mine, rank;
  double *x;
};
static void spread(struct problem *p) {
  double *own = p->x + (size_t)p->rank * p->mine;
  for (int i = 0; i < p->mine; i++) own[i] = i;
  MPI_Allgather(own, p->mine, MPI_DOUBLE, p->x, p->mine, MPI_DOUBLE, MPI_COMM_WORLD); // WARN buffer.overlap
}
int main(int argc, char **argv) {
  START;
  struct problem p = {argc > 1 ? atoi(argv[1]) : 64, rank, NULL};
  p.x = calloc((size_t)(p.mine * size), sizeof *p.x);
  if (!p.x) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int step = 0; step < 3; step++) spread(&p);
  free(p.x);
  MPI_Finalize();
}
//// gathers-beside-its-own-part-ok
struct problem {
  int mine, rank;
  double *x;
};
static void spread(struct problem *p, int size) {
  double *own = p->x + (size_t)size * p->mine;
  for (int i = 0; i < p->mine; i++) own[i] = i;
  MPI_Allgather(own, p->mine, MPI_DOUBLE, p->x, p->mine, MPI_DOUBLE, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  START;
  struct problem p = {argc > 1 ? atoi(argv[1]) : 64, rank, NULL};
  p.x = calloc((size_t)(p.mine * (size + 1)), sizeof *p.x);
  if (!p.x) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int step = 0; step < 3; step++) spread(&p, size);
  free(p.x);
  MPI_Finalize();
}
//// text-without-arguments-ok
int main(int argc, char **argv) {
  START;
  const char *mode = argc > 1 ? argv[1] : "early";
  double out[2] = {0}, in[2] = {0};
  MPI_Request r[2];
  MPI_Irecv(in, 2, MPI_DOUBLE, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, 2, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD, &r[1]);
  if (strcmp(mode, "early") == 0) MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  if (strcmp(mode, "early") == 0) out[0] = 1;
  if (strcmp(mode, "early") != 0) MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
//// elements-that-are-stored-somewhere-ok
static int known[10];
int main(int argc, char **argv) {
  START;
  int at = (int)strtol("3", NULL, 10), x = argc;
  known[at] = 1;
  known[0] = 1;
  MPI_Bcast(&x, 1, MPI_INT, known[3] ? 0 : size, MPI_COMM_WORLD);
  MPI_Finalize();
  return x;
}
//// in-place-at-the-root-ok
static void collect(double *rows, int rank) {
  MPI_Gather(rank == 0 ? MPI_IN_PLACE : rows + 3 * rank, 3, MPI_DOUBLE, rows, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  int rank, size, everywhere = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1 && strcmp(argv[1], "-root") == 0) everywhere = 0;
  double *rows = calloc((size_t)size * 3, sizeof *rows);
  rows[3 * rank] = rank;
  if (everywhere) MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, rows, 3, MPI_DOUBLE, MPI_COMM_WORLD);
  else collect(rows, rank);
  free(rows);
  MPI_Finalize();
}
//// in-place-at-all-ranks
static void collect(double *rows, int rank) {
  (void)rank;
  MPI_Gather(MPI_IN_PLACE, 3, MPI_DOUBLE, rows, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD); // WARN arg.in-place
}
int main(int argc, char **argv) {
  int rank, size, everywhere = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1 && strcmp(argv[1], "-root") == 0) everywhere = 0;
  double *rows = calloc((size_t)size * 3, sizeof *rows);
  rows[3 * rank] = rank;
  if (everywhere) MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, rows, 3, MPI_DOUBLE, MPI_COMM_WORLD);
  else collect(rows, rank);
  free(rows);
  MPI_Finalize();
}
//// settled-by-flush-ok
enum sync { ACTIVE, PASSIVE };
struct bins {
  MPI_Win win;
  long *own;
  enum sync sync;
};
static void begin(struct bins *b) {
  if (b->sync == PASSIVE) MPI_Win_lock_all(0, b->win);
  else MPI_Win_fence(MPI_MODE_NOPRECEDE, b->win);
}
static void settle(struct bins *b) {
  if (b->sync == PASSIVE) MPI_Win_flush_all(b->win);
  else MPI_Win_fence(0, b->win);
}
static void end(struct bins *b) {
  if (b->sync == PASSIVE) MPI_Win_unlock_all(b->win);
  else MPI_Win_fence(MPI_MODE_NOSUCCEED, b->win);
}
int main(int argc, char **argv) {
  struct bins b;
  long one = 1;
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  b.sync = argc > 1 && strcmp(argv[1], "-passive") == 0 ? PASSIVE : ACTIVE;
  MPI_Win_allocate(sizeof one, sizeof one, MPI_INFO_NULL, MPI_COMM_WORLD, &b.own, &b.win);
  begin(&b);
  for (int k = 0; k < 3; k++) {
    MPI_Accumulate(&one, 1, MPI_LONG, (rank + k) % size, 0, 1, MPI_LONG, MPI_SUM, b.win);
    settle(&b);
  }
  end(&b);
  MPI_Win_free(&b.win);
  MPI_Finalize();
}
//// settled-by-fence
enum sync { ACTIVE, PASSIVE };
struct bins {
  MPI_Win win;
  long *own;
  enum sync sync;
};
static void begin(struct bins *b) {
  if (b->sync == PASSIVE) MPI_Win_lock_all(0, b->win);
  else MPI_Win_fence(MPI_MODE_NOPRECEDE, b->win);
}
static void settle(struct bins *b) {
  MPI_Win_fence(0, b->win); // WARN rma.epoch-mixed
}
static void end(struct bins *b) {
  if (b->sync == PASSIVE) MPI_Win_unlock_all(b->win);
  else MPI_Win_fence(MPI_MODE_NOSUCCEED, b->win);
}
int main(int argc, char **argv) {
  struct bins b;
  long one = 1;
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  b.sync = argc > 1 && strcmp(argv[1], "-passive") == 0 ? PASSIVE : ACTIVE;
  MPI_Win_allocate(sizeof one, sizeof one, MPI_INFO_NULL, MPI_COMM_WORLD, &b.own, &b.win);
  begin(&b);
  for (int k = 0; k < 3; k++) {
    MPI_Accumulate(&one, 1, MPI_LONG, (rank + k) % size, 0, 1, MPI_LONG, MPI_SUM, b.win);
    settle(&b);
  }
  end(&b);
  MPI_Win_free(&b.win);
  MPI_Finalize();
}
//// gaps-ok
struct record {
  int a, own;
  double d;
};
int main(int argc, char **argv) {
  START;
  struct record in = {0, 0, 0}, out = {1, 2, 3};
  char bytes[8] = {0}, *name = bytes;
  int lengths[2] = {1, 1};
  MPI_Aint at[2] = {0, 8};
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, t, stride;
  MPI_Request r[4];
  MPI_Type_create_struct(2, lengths, at, types, &t);
  MPI_Type_vector(2, 1, 4, MPI_BYTE, &stride);
  MPI_Type_commit(&t);
  MPI_Type_commit(&stride);
  MPI_Irecv(&in, 1, t, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(&out, 1, t, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[1]);
  MPI_Irecv(bytes, 1, stride, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[2]);
  MPI_Isend("abcdefgh", 1, stride, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[3]);
  in.own = 5;
  bytes[1] = 'b';
  out.own = in.own;
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  MPI_Bcast(&name, sizeof name, MPI_BYTE, 0, MPI_COMM_SELF);
  MPI_Type_free(&t);
  MPI_Type_free(&stride);
  MPI_Finalize();
  return *name != 'a';
}
//// no-gap
struct record {
  int a, own;
  double d;
};
int main(int argc, char **argv) {
  START;
  struct record in = {0, 0, 0}, out = {1, 2, 3};
  int lengths[2] = {2, 1};
  MPI_Aint at[2] = {0, 8};
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, t;
  MPI_Request r[2];
  MPI_Type_create_struct(2, lengths, at, types, &t);
  MPI_Type_commit(&t);
  MPI_Irecv(&in, 1, t, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[0]); // NOTE
  MPI_Isend(&out, 1, t, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[1]);
  in.own = 5; // WARN buffer.modified-in-use
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Type_free(&t);
  MPI_Finalize();
  return in.own;
}
//// both-send-first
int main(int argc, char **argv) {
  START;
  double mine = rank, theirs = 0;
  int peer = rank ^ 1, is_twice = argc > 1 && strcmp(argv[1], "--twice") == 0;
  if (is_twice && peer < size) {
    MPI_Send(&mine, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD); // WARN deadlock.buffering NOTE
    MPI_Recv(&theirs, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  printf("%g\n", mine + theirs);
  MPI_Finalize();
}
//// wait-before-the-receive
int main(int argc, char **argv) {
  START;
  double mine = rank, theirs = 0;
  MPI_Request r;
  MPI_Isend(&mine, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &r); // WARN deadlock.buffering
  MPI_Wait(&r, MPI_STATUS_IGNORE);                                           // NOTE
  MPI_Recv(&theirs, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return theirs < 0;
}
//// safe-sends-ok
int main(int argc, char **argv) {
  START;
  double mine = rank, theirs = 0;
  int left = (rank + size - 1) % size, right = (rank + 1) % size, peer = rank ^ 1, flag = 0;
  MPI_Request r;
  if (peer < size && rank % 2) {
    MPI_Recv(&theirs, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&mine, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
  } else if (peer < size) {
    MPI_Send(&mine, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(&theirs, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Sendrecv(&mine, 1, MPI_DOUBLE, right, 1, &theirs, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Isend(&mine, 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &r);
  MPI_Recv(&theirs, 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Irecv(&theirs, 1, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &r);
  MPI_Send(&mine, 1, MPI_DOUBLE, right, 3, MPI_COMM_WORLD);
  while (!flag) MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
  if (rank) MPI_Recv(&theirs, 1, MPI_DOUBLE, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&mine, 1, MPI_DOUBLE, right, 4, MPI_COMM_WORLD);
  if (!rank) MPI_Recv(&theirs, 1, MPI_DOUBLE, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return theirs < 0;
}
