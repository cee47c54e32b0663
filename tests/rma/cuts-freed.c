// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=log_budget=0 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logs are cut behind MPI_Win_free of windows with fences that not all ranks have. What is carried of them must not be counted among another
// window's synchronizations: the order of events could not be followed any more (a note), and the watch took ranks for missing.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

static void use(MPI_Comm comm) {
  int rank, size, x[4] = {0};
  MPI_Win window;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Win_create(x, sizeof x, sizeof *x, MPI_INFO_NULL, comm, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, rank, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

int main(int argc, char **argv) {
  int rank, got;
  MPI_Comm pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, 0, &pair);
  if (pair != MPI_COMM_NULL) use(pair);
  for (int i = 0; i < 3; i++) {
    use(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);   // a cut
  }
  for (int i = 0; rank == 0 && i < 2; i++) MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) for (int i = 0; i < 2; i++) MPI_Send(&rank, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
  if (pair != MPI_COMM_NULL) MPI_Comm_free(&pair);
  MPI_Finalize();
  return 0;
}
