// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs with epochs of windows (programs.py): wrong ones and their right twins.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int read_input(void);
void work(double *);
static MPI_Win make(double *memory, int n) {
  MPI_Win win;
  MPI_Win_create(memory, n * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  return win;
}
static double memory[100], buffer[100];
//// lock-early-return
static int update(MPI_Win win, int target) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win); // NOTE
  if (read_input() < 0) // NOTE
    return -1;
  MPI_Put(buffer, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, win);
  MPI_Win_unlock(target, win);
  return 0;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  update(win, 0);
  MPI_Win_free(&win); // WARN rma.free-in-epoch
  MPI_Finalize();
}
//// lock-early-return-ok
static int update(MPI_Win win, int target) {
  int failed = read_input() < 0;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
  if (failed) goto out;
  MPI_Put(buffer, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, win);
out:
  MPI_Win_unlock(target, win);
  return failed;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  update(win, 0);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// lock-loop-return
static int update(MPI_Win win, int target, int n) {
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win); // NOTE
  for (int i = 0; i < n; i++) {
    if (read_input()) // NOTE
      return i;
    MPI_Put(&buffer[i], 1, MPI_DOUBLE, target, i, 1, MPI_DOUBLE, win);
  }
  MPI_Win_unlock(target, win);
  return n;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  update(win, 1, argc);
  MPI_Win_free(&win); // WARN rma.free-in-epoch
  MPI_Finalize();
}
//// lock-loop-return-ok
static int update(MPI_Win win, int target, int n) {
  int i;
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
  for (i = 0; i < n; i++) {
    if (read_input()) break;
    MPI_Put(&buffer[i], 1, MPI_DOUBLE, target, i, 1, MPI_DOUBLE, win);
  }
  MPI_Win_unlock(target, win);
  return i;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  update(win, 1, argc);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// put-outside
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  if (read_input()) // NOTE
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
  MPI_Put(buffer, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win); // WARN rma.outside-epoch
  MPI_Win_unlock(1, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// put-outside-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  int wanted = read_input();
  if (wanted) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
  work(buffer);
  if (wanted) MPI_Put(buffer, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win);
  if (wanted) MPI_Win_unlock(1, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// correlated-ok
int find_left(int *has), find_peer(void);
int main(int argc, char **argv) {
  int has, left;
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  left = find_left(&has);
  if (has) MPI_Win_lock(MPI_LOCK_SHARED, left, 0, win);
  if (left >= 0) MPI_Put(buffer, 1, MPI_DOUBLE, left, 0, 1, MPI_DOUBLE, win);
  if (left != -1) MPI_Win_unlock(left, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// rank-lock
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win win = make(memory, 100);
  if (rank == 0) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
  MPI_Put(buffer, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win); // WARN rma.outside-epoch
  if (rank == 0) MPI_Win_unlock(1, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// rank-lock-ok
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win win = make(memory, 100);
  if (rank == 0) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
  if (rank < 1) MPI_Put(buffer, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win);
  if (!rank) MPI_Win_unlock(1, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// unlock-unlocked
void update(MPI_Win win, int target) {
  MPI_Win_lock_all(0, win);
  MPI_Accumulate(buffer, 4, MPI_DOUBLE, target, 0, 4, MPI_DOUBLE, MPI_SUM, win);
  MPI_Win_unlock(target, win); // WARN rma.unlock-unlocked
}
//// unlock-unlocked-ok
void update(MPI_Win win, int target) {
  MPI_Win_lock_all(0, win);
  MPI_Accumulate(buffer, 4, MPI_DOUBLE, target, 0, 4, MPI_DOUBLE, MPI_SUM, win);
  MPI_Win_flush(target, win);
  MPI_Win_unlock_all(win);
}
//// unlock-twice
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Get(buffer, 8, MPI_DOUBLE, 0, 0, 8, MPI_DOUBLE, win);
  if (argc > 3) { // NOTE
    printf("%f\n", buffer[99]);
    MPI_Win_unlock(0, win);
  }
  MPI_Win_unlock(0, win); // WARN rma.unlock-unlocked
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// unlock-twice-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Get(buffer, 8, MPI_DOUBLE, 0, 0, 8, MPI_DOUBLE, win);
  if (argc > 3) {
    MPI_Win_unlock(0, win);
    printf("%f\n", buffer[99]);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  }
  MPI_Win_unlock(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// fence-within-lock
void update(MPI_Win win, int target, double *value) {
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win); // NOTE
  MPI_Put(value, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, win);
  if (value[0] > 0) MPI_Win_fence(0, win); // WARN rma.epoch-mixed
  MPI_Win_unlock(target, win);
}
//// fence-within-lock-ok
void update(MPI_Win win, int target, double *value) {
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
  MPI_Put(value, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, win);
  if (value[0] > 0) MPI_Win_flush(target, win);
  MPI_Win_unlock(target, win);
  MPI_Win_fence(0, win);
}
//// lock-after-put
void update(MPI_Win win, double *value) {
  MPI_Win_fence(0, win);
  MPI_Put(value, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win); // NOTE
  if (value[0] > 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); // WARN rma.epoch-mixed
    MPI_Put(value, 1, MPI_DOUBLE, 1, 8, 1, MPI_DOUBLE, win);
    MPI_Win_unlock(1, win);
  }
  MPI_Win_fence(0, win);
}
//// lock-after-put-ok
void update(MPI_Win win, double *value) {
  MPI_Win_fence(0, win);
  MPI_Put(value, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  if (value[0] > 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Put(value, 1, MPI_DOUBLE, 1, 8, 1, MPI_DOUBLE, win);
    MPI_Win_unlock(1, win);
  }
}
//// lock-twice
struct grid {
  MPI_Win win;
  int left, right;
};
static void pull(struct grid *g, int from) {
  MPI_Win_lock(MPI_LOCK_SHARED, from, 0, g->win); // WARN rma.lock-twice
  MPI_Get(buffer, 1, MPI_DOUBLE, from, 0, 1, MPI_DOUBLE, g->win);
  MPI_Win_unlock(from, g->win);
}
int main(int argc, char **argv) {
  struct grid g;
  MPI_Init(&argc, &argv);
  g.win = make(memory, 100);
  g.left = 0;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, g.left, 0, g.win); // NOTE
  pull(&g, g.left);
  MPI_Win_unlock(g.left, g.win);
  MPI_Win_free(&g.win);
  MPI_Finalize();
}
//// lock-twice-ok
struct grid {
  MPI_Win win;
  int left, right;
};
static void pull(struct grid *g, int from) {
  MPI_Win_lock(MPI_LOCK_SHARED, from, 0, g->win);
  MPI_Get(buffer, 1, MPI_DOUBLE, from, 0, 1, MPI_DOUBLE, g->win);
  MPI_Win_unlock(from, g->win);
}
int main(int argc, char **argv) {
  struct grid g;
  MPI_Init(&argc, &argv);
  g.win = make(memory, 100);
  g.left = 0, g.right = 1;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, g.left, 0, g.win);
  pull(&g, g.right);
  MPI_Win_unlock(g.left, g.win);
  MPI_Win_free(&g.win);
  MPI_Finalize();
}
//// put-behind-unlock
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  for (int i = 0; i < 4; i++) {
    MPI_Win_lock(MPI_LOCK_SHARED, i, 0, win);
    MPI_Put(buffer, 1, MPI_DOUBLE, i, 0, 1, MPI_DOUBLE, win);
    MPI_Win_unlock(i, win);
    MPI_Put(buffer, 1, MPI_DOUBLE, i, 8, 1, MPI_DOUBLE, win); // WARN rma.outside-epoch
  }
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// lock-loops-ok
int main(int argc, char **argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win win = make(memory, 100);
  for (int i = 0; i < size; i++) MPI_Win_lock(MPI_LOCK_SHARED, i, 0, win);
  for (int i = 0; i < size; i++) MPI_Put(buffer, 1, MPI_DOUBLE, i, 0, 1, MPI_DOUBLE, win);
  for (int i = 0; i < size; i++) MPI_Win_unlock(i, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// other-target
void update(void) {
  MPI_Win win = make(memory, 100);
  MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
  MPI_Put(buffer, 1, MPI_DOUBLE, 3, 0, 1, MPI_DOUBLE, win); // WARN rma.outside-epoch
  MPI_Win_unlock(2, win);
  MPI_Win_free(&win);
}
//// other-target-ok
void update(int *to) {
  MPI_Win win = make(memory, 100);
  MPI_Win_lock(MPI_LOCK_SHARED, to[0], 0, win);
  MPI_Put(buffer, 1, MPI_DOUBLE, to[1], 0, 1, MPI_DOUBLE, win);
  MPI_Win_unlock(to[2], win);
  MPI_Win_free(&win);
}
//// start-unclosed
void step(MPI_Win win, MPI_Group group, int target) {
  for (int i = 0; i < 10; i++) {
    MPI_Win_start(group, 0, win); // WARN rma.epoch-unclosed
    MPI_Put(buffer, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, win);
    if (buffer[i] < 0) // NOTE
      continue;
    MPI_Win_complete(win);
  }
}
//// start-unclosed-ok
void step(MPI_Win win, MPI_Group group, int target) {
  for (int i = 0; i < 10; i++) {
    if (buffer[i] < 0) continue;
    MPI_Win_start(group, 0, win);
    MPI_Put(buffer, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, win);
    MPI_Win_complete(win);
  }
}
//// complete-unopened
int main(int argc, char **argv) {
  MPI_Group all;
  MPI_Init(&argc, &argv);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Win win = make(memory, 100);
  MPI_Win_post(all, 0, win);
  if (argc > 1) MPI_Win_start(all, 0, win);
  MPI_Win_complete(win); // WARN rma.epoch-unopened
  MPI_Win_wait(win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// complete-unopened-ok
int main(int argc, char **argv) {
  MPI_Group all;
  int done = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Win win = make(memory, 100);
  MPI_Win_post(all, 0, win);
  MPI_Win_start(all, 0, win);
  if (argc > 1) MPI_Put(buffer, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win);
  MPI_Win_complete(win);
  while (!done) MPI_Win_test(win, &done);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// wait-without-post
void receive(MPI_Group from) {
  MPI_Win win = make(memory, 100);
  if (read_input()) MPI_Win_post(from, 0, win);
  MPI_Win_wait(win); // WARN rma.epoch-unopened
  MPI_Win_free(&win);
}
//// wait-without-post-ok
void receive(MPI_Group from) {
  MPI_Win win = make(memory, 100);
  if (read_input()) {
    MPI_Win_post(from, 0, win);
    MPI_Win_wait(win);
  }
  MPI_Win_free(&win);
}
//// post-open
void receive(MPI_Group from) {
  MPI_Win win = make(memory, 100);
  MPI_Win_post(from, 0, win); // NOTE
  if (read_input() == 0) MPI_Win_wait(win); // NOTE
  MPI_Win_free(&win); // WARN rma.free-in-epoch
}
//// post-open-ok
void receive(MPI_Group from) {
  MPI_Win win = make(memory, 100);
  MPI_Win_post(from, 0, win);
  if (read_input() == 0) work(memory);
  MPI_Win_wait(win);
  MPI_Win_free(&win);
}
//// flush-in-fence
void update(MPI_Win win, int target) {
  MPI_Win_fence(0, win);
  MPI_Put(buffer, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, win); // NOTE
  MPI_Win_flush(target, win); // WARN rma.flush-active-target
  MPI_Win_fence(0, win);
}
//// rput-in-fence
void update(MPI_Win win, int target) {
  MPI_Request r;
  MPI_Win_fence(0, win);
  MPI_Rput(buffer, 1, MPI_DOUBLE, target, 0, 1, MPI_DOUBLE, win, &r); // WARN rma.outside-epoch
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Win_fence(0, win);
}
//// nosucceed
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  MPI_Win_fence(0, win);
  MPI_Put(buffer, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Put(buffer, 1, MPI_DOUBLE, 0, 8, 1, MPI_DOUBLE, win); // WARN rma.outside-epoch
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// nosucceed-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  for (int i = 0; i < 5; i++) {
    MPI_Win_fence(i == 0 ? MPI_MODE_NOPRECEDE : 0, win);
    MPI_Put(buffer, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win);
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// finalize-locked
static MPI_Win win;
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  win = make(memory, 100);
  MPI_Win_lock_all(0, win); // NOTE
  if (argc > 2) { // NOTE
    MPI_Finalize(); // WARN init.pending-at-finalize
    return 1;
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// unseen-ok
void synchronize(void);
static MPI_Win win;
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  win = make(memory, 100);
  synchronize();
  MPI_Put(buffer, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win);
  synchronize();
  MPI_Win_free(&win);
  MPI_Finalize();
}
void unlock(void) { MPI_Win_unlock(0, win); }
//// windows-ok
void update(int n) {
  MPI_Win win[8];
  for (int i = 0; i < n; i++) win[i] = make(memory, 100);
  for (int i = 0; i < n; i++) MPI_Win_lock_all(0, win[i]);
  for (int i = 0; i < n; i++) MPI_Put(buffer, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, win[i]);
  for (int i = 0; i < n; i++) MPI_Win_unlock_all(win[i]);
  for (int i = 0; i < n; i++) MPI_Win_free(&win[i]);
}
//// modes-ok
int main(int argc, char **argv) {
  int mode = argc;
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  switch (mode) {
  case 1: MPI_Win_fence(0, win); break;
  case 2: MPI_Win_lock_all(0, win); break;
  default: MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  }
  MPI_Put(buffer, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win);
  if (mode == 1) MPI_Win_fence(0, win);
  else if (mode == 2) MPI_Win_unlock_all(win);
  else MPI_Win_unlock(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// to-nobody-ok
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win win = make(memory, 100);
  int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  if (rank + 1 < size) MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
  MPI_Put(buffer, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
  if (rank < size - 1) MPI_Win_unlock(right, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// errors-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  if (MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win) != MPI_SUCCESS) {
    fprintf(stderr, "no lock\n");
    MPI_Win_free(&win);
    MPI_Finalize();
    return 1;
  }
  double *more = malloc(100);
  if (!more) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Put(buffer, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win);
  MPI_Win_unlock(0, win);
  free(more);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// member-window
struct table {
  MPI_Win win;
  double *slots;
  int home;
};
static int insert(struct table *t) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, t->home, 0, t->win); // NOTE
  if (read_input() < 0) return -1;                      // NOTE
  MPI_Put(buffer, 1, MPI_DOUBLE, t->home, 0, 1, MPI_DOUBLE, t->win);
  MPI_Win_unlock(t->home, t->win);
  return 0;
}
int main(int argc, char **argv) {
  struct table t = {.home = 0};
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(100 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &t.slots, &t.win);
  insert(&t);
  MPI_Win_free(&t.win); // WARN rma.free-in-epoch
  MPI_Finalize();
}
//// member-window-ok
struct exchange {
  MPI_Win win;
  double *mine;
  int count;
  char is_open;
};
static void fence(struct exchange *e, int is_last) {
  MPI_Win_fence(is_last ? MPI_MODE_NOSUCCEED : 0, e->win);
  e->is_open = !is_last;
  e->count++;
}
int main(int argc, char **argv) {
  int rank, size;
  struct exchange e = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(100 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &e.mine, &e.win);
  for (int i = 0; i < 3; i++) {
    fence(&e, 0);
    MPI_Put(buffer, 1, MPI_DOUBLE, (rank + 1) % size, i, 1, MPI_DOUBLE, e.win);
  }
  if (e.is_open) fence(&e, 1);
  MPI_Win_free(&e.win);
  MPI_Finalize();
}
//// early-return-by-what-was-read
static int take(MPI_Win win, int owner) {
  long old = 0, mine = 1;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, owner, 0, win); // NOTE
  MPI_Get(&old, 1, MPI_LONG, owner, 0, 1, MPI_LONG, win);
  MPI_Win_flush(owner, win);
  if (old != 0) // NOTE
    return -1;
  MPI_Put(&mine, 1, MPI_LONG, owner, 0, 1, MPI_LONG, win);
  MPI_Win_unlock(owner, win);
  return 0;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  take(win, 0);
  MPI_Win_free(&win); // WARN rma.free-in-epoch
  MPI_Finalize();
}
//// early-return-by-what-was-read-ok
static int take(MPI_Win win, int owner) {
  long old = 0, mine = 1;
  int is_taken = 0;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, owner, 0, win);
  MPI_Get(&old, 1, MPI_LONG, owner, 0, 1, MPI_LONG, win);
  MPI_Win_flush(owner, win);
  if (old == 0) {
    MPI_Put(&mine, 1, MPI_LONG, owner, 0, 1, MPI_LONG, win);
    is_taken = 1;
  }
  MPI_Win_unlock(owner, win);
  return is_taken;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Win win = make(memory, 100);
  take(win, 0);
  MPI_Win_free(&win);
  MPI_Finalize();
}
//// lock-left-open-in-a-turn
static int add(MPI_Win win, int key, int amount, int size) {
  int old, sum;
  if (key < 0 || key >= size * 8) return 2;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, key / 8, 0, win); // WARN rma.epoch-unclosed
  MPI_Get(&old, 1, MPI_INT, key / 8, key % 8, 1, MPI_INT, win);
  MPI_Win_flush(key / 8, win);
  sum = old + amount;
  if (sum > 100) { // NOTE
    fprintf(stderr, "bin %d full\n", key);
    return 1;
  }
  MPI_Put(&sum, 1, MPI_INT, key / 8, key % 8, 1, MPI_INT, win);
  MPI_Win_unlock(key / 8, win);
  return 0;
}
int main(int argc, char **argv) {
  int rank, size, rejected = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win win = make(memory, 100);
  for (int e = 0; e < 100; e++) rejected += add(win, (e * e + 3 * rank) % (size * 8), 1 + e % 5, size) != 0;
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  MPI_Win_unlock(rank, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return rejected;
}
//// lock-given-back-in-each-turn-ok
static int add(MPI_Win win, int key, int amount, int size) {
  int old, sum;
  if (key < 0 || key >= size * 8) return 2;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, key / 8, 0, win);
  MPI_Get(&old, 1, MPI_INT, key / 8, key % 8, 1, MPI_INT, win);
  MPI_Win_flush(key / 8, win);
  sum = old + amount;
  if (sum > 100) {
    fprintf(stderr, "bin %d full\n", key);
    MPI_Win_unlock(key / 8, win);
    return 1;
  }
  MPI_Put(&sum, 1, MPI_INT, key / 8, key % 8, 1, MPI_INT, win);
  MPI_Win_unlock(key / 8, win);
  return 0;
}
int main(int argc, char **argv) {
  int rank, size, rejected = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win win = make(memory, 100);
  for (int e = 0; e < 100; e++) rejected += add(win, (e * e + 3 * rank) % (size * 8), 1 + e % 5, size) != 0;
  MPI_Win_free(&win);
  MPI_Finalize();
  return rejected;
}
//// locks-of-a-loop-kept-for-another-ok
int main(int argc, char **argv) {
  int size, kept[64] = {0}, value = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win win = make(memory, 100);
  for (int r = 0; r < size && r < 64; r++) {
    MPI_Win_lock(MPI_LOCK_SHARED, r, 0, win);
    MPI_Put(&value, 1, MPI_INT, r, 0, 1, MPI_INT, win);
    if (argc > r) kept[r] = 1;
    else MPI_Win_unlock(r, win);
  }
  for (int r = 0; r < size && r < 64; r++)
    if (kept[r]) MPI_Win_unlock(r, win);
  MPI_Win_free(&win);
  MPI_Finalize();
}
