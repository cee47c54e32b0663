// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles and statuses on the heap that only MPI sets.
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0; MPI_Request *r = malloc(3 * sizeof *r); MPI_Status *s = malloc(2*sizeof *s);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(&x, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(&rank, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, s);
  MPI_Datatype *t = malloc(sizeof *t); MPI_Type_contiguous(3, MPI_INT, t); MPI_Type_commit(t); MPI_Type_free(t);
  MPI_Comm *c = malloc(sizeof *c); MPI_Comm_dup(MPI_COMM_WORLD, c); MPI_Comm_free(c);
  MPI_Ibarrier(MPI_COMM_WORLD, &r[2]); MPI_Wait(&r[2], s);
  MPI_Finalize();
}
