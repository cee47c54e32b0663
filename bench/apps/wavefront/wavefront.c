// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wave over a grid whose columns are divided among the ranks, after PRK's Synch_p2p: each row needs a value from the
// rank before. usage: wavefront [columns] [rows] [iterations]
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include "bench/apps/aligned.h"
#include "bench/apps/measured.h"
#include "link.h"

struct grid {
  int rank, size;
  long columns, rows;       // of all ranks
  long start, end, segment; // own columns, inclusive; with the one before them
  double *values;
};
#define AT(g, i, j) (g)->values[(i) - (g)->start + 1 + (j) * (g)->segment]

static void grid_make(struct grid *g, long columns, long rows) {
  MPI_Comm_rank(MPI_COMM_WORLD, &g->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &g->size);
  g->columns = columns, g->rows = rows;
  g->start = columns * g->rank / g->size, g->end = columns * (g->rank + 1) / g->size - 1;
  g->segment = g->end - g->start + 2;
  g->values = aligned_get((size_t)(g->segment * rows) * sizeof *g->values);
  for (long k = 0; k < g->segment * rows; k++) g->values[k] = 0;
  if (g->rank == 0)
    for (long j = 0; j < rows; j++) AT(g, 0, j) = (double)j;
  for (long i = g->start - 1; i <= g->end; i++) AT(g, i, 0) = (double)i;
}

static void sweep(struct grid *g, struct link *link, long turn) {
  for (long j = 1; j < g->rows; j++) {
    if (g->rank > 0) AT(g, g->start - 1, j) = link_receive(link, g->rank - 1, j, turn);
    for (long i = g->rank ? g->start : 1; i <= g->end; i++)
      AT(g, i, j) = AT(g, i - 1, j) + AT(g, i, j - 1) - AT(g, i - 1, j - 1);
    if (g->rank < g->size - 1) link_send(link, g->rank + 1, j, turn, AT(g, g->end, j));
  }
  if (g->size == 1) {
    AT(g, 0, 0) = -AT(g, g->end, g->rows - 1);
  } else if (g->rank == g->size - 1) { // the last corner starts the next wave
    link_send(link, 0, 0, turn, -AT(g, g->end, g->rows - 1));
  } else if (g->rank == 0) {
    AT(g, 0, 0) = link_receive(link, g->size - 1, 0, turn);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  struct grid g;
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long columns = measured_argument(argc, argv, 1, 64, 2l * size), rows = measured_argument(argc, argv, 2, 2000, 2);
  long iterations = measured_argument(argc, argv, 3, 1000, 1);
  grid_make(&g, columns, rows);
  struct link *link = link_make(g.rank, g.size, rows);
  measured_begin();
  for (long turn = 1; turn <= iterations; turn++) sweep(&g, link, turn);
  measured_end();
  double corner = AT(&g, g.end, rows - 1), expected = (double)(iterations * (columns + rows - 2));
  int is_right = g.rank < g.size - 1 || fabs(corner - expected) < 1e-8 * expected;
  is_right = measured_print("wavefront", is_right);
  link_release(link);
  aligned_release(g.values);
  return measured_finish(is_right);
}
