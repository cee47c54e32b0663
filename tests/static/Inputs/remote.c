// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs in which two ranks access the same window memory (programs.py): wrong ones and their right twins.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int read_input(void);
enum { N = 64 };
struct field {
  MPI_Win win;
  MPI_Comm comm;
  double *memory;
  int rank, size;
};
static void open_field(struct field *f, MPI_Comm comm) {
  f->comm = comm;
  MPI_Comm_rank(comm, &f->rank);
  MPI_Comm_size(comm, &f->size);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, comm, &f->memory, &f->win);
}
static void put(struct field *f, double *x, int count, int target, int at) {
  MPI_Put(x, count, MPI_DOUBLE, target, at, count, MPI_DOUBLE, f->win);
}
static double x[N], y[N];
//// one-slot
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Win_fence(0, f.win);
  if (f.rank != 0) MPI_Put(x, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, f.win); // WARN rma.race NOTE
  MPI_Win_fence(0, f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// one-slot-ok
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Win_fence(0, f.win);
  if (f.rank != 0) MPI_Put(x, 1, MPI_DOUBLE, 0, f.rank, 1, MPI_DOUBLE, f.win);
  MPI_Win_fence(0, f.win);
  if (f.rank == 1) MPI_Put(x, 1, MPI_DOUBLE, 0, 2, 1, MPI_DOUBLE, f.win);
  MPI_Win_fence(0, f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// loop-over-targets
static void scatter_flags(MPI_Win win, int size) {
  static int one = 1;
  for (int i = 0; i < size; i++)
    MPI_Put(&one, 1, MPI_INT, i, 0, 1, MPI_INT, win); // WARN rma.race NOTE
}
int main(int argc, char **argv) {
  int size, *flags;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(size * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &flags, &win);
  MPI_Win_fence(0, win);
  scatter_flags(win, size);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// loop-over-targets-ok
static void scatter_flags(MPI_Win win, int rank, int size) {
  static int one = 1;
  for (int i = 0; i < size; i++)
    if (i != rank) MPI_Put(&one, 1, MPI_INT, i, rank, 1, MPI_INT, win);
}
int main(int argc, char **argv) {
  int rank, size, *flags;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(size * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &flags, &win);
  for (int i = 0; i < size; i++) flags[i] = 0;
  MPI_Win_fence(0, win);
  scatter_flags(win, rank, size);
  MPI_Win_fence(0, win);
  for (int i = 0; i < size; i++) printf("%d\n", flags[i]);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// blocks-too-long
int main(int argc, char **argv) {
  struct field f;
  int n = argc > 1 ? atoi(argv[1]) : 4;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Win_fence(0, f.win);
  MPI_Put(x, n + 1, MPI_DOUBLE, 0, f.rank * n, n + 1, MPI_DOUBLE, f.win); // WARN rma.race NOTE
  MPI_Win_fence(0, f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// blocks-too-long-ok
int main(int argc, char **argv) {
  struct field f;
  int n = argc > 1 ? atoi(argv[1]) : 4;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  int rest = f.rank == f.size - 1 ? N - n * (f.size - 1) : n;
  MPI_Win_fence(0, f.win);
  MPI_Put(x, rest, MPI_DOUBLE, 0, f.rank * n, rest, MPI_DOUBLE, f.win);
  MPI_Win_fence(0, f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// both-neighbors
static void exchange(struct field *f) {
  int right = (f->rank + 1) % f->size, left = (f->rank + f->size - 1) % f->size;
  MPI_Win_fence(0, f->win);
  MPI_Put(x, 4, MPI_DOUBLE, right, 0, 4, MPI_DOUBLE, f->win); // NOTE
  MPI_Put(y, 4, MPI_DOUBLE, left, 3, 4, MPI_DOUBLE, f->win); // WARN rma.race
  MPI_Win_fence(0, f->win);
}
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  exchange(&f);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// both-neighbors-ok
static void exchange(struct field *f) {
  int right = f->rank + 1 < f->size ? f->rank + 1 : MPI_PROC_NULL, left = f->rank > 0 ? f->rank - 1 : MPI_PROC_NULL;
  MPI_Win_fence(0, f->win);
  MPI_Put(x, 4, MPI_DOUBLE, right, 0, 4, MPI_DOUBLE, f->win);
  MPI_Put(y, 4, MPI_DOUBLE, left, 4, 4, MPI_DOUBLE, f->win);
  MPI_Win_fence(0, f->win);
}
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  for (int i = 0; i < 10; i++) exchange(&f);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// mirror
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Win_fence(0, f.win);
  MPI_Put(x, 2, MPI_DOUBLE, f.size - 1 - f.rank, 0, 2, MPI_DOUBLE, f.win); // NOTE
  MPI_Get(y, 1, MPI_DOUBLE, f.rank, 1, 1, MPI_DOUBLE, f.win); // WARN rma.race
  MPI_Win_fence(0, f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// mirror-ok
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Win_fence(0, f.win);
  MPI_Put(x, 2, MPI_DOUBLE, f.size - 1 - f.rank, 0, 2, MPI_DOUBLE, f.win);
  MPI_Get(y, 1, MPI_DOUBLE, f.rank, 2, 1, MPI_DOUBLE, f.win);
  MPI_Win_fence(0, f.win);
  MPI_Get(y, 1, MPI_DOUBLE, f.rank, 1, 1, MPI_DOUBLE, f.win);
  MPI_Win_fence(0, f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// stores-at-target
static void step(struct field *f) {
  MPI_Win_fence(0, f->win);
  if (f->rank + 1 < f->size) MPI_Put(x, 1, MPI_DOUBLE, f->rank + 1, 0, 1, MPI_DOUBLE, f->win); // WARN rma.race
  f->memory[0] = 1; // NOTE
  MPI_Win_fence(0, f->win);
}
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  step(&f);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// stores-at-target-ok
static void step(struct field *f) {
  f->memory[0] = 1;
  MPI_Win_fence(0, f->win);
  if (f->rank + 1 < f->size) MPI_Put(x, 1, MPI_DOUBLE, f->rank + 1, 0, 1, MPI_DOUBLE, f->win);
  if (f->rank == 0) f->memory[0] = 2;
  f->memory[1] = 1;
  MPI_Win_fence(0, f->win);
  f->memory[0] += 1;
}
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  step(&f);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// loads-at-target
int main(int argc, char **argv) {
  double memory[N], sum = 0;
  int rank, size;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++) memory[i] = i;
  MPI_Win_create(memory, sizeof(memory), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < size; i++)
    if (i != rank)
      MPI_Put(&x[i], 1, MPI_DOUBLE, i, rank, 1, MPI_DOUBLE, win); // WARN rma.race
  for (int i = 0; i < size; i++) sum += memory[i]; // NOTE
  MPI_Win_fence(0, win);
  printf("%g\n", sum);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// loads-at-target-ok
int main(int argc, char **argv) {
  double memory[N], sum = 0;
  int rank, size;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++) memory[i] = i;
  MPI_Win_create(memory, sizeof(memory), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < size; i++)
    if (i != rank) MPI_Get(&x[i], 1, MPI_DOUBLE, i, rank, 1, MPI_DOUBLE, win);
  for (int i = 0; i < size; i++) sum += memory[i];
  MPI_Win_fence(0, win);
  printf("%g\n", sum);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// windows-in-array
int main(int argc, char **argv) {
  MPI_Win wins[3];
  double *memory[3];
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 0; k < 3; k++)
    MPI_Win_allocate(N * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory[k], &wins[k]);
  for (int k = 0; k < 3; k++) MPI_Win_fence(0, wins[k]);
  for (int k = 0; k < 3; k++)
    MPI_Put(x, 1, MPI_DOUBLE, (rank + 1) % size, k, 1, MPI_DOUBLE, wins[k]); // NOTE
  MPI_Put(y, 1, MPI_DOUBLE, rank, 2, 1, MPI_DOUBLE, wins[2]); // WARN rma.race
  for (int k = 0; k < 3; k++) MPI_Win_fence(0, wins[k]);
  for (int k = 0; k < 3; k++) MPI_Win_free(&wins[k]);
  MPI_Finalize();
}
//// windows-in-array-ok
int main(int argc, char **argv) {
  MPI_Win wins[3];
  double *memory[3];
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 0; k < 3; k++)
    MPI_Win_allocate(N * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory[k], &wins[k]);
  for (int k = 0; k < 3; k++) MPI_Win_fence(0, wins[k]);
  for (int k = 0; k < 3; k++)
    MPI_Put(x, 1, MPI_DOUBLE, (rank + 1) % size, k, 1, MPI_DOUBLE, wins[k]);
  MPI_Put(y, 1, MPI_DOUBLE, rank, 1, 1, MPI_DOUBLE, wins[2]);
  for (int k = 0; k < 3; k++) MPI_Win_fence(0, wins[k]);
  for (int k = 0; k < 3; k++) MPI_Win_free(&wins[k]);
  MPI_Finalize();
}
//// shared-locks
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Win_lock_all(0, f.win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Put(x, 1, MPI_DOUBLE, 0, 3, 1, MPI_DOUBLE, f.win); // WARN rma.race NOTE
  MPI_Win_flush(0, f.win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// shared-locks-ok
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Win_lock_all(0, f.win);
  for (int turn = 0; turn < f.size; turn++) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (turn != f.rank) continue;
    MPI_Put(x, 1, MPI_DOUBLE, 0, 3, 1, MPI_DOUBLE, f.win);
    MPI_Win_flush(0, f.win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(f.win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, f.win);
  MPI_Put(x, 1, MPI_DOUBLE, 0, 3, 1, MPI_DOUBLE, f.win);
  MPI_Win_unlock(0, f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// token-ok
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Win_lock_all(0, f.win);
  if (f.rank > 0) MPI_Recv(y, 1, MPI_DOUBLE, f.rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Put(x, 1, MPI_DOUBLE, 0, 3, 1, MPI_DOUBLE, f.win);
  MPI_Win_flush(0, f.win);
  if (f.rank + 1 < f.size) MPI_Send(y, 1, MPI_DOUBLE, f.rank + 1, 0, MPI_COMM_WORLD);
  MPI_Win_unlock_all(f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// two-operations
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Win_fence(0, f.win);
  MPI_Accumulate(x, 8, MPI_DOUBLE, 0, 0, 8, MPI_DOUBLE, MPI_SUM, f.win); // NOTE
  if (f.rank == 1) MPI_Put(y, 1, MPI_DOUBLE, 0, 7, 1, MPI_DOUBLE, f.win); // WARN rma.race
  MPI_Win_fence(0, f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// two-operations-ok
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Win_fence(0, f.win);
  MPI_Accumulate(x, 8, MPI_DOUBLE, 0, 0, 8, MPI_DOUBLE, MPI_SUM, f.win);
  if (f.rank == 1) MPI_Put(y, 1, MPI_DOUBLE, 0, 8, 1, MPI_DOUBLE, f.win);
  MPI_Win_fence(0, f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// data-decides-ok
int main(int argc, char **argv) {
  struct field f;
  int owner;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Win_fence(0, f.win);
  MPI_Scatter((int *)x, 1, MPI_INT, &owner, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (owner == 7) MPI_Put(x, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, f.win);
  MPI_Put(y, 1, MPI_DOUBLE, 0, 1 + owner, 1, MPI_DOUBLE, f.win);
  MPI_Win_fence(0, f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// for-two-ok
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  if (f.size != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Win_fence(0, f.win);
  if (f.rank != 0) MPI_Put(x, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, f.win);
  MPI_Win_fence(0, f.win);
  put(&f, x, 1, 1 - f.rank, 0);
  MPI_Win_fence(0, f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// early-return
static int fill(struct field *f, int n) {
  double *work = malloc(n * sizeof(double));
  if (!work) return -1;
  for (int i = 0; i < n; i++) work[i] = f->rank;
  MPI_Win_fence(0, f->win);
  MPI_Put(work, n, MPI_DOUBLE, f->size - 1, 0, n, MPI_DOUBLE, f->win); // WARN rma.race NOTE
  MPI_Win_fence(0, f->win);
  free(work);
  return 0;
}
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  int rc = fill(&f, 8);
  MPI_Win_free(&f.win);
  MPI_Finalize();
  return rc;
}
//// early-return-ok
static int fill(struct field *f, int n) {
  double *work = malloc(n * sizeof(double));
  if (!work) return -1;
  for (int i = 0; i < n; i++) work[i] = f->rank;
  MPI_Win_fence(0, f->win);
  MPI_Put(work, n, MPI_DOUBLE, f->size - 1, n * f->rank, n, MPI_DOUBLE, f->win);
  MPI_Win_fence(0, f->win);
  free(work);
  return 0;
}
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  int rc = fill(&f, 8);
  MPI_Win_free(&f.win);
  MPI_Finalize();
  return rc;
}
//// post-start-two-origins
static MPI_Group group_of(MPI_Comm comm, int n, const int *ranks) {
  MPI_Group all, some;
  MPI_Comm_group(comm, &all);
  MPI_Group_incl(all, n, ranks, &some);
  MPI_Group_free(&all);
  return some;
}
int main(int argc, char **argv) {
  struct field f;
  int ranks[2];
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  ranks[0] = (f.rank + 1) % f.size, ranks[1] = (f.rank + f.size - 1) % f.size;
  MPI_Group neighbours = group_of(f.comm, 2, ranks);
  MPI_Win_post(neighbours, 0, f.win);
  MPI_Win_start(neighbours, 0, f.win);
  put(&f, x, 1, ranks[0], 0);
  MPI_Put(x, 1, MPI_DOUBLE, ranks[1], 0, 1, MPI_DOUBLE, f.win); // WARN rma.race
  MPI_Win_complete(f.win);
  MPI_Win_wait(f.win);
  MPI_Group_free(&neighbours);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// post-start-two-origins-ok
static MPI_Group group_of(MPI_Comm comm, int n, const int *ranks) {
  MPI_Group all, some;
  MPI_Comm_group(comm, &all);
  MPI_Group_incl(all, n, ranks, &some);
  MPI_Group_free(&all);
  return some;
}
int main(int argc, char **argv) {
  struct field f;
  int ranks[2];
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  ranks[0] = (f.rank + 1) % f.size, ranks[1] = (f.rank + f.size - 1) % f.size;
  MPI_Group neighbours = group_of(f.comm, 2, ranks);
  for (int t = 0; t < 3; t++) {
    f.memory[0] = f.memory[1] = 0;
    MPI_Win_post(neighbours, 0, f.win);
    MPI_Win_start(neighbours, 0, f.win);
    put(&f, x, 1, ranks[0], 0);
    put(&f, x, 1, ranks[1], 1);
    f.memory[5] = t;
    MPI_Win_complete(f.win);
    MPI_Win_wait(f.win);
    y[t] = f.memory[0] + f.memory[1];
  }
  MPI_Group_free(&neighbours);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// store-in-exposure
int main(int argc, char **argv) {
  struct field f;
  MPI_Group all, one;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  int left = (f.rank + f.size - 1) % f.size, right = (f.rank + 1) % f.size;
  MPI_Win_get_group(f.win, &all);
  MPI_Group_incl(all, 1, &left, &one);
  MPI_Win_post(one, 0, f.win);
  MPI_Group_free(&one);
  MPI_Group_incl(all, 1, &right, &one);
  MPI_Win_start(one, 0, f.win);
  MPI_Put(x, 4, MPI_DOUBLE, right, 0, 4, MPI_DOUBLE, f.win); // WARN rma.race
  MPI_Win_complete(f.win);
  for (int i = 0; i < 4; i++) f.memory[i] += y[i]; // NOTE
  MPI_Win_wait(f.win);
  MPI_Group_free(&one);
  MPI_Group_free(&all);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// store-in-exposure-ok
int main(int argc, char **argv) {
  struct field f;
  MPI_Group all, one;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  int left = (f.rank + f.size - 1) % f.size, right = (f.rank + 1) % f.size;
  MPI_Win_get_group(f.win, &all);
  MPI_Group_incl(all, 1, &left, &one);
  MPI_Win_post(one, 0, f.win);
  MPI_Group_free(&one);
  MPI_Group_incl(all, 1, &right, &one);
  MPI_Win_start(one, 0, f.win);
  put(&f, x, 4, right, 0);
  MPI_Win_complete(f.win);
  for (int i = 4; i < 8; i++) f.memory[i] += y[i];
  MPI_Win_wait(f.win);
  for (int i = 0; i < 4; i++) f.memory[i] += y[i];
  MPI_Group_free(&one);
  MPI_Group_free(&all);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// store-before-start
int main(int argc, char **argv) {
  struct field f;
  MPI_Group all, one;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Comm_group(f.comm, &all);
  MPI_Group_excl(all, 1, &f.rank, &one);
  MPI_Win_post(one, 0, f.win);
  f.memory[0] = 1; // NOTE
  MPI_Win_start(one, 0, f.win);
  for (int i = 0; i < f.size; i++)
    if (i != f.rank) MPI_Get(&y[i], 1, MPI_DOUBLE, i, 0, 1, MPI_DOUBLE, f.win); // WARN rma.race
  MPI_Win_complete(f.win);
  MPI_Win_wait(f.win);
  MPI_Group_free(&one);
  MPI_Group_free(&all);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// master-gathers-by-groups
int main(int argc, char **argv) {
  struct field f;
  MPI_Group all, one;
  const int master = 0;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Comm_group(f.comm, &all);
  if (f.rank == master) {
    MPI_Group_excl(all, 1, &master, &one);
    MPI_Win_post(one, 0, f.win);
    MPI_Win_wait(f.win);
  } else {
    MPI_Group_incl(all, 1, &master, &one);
    MPI_Win_start(one, 0, f.win);
    MPI_Put(x, 2, MPI_DOUBLE, master, f.rank, 2, MPI_DOUBLE, f.win); // WARN rma.race
    MPI_Win_complete(f.win);
  }
  MPI_Group_free(&one);
  MPI_Group_free(&all);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// master-gathers-by-groups-ok
int main(int argc, char **argv) {
  struct field f;
  MPI_Group all, one;
  const int master = 0;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Comm_group(f.comm, &all);
  if (f.rank == master) {
    MPI_Group_excl(all, 1, &master, &one);
    MPI_Win_post(one, 0, f.win);
    MPI_Win_wait(f.win);
  } else {
    MPI_Group_incl(all, 1, &master, &one);
    MPI_Win_start(one, 0, f.win);
    MPI_Put(x, 1, MPI_DOUBLE, master, f.rank, 1, MPI_DOUBLE, f.win);
    MPI_Win_complete(f.win);
  }
  MPI_Group_free(&one);
  MPI_Group_free(&all);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// told-in-exposure-ok
int main(int argc, char **argv) { // the message orders the store before the get
  struct field f;
  MPI_Group all, one;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  MPI_Comm_group(f.comm, &all);
  int other = f.rank == 0;
  MPI_Group_incl(all, 1, &other, &one);
  if (f.rank == 0) {
    MPI_Win_post(one, 0, f.win);
    f.memory[0] = 1;
    MPI_Send(x, 1, MPI_DOUBLE, 1, 0, f.comm);
    MPI_Win_wait(f.win);
  } else if (f.rank == 1) {
    MPI_Recv(x, 1, MPI_DOUBLE, 0, 0, f.comm, MPI_STATUS_IGNORE);
    MPI_Win_start(one, 0, f.win);
    MPI_Get(y, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, f.win);
    MPI_Win_complete(f.win);
  }
  MPI_Group_free(&one);
  MPI_Group_free(&all);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// arrays-of-windows
int main(int argc, char **argv) {
  struct field fields[3];
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 3; i++) open_field(&fields[i], MPI_COMM_WORLD);
  for (int i = 0; i < 3; i++) MPI_Win_fence(0, fields[i].win);
  for (int i = 0; i < 3; i++) {
    struct field *f = &fields[i];
    if (f->rank > 0) MPI_Put(x, 1, MPI_DOUBLE, f->rank - 1, 1, 1, MPI_DOUBLE, f->win); // WARN rma.race
    if (i == 1) f->memory[1] = 2; // NOTE
  }
  for (int i = 0; i < 3; i++) MPI_Win_fence(0, fields[i].win);
  for (int i = 0; i < 3; i++) MPI_Win_free(&fields[i].win);
  MPI_Finalize();
}
//// arrays-of-windows-ok
int main(int argc, char **argv) {
  struct field fields[3];
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 3; i++) open_field(&fields[i], MPI_COMM_WORLD);
  for (int i = 0; i < 3; i++) MPI_Win_fence(0, fields[i].win);
  for (int i = 0; i < 3; i++) {
    struct field *f = &fields[i];
    if (f->rank > 0 && i != 1) MPI_Put(x, 1, MPI_DOUBLE, f->rank - 1, 1, 1, MPI_DOUBLE, f->win);
    if (i == 1) f->memory[1] = 2;
  }
  for (int i = 0; i < 3; i++) MPI_Win_fence(0, fields[i].win);
  for (int i = 0; i < 3; i++) MPI_Win_free(&fields[i].win);
  MPI_Finalize();
}
//// cart-shift-halo-ok
int main(int argc, char **argv) {
  int dims[1] = {0}, periods[1] = {0}, left, right, size; double *u; MPI_Comm line; MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 1, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
  MPI_Cart_shift(line, 0, 1, &left, &right);
  MPI_Win_allocate(12 * sizeof(double), sizeof(double), MPI_INFO_NULL, line, &u, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&u[1], 1, MPI_DOUBLE, left, 11, 1, MPI_DOUBLE, win);
  MPI_Put(&u[10], 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Comm_free(&line);
  MPI_Finalize();
}
//// cart-shift-halo
int main(int argc, char **argv) {
  int dims[1] = {0}, periods[1] = {1}, left, right, size; double *u; MPI_Comm line; MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 1, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
  MPI_Cart_shift(line, 0, 1, &left, &right);
  MPI_Win_allocate(12 * sizeof(double), sizeof(double), MPI_INFO_NULL, line, &u, &win);
  double a = 1, b = 2;
  MPI_Win_fence(0, win);
  MPI_Put(&a, 1, MPI_DOUBLE, left, 0, 1, MPI_DOUBLE, win); // NOTE
  MPI_Put(&b, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win); // WARN rma.race
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Comm_free(&line);
  MPI_Finalize();
}
//// of-one-process-ok
static void copy_to_itself(MPI_Comm comm) {
  struct field f;
  open_field(&f, comm);
  MPI_Win_fence(0, f.win);
  put(&f, x, N, 0, 0);
  MPI_Win_fence(0, f.win);
  MPI_Win_free(&f.win);
}
int main(int argc, char **argv) {
  MPI_Comm self = MPI_COMM_SELF, same;
  MPI_Init(&argc, &argv);
  copy_to_itself(self);
  MPI_Comm_dup(MPI_COMM_SELF, &same);
  copy_to_itself(same);
  MPI_Comm_free(&same);
  MPI_Finalize();
}
//// mirrored-loop
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) f.memory[i] = f.rank;
  MPI_Win_fence(0, f.win);
  for (int i = 0; i < N; i++) {
    MPI_Get(&x[i], 1, MPI_DOUBLE, f.size - 1 - f.rank, N - 1 - i, 1, MPI_DOUBLE, f.win); // WARN rma.race
    f.memory[i] = i; // NOTE
  }
  MPI_Win_fence(0, f.win);
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// mirrored-loop-ok
int main(int argc, char **argv) {
  struct field f;
  MPI_Init(&argc, &argv);
  open_field(&f, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) f.memory[i] = f.rank;
  MPI_Win_fence(0, f.win);
  for (int i = 0; i < N; i++) {
    MPI_Get(&x[i], 1, MPI_DOUBLE, f.size - 1 - f.rank, N - 1 - i, 1, MPI_DOUBLE, f.win);
    y[i] = i;
  }
  MPI_Win_fence(0, f.win);
  for (int i = 0; i < N; i++) f.memory[i] = y[i];
  MPI_Win_free(&f.win);
  MPI_Finalize();
}
//// gaps-ok
int main(int argc, char **argv) {
  int rank, size, lengths[2] = {1, 1}, *st, o[2] = {1, 2};
  MPI_Aint at[2] = {0, 8};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT}, t;
  MPI_Win w;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &st, &w);
  MPI_Type_create_struct(2, lengths, at, types, &t);
  MPI_Type_commit(&t);
  MPI_Win_fence(0, w);
  MPI_Put(o, 2, MPI_INT, (rank + 1) % size, 0, 1, t, w);
  st[1] = 1;
  MPI_Win_fence(0, w);
  MPI_Type_free(&t);
  MPI_Win_free(&w);
  MPI_Finalize();
}
//// no-gap
int main(int argc, char **argv) {
  int rank, size, lengths[2] = {2, 1}, *st, o[3] = {1, 2, 3};
  MPI_Aint at[2] = {0, 8};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT}, t;
  MPI_Win w;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &st, &w);
  MPI_Type_create_struct(2, lengths, at, types, &t);
  MPI_Type_commit(&t);
  MPI_Win_fence(0, w);
  MPI_Put(o, 3, MPI_INT, (rank + 1) % size, 0, 1, t, w); // WARN rma.race
  st[1] = 1;                                             // NOTE
  MPI_Win_fence(0, w);
  MPI_Type_free(&t);
  MPI_Win_free(&w);
  MPI_Finalize();
}
