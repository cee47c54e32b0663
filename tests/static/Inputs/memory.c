// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions on what is in memory: what may have been written between a store and the load, and by whom. Marks are as
// in divergence.c.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct state {
  int n, flag, list[4];
  struct {
    int depth;
  } inner;
};
void elsewhere(void), change(struct state *), changeOne(int *);
//// element-ok
int main(int argc, char **argv) {
  int rank, t[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  t[0] = rank;
  for (int i = 0; i < argc; i++) t[i] = 0;
  if (t[0] == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// element
int main(int argc, char **argv) {
  int rank, t[4], other[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  for (int i = 0; i < argc; i++) t[i] = other[i] = i;
  t[0] = rank;
  for (int i = 0; i < argc; i++) other[i] = 0;
  if (t[0] == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
  return other[1] + t[argc];
}
//// element-static-ok
static int t[4];
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  t[2] = rank;
  for (int i = 0; i < argc + 2; i++) t[i] = 0;
  if (t[2] == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// cleared-ok
static int t[4];
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  t[2] = rank;
  memset(t, 0, sizeof t);
  if (t[2] == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// cleared-before
static int t[4];
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  memset(t, 0, sizeof t);
  t[2] = rank;
  if (t[2] == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// broadcast-structure-ok
int main(int argc, char **argv) {
  int rank;
  struct state s;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  s.n = 1;
  s.flag = rank;
  MPI_Bcast(&s, sizeof s, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (s.flag == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// broadcast-structure
int main(int argc, char **argv) {
  int rank;
  struct state s;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  MPI_Bcast(&s, sizeof s, MPI_BYTE, 0, MPI_COMM_WORLD);
  s.flag = rank;
  if (s.flag == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// broadcast-array-ok
int main(int argc, char **argv) {
  int rank, t[40];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  t[0] = 1;
  t[1] = rank;
  MPI_Bcast(t, 40, MPI_INT, 0, MPI_COMM_WORLD);
  if (t[1] == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// broadcast-one
int main(int argc, char **argv) {
  int rank, t[40];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  t[0] = 1;
  t[1] = rank;
  MPI_Bcast(t, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (t[1] == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// broadcast-members-ok
int main(int argc, char **argv) {
  int rank;
  struct state s;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  s.flag = rank;
  MPI_Bcast(&s.n, 2, MPI_INT, 0, MPI_COMM_WORLD);
  if (s.flag == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// broadcast-member
int main(int argc, char **argv) {
  int rank;
  struct state s;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  s.flag = rank;
  MPI_Bcast(&s.n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (s.flag == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// broadcast-list-ok
static struct state s;
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  s.list[2] = rank;
  MPI_Bcast(s.list, 4, MPI_INT, 0, MPI_COMM_WORLD);
  if (s.list[2] == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// broadcast-pending-ok
static struct state s;
int main(int argc, char **argv) {
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  s.flag = rank;
  MPI_Ibcast(&s, sizeof s, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (s.flag == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// broadcast-allocated-ok
int main(int argc, char **argv) {
  int rank;
  struct state *s = malloc(sizeof *s);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  s->flag = rank;
  MPI_Bcast(s, sizeof *s, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (s->flag == 0) MPI_Barrier(MPI_COMM_WORLD);
  free(s);
  MPI_Finalize();
}
//// broadcast-by-pointer-ok
static struct state *now;
static void share(void) { MPI_Bcast(now, sizeof *now, MPI_BYTE, 0, MPI_COMM_WORLD); }
int main(int argc, char **argv) {
  int rank;
  now = malloc(sizeof *now);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  now->flag = rank;
  share();
  if (now->flag == 0) MPI_Barrier(MPI_COMM_WORLD);
  free(now);
  MPI_Finalize();
}
//// element-of-structures-ok
static struct state all[4];
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct state *first = &all[0];
  first->flag = rank;
  for (int i = 0; i < argc; i++) all[i].flag = 0;
  if (first->flag == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// inner-ok
static struct state s;
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  s.inner.depth = rank;
  int *volatile p = &s.inner.depth;
  *p = 0;
  if (s.inner.depth == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// inner
static struct state s;
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  s.inner.depth = rank;
  int *volatile p = &s.n;
  *p = 0;
  if (s.inner.depth == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// other-module-ok
int failed;
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  failed = rank == 1;
  elsewhere();
  if (failed) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// other-module-static
static int failed;
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  failed = rank == 1;
  elsewhere();
  if (failed) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// other-module-before
int failed;
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  elsewhere();
  failed = rank == 1;
  if (failed) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  elsewhere();
  MPI_Finalize();
}
//// other-module-rank
int rank;
struct state s;
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  change(&s);
  if (rank == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// other-module-member-ok
struct state s;
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  s.flag = rank == 0;
  changeOne(&s.flag);
  if (s.flag == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// other-module-loop-ok
static struct state s;
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 10; i++) {
    s.flag = i % 4 == rank;
    change(&s);
    if (s.flag) MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// assigned
static struct state now, before;
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  now.flag = rank;
  before = now;
  if (before.flag == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// copied-ok
static struct state now;
static char bytes[sizeof now];
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  now.flag = rank;
  MPI_Bcast(bytes, sizeof bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  memcpy(&now, bytes, sizeof now);
  if (now.flag == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// scanned-ok
static struct state now;
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  now.flag = rank;
  if (sscanf(argv[1], "%d %d", &now.n, &now.flag) != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  if (now.flag == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// communicator-ok
static MPI_Comm comms[2];
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  comms[0] = MPI_COMM_WORLD;
  for (int i = 0; i < 2; i++) MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &comms[i]);
  if (rank == 0) MPI_Barrier(comms[0]);
  for (int i = 0; i < 2; i++) MPI_Comm_free(&comms[i]);
  MPI_Finalize();
}
//// recursive-ok
static int mine;
static void reset(int *p, int depth) {
  if (depth) reset(p, depth - 1);
  *p = 0;
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mine = rank;
  reset(&mine, argc);
  if (mine == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// recursive-static-ok
static struct state mine;
static void reset(struct state *p, int depth) {
  if (depth) reset(p, depth - 1);
  memset(p, 0, sizeof *p);
  p->n = 1;
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mine.flag = rank == 0;
  reset(&mine, argc);
  if (mine.flag == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// large-ok
static int flag;
static double a[100];
static void compute(int n) {
  a[0] = a[n] * 0 + a[n / 1] / (1 + 0);
  a[1] = a[n] * 1 + a[n / 2] / (1 + 1);
  a[2] = a[n] * 2 + a[n / 3] / (1 + 2);
  a[3] = a[n] * 3 + a[n / 4] / (1 + 3);
  a[4] = a[n] * 4 + a[n / 5] / (1 + 4);
  a[5] = a[n] * 5 + a[n / 6] / (1 + 5);
  a[6] = a[n] * 6 + a[n / 7] / (1 + 6);
  a[7] = a[n] * 7 + a[n / 8] / (1 + 7);
  a[8] = a[n] * 8 + a[n / 9] / (1 + 8);
  a[9] = a[n] * 9 + a[n / 10] / (1 + 9);
  a[10] = a[n] * 10 + a[n / 11] / (1 + 10);
  a[11] = a[n] * 11 + a[n / 12] / (1 + 11);
  a[12] = a[n] * 12 + a[n / 13] / (1 + 12);
  a[13] = a[n] * 13 + a[n / 14] / (1 + 13);
  a[14] = a[n] * 14 + a[n / 15] / (1 + 14);
  a[15] = a[n] * 15 + a[n / 16] / (1 + 15);
  a[16] = a[n] * 16 + a[n / 17] / (1 + 16);
  a[17] = a[n] * 17 + a[n / 18] / (1 + 17);
  a[18] = a[n] * 18 + a[n / 19] / (1 + 18);
  a[19] = a[n] * 19 + a[n / 20] / (1 + 19);
  a[20] = a[n] * 20 + a[n / 21] / (1 + 20);
  a[21] = a[n] * 21 + a[n / 22] / (1 + 21);
  a[22] = a[n] * 22 + a[n / 23] / (1 + 22);
  a[23] = a[n] * 23 + a[n / 24] / (1 + 23);
  flag = 0;
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  flag = rank;
  compute(argc);
  if (flag == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// large
static int flag, other;
static double a[100];
static void compute(int n) {
  a[0] = a[n] * 0 + a[n / 1] / (1 + 0);
  a[1] = a[n] * 1 + a[n / 2] / (1 + 1);
  a[2] = a[n] * 2 + a[n / 3] / (1 + 2);
  a[3] = a[n] * 3 + a[n / 4] / (1 + 3);
  a[4] = a[n] * 4 + a[n / 5] / (1 + 4);
  a[5] = a[n] * 5 + a[n / 6] / (1 + 5);
  a[6] = a[n] * 6 + a[n / 7] / (1 + 6);
  a[7] = a[n] * 7 + a[n / 8] / (1 + 7);
  a[8] = a[n] * 8 + a[n / 9] / (1 + 8);
  a[9] = a[n] * 9 + a[n / 10] / (1 + 9);
  a[10] = a[n] * 10 + a[n / 11] / (1 + 10);
  a[11] = a[n] * 11 + a[n / 12] / (1 + 11);
  a[12] = a[n] * 12 + a[n / 13] / (1 + 12);
  a[13] = a[n] * 13 + a[n / 14] / (1 + 13);
  a[14] = a[n] * 14 + a[n / 15] / (1 + 14);
  a[15] = a[n] * 15 + a[n / 16] / (1 + 15);
  a[16] = a[n] * 16 + a[n / 17] / (1 + 16);
  a[17] = a[n] * 17 + a[n / 18] / (1 + 17);
  a[18] = a[n] * 18 + a[n / 19] / (1 + 18);
  a[19] = a[n] * 19 + a[n / 20] / (1 + 19);
  a[20] = a[n] * 20 + a[n / 21] / (1 + 20);
  a[21] = a[n] * 21 + a[n / 22] / (1 + 21);
  a[22] = a[n] * 22 + a[n / 23] / (1 + 22);
  a[23] = a[n] * 23 + a[n / 24] / (1 + 23);
  other = 0;
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  flag = rank;
  compute(argc);
  if (flag == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
  return other;
}
//// large-structure-ok
static double a[100];
static void compute(int n, struct state *s) {
  a[0] = a[n] * 0 + a[n / 1] / (1 + 0);
  a[1] = a[n] * 1 + a[n / 2] / (1 + 1);
  a[2] = a[n] * 2 + a[n / 3] / (1 + 2);
  a[3] = a[n] * 3 + a[n / 4] / (1 + 3);
  a[4] = a[n] * 4 + a[n / 5] / (1 + 4);
  a[5] = a[n] * 5 + a[n / 6] / (1 + 5);
  a[6] = a[n] * 6 + a[n / 7] / (1 + 6);
  a[7] = a[n] * 7 + a[n / 8] / (1 + 7);
  a[8] = a[n] * 8 + a[n / 9] / (1 + 8);
  a[9] = a[n] * 9 + a[n / 10] / (1 + 9);
  a[10] = a[n] * 10 + a[n / 11] / (1 + 10);
  a[11] = a[n] * 11 + a[n / 12] / (1 + 11);
  a[12] = a[n] * 12 + a[n / 13] / (1 + 12);
  a[13] = a[n] * 13 + a[n / 14] / (1 + 13);
  a[14] = a[n] * 14 + a[n / 15] / (1 + 14);
  a[15] = a[n] * 15 + a[n / 16] / (1 + 15);
  a[16] = a[n] * 16 + a[n / 17] / (1 + 16);
  a[17] = a[n] * 17 + a[n / 18] / (1 + 17);
  a[18] = a[n] * 18 + a[n / 19] / (1 + 18);
  a[19] = a[n] * 19 + a[n / 20] / (1 + 19);
  a[20] = a[n] * 20 + a[n / 21] / (1 + 20);
  a[21] = a[n] * 21 + a[n / 22] / (1 + 21);
  a[22] = a[n] * 22 + a[n / 23] / (1 + 22);
  a[23] = a[n] * 23 + a[n / 24] / (1 + 23);
  s->flag = 0;
}
int main(int argc, char **argv) {
  int rank;
  struct state *s = malloc(sizeof *s);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  s->flag = rank;
  compute(argc, s);
  if (s->flag == 0) MPI_Barrier(MPI_COMM_WORLD);
  free(s);
  MPI_Finalize();
}
//// first-value-ok
static int first = 1;
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (first) MPI_Barrier(MPI_COMM_WORLD);
  first = rank;
  MPI_Finalize();
  return first;
}
//// other-object-ok
int main(int argc, char **argv) {
  int rank;
  struct state *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  a->flag = argc;
  b->flag = rank;
  if (a->flag == 1) MPI_Barrier(MPI_COMM_WORLD);
  free(a);
  free(b);
  MPI_Finalize();
}
//// other-object-changed-ok
int main(int argc, char **argv) {
  int rank;
  struct state *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int isRoot = rank == 0;
  a->flag = isRoot;
  change(a);
  b->flag = isRoot;
  if (a->flag == 1) MPI_Barrier(MPI_COMM_WORLD);
  free(a);
  free(b);
  MPI_Finalize();
}
//// stored-again
int main(int argc, char **argv) {
  int rank;
  struct state *a = malloc(sizeof *a);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  for (int i = 0; i < 10; i++) {
    a->flag = rank == 0;
    if (a->flag == 1) // NOTE
      MPI_Barrier(MPI_COMM_WORLD); // WARN
    change(a);
  }
  free(a);
  MPI_Finalize();
}
