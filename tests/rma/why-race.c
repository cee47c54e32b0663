// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check --check-options why=rma.race -n 2 %t 2>&1 | FileCheck %s
// RUN: %expect66 %mpirun-check --check-options why=rma.race -n 2 %t fence 2>&1 | FileCheck %s --check-prefix=FENCE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Option why: what orders two accesses to a window, or that nothing does.
// CHECK-DAG: why: rma.race dismissed: MPI_Put of rank 0 (event {{[0-9]+}}) completed before MPI_Put of rank 1 (event {{[0-9]+}}): with event {{[0-9]+}} of rank 0
// CHECK-DAG: why: rma.race: {{MPI_Put of rank .* and MPI_Put of rank .*}}: neither completed before the other
// CHECK-DAG: ==mpicc-check== ERROR [rma.race]
// FENCE-DAG: why: rma.race: MPI_Put of rank {{[01]}} (event {{[0-9]+}}) and MPI_Put of rank {{[01]}} (event {{[0-9]+}}): neither completed before the other, both are in fence epoch 1
// FENCE-DAG: ==mpicc-check== ERROR [rma.race]
#include <mpi.h>

static void put(int x, MPI_Win win) {
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_unlock(0, win);
}

int main(int argc, char **argv) {
  int rank, *memory, x = 1;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(sizeof x, sizeof x, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  if (argc > 1) {
    MPI_Win_fence(0, win);
    MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
  } else {
    if (rank == 0) put(1, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) put(2, win);
    MPI_Barrier(MPI_COMM_WORLD);
    put(3, win); // both ranks
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
