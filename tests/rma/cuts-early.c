// RUN: %mpicc-check -O1 %s -o %t && %expect66 %mpirun-check --check-options stats=1 -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=unchecked
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows that need all logs at once are judged long before the logs have the size of log_budget (256 MiB): no cut of them takes many seconds. A race is found
// before and behind the cuts, each once.
// CHECK: judge: {{[1-9][0-9]*}} cuts
// CHECK-DAG: ERROR [rma.race] {{.*}}bytes 0..3
// CHECK-DAG: cuts-early.c:[[# @LINE + 20]] in main
// CHECK-DAG: ERROR [rma.race] {{.*}}bytes 4..7
// CHECK-DAG: cuts-early.c:[[# @LINE + 27]] in main
// CHECK: 2 errors, 0 warnings, 0 notes
#include <mpi.h>

enum { TURNS = 600000, SLOTS = 4096 };

int main(int argc, char **argv) {
  int rank, *memory, x[2] = {1, 2};
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate((2 + 2 * SLOTS) * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < TURNS; i++) {
    if (i == 0) {
      if (rank == 1) {
        MPI_Put(&x[0], 1, MPI_INT, 0, 0, 1, MPI_INT, win);
      } else memory[0] = 3; // races
      MPI_Win_flush_all(win);
    }
    MPI_Put(&x[0], 1, MPI_INT, 1 - rank, 2 + i % SLOTS, 1, MPI_INT, win);
    MPI_Win_flush(1 - rank, win);
    if (i % 1000 == 0) MPI_Barrier(MPI_COMM_WORLD);
    if (i == TURNS - 1) {
      if (rank == 1) {
        MPI_Put(&x[1], 1, MPI_INT, 0, 1, 1, MPI_INT, win);
      } else memory[1] = 3; // races
      MPI_Win_flush_all(win);
    }
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
