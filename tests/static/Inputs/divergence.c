// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for collective.divergence, wrong ones and their right twins. Each begins at a line "//// NAME"; lines above
// the first one begin all of them. WARN marks a line that is warned of, NOTE one that a note names.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
//// only-root
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  if (rank == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// only-root-ok
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("start\n");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// other-call
int main(int argc, char **argv) {
  int rank, x = 1, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) // NOTE
    MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); // WARN
  else
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); // NOTE
  MPI_Finalize();
  return sum;
}
//// both-arms-ok
int main(int argc, char **argv) {
  int rank, x = 1, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    printf("%d\n", sum);
  } else {
    MPI_Reduce(&x, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// swapped
int main(int argc, char **argv) {
  int rank, x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank % 2) { // NOTE
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); // NOTE
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Barrier(MPI_COMM_WORLD); // WARN
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// helper
static void collect(double *x) { MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); } // WARN
static int is_root(int rank) { return rank == 0; }
int main(int argc, char **argv) {
  int me;
  double x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (is_root(me)) // NOTE
    collect(&x);
  MPI_Finalize();
}
//// helper-ok
static void collect(double *x) { MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
static void collect_and_show(double *x) {
  MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%g\n", *x);
}
int main(int argc, char **argv) {
  int me;
  double x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0) collect_and_show(&x);
  else collect(&x);
  MPI_Finalize();
}
//// structure
struct grid { int rank, size, n; MPI_Comm comm; };
static void set(struct grid *g, MPI_Comm comm) {
  g->comm = comm;
  MPI_Comm_rank(comm, &g->rank);
  MPI_Comm_size(comm, &g->size);
}
static void step(struct grid *g) {
  if (g->rank < g->size - 1) // NOTE
    MPI_Barrier(g->comm); // WARN
}
int main(int argc, char **argv) {
  struct grid g;
  MPI_Init(&argc, &argv);
  set(&g, MPI_COMM_WORLD);
  step(&g);
  MPI_Finalize();
}
//// structure-ok
struct grid { int rank, size, n; MPI_Comm comm; };
static void set(struct grid *g, MPI_Comm comm) {
  g->comm = comm;
  MPI_Comm_rank(comm, &g->rank);
  MPI_Comm_size(comm, &g->size);
}
static void step(struct grid *g) {
  if (g->size > 1) MPI_Barrier(g->comm);
}
int main(int argc, char **argv) {
  struct grid g;
  MPI_Init(&argc, &argv);
  set(&g, MPI_COMM_WORLD);
  step(&g);
  MPI_Finalize();
}
//// structure-elsewhere
struct grid { int rank, size, n; MPI_Comm comm; };
void set(struct grid *g, MPI_Comm comm) {
  g->comm = comm;
  MPI_Comm_rank(comm, &g->rank);
  MPI_Comm_size(comm, &g->size);
}
void step(struct grid *g) {
  if (g->rank > 0) // NOTE
    MPI_Barrier(g->comm); // WARN
}
//// structure-elsewhere-ok
struct grid { int rank, size, n; MPI_Comm comm, row; };
void set(struct grid *g, MPI_Comm comm) {
  g->comm = comm;
  MPI_Comm_rank(comm, &g->rank);
  MPI_Comm_split(comm, g->rank > 0, 0, &g->row);
}
void step(struct grid *g) {
  if (g->rank > 0) MPI_Barrier(g->row);
}
//// early-return
static int work(int rank, int *n) {
  if (rank > 2) // NOTE
    return 1;
  MPI_Bcast(n, 1, MPI_INT, 0, MPI_COMM_WORLD); // WARN
  return 0;
}
int main(int argc, char **argv) {
  int rank, n = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  work(rank, &n);
  MPI_Finalize();
}
//// early-return-ok
static int work(int rank, int *n) {
  MPI_Bcast(n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank > 2) return 1;
  printf("%d\n", *n);
  return 0;
}
int main(int argc, char **argv) {
  int rank, n = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  work(rank, &n);
  MPI_Finalize();
}
//// abort-ok
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 2) {
    fprintf(stderr, "at most three\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// exit-ok
static void usage(const char *name) {
  fprintf(stderr, "usage: %s N\n", name);
  exit(1);
}
int main(int argc, char **argv) {
  int rank, n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    if (argc < 2) usage(argv[0]);
    n = atoi(argv[1]);
  }
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return n;
}
//// file-error
int main(int argc, char **argv) {
  int rank, n = 0;
  MPI_Init(&argc, &argv); // WARN init.no-finalize
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) { // NOTE
    FILE *f = fopen(argv[1], "r");
    if (!f) return 1;
    if (fscanf(f, "%d", &n) != 1) n = 1;
    fclose(f);
  }
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// file-error-ok
int main(int argc, char **argv) {
  int rank, n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *f = fopen(argv[1], "r");
    if (!f) n = -1;
    else {
      if (fscanf(f, "%d", &n) != 1) n = 1;
      fclose(f);
    }
  }
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (n < 0) {
    MPI_Finalize();
    return 1;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// loop-of-rank
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < rank; i++) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// loop-of-size-ok
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++) {
    if (i == rank) printf("%d\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// rest-of-blocks
int main(int argc, char **argv) {
  int rank, size, n = argc > 1 ? atoi(argv[1]) : 10;
  double x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine = n / size + (rank < n % size);
  for (int i = 0; i < mine; i++) // NOTE
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// rest-of-blocks-ok
int main(int argc, char **argv) {
  int rank, size, n = argc > 1 ? atoi(argv[1]) : 10;
  double x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine = n / size + (rank < n % size);
  for (int i = 0; i < mine; i++) x += i;
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// turn-by-turn
int main(int argc, char **argv) {
  int rank, size, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++)
    if (i == rank) // NOTE
      MPI_Bcast(&x, 1, MPI_INT, i, MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// turn-by-turn-ok
int main(int argc, char **argv) {
  int rank, size, x = 0, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++)
    if (i == rank) MPI_Bcast(&x, 1, MPI_INT, rank, MPI_COMM_WORLD);
    else MPI_Bcast(&y, 1, MPI_INT, i, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// other-root
int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) // NOTE
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); // WARN
  else
    MPI_Bcast(&x, 1, MPI_INT, 1, MPI_COMM_WORLD); // NOTE
  MPI_Finalize();
}
//// other-operation
int main(int argc, char **argv) {
  int rank, x = 0, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  switch (rank) {
  case 0: // the condition is above
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); // WARN
    break;
  default: MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD); // NOTE
  }
  MPI_Finalize();
}
//// switch-ok
int main(int argc, char **argv) {
  int rank, x = 0, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  switch (rank) {
  case 0: x = 4; MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); break;
  case 1: x = 7; // fall through
  default: MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// split
int main(int argc, char **argv) {
  int rank;
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &half);
  if (rank % 2) // NOTE
    MPI_Barrier(half); // WARN
  MPI_Comm_free(&half);
  MPI_Finalize();
}
//// split-ok
int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &half);
  if (rank < 2) MPI_Barrier(half);
  else MPI_Bcast(&x, 1, MPI_INT, 0, half);
  MPI_Comm_free(&half);
  MPI_Finalize();
}
//// split-rank
int main(int argc, char **argv) {
  int rank, row_rank;
  MPI_Comm row;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
  MPI_Comm_rank(row, &row_rank); // NOTE
  if (row_rank == 0) // NOTE
    MPI_Barrier(row); // WARN
  MPI_Finalize();
}
//// split-leaders-ok
int main(int argc, char **argv) {
  int rank, row_rank, x = 0;
  MPI_Comm row, leaders;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
  MPI_Comm_rank(row, &row_rank);
  MPI_Comm_split(MPI_COMM_WORLD, row_rank == 0 ? 0 : MPI_UNDEFINED, rank, &leaders);
  if (row_rank == 0) MPI_Bcast(&x, 1, MPI_INT, 0, leaders);
  if (leaders != MPI_COMM_NULL) MPI_Barrier(leaders);
  MPI_Bcast(&x, 1, MPI_INT, 0, row);
  MPI_Finalize();
}
//// copy-of-world
int main(int argc, char **argv) {
  int rank;
  MPI_Comm own;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank) // NOTE
    MPI_Barrier(own); // WARN
  MPI_Finalize();
}
//// global
static int rank, size;
static void start(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}
static void finish(void) {
  if (rank == size - 1) return; // NOTE
  MPI_Barrier(MPI_COMM_WORLD); // WARN
}
int main(int argc, char **argv) {
  start(&argc, &argv);
  finish();
  MPI_Finalize();
}
//// global-ok
static int rank, size;
static void start(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}
static void finish(void) {
  if (size == 1) return;
  MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  start(&argc, &argv);
  finish();
  MPI_Finalize();
}
//// both-halves-ok
int main(int argc, char **argv) {
  int rank, x = 0, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  printf("%d\n", rank);
  if (rank != 0) MPI_Reduce(&x, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// both-halves
int main(int argc, char **argv) {
  int rank, x = 0, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); // WARN
  printf("%d\n", rank);
  if (rank > 1) // NOTE
    MPI_Reduce(&x, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// commands-ok
enum { WORK, STOP };
static void lead(int n) {
  for (int i = 0; i < n; i++) {
    int what = WORK;
    MPI_Bcast(&what, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  int what = STOP;
  MPI_Bcast(&what, 1, MPI_INT, 0, MPI_COMM_WORLD);
}
static void follow(void) {
  for (;;) {
    int what;
    MPI_Bcast(&what, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (what == STOP) break;
    MPI_Barrier(MPI_COMM_WORLD);
  }
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) lead(argc);
  else follow();
  MPI_Finalize();
}
//// commands
enum { WORK, STOP };
static void lead(int n) {
  for (int i = 0; i < n; i++) {
    int what = WORK;
    MPI_Bcast(&what, 1, MPI_INT, 0, MPI_COMM_WORLD); // WARN
  }
}
static void follow(void) {
  int what;
  do {
    MPI_Recv(&what, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } while (what != STOP);
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) lead(argc); // NOTE
  else follow();
  MPI_Finalize();
}
//// one-command-ok
int main(int argc, char **argv) {
  int rank, what = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Bcast(&what, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else {
    MPI_Bcast(&what, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (what == 4) MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// uniform-ok
int main(int argc, char **argv) {
  int rank, n = 0, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) n = argc;
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (n > 2) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (all > 2) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// only-root-knows
int main(int argc, char **argv) {
  double mine = argc, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); // NOTE
  if (sum > 3.5) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// all-know-ok
int main(int argc, char **argv) {
  double mine = argc, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (sum > 3.5) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// clock
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double start = MPI_Wtime();
  while (MPI_Wtime() - start < 1.0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// clock-ok
int main(int argc, char **argv) {
  int goes_on = 1;
  MPI_Init(&argc, &argv);
  double start = MPI_Wtime();
  while (goes_on) {
    goes_on = MPI_Wtime() - start < 1.0;
    MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// scattered
int main(int argc, char **argv) {
  int part, all[64];
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 64; i++) all[i] = i / 2;
  MPI_Scatter(all, 1, MPI_INT, &part, 1, MPI_INT, 0, MPI_COMM_WORLD); // NOTE
  if (part > 4) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// scattered-alike-ok
int main(int argc, char **argv) {
  int part, all[64] = {0};
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 64; i++) all[i] = argc > 1;
  MPI_Scatter(all, 1, MPI_INT, &part, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (part) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// root-of-each-turn
int main(int argc, char **argv) {
  int rank, size, v = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 0; k < 2; k++) {
    if (rank % 2)
      MPI_Bcast(&v, 1, MPI_INT, k, MPI_COMM_WORLD); // NOTE
    else
      MPI_Bcast(&v, 1, MPI_INT, k > 0 ? 0 : 1, MPI_COMM_WORLD); // WARN
  }
  MPI_Finalize();
}
//// root-of-each-turn-ok
int main(int argc, char **argv) {
  int rank, size, v = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 0; k < 2; k++) {
    if (rank % 2) MPI_Bcast(&v, 1, MPI_INT, k, MPI_COMM_WORLD);
    else MPI_Bcast(&v, 1, MPI_INT, k > 0 ? 1 : 0, MPI_COMM_WORLD);
  }
  for (int k = 0; k < size; k++) {
    if (rank == (k + 1) % size) MPI_Bcast(&v, 1, MPI_INT, k + 1 == size ? 0 : k + 1, MPI_COMM_WORLD);
    else MPI_Bcast(&v, 1, MPI_INT, k + 1 < size ? k + 1 : 0, MPI_COMM_WORLD);
  }
  for (int k = 0; k < 4; k++) {
    if (rank % 2) MPI_Bcast(&v, 1, MPI_INT, k & 1, MPI_COMM_WORLD);
    else MPI_Bcast(&v, 1, MPI_INT, k == 1 || k == 3 ? 1 : 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// column-of-a-grid
int main(int argc, char **argv) {
  MPI_Comm grid, column;
  int size, me, dims[2] = {0, 0}, periods[2] = {0, 0}, remain[2] = {1, 0}, at[2];
  double part = 1, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &me);
  MPI_Cart_coords(grid, me, 2, at); // NOTE
  MPI_Cart_sub(grid, remain, &column);
  if (at[0] == 0) // NOTE
    MPI_Reduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, 0, column); // WARN
  MPI_Bcast(&all, 1, MPI_DOUBLE, 0, grid);
  MPI_Finalize();
}
//// column-of-a-grid-ok
int main(int argc, char **argv) {
  MPI_Comm grid, column, row;
  int size, me, dims[2] = {0, 0}, periods[2] = {0, 0}, of_column[2] = {1, 0}, of_row[2] = {0, 1}, at[2];
  double part = 1, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &me);
  MPI_Cart_coords(grid, me, 2, at);
  MPI_Cart_sub(grid, of_column, &column);
  MPI_Cart_sub(grid, of_row, &row);
  if (at[1] == 0) MPI_Reduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, 0, column);
  if (at[0] == dims[0] - 1) MPI_Bcast(&all, 1, MPI_DOUBLE, 0, row);
  if (at[0] % 2 == 0) MPI_Barrier(row);
  else MPI_Bcast(&all, 1, MPI_DOUBLE, 0, row);
  MPI_Bcast(&all, 1, MPI_DOUBLE, 0, grid);
  MPI_Finalize();
}
//// read-in-a-loop
int main(int argc, char **argv) {
  int rank, one, verbose = 0;
  double limit = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  if (rank == 0)
    while (scanf("%d", &one) == 1) verbose = one;
  if (verbose) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  if (rank == 0) scanf("%lf", &limit);
  MPI_Bcast(&limit, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (limit > 1) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// read-in-a-loop-ok
int main(int argc, char **argv) {
  int rank, one, verbose = 0, lines = 0;
  double limit = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    while (scanf("%d", &one) == 1) verbose = one, lines++;
  if (rank == 0) printf("%d\n", lines);
  MPI_Bcast(&verbose, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (verbose) MPI_Barrier(MPI_COMM_WORLD);
  FILE *f = fopen("options", "r"); // the same on all ranks
  while (f && fscanf(f, "%lf", &limit) == 1) lines++;
  if (limit > 1) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// received-ok
int main(int argc, char **argv) {
  int rank, size, stop = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    for (int i = 1; i < size; i++) MPI_Send(&stop, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
  else MPI_Recv(&stop, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!stop) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// through-a-flag
int main(int argc, char **argv) {
  int rank, size, is_last = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == size - 1) is_last = 1;
  if (!is_last) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// no-difference-ok
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank / size == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (rank >= 0 && rank < size) MPI_Barrier(MPI_COMM_WORLD);
  if ((rank + 1) % size < size) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// checked-ok
#define CHECK(call) do { if ((call) != MPI_SUCCESS) { fprintf(stderr, "failed\n"); return 1; } } while (0)
int main(int argc, char **argv) {
  int rank, x = 0;
  CHECK(MPI_Init(&argc, &argv));
  CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  if (rank == 0) CHECK(MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD));
  else CHECK(MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD));
  CHECK(MPI_Barrier(MPI_COMM_WORLD));
  MPI_Finalize();
  return 0;
}
//// unknown-ok
void write_header(int rank);
void finish_header(int rank);
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    write_header(rank);
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    finish_header(rank);
  }
  MPI_Finalize();
}
//// pointer-ok
typedef void (*job)(MPI_Comm);
static void one(MPI_Comm c) { MPI_Barrier(c); }
static void two(MPI_Comm c) { MPI_Barrier(c); }
int main(int argc, char **argv) {
  int rank;
  job jobs[2] = {one, two};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) jobs[argc % 2](MPI_COMM_WORLD);
  else MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// self-ok
int main(int argc, char **argv) {
  int rank;
  MPI_File f;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_SELF);
    MPI_File_open(MPI_COMM_SELF, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
    MPI_File_close(&f);
  }
  MPI_Finalize();
}
//// fence
int main(int argc, char **argv) {
  int rank, size, x[4] = {0}, y = 1;
  MPI_Win w;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  MPI_Win_fence(0, w);
  if (rank + 1 < size) { // NOTE
    MPI_Put(&y, 1, MPI_INT, rank + 1, 0, 1, MPI_INT, w);
    MPI_Win_fence(0, w); // WARN
  }
  MPI_Win_free(&w);
  MPI_Finalize();
}
//// fence-ok
int main(int argc, char **argv) {
  int rank, size, x[4] = {0}, y = 1;
  MPI_Win w;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  MPI_Win_fence(0, w);
  if (rank + 1 < size) MPI_Put(&y, 1, MPI_INT, rank + 1, 0, 1, MPI_INT, w);
  MPI_Win_fence(0, w);
  MPI_Win_free(&w);
  MPI_Finalize();
}
//// lock-ok
int main(int argc, char **argv) {
  int rank, x = 0, y = 1;
  MPI_Win w;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(&x, sizeof x, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, w);
    MPI_Put(&y, 1, MPI_INT, 1, 0, 1, MPI_INT, w);
    MPI_Win_unlock(1, w);
  }
  MPI_Win_free(&w);
  MPI_Finalize();
}
//// file
int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_File f;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "x", MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
  if (rank != 1) // NOTE
    MPI_File_write_all(f, &x, 1, MPI_INT, MPI_STATUS_IGNORE); // WARN
  MPI_File_close(&f);
  MPI_Finalize();
}
//// file-ok
int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_File f;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "x", MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
  if (rank != 1) MPI_File_write(f, &x, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  MPI_Finalize();
}
//// duplicate-in-one-arm
int main(int argc, char **argv) {
  int rank;
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) // NOTE
    MPI_Comm_dup(MPI_COMM_WORLD, &own); // WARN
  MPI_Finalize();
}
//// nonblocking
int main(int argc, char **argv) {
  int rank;
  MPI_Request r;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) { // NOTE
    MPI_Ibarrier(MPI_COMM_WORLD, &r); // WARN
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else {
    MPI_Barrier(MPI_COMM_WORLD); // NOTE
  }
  MPI_Finalize();
}
//// verbose-root
int main(int argc, char **argv) {
  int rank, verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (verbose && rank == 0) { // NOTE
    printf("timing\n");
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  }
  MPI_Finalize();
}
//// verbose-ok
int main(int argc, char **argv) {
  int rank, verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (verbose) {
    if (rank == 0) printf("timing\n");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
//// parameter
void reduce_to(int root, double *x, MPI_Comm comm) {
  int me;
  double y;
  MPI_Comm_rank(comm, &me);
  if (me == 0) // NOTE
    MPI_Reduce(x, &y, 1, MPI_DOUBLE, MPI_SUM, root, comm); // WARN
}
//// parameter-ok
void reduce_to(int root, int rank, double *x, MPI_Comm comm) {
  double y;
  if (rank == 0) MPI_Reduce(x, &y, 1, MPI_DOUBLE, MPI_SUM, root, comm);
}
//// cart
int main(int argc, char **argv) {
  int dims[2] = {0, 0}, periods[2] = {0, 0}, rank, size;
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  MPI_Comm_rank(grid, &rank); // NOTE
  if (rank > 0) // NOTE
    MPI_Barrier(grid); // WARN
  MPI_Finalize();
}
//// cart-ok
int main(int argc, char **argv) {
  int dims[2] = {0, 0}, periods[2] = {0, 0}, keep[2] = {0, 1}, coords[2], rank, size;
  MPI_Comm grid, row;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, coords);
  MPI_Cart_sub(grid, keep, &row);
  if (coords[0] == 0) MPI_Barrier(row);
  MPI_Finalize();
}
//// not-finalized
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv); // WARN init.no-finalize
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank > 1) return 0; // NOTE
  MPI_Finalize(); // WARN
}
//// ignored-ok
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // mpicc-check: ignore collective.divergence
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Barrier(MPI_COMM_WORLD); // mpicc-check: ignore
  MPI_Finalize();
}
//// two-ranks-ok
int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
//// three-ranks
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD); // WARN
  else if (rank > 1) MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// any-order-ok
int main(int argc, char **argv) {
  int rank, x = 1, y = 2, s, t;
  MPI_Comm own;
  MPI_Request r[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  if (rank == 0) {
    MPI_Iallreduce(&x, &s, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[0]);
    MPI_Iallreduce(&y, &t, 1, MPI_INT, MPI_SUM, own, &r[1]);
  } else {
    MPI_Iallreduce(&y, &t, 1, MPI_INT, MPI_SUM, own, &r[1]);
    MPI_Iallreduce(&x, &s, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[0]);
  }
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&own);
  MPI_Finalize();
}
//// any-order
int main(int argc, char **argv) {
  int rank, x = 1;
  MPI_Comm own;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  if (rank == 0) { // NOTE
    MPI_Barrier(own); // WARN
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else {
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); // NOTE
    MPI_Barrier(own);
  }
  MPI_Comm_free(&own);
  MPI_Finalize();
}
//// out-of-memory-ok
int main(int argc, char **argv) {
  int rank, x = 1, *all = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    all = malloc(1000);
    if (!all) return 1;
  }
  MPI_Gather(&x, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// two-sizes-ok
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank < 2) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// abort-in-loop-ok
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++)
    if (rank > 1) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank <= 1) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// break-in-loop
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++)
    if (rank > 1) break;
  if (rank <= 1) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// abort-in-iteration-ok
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 2; i < size; i++)
    if (i == rank) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank <= 1) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// abort-in-arm-ok
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 1) {
    for (int i = 0; i < size; i++)
      if (rank > 1) MPI_Abort(MPI_COMM_WORLD, 1);
  } else MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// abort-in-first-iteration-ok
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 1) {
    for (int i = 0; i < 3; i++) MPI_Abort(MPI_COMM_WORLD, 1);
  } else MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// never-returns-ok
int main(int argc, char **argv) {
  int rank, n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank <= n) {
    printf("%d\n", rank);
    if (rank > n) return 1;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// abort-behind-ok
int main(int argc, char **argv) {
  int rank, n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank <= n) MPI_Barrier(MPI_COMM_WORLD);
  if (rank > n) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
}
//// abort-behind
int main(int argc, char **argv) {
  int rank, n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank <= n) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  if (rank <= n) MPI_Abort(MPI_COMM_WORLD, 1); // they never come here
  MPI_Finalize();
}
//// abort-behind-another-call
int main(int argc, char **argv) {
  int rank, x = 1, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  if (rank == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank != 0) MPI_Abort(MPI_COMM_WORLD, 1); // they never come here
  MPI_Finalize();
}
//// abort-by-number-ok
int main(int argc, char **argv) {
  int rank, n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank > n) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank <= n) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// abort-by-number
int main(int argc, char **argv) {
  int rank, n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (n > 1) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank <= n) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// cart-coords-ok
int main(int argc, char **argv) {
  int dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2], rank, size; double x = 0; MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, coords);
  if (coords[0] >= 0 && coords[0] < dims[0] && coords[1] < dims[1])
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, grid);
  if (coords[0] * dims[1] + coords[1] == rank) MPI_Barrier(grid);
  MPI_Finalize();
}
//// cart-coords
typedef struct { MPI_Comm cart; int rank, size, dims[2], coords[2]; } grid_t;
static void make(grid_t *g, MPI_Comm comm) {
  int periods[2] = {1, 1};
  MPI_Comm_size(comm, &g->size);
  g->dims[0] = g->dims[1] = 0;
  MPI_Dims_create(g->size, 2, g->dims);
  MPI_Cart_create(comm, 2, g->dims, periods, 0, &g->cart);
  MPI_Comm_rank(g->cart, &g->rank);
  MPI_Cart_coords(g->cart, g->rank, 2, g->coords);
}
int main(int argc, char **argv) {
  grid_t g; double x = 0;
  MPI_Init(&argc, &argv);
  make(&g, MPI_COMM_WORLD);
  if (g.coords[0] == g.dims[0] - 1) // NOTE
    MPI_Bcast(&x, 1, MPI_DOUBLE, 0, g.cart); // WARN
  MPI_Finalize();
}
//// cart-one-row-ok
int main(int argc, char **argv) {
  int dims[2] = {1, 0}, periods[2] = {0, 0}, coords[2], rank, size; double x = 0; MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_coords(grid, rank, 2, coords);
  if (coords[0] == 0) MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// cart-shift
int main(int argc, char **argv) {
  int dims[1] = {0}, periods[1] = {0}, left, right, size; double x = 0; MPI_Comm line;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 1, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
  MPI_Cart_shift(line, 0, 1, &left, &right); // NOTE
  if (right != MPI_PROC_NULL) // NOTE
    MPI_Bcast(&x, 1, MPI_DOUBLE, 0, line); // WARN
  MPI_Finalize();
}
//// cart-shift-ok
int main(int argc, char **argv) {
  int dims[1] = {0}, periods[1] = {1}, left, right, size; double x = 0; MPI_Comm line;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 1, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
  MPI_Cart_shift(line, 0, 1, &left, &right);
  if (right != MPI_PROC_NULL) MPI_Bcast(&x, 1, MPI_DOUBLE, 0, line);
  MPI_Finalize();
}
//// cart-rank-ok
int main(int argc, char **argv) {
  int dims[2] = {0, 0}, periods[2] = {0, 0}, at[2], rank, size, root; double x = 0; MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  at[0] = dims[0] - 1, at[1] = 0;
  MPI_Cart_rank(grid, at, &root);
  MPI_Bcast(&x, 1, MPI_DOUBLE, root, grid);
  if (rank == root) MPI_Send(&x, 1, MPI_DOUBLE, 0, 0, grid);
  if (rank == 0) MPI_Recv(&x, 1, MPI_DOUBLE, root, 0, grid, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
//// cart-rank
int main(int argc, char **argv) {
  int dims[2] = {0, 0}, periods[2] = {0, 0}, at[2], rank, size, root; double x = 0; MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, at);
  at[1] = 0;
  MPI_Cart_rank(grid, at, &root);
  if (rank == root) {
    at[0] = 0;
    MPI_Cart_rank(grid, at, &root);
    if (rank == root) // NOTE
      MPI_Bcast(&x, 1, MPI_DOUBLE, 0, grid); // WARN
  }
  MPI_Finalize();
}
//// cart-get
int main(int argc, char **argv) {
  int dims[3] = {0, 0, 0}, periods[3] = {0, 0, 0}, coords[3], size; MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &grid);
  MPI_Cart_get(grid, 3, dims, periods, coords);
  if (coords[0] == 0) // NOTE
    MPI_Barrier(grid); // WARN
  MPI_Finalize();
}
//// function-pointer
typedef void (*step_fn)(MPI_Comm);
static void heavy(MPI_Comm c) { MPI_Barrier(c); MPI_Barrier(c); } // WARN
static void light(MPI_Comm c) { MPI_Barrier(c); }
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  step_fn f = light;
  if (rank == 0) f = heavy;
  f(MPI_COMM_WORLD); // NOTE
  MPI_Finalize();
}
//// function-pointer-ok
typedef void (*step_fn)(MPI_Comm, double *);
static void sum(MPI_Comm c, double *x) { MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE, MPI_SUM, c); }
static void none(MPI_Comm c, double *x) { *x = c == MPI_COMM_NULL; }
int main(int argc, char **argv) {
  double x = 1;
  MPI_Init(&argc, &argv);
  step_fn f = argc > 1 ? sum : none;
  for (int i = 0; i < 3; i++) f(MPI_COMM_WORLD, &x);
  if (f == sum) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// function-pointer-null-ok
typedef void (*hook_fn)(int);
static void print(int r) { printf("%d\n", r); }
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  hook_fn hook = rank == 0 ? print : NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  if (hook) hook(rank);
  MPI_Finalize();
}
//// function-pointer-null
typedef void (*hook_fn)(int);
static void print(int r) { printf("%d\n", r); MPI_Barrier(MPI_COMM_WORLD); } // WARN
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  hook_fn hook = rank == 0 ? print : NULL;
  if (hook) hook(rank); // NOTE
  MPI_Finalize();
}
//// bounds-by-value
struct range {
  int begin, end;
};
static void sweep(struct range r) {
  for (int i = r.begin; i < r.end; i++) MPI_Barrier(MPI_COMM_WORLD); // WARN
}
void blocks(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct range r = {0, rank};
  sweep(r);
}
//// bounds-by-value-ok
struct range {
  int begin, end;
};
static void sweep(struct range r) {
  for (int i = r.begin; i < r.end; i++) MPI_Barrier(MPI_COMM_WORLD);
}
void blocks(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct range r = {rank, rank + size};
  sweep(r);
  r.begin = rank / size, r.end = size;
  sweep(r);
}
//// operation-of-rank
int main(int argc, char **argv) {
  int rank, x = 1, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  MPI_Op op = rank == 0 ? MPI_SUM : MPI_MAX;
  MPI_Allreduce(&x, &y, 1, MPI_INT, op, MPI_COMM_WORLD); // WARN
  MPI_Finalize();
  return y;
}
//// operation-of-rank-ok
int main(int argc, char **argv) {
  int rank, x = 1, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Op op = argc > 1 ? MPI_SUM : MPI_MAX;
  MPI_Allreduce(&x, &y, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Finalize();
  return y;
}
//// operation-in-helper
static void total(double *x, double *y, int rank) {
  MPI_Op op = MPI_SUM;
  if (rank % 2) op = MPI_MIN;
  MPI_Reduce(x, y, 1, MPI_DOUBLE, op, 0, MPI_COMM_WORLD); // WARN
}
int main(int argc, char **argv) {
  int rank; double x = 1, y = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  total(&x, &y, rank);
  MPI_Finalize();
  return y;
}
//// operation-of-half-ok
int main(int argc, char **argv) {
  int rank, x = 1, y;
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Op op = rank % 2 ? MPI_SUM : MPI_MAX;
  MPI_Allreduce(&x, &y, 1, MPI_INT, op, half);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return y;
}
//// operation-in-array-ok
int main(int argc, char **argv) {
  double x = 1, y;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Op all[2] = {MPI_SUM, MPI_MAX};
  if (rank == 0) MPI_Reduce(&x, &y, 1, MPI_DOUBLE, all[0], 0, MPI_COMM_WORLD);
  else MPI_Reduce(&x, NULL, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// large-helper
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
int main(int argc, char **argv) {
  int rank;
  double u[400] = {0}, v[400] = {0}, s = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) { // NOTE
  s = relax(u, v, 20, 20, 0.5);
  MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); // WARN
  s += relax(v, u, 20, 20, 0.5);
  }
  MPI_Finalize();
  return s > 3;
}
//// large-helper-ok
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
int main(int argc, char **argv) {
  int rank;
  double u[400] = {0}, v[400] = {0}, s = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  s = relax(u, v, 20, 20, 0.5);
  MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  s += relax(v, u, 20, 20, 0.5);
  MPI_Finalize();
  return s > 3;
}
//// skipped-fence
// One mistake, one warning: that the put is not complete on rank 0 follows.
int main(int argc, char **argv) {
  int rank, size, buf = 0, *mem;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  MPI_Win_fence(0, win);
  buf = rank;
  MPI_Put(&buf, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
  if (rank != 0) // NOTE
    MPI_Win_fence(0, win); // WARN
  buf = 5;
  MPI_Win_free(&win);
  MPI_Finalize();
  return buf - 5;
}
//// skipped-fence-and-more
// The store between put and fence, and the second put, are wrong on the ranks that call the fence, too.
int main(int argc, char **argv) {
  int rank, size, buf = 0, *mem;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&buf, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win); // NOTE
  buf = 5; // WARN rma.race-local
  if (rank != 0) // NOTE
    MPI_Win_fence(0, win); // WARN
  MPI_Put(&buf, 1, MPI_INT, rank, 1, 1, MPI_INT, win); // NOTE
  MPI_Win_free(&win); // WARN rma.free-in-epoch
  MPI_Finalize();
  return buf - 5;
}
//// skipped-barrier-and-other-arm
// What the other ranks do instead is wrong by itself.
int main(int argc, char **argv) {
  int rank, buf = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  if (rank == 0) { // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  } else {
    MPI_Isend(&buf, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); // NOTE
    buf = 1; // WARN buffer.modified-in-use
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  for (int i = 0; rank == 0 && i < 1; i++) MPI_Recv(&buf, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return buf - 1;
}
//// loop-left-by-reduction
static double step(int i) { return 1.0 / (i + 1); }
int main(int argc, char **argv) {
  double mine, sum = 1;
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 100; i++) {
    mine = step(i);
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); // WARN
    if (sum < 0.1) break; // NOTE
  }
  MPI_Finalize();
}
//// loop-left-by-reduction-ok
static double step(int i) { return 1.0 / (i + 1); }
int main(int argc, char **argv) {
  double mine, sum = 1;
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 100; i++) {
    mine = step(i);
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    int done = sum < 0.1;
    MPI_Bcast(&done, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (done) break;
  }
  MPI_Finalize();
}
//// loop-of-rank
int main(int argc, char **argv) {
  int rank, i = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  do MPI_Barrier(MPI_COMM_WORLD); // WARN NOTE
  while (i++ < rank);
  MPI_Finalize();
}
//// loop-of-rank-ok
int main(int argc, char **argv) {
  int rank, i = 0, last;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  do MPI_Allreduce(&rank, &last, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  while (i++ < last);
  MPI_Finalize();
}
//// operation-of-table
int main(int argc, char **argv) {
  int rank, x = 1, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Op operations[2] = {MPI_SUM, MPI_MAX};
  MPI_Allreduce(&x, &y, 1, MPI_INT, operations[rank % 2], MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// operation-of-table-ok
int main(int argc, char **argv) {
  int rank, x = 1, y, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Op operations[4] = {MPI_SUM, MPI_MAX, MPI_MAX, MPI_SUM};
  MPI_Allreduce(&x, &y, 1, MPI_INT, operations[size % 2], MPI_COMM_WORLD);
  MPI_Allreduce(&x, &y, 1, MPI_INT, operations[1 + rank % 2], MPI_COMM_WORLD);
  MPI_Finalize();
}
//// table-of-ranks
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int takesPart[] = {0, 1, 1, 1, 1, 1};
  if (takesPart[rank]) MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// table-of-ranks-ok
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int takesPart[] = {0, 1, 1, 1, 1, 1};
  for (int i = 0; i < 6; i++) takesPart[i] = 1;
  if (takesPart[rank]) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// in-turn-ok
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < rank; i++) MPI_Barrier(MPI_COMM_WORLD);
  printf("%d\n", rank);
  for (int i = rank; i < size; i++) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// in-turn
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < rank; i++) MPI_Barrier(MPI_COMM_WORLD); // WARN NOTE
  printf("%d\n", rank);
  for (int i = 0; i < size; i++) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// in-turn-down-ok
int main(int argc, char **argv) {
  int rank, size, left;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = size;
  while (left > rank) {
    MPI_Barrier(MPI_COMM_WORLD);
    left--;
  }
  printf("%d\n", rank);
  while (left-- > 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// numbers-that-lead-there-ok
int main(int argc, char **argv) {
  int rank, size, n, x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  n = argc;
  if (n == 3) {
    printf("%d\n", rank);
    if (rank < size / 2) {
      MPI_Finalize();
      return 0;
    }
  }
  if (n == 3) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// large-numbers-that-lead-there-ok
int main(int argc, char **argv) {
  int rank, size, n, x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  n = argc > 1 ? atoi(argv[1]) : 0;
  if (n == 1000 && rank < size / 2) {
    MPI_Finalize();
    return 0;
  }
  if (n == 1000) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
//// numbers-that-lead-there
int main(int argc, char **argv) {
  int rank, size, n, x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  n = argc;
  if (n == 3) {
    printf("%d\n", rank);
    if (rank < size / 2) { // NOTE
      MPI_Finalize(); // WARN
      return 0;
    }
  }
  if (n == 4) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); // NOTE
  MPI_Finalize();
}
//// windows-of-structures
struct domain { MPI_Win win; double *u; int rank, size; };
static void open_domain(struct domain *d, MPI_Comm c, int n) {
  MPI_Comm_rank(c, &d->rank);
  MPI_Comm_size(c, &d->size);
  MPI_Win_allocate(n * sizeof(double), sizeof(double), MPI_INFO_NULL, c, &d->u, &d->win);
}
static void put_right(struct domain *d, double *x) {
  MPI_Put(x, 1, MPI_DOUBLE, (d->rank + 1) % d->size, 0, 1, MPI_DOUBLE, d->win);
}
void one(MPI_Comm c, double *x, int n) {
  struct domain d;
  open_domain(&d, c, n);
  MPI_Win_fence(0, d.win);
  put_right(&d, x);
  if (d.rank != 0) // NOTE
    MPI_Win_fence(0, d.win); // WARN
  MPI_Win_free(&d.win);
}
void other(MPI_Comm c, double *x, int n) {
  struct domain d;
  open_domain(&d, c, n);
  MPI_Win_fence(0, d.win);
  put_right(&d, x);
  MPI_Win_fence(0, d.win);
  MPI_Win_free(&d.win);
}
//// windows-of-structures-ok
struct domain { MPI_Win win; double *u; int rank, size; };
static void open_domain(struct domain *d, MPI_Comm c, int n) {
  MPI_Comm_rank(c, &d->rank);
  MPI_Comm_size(c, &d->size);
  MPI_Win_allocate(n * sizeof(double), sizeof(double), MPI_INFO_NULL, c, &d->u, &d->win);
}
void one(MPI_Comm c, double *x, int n) {
  struct domain d, self;
  open_domain(&d, c, n);
  open_domain(&self, MPI_COMM_SELF, n);
  if (d.rank != 0) MPI_Win_fence(0, self.win);
  MPI_Win_fence(0, d.win);
  if (d.rank + 1 < d.size) MPI_Put(x, 1, MPI_DOUBLE, d.rank + 1, 0, 1, MPI_DOUBLE, d.win);
  MPI_Win_fence(0, d.win);
  MPI_Win_free(&self.win);
  MPI_Win_free(&d.win);
}
//// helper-fails-abort-ok
struct run { MPI_Comm comm; int rank; FILE *log; };
static int open_log(struct run *r) {
  r->log = NULL;
  if (r->rank == 0 && !(r->log = fopen("log", "w"))) return -1;
  return 0;
}
static int set_up(struct run *r) {
  MPI_Comm_rank(r->comm, &r->rank);
  if (open_log(r)) return -1;
  MPI_Barrier(r->comm);
  return 0;
}
int main(int argc, char **argv) {
  struct run r = {MPI_COMM_WORLD, 0, NULL};
  double x = 1, sum;
  MPI_Init(&argc, &argv);
  if (set_up(&r)) MPI_Abort(MPI_COMM_WORLD, 1); // every other rank is ended, too
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, r.comm);
  if (r.log) fclose(r.log);
  MPI_Finalize();
}
//// helper-fails-exit-ok
static int open_log(int rank, FILE **log) {
  *log = NULL;
  if (rank == 0) {
    *log = fopen("log", "w");
    if (!*log) return 2;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}
int main(int argc, char **argv) {
  int rank, rc;
  FILE *log;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rc = open_log(rank, &log);
  switch (rc) {
  case 0: break;
  case 2: MPI_Abort(MPI_COMM_WORLD, rc);
  default: exit(rc);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// helper-fails-skips
struct run { MPI_Comm comm; int rank; FILE *log; };
static int open_log(struct run *r) {
  r->log = NULL;
  if (r->rank == 0 && !(r->log = fopen("log", "w"))) return -1; // NOTE
  return 0;
}
static int set_up(struct run *r) {
  MPI_Comm_rank(r->comm, &r->rank);
  if (open_log(r)) return -1;
  MPI_Barrier(r->comm); // WARN
  return 0;
}
int main(int argc, char **argv) {
  struct run r = {MPI_COMM_WORLD, 0, NULL};
  double x = 1, sum;
  MPI_Init(&argc, &argv);
  if (set_up(&r) == 0) {
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, r.comm);
    if (r.log) fclose(r.log);
  }
  MPI_Finalize();
}
//// served-by-result-ok
int main(int argc, char **argv) {
  int rank, go = 1, sum, mine = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    do {
      scanf("%d", &go);
      MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
      if (go) MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      if (go > 9) printf("%d\n", sum);
    } while (go);
  } else {
    do {
      MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
      if (go) MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    } while (go);
  }
  MPI_Finalize();
}
//// part-is-null
int main(int argc, char **argv) {
  int rank, x = 1, sum = 0;
  MPI_Comm part;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &part);
  if (part != MPI_COMM_NULL) { // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, part);
    MPI_Comm_free(&part);
  }
  MPI_Finalize();
  return sum > 9;
}
//// part-is-null-ok
struct level { MPI_Comm comm; int sum; };
int main(int argc, char **argv) {
  int rank, x = 1;
  struct level l = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2 ? MPI_UNDEFINED : 1, rank, &l.comm);
  if (l.comm != MPI_COMM_NULL) {
    MPI_Allreduce(&x, &l.sum, 1, MPI_INT, MPI_SUM, l.comm);
    MPI_Comm_free(&l.comm);
  }
  if (l.comm == MPI_COMM_NULL) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// part-is-never-null-ok
int main(int argc, char **argv) {
  int rank, x = 1, sum;
  MPI_Comm part;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
  if (part != MPI_COMM_NULL) MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_free(&part);
  MPI_Finalize();
}
//// part-is-one-of-each-ok
int main(int argc, char **argv) {
  int rank, x = 1, sum;
  MPI_Comm part;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, rank, &part);
  if (part == MPI_COMM_NULL) {
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else {
    MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, part);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Comm_free(&part);
  }
  MPI_Finalize();
}
//// clock
int main(int argc, char **argv) {
  double most = 0;
  MPI_Init(&argc, &argv);
  double start = MPI_Wtime(); // NOTE
  if (start > 1000.0) // NOTE
    MPI_Allreduce(&start, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); // WARN
  MPI_Finalize();
  return most < 0;
}
//// is-there-a-clock-ok
int main(int argc, char **argv) {
  double most = 0;
  MPI_Init(&argc, &argv);
  double start = MPI_Wtime();
  if (start == -1.0) most = -1.0;
  else MPI_Allreduce(&start, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return most < 0;
}
//// window-in-each-arm
int main(int argc, char **argv) {
  static double table[10];
  int rank;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) { // NOTE
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
  } else {
    MPI_Win_create(table, sizeof table, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, win); // WARN
  }
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// window-in-each-arm-ok
int main(int argc, char **argv) {
  static double table[10];
  int rank;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    double mine[10] = {1};
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(mine, 10, MPI_DOUBLE, 1, 0, 10, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
  } else {
    MPI_Win_create(table, sizeof table, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, win);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// communicator-in-each-arm-ok
static void lead(void) {
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Barrier(own);
  MPI_Comm_free(&own);
}
static void follow(void) {
  MPI_Comm mine;
  MPI_Comm_dup(MPI_COMM_WORLD, &mine);
  MPI_Barrier(mine);
  MPI_Comm_free(&mine);
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) lead();
  else follow();
  MPI_Finalize();
}
//// two-communicators-swapped
int main(int argc, char **argv) {
  int rank;
  MPI_Comm one, two;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_dup(MPI_COMM_WORLD, &two);
  if (rank == 0) { // NOTE
    MPI_Barrier(one); // WARN
    MPI_Barrier(two);
  } else {
    MPI_Barrier(two);
    MPI_Barrier(one);
  }
  MPI_Comm_free(&one);
  MPI_Comm_free(&two);
  MPI_Finalize();
}
//// root-reads-a-file-and-returns-what-came
static int read_input(const char *path, double *value) {
  FILE *file = fopen(path, "r");
  double got;
  if (!file) return 1;
  while (fscanf(file, "%lf", &got) == 1) *value = got;
  fclose(file);
  return *value > 0 ? 0 : 2;
}
static int load(const char *path, double *value, MPI_Comm comm) {
  int rank, rc = 0;
  MPI_Comm_rank(comm, &rank); // NOTE
  if (rank == 0) rc = read_input(path, value);
  if (rc != 0) return rc; // NOTE
  MPI_Bcast(value, 1, MPI_DOUBLE, 0, comm); // NOTE
  return 0;
}
int main(int argc, char **argv) {
  double value = 0;
  MPI_Init(&argc, &argv);
  if (load(argv[1], &value, MPI_COMM_WORLD) != 0) {
    MPI_Finalize(); // WARN
    return 1;
  }
  MPI_Finalize();
  return 0;
}
//// root-reads-a-file-and-tells-what-came-ok
static int read_input(const char *path, double *value) {
  FILE *file = fopen(path, "r");
  double got;
  if (!file) return 1;
  while (fscanf(file, "%lf", &got) == 1) *value = got;
  fclose(file);
  return *value > 0 ? 0 : 2;
}
static int load(const char *path, double *value, MPI_Comm comm) {
  int rank, rc = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) rc = read_input(path, value);
  MPI_Bcast(&rc, 1, MPI_INT, 0, comm);
  if (rc != 0) return rc;
  MPI_Bcast(value, 1, MPI_DOUBLE, 0, comm);
  return 0;
}
int main(int argc, char **argv) {
  double value = 0;
  MPI_Init(&argc, &argv);
  if (load(argv[1], &value, MPI_COMM_WORLD) != 0) {
    MPI_Finalize();
    return 1;
  }
  MPI_Finalize();
  return 0;
}
//// coordinates-in-a-structure
struct channel {
  MPI_Comm grid;
  int dims[2], coords[2], rank;
  double rate;
};
static void set_up(struct channel *c) {
  int size, periods[2] = {0, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  c->dims[0] = c->dims[1] = 0;
  MPI_Dims_create(size, 2, c->dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, c->dims, periods, 0, &c->grid);
  MPI_Comm_rank(c->grid, &c->rank);
  MPI_Cart_coords(c->grid, c->rank, 2, c->coords); // NOTE
}
static void fix_inflow(struct channel *c) {
  double total;
  if (c->coords[0] != 0) return; // NOTE
  MPI_Allreduce(&c->rate, &total, 1, MPI_DOUBLE, MPI_SUM, c->grid); // WARN
  c->rate /= total;
}
int main(int argc, char **argv) {
  static struct channel channel;
  MPI_Init(&argc, &argv);
  set_up(&channel);
  for (int step = 0; step < 20; step++) fix_inflow(&channel);
  MPI_Comm_free(&channel.grid);
  MPI_Finalize();
}
//// coordinates-in-a-structure-ok
struct channel {
  MPI_Comm grid, column;
  int dims[2], coords[2], rank;
  double rate;
};
static void set_up(struct channel *c) {
  int size, periods[2] = {0, 1}, keep[2] = {0, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  c->dims[0] = c->dims[1] = 0;
  MPI_Dims_create(size, 2, c->dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, c->dims, periods, 0, &c->grid);
  MPI_Comm_rank(c->grid, &c->rank);
  MPI_Cart_coords(c->grid, c->rank, 2, c->coords);
  MPI_Cart_sub(c->grid, keep, &c->column);
}
static void fix_inflow(struct channel *c) {
  double total;
  if (c->coords[0] != 0) return;
  MPI_Allreduce(&c->rate, &total, 1, MPI_DOUBLE, MPI_SUM, c->column);
  c->rate /= total;
}
int main(int argc, char **argv) {
  static struct channel channel;
  MPI_Init(&argc, &argv);
  set_up(&channel);
  for (int step = 0; step < 20; step++) fix_inflow(&channel);
  MPI_Comm_free(&channel.column);
  MPI_Comm_free(&channel.grid);
  MPI_Finalize();
}
//// rank-beside-a-buffer-in-a-structure
struct component {
  int rank, size;
  double shared[8], mine[8], all[8];
};
static void ocean(struct component *c) {
  MPI_Bcast(c->shared, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD); // WARN
  MPI_Reduce(c->mine, c->all, 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}
static void air(struct component *c) {
  MPI_Reduce(c->mine, c->all, 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); // NOTE
  MPI_Bcast(c->shared, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  struct component c = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &c.rank); // NOTE
  MPI_Comm_size(MPI_COMM_WORLD, &c.size);
  for (int step = 0; step < 6; step++) {
    if (c.rank < (c.size + 1) / 2) ocean(&c); // NOTE
    else air(&c);
    for (int i = 0; i < 8; i++) c.mine[i] = 0.5 * c.shared[i];
  }
  MPI_Finalize();
}
//// members-received-together-ok
struct settings {
  int mode, count;
};
int main(int argc, char **argv) {
  struct settings s = {0, 0};
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  s.count = rank;
  MPI_Bcast(&s.mode, 2, MPI_INT, 0, MPI_COMM_WORLD);
  if (s.count == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// array-and-what-is-behind-it-received-ok
struct settings {
  int sizes[3], first;
};
int main(int argc, char **argv) {
  struct settings s = {{0}, 0};
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  s.first = rank;
  MPI_Bcast(s.sizes, 4, MPI_INT, 0, MPI_COMM_WORLD);
  if (s.first == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// known-results-ok
int main(int argc, char **argv) {
  int rank, size, most, sum, two[2], sums[2], all[64], given = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  two[0] = 1, two[1] = rank;
  MPI_Allreduce(&rank, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (most < 0 && rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0 && sum != size * (size - 1) / 2) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(two, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (sums[0] != size && rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++)
    if (all[i] != i && rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) given = 3;
  MPI_Bcast(&given, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (given != 3 && rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// known-results
int main(int argc, char **argv) {
  int rank, size, most;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (most == size - 1 && rank == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD);     // WARN
  MPI_Finalize();
}
//// large-sums
int main(int argc, char **argv) {
  int rank, size, sums[2], two[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // NOTE
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  two[0] = 1, two[1] = rank;
  MPI_Allreduce(two, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (sums[0] > 20 && rank == 0) // NOTE
    MPI_Barrier(MPI_COMM_WORLD); // WARN
  MPI_Finalize();
}
//// leaders-behind-a-split-ok
int main(int argc, char **argv) {
  int rank, local, x = 1, y;
  MPI_Comm team, leaders;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int k = 0; k < 1; k++) {
    MPI_Comm all;
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &all);
    MPI_Comm_free(&all);
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &team);
  MPI_Comm_rank(team, &local);
  MPI_Comm_split(MPI_COMM_WORLD, local == 0 ? 1 : MPI_UNDEFINED, rank, &leaders);
  if (local == 0) MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, leaders);
  if (leaders != MPI_COMM_NULL) MPI_Comm_free(&leaders);
  MPI_Comm_free(&team);
  MPI_Finalize();
}
