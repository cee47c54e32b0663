// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halo: heat flows along a rod that is cut into one piece per process. Each process puts its outermost cells into its
// neighbours' halo cells with one-sided communication, and rank 0 gathers a picture from time to time.
// It seems to work and usually prints the right numbers, but it has three mistakes, marked MISTAKE below:
//
//   halo           a data race in the halo exchange, and a datatype that is never freed; the program runs to its end
//   halo deadlock  the same, and then the processes wait for each other in a ring for ever
//
// README.md shows what mpicc-check reports about them.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 1000, STEPS = 20, EVERY = 10, TAG_PICTURE = 7, TAG_TOTAL = 8 };

struct rod {
  int rank, size, left, right;  // neighbours, MPI_PROC_NULL at the ends
  double *cells;                // window memory: halo, CELLS cells, halo
  double *next;
  MPI_Win win;
};

static void create(struct rod *rod) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rod->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rod->size);
  rod->left = rod->rank > 0 ? rod->rank - 1 : MPI_PROC_NULL;
  rod->right = rod->rank < rod->size - 1 ? rod->rank + 1 : MPI_PROC_NULL;
  MPI_Win_allocate((CELLS + 2) * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &rod->cells, &rod->win);
  rod->next = malloc((CELLS + 2) * sizeof(double));
  if (!rod->next) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < CELLS + 2; i++) rod->cells[i] = 0;
  if (rod->rank == 0) rod->cells[1] = 100;
}

// Puts the outermost own cells into the neighbours' halo cells.
static void exchange(struct rod *rod) {
  MPI_Put(&rod->cells[1], 1, MPI_DOUBLE, rod->left, CELLS + 1, 1, MPI_DOUBLE, rod->win);
  MPI_Put(&rod->cells[CELLS], 1, MPI_DOUBLE, rod->right, 0, 1, MPI_DOUBLE, rod->win);
}

// One step of the heat equation from cells into next.
static void relax(struct rod *rod) {
  const double *u = rod->cells;
  for (int i = 1; i <= CELLS; i++) rod->next[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

static void step(struct rod *rod) {
  MPI_Win_fence(0, rod->win);
  exchange(rod);
  // MISTAKE 1: relax() reads the halo cells while the neighbours' puts are still under way. A fence is missing between
  // exchange() and relax().
  relax(rod);
  MPI_Win_fence(0, rod->win);
  memcpy(rod->cells + 1, rod->next + 1, CELLS * sizeof(double));
}

// Every tenth cell of every process, on rank 0.
static void picture(struct rod *rod) {
  double tenth[CELLS / EVERY], sum = 0;
  MPI_Datatype sparse;
  MPI_Type_vector(CELLS / EVERY, 1, EVERY, MPI_DOUBLE, &sparse);
  MPI_Type_commit(&sparse);
  if (rod->rank == 0) {
    for (int r = 1; r < rod->size; r++) {
      MPI_Recv(tenth, CELLS / EVERY, MPI_DOUBLE, r, TAG_PICTURE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < CELLS / EVERY; i++) sum += tenth[i];
    }
    for (int i = 1; i <= CELLS; i += EVERY) sum += rod->cells[i];
    printf("heat seen: %.3f\n", sum);
  } else {
    MPI_Send(rod->cells + 1, 1, sparse, 0, TAG_PICTURE, MPI_COMM_WORLD);
  }
  // MISTAKE 2: MPI_Type_free(&sparse) is missing: each picture leaves a datatype behind.
}

// The heat of the whole rod: the sum is handed around the ring of processes, from rank 0 back to rank 0.
static double total(struct rod *rod, int starter) {
  double sum = 0, all = 0;
  int from = (rod->rank + rod->size - 1) % rod->size, to = (rod->rank + 1) % rod->size;
  for (int i = 1; i <= CELLS; i++) sum += rod->cells[i];
  if (rod->rank == starter) {
    MPI_Send(&sum, 1, MPI_DOUBLE, to, TAG_TOTAL, MPI_COMM_WORLD);
    MPI_Recv(&all, 1, MPI_DOUBLE, from, TAG_TOTAL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&all, 1, MPI_DOUBLE, from, TAG_TOTAL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    all += sum;
    MPI_Send(&all, 1, MPI_DOUBLE, to, TAG_TOTAL, MPI_COMM_WORLD);
  }
  return all;
}

int main(int argc, char **argv) {
  struct rod rod;
  MPI_Init(&argc, &argv);
  // MISTAKE 3 (halo deadlock): no rank starts the ring, so all ranks receive before they send.
  int starter = argc > 1 && !strcmp(argv[1], "deadlock") ? -1 : 0;
  create(&rod);
  for (int t = 1; t <= STEPS; t++) {
    step(&rod);
    if (t % EVERY == 0) picture(&rod);
  }
  double heat = total(&rod, starter);
  if (rod.rank == 0) printf("heat in all: %.3f\n", heat);
  MPI_Win_free(&rod.win);
  free(rod.next);
  MPI_Finalize();
  return 0;
}
