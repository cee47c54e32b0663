// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: types that MPI hands out: contents, f90 types, matching sizes; collectives with equal signatures built differently.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype t, u, inner[1], f;
  int x[64] = {0}, y[64 * 8], ni, na, nd, combiner, i[8];
  MPI_Aint a[8];
  // MPI-3.1 4.1.13: contents are new references to be freed
  MPI_Type_vector(2, 1, 2, MPI_INT, &u), MPI_Type_contiguous(3, u, &t), MPI_Type_free(&u);
  for (int round = 0; round < 3; round++) {
    MPI_Type_get_envelope(t, &ni, &na, &nd, &combiner);
    MPI_Type_get_contents(t, ni, na, nd, i, a, inner);
    MPI_Type_commit(&inner[0]);
    MPI_Sendrecv(x, 1, inner[0], rank, 1, y, 2, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&inner[0]);
    MPI_Type_contiguous(2, MPI_INT, &u), MPI_Type_commit(&u);   // may get the handle back
    MPI_Sendrecv(x, 1, u, rank, 1, y, 2, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&u);
  }
  MPI_Type_free(&t);
  // 17.1.9: not to be freed, the same handle each time
  for (int round = 0; round < 2; round++) {
    double d[4] = {0}, e[4];
    MPI_Type_create_f90_real(15, MPI_UNDEFINED, &f);
    MPI_Sendrecv(d, 4, f, rank, 1, e, 4, f, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_create_f90_integer(9, &f);
    MPI_Sendrecv(x, 4, f, rank, 1, y, 4, f, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_create_f90_complex(6, 30, &f);
    MPI_Type_contiguous(2, f, &t), MPI_Type_commit(&t);
    MPI_Sendrecv(x, 1, t, rank, 1, y, 2, f, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&t);
  }
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &f);
  MPI_Bcast(x, 2, f, 0, MPI_COMM_WORLD);
  // 5.1: signatures must be equal, not datatypes; counts may differ where types do
  MPI_Type_contiguous(4, MPI_INT, &t), MPI_Type_commit(&t);
  MPI_Bcast(x, rank ? 1 : 4, rank ? t : MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Gather(x, rank ? 1 : 4, rank ? t : MPI_INT, rank ? NULL : y, 4, rank ? MPI_DATATYPE_NULL : MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Gather(rank ? x : MPI_IN_PLACE, rank ? 4 : 0, rank ? MPI_INT : MPI_DATATYPE_NULL, y, 1, t, 0, MPI_COMM_WORLD);
  MPI_Scatter(y, 1, t, rank ? (void *)x : MPI_IN_PLACE, 4, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, 1, t, MPI_COMM_WORLD);
  MPI_Alltoall(x, 1, t, y, 4, MPI_INT, MPI_COMM_WORLD);
  int counts[8], at[8];
  for (int k = 0; k < size; k++) counts[k] = k, at[k] = 4 * k;
  MPI_Gatherv(x, rank, MPI_INT, y, counts, at, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Allgatherv(x, rank, MPI_INT, y, counts, at, MPI_INT, MPI_COMM_WORLD);
  MPI_Scatterv(y, counts, at, MPI_INT, x, rank, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Reduce_scatter(y, x, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(y, x, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Reduce(rank == 1 ? MPI_IN_PLACE : x, rank == 1 ? y : NULL, 3, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  MPI_Scan(MPI_IN_PLACE, y, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(x, y, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, y, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Datatype types[8];
  int bytes[8];
  for (int k = 0; k < size; k++) counts[k] = k == rank, bytes[k] = 16 * k, types[k] = k == rank ? t : MPI_INT;
  MPI_Alltoallw(x, counts, at, types, y, counts, bytes, types, MPI_COMM_WORLD);
  // 5.12: nonblocking in flight with blocking ones
  MPI_Request r[3];
  int z = rank, sum, one = 1;
  MPI_Iallreduce(&z, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[0]);
  MPI_Ibcast(x, 4, MPI_INT, 0, MPI_COMM_WORLD, &r[1]);
  MPI_Ibarrier(MPI_COMM_WORLD, &r[2]);
  MPI_Bcast(&one, 1, MPI_INT, 2, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank & 1) MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  else for (int k = 2; k >= 0; k--) MPI_Wait(&r[k], MPI_STATUS_IGNORE);
  MPI_Type_free(&t);
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
