// A rank's part of judging does not grow with the number of ranks: what it sends and receives for it concerns its own events only. Also the
// first rank's, which is the home of most communicators (rt/judge/collective/sequence-hash.h).
// RUN: %mpicc-check -g %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=stats=1 %mpirun -n 8 %t > %t.8 2>&1
// RUN: env MPICC_CHECK_OPTIONS=stats=1 %mpirun -n 16 %t > %t.16 2>&1
// RUN: env MPICC_CHECK_OPTIONS=stats=1 %mpirun -n 32 %t > %t.32 2>&1
// RUN: cat %t.8 %t.16 %t.32 | FileCheck %s
// CHECK: no errors found in {{.*}} on 8 ranks
// CHECK: judge: {{.*}} on one rank at most {{[0-9]+}} units left, [[#PIECES:]] pieces,
// CHECK: no errors found in {{.*}} on 16 ranks
// CHECK: judge: {{.*}} on one rank at most {{[0-9]+}} units left, [[#PIECES]] pieces,
// CHECK: no errors found in {{.*}} on 32 ranks
// CHECK: judge: {{.*}} on one rank at most {{[0-9]+}} units left, [[#PIECES]] pieces,
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, x = 1, y = 0, all[128];
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half);
  for (int i = 0; i < 10; i++) {
    MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) % size, 0, &y, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Gather(&x, 1, MPI_INT, all, 1, MPI_INT, i % 4, MPI_COMM_WORLD);
    MPI_Bcast(&x, 1, MPI_INT, 0, half);
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
