// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows of one step: fences, post and start, locks, flushes, shared memory. Each origin has its own part of each
// target's memory (PART elements), and there is a counter that all update with one operation.
#include <stdlib.h>
#include "medley.h"

enum { PART = 16 };

struct window {
  MPI_Win win;
  int *memory; // size * PART, then the counter
  int counter;
};

static struct window make_window(const struct group *g) {
  struct window w = {.counter = g->size * PART};
  MPI_Aint bytes = (w.counter + 1) * (MPI_Aint)sizeof(int);
  if (draw(&shared_draws, 2)) {
    MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, g->comm, &w.memory, &w.win);
  } else {
    w.memory = malloc((size_t)bytes);
    MPI_Win_create(w.memory, bytes, sizeof(int), MPI_INFO_NULL, g->comm, &w.win);
  }
  for (int i = 0; i <= w.counter; i++) w.memory[i] = 0;
  return w;
}

static void free_window(struct window *w) {
  int *flavor, is_set;
  MPI_Win_get_attr(w->win, MPI_WIN_CREATE_FLAVOR, &flavor, &is_set);
  bool is_heap = is_set && *flavor == MPI_WIN_FLAVOR_CREATE;
  MPI_Win_free(&w->win);
  if (is_heap) free(w->memory);
}

static int value_of(int origin, int target, int i, int round) {
  return step_number * 1000 + origin * 100 + target * 20 + i + round * 7;
}

static void put_part(const struct group *g, const struct window *w, int target, int *buffer, int round) {
  for (int i = 0; i < PART; i++) buffer[i] = value_of(g->rank, target, i, round);
  MPI_Aint place = g->rank * PART - (g->rank ? IS_WRONG(21) : 0);
  switch (draw(&own_draws, 3)) {
  case 0: MPI_Put(buffer, PART, MPI_INT, target, place, PART, MPI_INT, w->win); break;
  case 1: MPI_Accumulate(buffer, PART, MPI_INT, target, place, PART, MPI_INT, MPI_REPLACE, w->win); break;
  default:
    MPI_Put(buffer, PART / 2, MPI_INT, target, place, PART / 2, MPI_INT, w->win);
    MPI_Put(buffer + PART / 2, PART / 2, MPI_INT, target, place + PART / 2, PART / 2, MPI_INT, w->win);
  }
}

static void look_at_parts(const struct group *g, const int *memory, int target, int round) {
  for (int r = 0; r < g->size; r++)
    for (int i = 0; i < PART; i++)
      expect(memory[r * PART + i] == value_of(r, target, i, round), "the memory of a window");
}

void step_fence(struct group *g) {
  struct window w = make_window(g);
  int rounds = 1 + (int)draw(&shared_draws, 3), target = (g->rank + 1) % g->size, one = 1;
  int *buffers = malloc((size_t)g->size * PART * sizeof(int)), *copy = malloc((size_t)w.counter * sizeof(int));
  MPI_Win_fence(MPI_MODE_NOPRECEDE, w.win);
  for (int k = 0; k < rounds; k++) {
    for (int r = 0; r < g->size; r++) put_part(g, &w, r, buffers + r * PART, k);
    MPI_Accumulate(&one, 1, MPI_INT, 0, w.counter, 1, MPI_INT, MPI_SUM, w.win);
    if (IS_WRONG(22)) w.memory[0] = 1;
    if (IS_WRONG(23)) buffers[0] = 1;
    MPI_Win_fence(MPI_MODE_NOPUT, w.win);
    look_at_parts(g, w.memory, g->rank, k);
    MPI_Get(copy, w.counter, MPI_INT, target, 0, w.counter, MPI_INT, w.win);
    if (IS_WRONG(24)) w.memory[w.counter - 1] = copy[0];
    MPI_Win_fence(k + 1 < rounds ? 0 : MPI_MODE_NOSUCCEED, w.win);
    look_at_parts(g, copy, target, k);
  }
  if (g->rank == 0) expect(w.memory[w.counter] == rounds * g->size, "a counter");
  free(buffers);
  free(copy);
  free_window(&w);
}

void step_post_start(struct group *g) {
  struct window w = make_window(g);
  int to = (g->rank + 1) % g->size, from = (g->rank + g->size - 1) % g->size, buffer[PART], flag = 0;
  MPI_Group all, origins, targets;
  MPI_Comm_group(g->comm, &all);
  MPI_Group_incl(all, 1, &from, &origins);
  MPI_Group_incl(all, 1, &to, &targets);
  int rounds = 1 + (int)draw(&shared_draws, 3);
  for (int k = 0; k < rounds; k++) {
    MPI_Win_post(origins, 0, w.win);
    MPI_Win_start(targets, 0, w.win);
    put_part(g, &w, to, buffer, k);
    if (IS_WRONG(25)) buffer[1] = 0;
    if (IS_WRONG(26)) w.memory[from * PART + 1] = 0;
    MPI_Win_complete(w.win);
    buffer[0] = 0;
    if (draw(&own_draws, 2)) MPI_Win_wait(w.win);
    else
      while (!flag) MPI_Win_test(w.win, &flag);
    flag = 0;
    for (int i = 0; i < PART; i++) expect(w.memory[from * PART + i] == value_of(from, g->rank, i, k), "what was put");
    w.memory[from * PART] = 0;
  }
  MPI_Group_free(&all);
  if (!IS_WRONG(31)) MPI_Group_free(&origins);
  MPI_Group_free(&targets);
  free_window(&w);
}

// A counter of rank 0 is read and written in exclusive locks; a second one by atomic operations.
void step_locks(struct group *g) {
  struct window w = make_window(g);
  MPI_Barrier(g->comm);
  int rounds = 1 + (int)draw(&shared_draws, 3), value, one = 1, before;
  for (int k = 0; k < rounds; k++) {
    MPI_Win_lock(IS_WRONG(27) ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 0, 0, w.win);
    MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, w.win);
    MPI_Win_flush(0, w.win);
    value++;
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, w.win);
    MPI_Win_unlock(0, w.win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w.win);
    MPI_Fetch_and_op(&one, &before, MPI_INT, 0, w.counter, MPI_SUM, w.win);
    MPI_Win_unlock(0, w.win);
    expect(before >= 0 && before < rounds * g->size, "a fetched counter");
  }
  MPI_Barrier(g->comm);
  if (g->rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w.win);
    expect(w.memory[0] == rounds * g->size && w.memory[w.counter] == rounds * g->size, "a counter behind locks");
    MPI_Win_unlock(0, w.win);
  }
  free_window(&w);
}

void step_flush(struct group *g) {
  struct window w = make_window(g);
  int *buffers = malloc((size_t)g->size * PART * sizeof(int)), rounds = 1 + (int)draw(&shared_draws, 3), copy[PART];
  MPI_Request request;
  MPI_Win_lock_all(draw(&shared_draws, 2) ? MPI_MODE_NOCHECK : 0, w.win);
  MPI_Win_sync(w.win);
  MPI_Barrier(g->comm);
  for (int k = 0; k < rounds; k++) {
    for (int r = 0; r < g->size; r++) {
      put_part(g, &w, r, buffers + r * PART, k);
      if (draw(&own_draws, 2)) MPI_Win_flush(r, w.win);
    }
    if (!IS_WRONG(28)) MPI_Win_flush_all(w.win);
    MPI_Barrier(g->comm);
    MPI_Win_sync(w.win);
    look_at_parts(g, w.memory, g->rank, k);
    int target = (g->rank + 1 + k) % g->size;
    MPI_Rget(copy, PART, MPI_INT, target, g->rank * PART, PART, MPI_INT, w.win, &request);
    if (IS_WRONG(29)) copy[0] = 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < PART; i++) expect(copy[i] == value_of(g->rank, target, i, k), "what MPI_Rget brought");
    MPI_Barrier(g->comm);
  }
  MPI_Win_unlock_all(w.win);
  free(buffers);
  free_window(&w);
}

void step_shared(struct group *g) {
  int *mine, *other, unit, next = (g->rank + 1) % g->size;
  MPI_Aint size;
  MPI_Win win;
  MPI_Win_allocate_shared(PART * sizeof(int), sizeof(int), MPI_INFO_NULL, g->comm, &mine, &win);
  MPI_Win_shared_query(win, next, &size, &unit, &other);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < PART; i++) mine[i] = value_of(g->rank, 0, i, k);
    MPI_Win_sync(win);
    MPI_Barrier(g->comm);
    MPI_Win_sync(win);
    for (int i = 0; i < PART; i++) expect(other[i] == value_of(next, 0, i, k), "the memory of a neighbour");
    if (IS_WRONG(30)) other[0] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(g->comm);
    MPI_Win_sync(win);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}
