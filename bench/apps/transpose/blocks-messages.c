// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks go by messages, one rank after the other: MPI_Sendrecv, or (how: "nonblocking") Irecv, Isend, Wait.
#include <mpi.h>
#include <string.h>
#include "bench/apps/aligned.h"
#include "matrix.h"

struct blocks {
  int is_nonblocking;
  double *in, *out;
};

struct blocks *blocks_make(struct matrices *m, const char *how) {
  struct blocks *x = aligned_get(sizeof *x);
  size_t bytes = (size_t)m->block * (size_t)m->block * sizeof(double);
  x->is_nonblocking = strcmp(how, "nonblocking") == 0;
  x->in = aligned_get(bytes), x->out = aligned_get(bytes);
  return x;
}

void blocks_exchange(struct blocks *x, struct matrices *m) {
  int count = m->block * m->block;
  for (int phase = 1; phase < m->size; phase++) {
    int from = (m->rank + phase) % m->size, to = (m->rank - phase + m->size) % m->size;
    if (x->is_nonblocking) {
      MPI_Request requests[2];
      MPI_Irecv(x->in, count, MPI_DOUBLE, from, phase, MPI_COMM_WORLD, &requests[0]);
      matrices_pack(m, to, x->out);
      MPI_Isend(x->out, count, MPI_DOUBLE, to, phase, MPI_COMM_WORLD, &requests[1]);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
      MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    } else {
      matrices_pack(m, to, x->out);
      MPI_Sendrecv(x->out, count, MPI_DOUBLE, to, phase, x->in, count, MPI_DOUBLE, from, phase, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    }
    matrices_unpack(m, from, x->in);
  }
}

void blocks_release(struct blocks *x) { aligned_release(x->in), aligned_release(x->out), aligned_release(x); }
