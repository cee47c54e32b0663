// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes a matrix by blocks, after PRK's Transpose. usage: transpose [order] [iterations] [tile] [how]
#include <math.h>
#include <mpi.h>
#include "bench/apps/aligned.h"
#include "bench/apps/measured.h"
#include "matrix.h"

static void fill(struct matrices *m) {
  for (int j = 0; j < m->block; j++)
    for (int i = 0; i < m->order; i++) {
      A(m, i, j) = (double)((long)m->order * (j + m->rank * m->block) + i);
      B(m, i, j) = 0;
    }
}

static void change(struct matrices *m) {
  for (int j = 0; j < m->block; j++)
    for (int i = 0; i < m->order; i++) A(m, i, j) += 1.0;
}

static int is_right(const struct matrices *m, long iterations) {
  double error = 0, added = (double)(iterations * (iterations - 1)) / 2;
  for (int j = 0; j < m->block; j++)
    for (int i = 0; i < m->order; i++)
      error += fabs(B(m, i, j) - ((double)((long)m->order * i + m->rank * m->block + j) * (double)iterations + added));
  return error < 1e-8 * m->order * m->block;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  struct matrices m;
  MPI_Comm_rank(MPI_COMM_WORLD, &m.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &m.size);
  m.order = (int)measured_argument(argc, argv, 1, 1800, m.size);
  long iterations = measured_argument(argc, argv, 2, 40, 1);
  m.tile = (int)measured_argument(argc, argv, 3, 32, 1);
  m.block = m.order / m.size;
  m.order = m.block * m.size;
  m.a = aligned_get((size_t)m.order * (size_t)m.block * sizeof *m.a);
  m.b = aligned_get((size_t)m.order * (size_t)m.block * sizeof *m.b);
  struct blocks *x = blocks_make(&m, argc > 4 ? argv[4] : "");
  fill(&m);
  measured_begin();
  for (long i = 0; i < iterations; i++) {
    matrices_transpose_own(&m);
    blocks_exchange(x, &m);
    change(&m);
  }
  measured_end();
  int result = measured_print("transpose", is_right(&m, iterations));
  blocks_release(x);
  aligned_release(m.a), aligned_release(m.b);
  return measured_finish(result);
}
