// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// medley SEED STEPS [MISTAKE]: all ranks draw the same steps from the seed, so the program is right however the steps
// follow each other. Operations stay under way over several steps. What comes is compared with what must come.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "medley.h"

enum { PENDING = 6 };

struct random shared_draws, own_draws;
int world_rank, world_size, step_number, wanted_mistake;
static int first_mistake;
static struct pending *under_way[PENDING];
static int under_way_count;

unsigned draw(struct random *r, unsigned below) {
  r->state = r->state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(r->state >> 33) % below;
}

// On the last rank, from the middle of the run on, once.
bool make_mistake(const char *file, int line) {
  static bool is_made;
  if (is_made || world_rank != world_size - 1 || step_number < first_mistake) return false;
  is_made = true;
  fprintf(stderr, "medley: mistake %d at %s:%d\n", wanted_mistake, strrchr(file, '/') ? strrchr(file, '/') + 1 : file,
          line);
  return true;
}

void expect(bool is_right, const char *what) {
  if (is_right || wanted_mistake) return;
  fprintf(stderr, "medley: rank %d, step %d: %s is wrong\n", world_rank, step_number, what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

struct pending *begin_pending(int key) {
  struct pending *p = calloc(1, sizeof *p);
  p->key = key;
  return p;
}

static void complete(struct pending *p) {
  int done = 0, which[2 * RANKS], flag = 0;
  switch (draw(&own_draws, 5)) {
  case 0:
    for (int i = 0; i < p->count; i++) MPI_Wait(&p->requests[i], MPI_STATUS_IGNORE);
    break;
  case 1: MPI_Waitall(p->count, p->requests, MPI_STATUSES_IGNORE); break;
  case 2:
    for (int i = 0; i < p->count; i++) MPI_Waitany(p->count, p->requests, &which[0], MPI_STATUS_IGNORE);
    break;
  case 3:
    for (int n = 0; done < p->count; done += n) MPI_Waitsome(p->count, p->requests, &n, which, MPI_STATUSES_IGNORE);
    break;
  default:
    while (!flag) MPI_Testall(p->count, p->requests, &flag, MPI_STATUSES_IGNORE);
  }
}

static void finish(struct pending *p) {
  complete(p);
  if (p->look) p->look(p);
  free(p->sent);
  free(p->got);
  free(p);
}

void keep_pending(struct pending *p) {
  if (draw(&own_draws, 3) == 0) {
    finish(p);
    return;
  }
  if (under_way_count == PENDING) finish(under_way[--under_way_count]);
  under_way[under_way_count++] = p;
}

void finish_some(bool is_all) {
  while (under_way_count && (is_all || draw(&own_draws, 3) == 0)) {
    unsigned i = draw(&own_draws, (unsigned)under_way_count);
    struct pending *p = under_way[i];
    under_way[i] = under_way[--under_way_count];
    finish(p);
  }
}

static void (*const STEPS[])(struct group *) = {
    step_exchange,
    step_exchange,
    step_blocking,
    step_persistent,
    step_probe,
    step_any_source,
    step_collective,
    step_collective,
    step_nonblocking_collective,
    step_nonblocking_collective,
    step_neighbors,
    step_intercomm,
    step_file,
    step_fence,
    step_post_start,
    step_locks,
    step_flush,
    step_shared,
};
enum { KINDS = sizeof STEPS / sizeof STEPS[0], WINDOWS = 5 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  int steps = argc > 2 ? atoi(argv[2]) : 100;
  wanted_mistake = argc > 3 ? atoi(argv[3]) : 0;
  first_mistake = steps / 4;
  struct random all = {seed * 2654435761u + 17};
  own_draws.state = seed * 31 + (unsigned)world_rank * 977;
  struct group groups[GROUPS] = {{MPI_COMM_WORLD, world_rank, world_size, 0}};
  for (int i = 1; i < GROUPS; i++) groups[i] = groups[0];
  for (step_number = 1; step_number <= steps; step_number++) {
    unsigned kind = draw(&all, KINDS + 1), which = draw(&all, GROUPS);
    // Open MPI 4.1 gives the memory of windows of disjoint communicators one name: all windows are of all ranks.
    struct group *g = &groups[kind >= KINDS - WINDOWS ? 0 : which];
    // The members of one communicator draw the same, those of another one something else.
    shared_draws.state = draw(&all, 1u << 30) + (kind < KINDS ? (unsigned)g->color * 1000003u : 0);
    for (int i = 0; i < 3; i++) draw(&shared_draws, 2);
    if (kind < KINDS) STEPS[kind](g);
    else step_split(groups); // of MPI_COMM_WORLD: all draw the same
    finish_some(false);
  }
  finish_some(true);
  for (int i = 1; i < GROUPS; i++)
    if (groups[i].comm != MPI_COMM_WORLD) MPI_Comm_free(&groups[i].comm);
  if (world_rank == 0) printf("done\n");
  MPI_Finalize();
}
