// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that are wrong with some arguments, or where no file can be opened, and their right twins (programs.py): the
// processes are executed with command lines that fit the program.
#include <errno.h>
#include <getopt.h>
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
//// loop-over-options
struct params {
  int n, ahead;
};
static int read_params(struct params *p, int argc, char **argv) {
  p->n = 3, p->ahead = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-ahead") == 0) p->ahead = 1;
    else if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) p->n = atoi(argv[++i]);
    else return -1;
  }
  return 0;
}
int main(int argc, char **argv) {
  struct params p;
  MPI_Request r;
  double x = 0;
  START;
  if (read_params(&p, argc, argv)) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Recv_init(&x, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &r);
  for (int i = 0; i < p.n; i++) {
    double mine = rank;
    MPI_Start(&r); // WARN request.start-active
    MPI_Send(&mine, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (p.ahead) MPI_Start(&r);
  }
  MPI_Request_free(&r);
  MPI_Finalize();
}
//// loop-over-options-ok
struct params {
  int n, ahead;
};
static int read_params(struct params *p, int argc, char **argv) {
  p->n = 3, p->ahead = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-ahead") == 0) p->ahead = 1;
    else if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) p->n = atoi(argv[++i]);
    else return -1;
  }
  return 0;
}
int main(int argc, char **argv) {
  struct params p;
  MPI_Request r;
  double x = 0;
  START;
  if (read_params(&p, argc, argv)) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Recv_init(&x, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &r);
  if (p.ahead && p.n > 0) MPI_Start(&r);
  for (int i = 0; i < p.n; i++) {
    double mine = rank;
    if (!p.ahead) MPI_Start(&r);
    MPI_Send(&mine, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (p.ahead && i + 1 < p.n) MPI_Start(&r);
  }
  MPI_Request_free(&r);
  MPI_Finalize();
}
//// getopt-letters
int main(int argc, char **argv) {
  int c, count = 1, is_last = 0, value = 0;
  START;
  while ((c = getopt(argc, argv, "lc:")) != -1) {
    if (c == 'l') is_last = 1;
    else if (c == 'c') count = atoi(optarg);
    else MPI_Abort(MPI_COMM_WORLD, 1);
  }
  for (int i = 0; i < count; i++) MPI_Bcast(&value, 1, MPI_INT, is_last ? size : 0, MPI_COMM_WORLD); // WARN arg.root
  MPI_Finalize();
}
//// getopt-names
static const struct option names[] = {{"root", required_argument, NULL, 'r'}, {"last", no_argument, NULL, 'l'}, {0}};
int main(int argc, char **argv) {
  int c, root = 0, value = 0;
  START;
  while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
    if (c == 'r') root = atoi(optarg) % size;
    else if (c == 'l') root = size;
    else MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD); // WARN arg.root
  MPI_Finalize();
}
//// getopt-names-ok
static const struct option names[] = {{"root", required_argument, NULL, 'r'}, {"last", no_argument, NULL, 'l'}, {0}};
int main(int argc, char **argv) {
  int c, root = 0, value = 0;
  START;
  while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
    if (c == 'r') root = atoi(optarg) % size;
    else if (c == 'l') root = size - 1;
    else MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// letter-of-argument
int main(int argc, char **argv) {
  int part = 0, is_wide = 0;
  START;
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-') switch (argv[i][1]) {
      case 'w': is_wide = 1; break;
      default: MPI_Abort(MPI_COMM_WORLD, 1);
      }
  if (rank == 0)
    for (int w = 1; w < size + is_wide; w++) MPI_Send(&part, 1, MPI_INT, w, 1, MPI_COMM_WORLD); // WARN arg.rank
  else MPI_Recv(&part, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// fewer-pieces-than-workers
int main(int argc, char **argv) {
  int pieces = argc > 1 ? atoi(argv[1]) : 100, next = 0, x = 0;
  START;
  if (rank == 0) {
    for (int w = 1; w < size && next < pieces; w++, next++) MPI_Send(&next, 1, MPI_INT, w, 1, MPI_COMM_WORLD);
    for (int w = 1; w < size; w++)
      MPI_Recv(&x, 1, MPI_INT, w, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN deadlock
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// number-too-small-for-the-memory-ok
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  START;
  double *p = malloc((size_t)n * sizeof *p);
  if (rank == 0) MPI_Send(p, 5, MPI_DOUBLE, size - 1, 0, MPI_COMM_WORLD);
  if (rank == size - 1) MPI_Recv(p, 5, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(p);
  MPI_Finalize();
}
//// no-argument-is-no-run-ok
int main(int argc, char **argv) {
  START;
  int n = strcmp(argv[1], "-wide") == 0 ? size : size - 1, x = 0;
  MPI_Bcast(&x, 1, MPI_INT, n - 1 < 0 ? 0 : n - 1, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// file-cannot-be-opened
static int append(const char *text) {
  FILE *f = fopen("log.txt", "a");
  if (!f) return -1;
  int rc = fputs(text, f) == EOF;
  return fclose(f) == 0 && rc == 0 ? 0 : -1;
}
static int write_in_turn(int before, int behind) {
  int token = 0;
  MPI_Recv(&token, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN message.unmatched-receive
  int rc = append("here\n");
  if (rc == 0) MPI_Send(&token, 1, MPI_INT, behind, 0, MPI_COMM_WORLD);
  return rc;
}
int main(int argc, char **argv) {
  START;
  int rc = write_in_turn(rank ? rank - 1 : MPI_PROC_NULL, rank < size - 1 ? rank + 1 : MPI_PROC_NULL);
  MPI_Finalize();
  return rc;
}
//// file-cannot-be-opened-ok
static int append(const char *text) {
  FILE *f = fopen("log.txt", "a");
  if (!f) return -1;
  int rc = fputs(text, f) == EOF;
  return fclose(f) == 0 && rc == 0 ? 0 : -1;
}
static int write_in_turn(int before, int behind) {
  int token = 0;
  MPI_Recv(&token, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int rc = append("here\n");
  MPI_Send(&token, 1, MPI_INT, behind, 0, MPI_COMM_WORLD);
  return rc;
}
int main(int argc, char **argv) {
  START;
  int rc = write_in_turn(rank ? rank - 1 : MPI_PROC_NULL, rank < size - 1 ? rank + 1 : MPI_PROC_NULL);
  MPI_Finalize();
  return rc;
}
//// length-of-a-text
int main(int argc, char **argv) {
  char title[64] = "";
  START;
  int length = sizeof title;
  if (rank == 0) {
    snprintf(title, sizeof title, "%s on %d ranks", argc > 1 ? argv[1] : "run", size);
    length = (int)strlen(title) + 1;
  }
  MPI_Bcast(title, length, MPI_CHAR, 0, MPI_COMM_WORLD); // WARN collective.count
  MPI_Finalize();
}
//// length-of-a-text-ok
int main(int argc, char **argv) {
  char title[64] = "";
  START;
  int length = 0;
  if (rank == 0) {
    snprintf(title, sizeof title, "%s on %d ranks", argc > 1 ? argv[1] : "run", size);
    length = (int)strlen(title) + 1;
  }
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(title, length, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// numbers-in-texts
int main(int argc, char **argv) {
  int from = 0, to = 0, x[N] = {0};
  START;
  const char *range = argc > 1 && strchr(argv[1], ':') ? argv[1] : "2:5";
  if (sscanf(range, "%d:%d", &from, &to) != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  char *end = NULL;
  errno = 0;
  long more = strtol("4 ranks", &end, 10);
  if (errno || strcmp(end, " ranks") != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Bcast(x, to + (int)more, MPI_INT, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// memory-that-grows
struct list {
  int n, room, *items;
};
static void add(struct list *l, int item) {
  if (l->n == l->room) {
    l->room = l->room ? 2 * l->room : 2;
    l->items = realloc(l->items, (size_t)l->room * sizeof *l->items);
  }
  l->items[l->n++] = item;
}
int main(int argc, char **argv) {
  struct list l = {0};
  START;
  for (int i = 0; i < 5; i++) add(&l, i);
  if (l.items[4] != 4) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Bcast(l.items, 2 * l.room, MPI_INT, 0, MPI_COMM_WORLD); // WARN arg.memory
  free(l.items);
  MPI_Finalize();
}
//// memory-that-grows-ok
struct list {
  int n, room, *items;
};
static void add(struct list *l, int item) {
  if (l->n == l->room) {
    l->room = l->room ? 2 * l->room : 2;
    l->items = realloc(l->items, (size_t)l->room * sizeof *l->items);
  }
  l->items[l->n++] = item;
}
int main(int argc, char **argv) {
  struct list l = {0};
  START;
  for (int i = 0; i < 5; i++) add(&l, i);
  MPI_Bcast(l.items, l.room, MPI_INT, 0, MPI_COMM_WORLD);
  free(l.items);
  MPI_Finalize();
}
//// structure-in-a-register
struct options {
  int count;
  char is_wide;
};
static struct options read_options(int argc, char **argv) {
  struct options o = {2, 0};
  for (int i = 1; i < argc; i++) o.is_wide |= strcmp(argv[i], "-wide") == 0;
  return o;
}
static int room_of(struct options o) { return o.is_wide ? 2 * N : o.count; }
int main(int argc, char **argv) {
  int x[N] = {0};
  START;
  struct options o = read_options(argc, argv);
  MPI_Bcast(x, room_of(o), MPI_INT, 0, MPI_COMM_WORLD); // WARN arg.memory
  MPI_Finalize();
}
//// blocks-of-other-sizes
int main(int argc, char **argv) {
  int all[64], mine[N] = {0};
  START;
  int count = argc > 1 && strcmp(argv[1], "-short") == 0 ? N - 1 : N;
  MPI_Gather(mine, count, MPI_INT, all, N, MPI_INT, 0, MPI_COMM_WORLD); // WARN collective.count
  MPI_Finalize();
}
//// counts-of-alltoallv
int main(int argc, char **argv) {
  int out[5] = {1, 1, 1, 1, 1}, in[5], places[5] = {0, 8, 16, 24, 32}, x[64] = {0}, y[64];
  START;
  if (size > 5) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int r = 0; r < size; r++) out[r] = 1 + rank, in[r] = 1 + (argc > 1 && strcmp(argv[1], "-own") == 0 ? rank : r);
  MPI_Alltoallv(x, out, places, MPI_INT, y, in, places, MPI_INT, MPI_COMM_WORLD); // WARN collective.count
  MPI_Finalize();
}
//// one-message-too-many
int main(int argc, char **argv) {
  int x = 0;
  START;
  int rounds = argc > 1 && strcmp(argv[1], "-more") == 0 ? 4 : 3;
  MPI_Request r;
  MPI_Send_init(&x, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r); // WARN message.lost
  for (int i = 0; i < rounds; i++) MPI_Start(&r), MPI_Wait(&r, MPI_STATUS_IGNORE);
  for (int i = 0; i < 3; i++)
    MPI_Recv(&x, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Request_free(&r);
  MPI_Finalize();
}
//// communicators-overwritten
struct team {
  MPI_Comm comm;
};
static void choose(struct team *t, int color, int rank) {
  MPI_Comm_split(MPI_COMM_WORLD, color, rank, &t->comm); // WARN leak.comm
}
int main(int argc, char **argv) {
  struct team t;
  START;
  choose(&t, rank % 2, rank);
  if (argc > 1 && strcmp(argv[1], "-again") == 0) choose(&t, rank / 2, rank);
  MPI_Barrier(t.comm);
  MPI_Comm_free(&t.comm);
  MPI_Finalize();
}
//// communicators-overwritten-ok
struct team {
  MPI_Comm comm;
};
static void choose(struct team *t, int color, int rank) {
  if (t->comm != MPI_COMM_NULL) MPI_Comm_free(&t->comm);
  MPI_Comm_split(MPI_COMM_WORLD, color, rank, &t->comm);
}
int main(int argc, char **argv) {
  struct team t = {MPI_COMM_NULL};
  START;
  choose(&t, rank % 2, rank);
  if (argc > 1 && strcmp(argv[1], "-again") == 0) choose(&t, rank / 2, rank);
  MPI_Barrier(t.comm);
  MPI_Comm_free(&t.comm);
  MPI_Finalize();
}
//// freed-by-atexit-ok
static MPI_Datatype pair;
static void release(void) {
  int is_over;
  MPI_Finalized(&is_over);
  if (!is_over) MPI_Type_free(&pair);
}
int main(int argc, char **argv) {
  START;
  if (argc > 1 && strcmp(argv[1], "-pairs") == 0) {
    MPI_Type_contiguous(2, MPI_INT, &pair), MPI_Type_commit(&pair);
    atexit(release);
  }
  MPI_Finalize();
  return rank > size;
}
//// ended-too-early
int main(int argc, char **argv) {
  double t = 0;
  START;
  if (argc > 1 && strcmp(argv[1], "-h") == 0) MPI_Finalize();
  MPI_Bcast(&t, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); // WARN init.after
  MPI_Finalize(); // WARN init.after
}
//// segments-of-the-node
struct shared {
  MPI_Comm node;
  MPI_Win win;
  int rank, size, slots;
  double *mine, *next;
};
static void make(struct shared *s, int slots) {
  MPI_Aint bytes;
  int unit;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &s->node);
  MPI_Comm_rank(s->node, &s->rank), MPI_Comm_size(s->node, &s->size);
  s->slots = slots;
  bytes = slots * N * (MPI_Aint)sizeof(double);
  MPI_Win_allocate_shared(bytes, sizeof(double), MPI_INFO_NULL, s->node, &s->mine, &s->win);
  MPI_Win_shared_query(s->win, (s->rank + 1) % s->size, &bytes, &unit, &s->next);
  MPI_Win_lock_all(0, s->win);
}
int main(int argc, char **argv) {
  struct shared s;
  double sum = 0;
  START;
  make(&s, argc > 1 && strcmp(argv[1], "-lowmem") == 0 ? 1 : 2);
  for (int t = 0; t < 6; t++) {
    int at = t % s.slots * N;
    for (int i = 0; i < N; i++) s.mine[at + i] = t + i; // WARN rma.race
    MPI_Win_sync(s.win), MPI_Barrier(s.node), MPI_Win_sync(s.win);
    for (int i = 0; i < N; i++) sum += s.next[at + i];
  }
  MPI_Win_unlock_all(s.win), MPI_Win_free(&s.win), MPI_Comm_free(&s.node);
  MPI_Finalize();
  return sum < rank - size;
}
//// segments-of-the-node-ok
struct shared {
  MPI_Comm node;
  MPI_Win win;
  int rank, size, slots;
  double *mine, *next;
};
static void make(struct shared *s, int slots) {
  MPI_Aint bytes;
  int unit;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &s->node);
  MPI_Comm_rank(s->node, &s->rank), MPI_Comm_size(s->node, &s->size);
  s->slots = slots;
  bytes = slots * N * (MPI_Aint)sizeof(double);
  MPI_Win_allocate_shared(bytes, sizeof(double), MPI_INFO_NULL, s->node, &s->mine, &s->win);
  MPI_Win_shared_query(s->win, (s->rank + 1) % s->size, &bytes, &unit, &s->next);
  MPI_Win_lock_all(0, s->win);
}
int main(int argc, char **argv) {
  struct shared s;
  double sum = 0;
  START;
  make(&s, argc > 1 && strcmp(argv[1], "-lowmem") == 0 ? 1 : 2);
  for (int t = 0; t < 6; t++) {
    int at = t % s.slots * N;
    for (int i = 0; i < N; i++) s.mine[at + i] = t + i;
    MPI_Win_sync(s.win), MPI_Barrier(s.node), MPI_Win_sync(s.win);
    for (int i = 0; i < N; i++) sum += s.next[at + i];
    if (s.slots == 1) MPI_Win_sync(s.win), MPI_Barrier(s.node), MPI_Win_sync(s.win);
  }
  MPI_Win_unlock_all(s.win), MPI_Win_free(&s.win), MPI_Comm_free(&s.node);
  MPI_Finalize();
  return sum < rank - size;
}
//// member-of-an-array
struct packet {
  double last, data[N];
};
struct stream {
  struct packet in[2];
  MPI_Request r[2];
};
static void post(struct stream *s, int k) {
  MPI_Irecv(&s->in[k], 1 + N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &s->r[k]); // WARN request.not-completed
}
int main(int argc, char **argv) {
  static struct stream s;
  START;
  int is_open = argc > 1 && strcmp(argv[1], "-open") == 0;
  if (rank == 0)
    for (int n = 0; n < 3; n++)
      for (int w = 1; w < size; w++) {
        struct packet p = {n == 2, {n}};
        MPI_Send(&p, 1 + N, MPI_DOUBLE, w, 0, MPI_COMM_WORLD);
      }
  else {
    int k = 0, got = 0;
    for (post(&s, k);; k = 1 - k) {
      MPI_Wait(&s.r[k], MPI_STATUS_IGNORE);
      if (++got < 3 || is_open) post(&s, 1 - k);
      if (s.in[k].last != 0) break;
    }
  }
  MPI_Finalize();
}
//// array-of-results-ok
int main(int argc, char **argv) {
  int own[6] = {0, 0, 0, 0, 0, 0}, all[6] = {9, 9, 9, 9, 9, 9}, x[N] = {0};
  MPI_Group world, self;
  START;
  MPI_Comm_group(MPI_COMM_WORLD, &world), MPI_Comm_group(MPI_COMM_SELF, &self);
  MPI_Group_translate_ranks(self, 6, own, world, all);
  MPI_Bcast(x, all[5], MPI_INT, 0, MPI_COMM_SELF);
  MPI_Group_free(&world), MPI_Group_free(&self);
  MPI_Finalize();
  return rank > size;
}
//// name-in-a-table
struct ring {
  int rank, size, next, before;
};
static struct ring ring_of(MPI_Comm comm) {
  struct ring r;
  MPI_Comm_rank(comm, &r.rank), MPI_Comm_size(comm, &r.size);
  r.next = (r.rank + 1) % r.size, r.before = (r.rank + r.size - 1) % r.size;
  return r;
}
static void shift_buffered(const int *out, int *in) {
  struct ring r = ring_of(MPI_COMM_WORLD);
  MPI_Sendrecv(out, N, MPI_INT, r.next, 0, in, N, MPI_INT, r.before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void shift_synchronous(const int *out, int *in) {
  struct ring r = ring_of(MPI_COMM_WORLD);
  MPI_Ssend(out, N, MPI_INT, r.next, 0, MPI_COMM_WORLD); // WARN deadlock
  MPI_Recv(in, N, MPI_INT, r.before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static const struct {
  const char *name;
  void (*shift)(const int *, int *);
} ways[] = {{"buffered", shift_buffered}, {"synchronous", shift_synchronous}};
int main(int argc, char **argv) {
  const char *name = "buffered";
  int x[N] = {0}, y[N];
  START;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--way") == 0 && i + 1 < argc) name = argv[++i];
  for (int k = 0; k < 2 && size > 1; k++)
    if (strcmp(ways[k].name, name) == 0) ways[k].shift(x, y);
  MPI_Finalize();
}
//// file-of-an-option
int main(int argc, char **argv) {
  const char *path = NULL;
  int status = 0;
  START;
  for (int i = 1; i + 1 < argc; i++)
    if (strcmp(argv[i], "--input") == 0) path = argv[i + 1];
  if (rank == 0 && path) {
    FILE *f = fopen(path, "r");
    if (!f) status = -1;
    else fclose(f);
    for (int w = 1; w < size && status == 0; w++) MPI_Send(&status, 1, MPI_INT, w, 0, MPI_COMM_WORLD);
  } else if (path) {
    MPI_Recv(&status, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN message.unmatched-receive
  }
  MPI_Finalize();
}
//// switch-in-the-environment
int main(int argc, char **argv) {
  int x[4] = {0}, trace = 0;
  START;
  const char *level = getenv("RING_TRACE");
  if (level) trace = atoi(level);
  if (trace > 0 && rank == 0)
    for (int to = 1; to < size; to++) MPI_Send(x, 4, MPI_INT, to, 7, MPI_COMM_WORLD);
  if (trace > 0 && rank > 0)
    MPI_Recv(x, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN message.truncated
  MPI_Finalize();
  return 0;
}
//// switch-in-the-environment-ok
int main(int argc, char **argv) {
  int x[4] = {0}, trace = 0;
  START;
  const char *level = getenv("RING_TRACE");
  if (level) trace = atoi(level);
  if (trace > 0 && rank == 0)
    for (int to = 1; to < size; to++) MPI_Send(x, 4, MPI_INT, to, 7, MPI_COMM_WORLD);
  if (trace > 0 && rank > 0) MPI_Recv(x, 4, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
//// name-in-the-environment
int main(int argc, char **argv) {
  int x[4] = {0};
  START;
  const char *how = getenv("RING_METHOD");
  if (how && strcmp(how, "pairs") == 0) {
    if (rank % 2 == 0 && rank + 1 < size) MPI_Send(x, 4, MPI_INT, rank + 1, 7, MPI_COMM_WORLD);
    if (rank % 2 == 1)
      MPI_Recv(x, 3, MPI_INT, rank - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // WARN message.truncated
  }
  MPI_Finalize();
  return 0;
}
//// number-in-the-environment-ok
int main(int argc, char **argv) {
  int x[12] = {0}, n = 4;
  START;
  const char *given = getenv("RING_LENGTH");
  if (given) n = atoi(given); // the user gives one that fits
  MPI_Bcast(x, n, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
