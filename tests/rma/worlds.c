// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check --mca btl self,vader,tcp -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happened before another world was met (MPI-3.1 10.3.2) is judged as ever.
// CHECK-DAG: parents done
// CHECK-DAG: ==mpicc-check== ERROR [rma.race]
// CHECK-DAG: ==mpicc-check== no errors found in {{.*}} on 2 ranks
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int *memory, rank, x = 7;
  MPI_Comm other;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&other);
  int is_child = other != MPI_COMM_NULL;
  if (!is_child) {
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
      // CHECK-DAG: MPI_Put from rank 0 {{.*}}worlds.c:[[#@LINE+1]] in main
      MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
      MPI_Win_flush(1, window);
    } else {
      // CHECK-DAG: conflicts with store by rank 1 {{.*}}worlds.c:[[#@LINE+1]] in main
      *memory = 3;
    }
    MPI_Win_unlock_all(window);
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
    MPI_Win_free(&window);
  }
  MPI_Comm_disconnect(&other);
  if (rank == 0) printf(is_child ? "children done\n" : "parents done\n");
  MPI_Finalize();
  return 0;
}
