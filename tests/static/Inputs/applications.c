// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs as applications are (programs.py): macros around calls, tables of functions, error paths, halos, grids of
// processes, commands for workers; wrong ones and right ones.
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CHECK(call) \
  do { \
    int check_error = (call); \
    if (check_error != MPI_SUCCESS) { \
      char text[MPI_MAX_ERROR_STRING]; \
      int length; \
      MPI_Error_string(check_error, text, &length); \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, text); \
      MPI_Abort(MPI_COMM_WORLD, check_error); \
    } \
  } while (0)
#define TRY(call) \
  if ((err = (call)) != MPI_SUCCESS) goto fail
enum { N = 32 };
//// two-conditions
int main(int argc, char **argv) {
  int rank, size, n = 0;
  CHECK(MPI_Init(&argc, &argv));
  CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size));
  bool is_leader = rank == 0, is_even = rank % 2 == 0;
  if (is_leader) CHECK(MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD)); // WARN
  if (is_even) n++;
  if (!is_leader && is_even) CHECK(MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD)); // WARN
  CHECK(MPI_Finalize());
}
//// two-conditions-ok
int main(int argc, char **argv) {
  int rank, size, n = 0;
  CHECK(MPI_Init(&argc, &argv));
  CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size));
  bool is_leader = rank == 0, is_even = rank % 2 == 0;
  if (is_leader) CHECK(MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD));
  if (is_even) n++;
  if (!is_leader && is_even) CHECK(MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD));
  if (!is_even) CHECK(MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD));
  CHECK(MPI_Finalize());
}
//// butterfly-ok
int main(int argc, char **argv) {
  int rank, size;
  double x = 1, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int bit = 1; bit < size; bit <<= 1) {
    int peer = rank ^ bit;
    if (peer >= size) continue;
    MPI_Sendrecv(&x, 1, MPI_DOUBLE, peer, 0, &y, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    x += y;
  }
  if (rank == 0) printf("%g\n", x);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// rows-and-columns-ok
int main(int argc, char **argv) {
  int rank, size, side = 1, n = 0;
  MPI_Comm row, column;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while ((side + 1) * (side + 1) <= size) side++;
  MPI_Comm_split(MPI_COMM_WORLD, rank / side, rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % side, rank, &column);
  if (rank / side == 0) MPI_Bcast(&n, 1, MPI_INT, 0, row);
  if (rank % side == 0) MPI_Reduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_SUM, 0, row);
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  MPI_Finalize();
}
//// nodes-leaders-ok
int main(int argc, char **argv) {
  int rank, local, x = 0;
  MPI_Comm node, leaders;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &local);
  MPI_Comm_split(MPI_COMM_WORLD, local == 0 ? 0 : MPI_UNDEFINED, rank, &leaders);
  if (leaders != MPI_COMM_NULL) {
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, leaders);
    MPI_Comm_free(&leaders);
  }
  MPI_Bcast(&x, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  MPI_Finalize();
}
//// goto-fail-ok
static int work(MPI_Comm comm, int *out) {
  int err, rank;
  int *buffer = NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  TRY(MPI_Comm_rank(comm, &rank));
  buffer = malloc(N * sizeof *buffer);
  if (!buffer) { err = MPI_ERR_NO_MEM; goto fail; }
  TRY(MPI_Ibcast(buffer, N, MPI_INT, 0, comm, &request));
  TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
  *out = buffer[0];
  free(buffer);
  return MPI_SUCCESS;
fail:
  if (request != MPI_REQUEST_NULL) MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(buffer);
  return err;
}
int main(int argc, char **argv) {
  int x;
  MPI_Init(&argc, &argv);
  if (work(MPI_COMM_WORLD, &x)) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
}
//// goto-fail
static int work(MPI_Comm comm, int *out, FILE *f) {
  int err, rank;
  int *buffer = malloc(N * sizeof *buffer);
  MPI_Request request = MPI_REQUEST_NULL;
  TRY(MPI_Comm_rank(comm, &rank));
  TRY(MPI_Ibcast(buffer, N, MPI_INT, 0, comm, &request)); // WARN request.not-completed
  if (fscanf(f, "%d", out) != 1) { err = 1; goto fail; }
  TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
  free(buffer);
  return MPI_SUCCESS;
fail:
  return err;
}
int main(int argc, char **argv) {
  int x;
  MPI_Init(&argc, &argv);
  if (work(MPI_COMM_WORLD, &x, stdin)) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
}
//// function-table-ok
typedef int (*reducer)(int *, MPI_Comm);
static int sum(int *x, MPI_Comm comm) { return MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, comm); }
static int most(int *x, MPI_Comm comm) { return MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INT, MPI_MAX, comm); }
static const reducer table[] = {sum, most};
int main(int argc, char **argv) {
  int rank, x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("start\n");
  for (int i = 0; i < 2; i++) table[i](&x, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// ring-of-requests-ok
struct channel {
  MPI_Request in, out;
  double received[N], sent[N];
  int peer;
};
static void start(struct channel *c) {
  MPI_Irecv(c->received, N, MPI_DOUBLE, c->peer, 0, MPI_COMM_WORLD, &c->in);
  MPI_Isend(c->sent, N, MPI_DOUBLE, c->peer, 0, MPI_COMM_WORLD, &c->out);
}
static void finish(struct channel *c, int n) {
  for (int i = 0; i < n; i++) {
    MPI_Wait(&c[i].in, MPI_STATUS_IGNORE);
    MPI_Wait(&c[i].out, MPI_STATUS_IGNORE);
    for (int k = 0; k < N; k++) c[i].sent[k] += c[i].received[k];
  }
}
int main(int argc, char **argv) {
  static struct channel all[4];
  int rank, size, n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0) all[n++].peer = rank - 1;
  if (rank + 1 < size) all[n++].peer = rank + 1;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n; i++) start(&all[i]);
    finish(all, n);
  }
  MPI_Finalize();
}
//// double-buffer-ok
int main(int argc, char **argv) {
  double buffers[2][N];
  MPI_Request request = MPI_REQUEST_NULL;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int t = 0; t < 10; t++) {
    double *mine = buffers[t % 2];
    for (int i = 0; i < N; i++) mine[i] = t;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ibcast(mine, N, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// double-buffer
int main(int argc, char **argv) {
  double buffer[N];
  MPI_Request request = MPI_REQUEST_NULL;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int t = 0; t < 10; t++) {
    for (int i = 0; i < N; i++) buffer[i] = t; // WARN buffer.modified-in-use
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ibcast(buffer, N, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// passive-counter-ok
int main(int argc, char **argv) {
  int rank, size, *counter, one = 1, ticket;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
  if (rank == 0) *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  do {
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win);
  } while (ticket < 100);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// transposed-blocks-ok
int main(int argc, char **argv) {
  int rank, size;
  double *mem, part[N];
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(sizeof(double) * N * size, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  for (int i = 0; i < N; i++) part[i] = mem[rank * N + i] = rank;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  for (int i = 0; i < size; i++)
    if (i != rank) MPI_Put(part, N, MPI_DOUBLE, i, (MPI_Aint)rank * N, N, MPI_DOUBLE, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  printf("%g\n", mem[0]);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// own-block-while-others-put-ok
int main(int argc, char **argv) {
  int rank, size;
  double *mem, part[N];
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(sizeof(double) * N * size, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  memset(part, 0, sizeof part);
  MPI_Win_fence(0, win);
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size;
    MPI_Put(part, N, MPI_DOUBLE, to, rank * N, N, MPI_DOUBLE, win);
  }
  for (int i = 0; i < N; i++) mem[rank * N + i] = i;
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// own-block-while-others-put
int main(int argc, char **argv) {
  int rank, size;
  double *mem, part[N];
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(sizeof(double) * N * size, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  memset(part, 0, sizeof part);
  MPI_Win_fence(0, win);
  for (int i = 1; i < size; i++) {
    int to = (rank + i) % size;
    MPI_Put(part, N, MPI_DOUBLE, to, rank * N, N, MPI_DOUBLE, win); // WARN rma.race
  }
  for (int i = 0; i < 4; i++) mem[((rank + 1) % size) * N + i] = i; // NOTE
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// workers-commands-ok
enum { STOP, STEP, REPORT };
static void serve(MPI_Comm comm) {
  for (;;) {
    int command, x = 0;
    MPI_Bcast(&command, 1, MPI_INT, 0, comm);
    if (command == STOP) return;
    if (command == STEP) MPI_Barrier(comm);
    else MPI_Reduce(&x, NULL, 1, MPI_INT, MPI_SUM, 0, comm);
  }
}
static void order(int command, MPI_Comm comm) { MPI_Bcast(&command, 1, MPI_INT, 0, comm); }
int main(int argc, char **argv) {
  int rank, x = 0, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int t = 0; t < 3; t++) order(STEP, MPI_COMM_WORLD), MPI_Barrier(MPI_COMM_WORLD);
    order(REPORT, MPI_COMM_WORLD);
    MPI_Reduce(&x, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    order(STOP, MPI_COMM_WORLD);
  } else {
    serve(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// early-out-by-all-ok
int main(int argc, char **argv) {
  int rank, ok = 1, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && !getenv("INPUT")) ok = 0;
  MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (!all) {
    if (rank == 0) fprintf(stderr, "no input\n");
    MPI_Finalize();
    return 1;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
//// early-out-by-one
int main(int argc, char **argv) {
  int rank, n = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    n = argc;
    if (n < 2) {
      fprintf(stderr, "no input\n");
      MPI_Finalize(); // WARN
      return 1;
    }
  }
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); // NOTE
  MPI_Finalize();
  return 0;
}
//// persistent-halo-ok
struct halo {
  MPI_Request all[4];
  double edges[4][N];
};
static void make(struct halo *h, int left, int right) {
  MPI_Recv_init(h->edges[0], N, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &h->all[0]);
  MPI_Recv_init(h->edges[1], N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &h->all[1]);
  MPI_Send_init(h->edges[2], N, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &h->all[2]);
  MPI_Send_init(h->edges[3], N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &h->all[3]);
}
int main(int argc, char **argv) {
  struct halo h;
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  make(&h, rank ? rank - 1 : MPI_PROC_NULL, rank + 1 < size ? rank + 1 : MPI_PROC_NULL);
  for (int t = 0; t < 5; t++) {
    h.edges[2][0] = h.edges[3][0] = t;
    MPI_Startall(4, h.all);
    MPI_Waitall(4, h.all, MPI_STATUSES_IGNORE);
    h.edges[2][1] = h.edges[0][1];
  }
  for (int i = 0; i < 4; i++) MPI_Request_free(&h.all[i]);
  MPI_Finalize();
}
//// window-per-level-ok
struct level { MPI_Win win; double *mem; int n; };
int main(int argc, char **argv) {
  struct level levels[3];
  int rank, size;
  double x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int l = 0; l < 3; l++) {
    levels[l].n = 64 >> l;
    MPI_Win_allocate(levels[l].n * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &levels[l].mem, &levels[l].win);
  }
  for (int l = 0; l < 3; l++) {
    struct level *it = &levels[l];
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % size, 0, it->win);
    MPI_Accumulate(&x, 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, MPI_SUM, it->win);
    MPI_Win_unlock((rank + 1) % size, it->win);
  }
  for (int l = 0; l < 3; l++) MPI_Win_free(&levels[l].win);
  MPI_Finalize();
}
//// io-node
static int read_conf(const char *name, int conf[3]) {
  FILE *f = fopen(name, "r");
  if (!f) return -1;
  int k = fscanf(f, "%d %d %d", conf, conf + 1, conf + 2);
  fclose(f);
  return k == 3 ? 0 : -1;
}
int main(int argc, char **argv) {
  int rank, conf[3], status = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) status = read_conf("x.conf", conf);
  if (status != 0) { fprintf(stderr, "bad\n"); goto out; }
  MPI_Bcast(conf, 3, MPI_INT, 0, MPI_COMM_WORLD); // WARN
out:
  MPI_Finalize();
  return 0;
}
//// io-node-ok
static int read_conf(const char *name, int conf[3]) {
  FILE *f = fopen(name, "r");
  if (!f) return -1;
  int k = fscanf(f, "%d %d %d", conf, conf + 1, conf + 2);
  fclose(f);
  return k == 3 ? 0 : -1;
}
int main(int argc, char **argv) {
  int rank, conf[3], status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) status = read_conf("x.conf", conf);
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (status != 0) { if (rank == 0) fprintf(stderr, "bad\n"); MPI_Finalize(); return EXIT_FAILURE; }
  MPI_Bcast(conf, 3, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
//// scanf-root
int main(int argc, char **argv) {
  int n = 8, rank; double x[8] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) { printf("n? "); scanf("%d", &n); }
  if (n > 8 || n < 1) { // NOTE
    if (rank == 0) fprintf(stderr, "n is wrong\n");
    MPI_Finalize(); // WARN
    return 1;
  }
  MPI_Bcast(x, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD); // NOTE
  MPI_Finalize();
}
//// scanf-root-ok
int main(int argc, char **argv) {
  int n = 8, rank; double x[8] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) { printf("n? "); scanf("%d", &n); }
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (n > 8 || n < 1) {
    if (rank == 0) fprintf(stderr, "n is wrong\n");
    MPI_Finalize();
    return 1;
  }
  MPI_Bcast(x, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// root-finds-out-ok
int main(int argc, char **argv) {
  int rank, ok = 1; FILE *f = NULL; double *all = NULL, x = 1; int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) { all = malloc(size * sizeof *all); f = fopen("out", "w"); if (!f) ok = 0; }
  if (rank == 0 && all == NULL) { MPI_Finalize(); return 2; }
  MPI_Gather(&x, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (ok && f) fprintf(f, "%g\n", all[0]);
  if (!ok) MPI_Abort(MPI_COMM_WORLD, 1);
  if (f) fclose(f);
  free(all);
  MPI_Finalize();
}
//// told-by-messages-ok
int main(int argc, char **argv) {
  int rank, size, ok = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    char line[99]; FILE *f = fopen("in", "r");
    if (!f || !fgets(line, 99, f) || atoi(line) < 1) ok = 0;
    for (int i = 1; i < size; i++) MPI_Send(&ok, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&ok, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (!ok) { MPI_Finalize(); return 1; }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// both-ways-ok
int main(int argc, char **argv) {
  int rank, n = 0, s = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) n = getenv("N") ? 3 : 4;
  if (n > 3) { puts("many"); MPI_Reduce(&n, &s, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); }
  else MPI_Reduce(&n, &s, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// stale-facts-ok
struct box { int posted; int pad[7]; };
int main(int argc, char **argv) {
  struct box b, c; int x, y = 3; MPI_Request r;
  MPI_Init(&argc, &argv);
  memset(&c, 1, sizeof c);
  b.posted = 0;
  MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r);
  memcpy(&b, &c, argc > 1 ? sizeof b : sizeof b);
  MPI_Send(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (b.posted) MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// stale-read-ok
int main(int argc, char **argv) {
  int n[2] = {0, 0}, x, y = 3; MPI_Request r;
  FILE *f = fopen("n", "r");
  MPI_Init(&argc, &argv);
  MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r);
  if (!f || fread(n, sizeof(int), 2, f) != 2 || n[0] == 0) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Send(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (n[0]) MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// comm-rank-into-sent
int main(int argc, char **argv) {
  int rank, other; MPI_Request r; MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Iscan(&rank, &other, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r);
  MPI_Comm_rank(half, &rank); // WARN buffer.modified-in-use
  printf("%d\n", rank);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Comm_free(&half);
  MPI_Finalize();
}
//// lonely-receive
int verbose = 2;
int main(int argc, char **argv) {
  int rank, size, v = 0;
  double x = 1, y = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    for (int r = 1; r < size; r++) MPI_Recv(&y, 1, MPI_DOUBLE, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  if (verbose > 1) MPI_Recv(&v, 1, MPI_INT, 0, 78, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN message.unmatched-receive
  printf("%g %d\n", y, v);
  MPI_Finalize();
}
//// lonely-receive-off-ok
int verbose; // nothing sets it
int main(int argc, char **argv) {
  int rank, size, v = 0;
  double x = 1, y = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    for (int r = 1; r < size; r++) MPI_Recv(&y, 1, MPI_DOUBLE, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  if (verbose > 1) MPI_Recv(&v, 1, MPI_INT, 0, 78, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("%g %d\n", y, v);
  MPI_Finalize();
}
